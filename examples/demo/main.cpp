// The main job, shown: clicks go into a Kafka topic, a query enriches them from a table of users,
// and what comes out is printed, with the latency of every stage. By default the broker is
// librdkafka's mock cluster inside this process; --bootstrap-servers names a real one. --seconds
// says how long the table runs.

#include "millrace/session.hpp"

#include "connectors/kafka_mock.hpp"
#include "connectors/kafka_probe.hpp"
#include "examples/demo/click_generator.hpp"
#include "examples/demo/live_table.hpp"
#include "sql/program.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace millrace::demo {

namespace {

constexpr int kRate = 1000;  // clicks a second
constexpr int kPartitions = 4;
constexpr int kSampleRecords = 4;
constexpr int kTableSeconds = 10;

constexpr const char* kJob =
    R"(CREATE TABLE clicks (ts bigint, seq bigint, user_id int, event_type text,
                     price double precision, qty int, symbol text, note text)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = 'clicks',
        format = 'json', starting_offsets = 'latest');
CREATE TABLE users (user_id int, country text, tier int)
  WITH (connector = 'file', path = '${FOLDER}/users.csv', format = 'csv', header = 'true');
CREATE TABLE enriched ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = 'enriched', format = 'json');
SET checkpoint_location = '${FOLDER}/chk';
SET trigger = 'real_time 1 second';
INSERT INTO enriched
  SELECT c.*, u.country, u.tier FROM clicks c JOIN users u ON c.user_id = u.user_id
  WHERE c.event_type <> 'purchase';
)";

/// A folder for the job's files that goes away with the demo.
class WorkFolder {
 public:
  WorkFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "millrace-demo.XXXXXX").string();
    path_ = mkdtemp(name.data()) == nullptr ? "." : name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (path_ != ".") std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void write_users(const std::string& path) {
  static constexpr const char* kCountries[] = {"DE", "FR", "US", "JP", "BR"};
  std::ofstream file(path);
  file << "user_id,country,tier\n";
  for (int user = 0; user < 100; ++user)
    file << user << ',' << kCountries[user % 5] << ',' << user % 3 + 1 << '\n';
}

/// Collects progress from the query's thread for the table on the main one.
class ProgressBox {
 public:
  void put(const QueryProgress& progress) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(progress);
  }
  std::vector<QueryProgress> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(waiting_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<QueryProgress> waiting_;
};

/// The part of a record that tells which click it is: `"seq":17,`.
std::string seq_of(const std::string& record) {
  const std::size_t begin = record.find("\"seq\":");
  return begin == std::string::npos ? "?"
                                    : record.substr(begin, record.find(',', begin) - begin + 1);
}

Status show_samples(const std::string& servers, ClickGenerator& generator) {
  MILLRACE_ASSIGN(auto probe, connectors::KafkaProbe::open(servers));
  generator.start();
  std::vector<std::string> out;
  MILLRACE_TRY(probe->follow("enriched", true, 10'000, [&](const auto& record) {
    out.push_back(record.value.value_or("null"));
    return out.size() < kSampleRecords;
  }));
  MILLRACE_ASSIGN(const auto in, probe->read_all("clicks"));
  std::cout << "\nA few clicks, and what became of them:\n";
  for (const std::string& record : out) {
    for (const auto& click : in)
      if (click.value && seq_of(*click.value) == seq_of(record))
        std::cout << "  in   " << *click.value << '\n';
    std::cout << "  out  " << record << '\n';
  }
  for (const auto& click : in) {
    if (!click.value || click.value->find("purchase") == std::string::npos) continue;
    std::cout << "  in   " << *click.value << "\n  (a purchase: dropped)\n";
    break;
  }
  return {};
}

// A row is an epoch, and an epoch is a second.
void show_table(const Query& query, ProgressBox& box, int rows) {
  std::cout << "\nLatency per stage, one epoch (1 s) a line; chain = from the source's hand to the "
               "sink's, decoding included:\n"
            << table_header() << '\n';
  for (int shown = 0; shown < rows && query.status() == QueryState::kRunning;) {
    for (const QueryProgress& progress : box.take()) {
      std::cout << table_row(progress) << std::endl;
      ++shown;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Status run(std::string servers, int seconds) {
  std::unique_ptr<connectors::KafkaMock> mock;
  if (servers.empty()) {
    MILLRACE_ASSIGN(mock, connectors::KafkaMock::start());
    servers = mock->bootstrap_servers();
    std::cout
        << "Broker: librdkafka's mock cluster, inside this process (" << servers << ").\n"
        << "The latencies of fetch and produce-ack below are the mock's, not the engine's: it "
           "answers a waiting\nfetch only when its time is up, and its acknowledgements lie in "
           "its socket for up to 60 ms.\n";
  } else {
    std::cout << "Broker: " << servers << "\n";
  }
  MILLRACE_ASSIGN(auto probe, connectors::KafkaProbe::open(servers));
  for (const char* topic : {"clicks", "enriched"})
    MILLRACE_TRY(mock ? mock->create_topic(topic, kPartitions)
                      : probe->create_topic(topic, kPartitions));

  const WorkFolder folder;
  write_users(folder.path() + "/users.csv");
  std::cout << "\nThe job:\n\n" << kJob << '\n';

  ProgressBox box;
  SessionConfig config;
  config.log = [](LogLevel, std::string_view line) { std::cerr << "  " << line << '\n'; };
  config.progress = [&box](const QueryProgress& progress) { box.put(progress); };
  Session session(std::move(config));
  MILLRACE_ASSIGN(sql::Program program, sql::Program::parse(kJob, [&](std::string_view name) {
                    return std::optional<std::string>(name == "SERVERS" ? servers : folder.path());
                  }));
  MILLRACE_TRY(program.prepare(session));
  MILLRACE_ASSIGN(const auto started, program.start(session));
  const Query& query = started.front().query;
  std::cout << "ready: " << query.name() << " (" << started.front().summary << ")\n";

  ClickGenerator generator(servers, "clicks", kRate);
  MILLRACE_TRY(show_samples(servers, generator));
  show_table(query, box, seconds);
  generator.stop();
  MILLRACE_TRY(query.stop());
  if (!generator.fault().empty()) return fail(ErrorCode::kIo, generator.fault());
  const QueryProgress total = query.progress();
  std::cout << fmt::format(
      "\nStopped: {} records in, {} out, everything committed up to epoch {}.\n", total.rows_in,
      total.rows_out, total.epoch ? total.epoch->value : -1);
  return {};
}

void show_what_next(bool was_mock) {
  std::cout << "\nNext:\n";
  if (was_mock) std::cout << "  ./dev demo --kafka real     the same on a real Apache Kafka\n";
  std::cout << "  ./dev latency --rate 1000   Millrace beside a bare client, with percentiles\n"
               "  ./dev test                  every test\n"
               "  build/bin/millrace --help   run a job of your own\n";
}

}  // namespace

}  // namespace millrace::demo

int main(int argument_count, char** arguments) {
  std::string servers;
  int seconds = millrace::demo::kTableSeconds;
  for (int number = 1; number < argument_count; ++number) {
    const std::string argument = arguments[number];
    if (argument == "--bootstrap-servers" && number + 1 < argument_count) {
      servers = arguments[++number];
    } else if (argument == "--seconds" && number + 1 < argument_count &&
               std::atoi(arguments[number + 1]) > 0) {
      seconds = std::atoi(arguments[++number]);
    } else {
      std::cerr << "usage: millrace_demo [--bootstrap-servers HOST:PORT] [--seconds N]\n";
      return 2;
    }
  }
  const millrace::Status status = millrace::demo::run(servers, seconds);
  if (!status) {
    std::cerr << "demo: " << status.error().message << '\n';
    return 1;
  }
  millrace::demo::show_what_next(servers.empty());
  return 0;
}
