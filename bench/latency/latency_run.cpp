#include "bench/latency/latency_run.hpp"

#include "bench/latency/kafka_generator.hpp"
#include "bench/latency/kafka_reader.hpp"
#include "bench/latency/output_audit.hpp"
#include "bench/latency/steady_time.hpp"

#include <atomic>
#include <thread>

namespace millrace::bench {
namespace {

constexpr int kReadySeconds = 30;
constexpr std::int64_t kGraceNs = 10'000'000'000;  // for records still under way at the end
constexpr std::int64_t kLeadNs = 200'000'000;      // between the plan and the first record

Schedule make_schedule(const Settings& settings, int rate) {
  const auto per_second = static_cast<std::uint64_t>(rate);
  Schedule schedule;
  schedule.start_ns = steady_ns() + kLeadNs;
  schedule.rate = rate;
  schedule.warm_up = per_second * static_cast<std::uint64_t>(settings.warm_up_seconds);
  schedule.count = schedule.warm_up + per_second * static_cast<std::uint64_t>(settings.seconds);
  return schedule;
}

// Sends and reads on threads of their own, while the caller watches the subject.
class Traffic {
 public:
  static Result<std::unique_ptr<Traffic>> open(const Settings& settings, const RunTopics& topics) {
    std::unique_ptr<Traffic> traffic(new Traffic(settings.size_bytes));
    MILLRACE_ASSIGN(traffic->generator_, KafkaGenerator::open(settings.bootstrap_servers,
                                                              topics.clicks, settings.partitions));
    MILLRACE_ASSIGN(traffic->reader_, KafkaReader::open(settings.bootstrap_servers, topics.enriched,
                                                        settings.partitions));
    return traffic;
  }
  Traffic(const Traffic&) = delete;
  ~Traffic() { join(); }

  void start(const Schedule& schedule, OutputAudit& audit) {
    reading_ = std::thread([this, &audit] { read_until_told(audit); });
    sending_ =
        std::thread([this, schedule] { send_status_ = generator_->send(schedule, size_bytes_); });
  }

  // Waits until all is sent and has come out, or the grace is over.
  Status finish(const OutputAudit& audit) {
    sending_.join();
    const auto deadline = steady_ns() + kGraceNs;
    while (!audit.is_complete() && steady_ns() < deadline) sleep_until_ns(steady_ns() + 1'000'000);
    join();
    MILLRACE_TRY(send_status_);
    return read_status_;
  }

 private:
  explicit Traffic(int size_bytes) : size_bytes_(size_bytes) {}

  void read_until_told(OutputAudit& audit) {
    while (!is_over_.load() && read_status_) {
      const auto read = reader_->read(100, [&](std::string_view value, std::int64_t arrival_ns) {
        audit.note(value, arrival_ns);
      });
      if (!read) read_status_ = fail(read.error());
    }
  }

  void join() {
    is_over_.store(true);
    if (sending_.joinable()) sending_.join();
    if (reading_.joinable()) reading_.join();
  }

  int size_bytes_;
  std::unique_ptr<KafkaGenerator> generator_;
  std::unique_ptr<KafkaReader> reader_;
  std::atomic<bool> is_over_{false};
  Status send_status_;  // written by the sending thread, read after it has ended
  Status read_status_;  // likewise of the reading thread
  std::thread sending_;
  std::thread reading_;
};

}  // namespace

Result<LatencyRun> run_latency(const Settings& settings, Workspace& workspace,
                               const Subject& subject, int rate) {
  MILLRACE_ASSIGN(const auto topics, workspace.create_topics());
  MILLRACE_ASSIGN(const auto child, workspace.start(subject, topics, false));
  MILLRACE_TRY(child->wait_until_ready(kReadySeconds));
  MILLRACE_ASSIGN(const auto traffic, Traffic::open(settings, topics));

  const auto schedule = make_schedule(settings, rate);
  OutputAudit audit(schedule);
  traffic->start(schedule, audit);
  sleep_until_ns(schedule.due_ns(schedule.warm_up));
  MILLRACE_ASSIGN(const auto before, child->usage());
  sleep_until_ns(schedule.due_ns(schedule.count));
  MILLRACE_ASSIGN(const auto after, child->usage());
  MILLRACE_TRY(traffic->finish(audit));
  MILLRACE_TRY(child->stop());
  MILLRACE_TRY(workspace.delete_topics(topics));

  return LatencyRun{audit.latency(),       static_cast<double>(rate),
                    audit.achieved_rate(), after.cpu_seconds - before.cpu_seconds,
                    after.resident_bytes,  after.peak_resident_bytes,
                    audit.missing(),       audit.doubled(),
                    audit.unexpected()};
}

}  // namespace millrace::bench
