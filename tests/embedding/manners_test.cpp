#include "millrace/channel.hpp"
#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"
#include "millrace/memory.hpp"
#include "millrace/session.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

// A library is a guest in its host's process: what it must never do there.

namespace millrace {
namespace {

// -- what the archives refer to
// ---------------------------------------------------------------------

struct Reference {
  std::string object;
  std::string symbol;
};

// What a room's archive takes from elsewhere, object by object.
std::vector<Reference> references_of(const std::string& archive) {
  std::vector<Reference> references;
  std::FILE* const pipe = popen(("nm -u '" + archive + "'").c_str(), "r");
  if (pipe == nullptr) return references;
  std::string object;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    std::string text(line.data());
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
    if (text.ends_with(":")) {
      object = text.substr(0, text.size() - 1);
    } else if (const std::size_t name = text.rfind(' '); name != std::string::npos) {
      references.push_back({object, text.substr(name + 1)});
    }
  }
  pclose(pipe);
  return references;
}

std::vector<std::string> archives() {
  std::vector<std::string> paths;
  std::stringstream all(MILLRACE_ROOM_ARCHIVES);
  for (std::string path; std::getline(all, path, ':');) paths.push_back(path);
  return paths;
}

TEST(Manners, TheLibraryRefersToNothingThatSignalsExitsOrPrints) {
  const std::set<std::string, std::less<>> forbidden = {
      "signal",    "sigaction", "sigprocmask",  "pthread_sigmask", "raise",         "kill",
      "exit",      "_exit",     "_Exit",        "quick_exit",      "abort",         "fork",
      "printf",    "vprintf",   "puts",         "putchar",         "fprintf",       "vfprintf",
      "fputs",     "fputc",     "perror",       "stdout",          "stderr",        "_ZSt4cout",
      "_ZSt4cerr", "_ZSt4clog", "__printf_chk", "__fprintf_chk",   "__vfprintf_chk"};
  // A failed assertion is a fault of ours and ends the process with a line; the stop points are
  // there in builds with tests alone.
  const std::set<std::string, std::less<>> exempt = {"assert.cpp.o", "stop_point.cpp.o"};

  std::set<std::string> found;
  std::size_t seen = 0;
  for (const std::string& archive : archives()) {
    for (const auto& [object, symbol] : references_of(archive)) {
      ++seen;
      const std::string bare = symbol.substr(0, symbol.find('@'));
      if (forbidden.contains(bare) && !exempt.contains(object)) found.insert(object + ": " + bare);
    }
  }
  EXPECT_GT(seen, 1'000U);
  EXPECT_EQ(found, std::set<std::string>());
}

// -- what a process sees of it
// ----------------------------------------------------------------------

std::vector<void (*)(int)> signal_handlers() {
  std::vector<void (*)(int)> handlers;
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    handlers.push_back(sigaction(number, nullptr, &action) == 0 ? action.sa_handler : SIG_DFL);
  }
  return handlers;
}

/// Sends standard output and error into files for as long as it lives.
class CapturedOutput {
 public:
  CapturedOutput() : folder_(std::filesystem::temp_directory_path() / name()) {
    std::filesystem::create_directories(folder_);
    std::fflush(nullptr);
    for (const int descriptor : {1, 2}) {
      saved_.push_back(dup(descriptor));
      std::FILE* const file = std::fopen(path(descriptor).c_str(), "w");
      dup2(fileno(file), descriptor);
      std::fclose(file);
    }
  }
  ~CapturedOutput() {
    put_back();
    std::filesystem::remove_all(folder_);
  }
  void put_back() {
    std::fflush(nullptr);
    for (std::size_t i = 0; i < saved_.size(); ++i) {
      dup2(saved_[i], static_cast<int>(i) + 1);
      close(saved_[i]);
    }
    saved_.clear();
  }
  [[nodiscard]] std::string text() const {
    std::stringstream all;
    for (const int descriptor : {1, 2}) all << std::ifstream(path(descriptor)).rdbuf();
    return all.str();
  }

 private:
  static std::string name() { return "millrace-manners-" + std::to_string(getpid()); }
  [[nodiscard]] std::string path(int descriptor) const {
    return (folder_ / std::to_string(descriptor)).string();
  }

  std::filesystem::path folder_;
  std::vector<int> saved_;
};

struct Job {
  explicit Job(Session& session, const std::string& name)
      : numbers(name + "_in", {{"n", TypeKind::kInt64}}), answers(name + "_out") {
    auto started = session.read_stream(numbers)
                       .select({(lit(10) / col("n")).as("share")})
                       .write_stream()
                       .to(answers)
                       .query_name(name)
                       .start();
    EXPECT_TRUE(started) << started.error().message;
    query = *started;
  }
  double ask(std::int64_t n) {
    EXPECT_TRUE(numbers.send({Value::int64(n)}));
    const auto received = answers.receive();
    EXPECT_TRUE(received) << received.error().message;
    return received ? std::get<double>(received->row(0)[0].data) : 0.0;
  }

  ChannelSource numbers;
  ChannelSink answers;
  std::optional<Query> query;
};

TEST(Manners, AWholeLifeLeavesSignalsAndOutputAlone) {
  const auto handlers = signal_handlers();
  CapturedOutput output;
  std::string failure;
  {
    Session session;
    Job job(session, "life");
    EXPECT_EQ(job.ask(5), 2.0);
    ASSERT_TRUE(job.numbers.send({Value::int64(0)}));  // fails the query
    const Status ended = job.query->await_termination();
    failure = ended ? "" : ended.error().message;
  }
  {
    // A broker that is not there: the client has much to say, and the start waits for it until
    // somebody has heard enough.
    std::promise<void> heard;
    std::atomic<bool> has_heard{false};
    SessionConfig config;
    config.log = [&](LogLevel, std::string_view) {
      if (!has_heard.exchange(true)) heard.set_value();
    };
    Session session(std::move(config));
    std::jthread canceller([&] {
      heard.get_future().wait();
      static_cast<void>(session.stop_all());
    });
    const auto refused = session.read_stream("kafka")
                             .option("bootstrap_servers", "127.0.0.1:1")
                             .option("topic", "nothing")
                             .option("format", "raw")
                             .load()
                             .write_stream()
                             .to(MemorySink("nowhere"))
                             .start();
    EXPECT_FALSE(refused);
    if (!has_heard.exchange(true)) heard.set_value();
  }
  output.put_back();

  EXPECT_EQ(output.text(), "");
  EXPECT_NE(failure, "");
  EXPECT_TRUE(handlers == signal_handlers());
}

TEST(Manners, SeveralSessionsAndQueriesLiveInOneProcess) {
  Session first;
  Session second;
  Job a(first, "a");
  Job b(first, "b");
  Job c(second, "a");  // names are a session's own

  EXPECT_EQ(a.ask(1), 10.0);
  EXPECT_EQ(b.ask(2), 5.0);
  EXPECT_EQ(c.ask(4), 2.5);

  EXPECT_TRUE(a.query->stop());
  EXPECT_EQ(b.ask(5), 2.0);
  EXPECT_TRUE(first.stop_all());
  EXPECT_EQ(c.ask(10), 1.0);
  EXPECT_TRUE(second.stop_all());
}

TEST(Manners, CountsAndLatenciesPerStageAreReadableWithoutAServer) {
  Session session;
  Job job(session, "measured");
  for (std::int64_t n = 1; n <= 3; ++n) job.ask(n);
  ASSERT_TRUE(job.query->close_epoch());

  const QueryProgress progress = job.query->progress();
  EXPECT_EQ(progress.rows_in, 3);
  EXPECT_EQ(progress.rows_out, 3);
  EXPECT_EQ(progress.epoch, Epoch(0));
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  for (const StageLatency& stage : progress.stages) counts.emplace_back(stage.stage, stage.count);
  const std::vector<std::pair<std::string, std::uint64_t>> expected = {
      {"fetch", 3}, {"decode", 0}, {"chain", 3}, {"produce-ack", 3}};
  EXPECT_EQ(counts, expected);
  EXPECT_GT(progress.stages[2].p50_ns, 0U);
}

}  // namespace
}  // namespace millrace
