#include "bench/latency/chain_rate.hpp"
#include "bench/latency/kafka_generator.hpp"
#include "bench/latency/kafka_reader.hpp"
#include "bench/latency/modes.hpp"
#include "bench/latency/output_audit.hpp"
#include "bench/latency/steady_time.hpp"
#include "bench/latency/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace millrace::bench {
namespace {

constexpr int kReadySeconds = 60;
constexpr std::int64_t kSilenceNs = 20'000'000'000;  // no output for so long: given up

struct Drain {
  std::string subject;
  double seconds = 0;  ///< ready to last output
  double rate = 0;     ///< input records a second
  double longest_gap_ms = 0;
  double peak_mib = 0;
  double cpu_seconds = 0;
  std::uint64_t missing = 0;
  std::uint64_t faults = 0;  ///< missing, doubled or unexpected
};

Status read_all(KafkaReader& reader, OutputAudit& audit) {
  auto last_progress_ns = steady_ns();
  while (!audit.is_complete() && steady_ns() - last_progress_ns < kSilenceNs) {
    MILLRACE_ASSIGN(const auto count,
                    reader.read(100, [&](std::string_view value, std::int64_t arrival_ns) {
                      audit.note(value, arrival_ns);
                    }));
    if (count > 0) last_progress_ns = steady_ns();
  }
  return {};
}

Result<Drain> drain(const Settings& settings, Workspace& workspace, const Subject& subject,
                    const Schedule& backlog) {
  MILLRACE_ASSIGN(const auto topics, workspace.create_topics());
  {
    MILLRACE_ASSIGN(const auto generator, KafkaGenerator::open(settings.bootstrap_servers,
                                                               topics.clicks, settings.partitions));
    MILLRACE_TRY(generator->fill(backlog.count, settings.size_bytes));
  }
  MILLRACE_ASSIGN(const auto reader, KafkaReader::open(settings.bootstrap_servers, topics.enriched,
                                                       settings.partitions));
  OutputAudit audit(backlog);
  MILLRACE_ASSIGN(const auto child, workspace.start(subject, topics, true));
  MILLRACE_ASSIGN(const auto ready_ns, child->wait_until_ready(kReadySeconds));
  MILLRACE_TRY(read_all(*reader, audit));
  MILLRACE_ASSIGN(const auto usage, child->usage());
  MILLRACE_TRY(child->stop());
  MILLRACE_TRY(workspace.delete_topics(topics));

  Drain result;
  result.subject = subject.name;
  result.seconds = static_cast<double>(audit.last_arrival_ns() - ready_ns) / 1e9;
  result.rate = static_cast<double>(backlog.count) / std::max(result.seconds, 1e-9);
  result.longest_gap_ms = static_cast<double>(audit.longest_gap_ns()) / 1e6;
  result.peak_mib = static_cast<double>(usage.peak_resident_bytes) / (1024 * 1024);
  result.cpu_seconds = usage.cpu_seconds;
  result.missing = audit.missing();
  result.faults = audit.missing() + audit.doubled() + audit.unexpected();
  return result;
}

void print(const Drain& drain) {
  std::printf("%-28s%10.2f%12.0f%12.1f%10.1f%10.2f%10llu\n", drain.subject.c_str(), drain.seconds,
              drain.rate, drain.longest_gap_ms, drain.peak_mib, drain.cpu_seconds,
              static_cast<unsigned long long>(drain.missing));
  std::fflush(stdout);
}

// The median of the subjects that are Millrace, or of those that are not; 0 when there are none.
double median_seconds(const std::vector<Drain>& drains, bool of_millrace) {
  std::vector<double> seconds;
  for (const auto& drain : drains) {
    if ((drain.subject == "millrace") == of_millrace) seconds.push_back(drain.seconds);
  }
  if (seconds.empty()) return 0;
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

// What the drain would take if client and chain took turns: the measure of what lies between them.
std::string compare_with_parts(const Settings& settings, const Schedule& backlog,
                               const std::vector<Drain>& drains) {
  const auto client = median_seconds(drains, false);
  const auto whole = median_seconds(drains, true);
  const auto chain_rate = measure_chain_rate(settings.size_bytes);
  if (!chain_rate || client <= 0 || whole <= 0) return {};
  const auto chain = static_cast<double>(backlog.count) / *chain_rate;
  return fmt::format(
      "client {:.2f} s (the forwarder's median) + chain {:.2f} s ({:.0f} rec/s on one core) = "
      "{:.2f} "
      "s; millrace {:.2f} s: {:.2f}x\n",
      client, chain, *chain_rate, client + chain, whole, whole / (client + chain));
}

std::string to_json(const Drain& drain) {
  return fmt::format(
      "{{\"subject\":\"{}\",\"seconds\":{:.3f},\"rate\":{:.0f},\"longest_gap_ms\":{:.1f},"
      "\"peak_mib\":{:.1f},\"cpu_seconds\":{:.2f},\"missing\":{}}}",
      drain.subject, drain.seconds, drain.rate, drain.longest_gap_ms, drain.peak_mib,
      drain.cpu_seconds, drain.missing);
}

}  // namespace

Status measure_backlog(const Settings& settings) {
  Schedule backlog;
  backlog.count = static_cast<std::uint64_t>(settings.backlog_bytes / settings.size_bytes);
  std::printf(
      "backlog of %llu records of %d B in %d partitions, drained; ready line to last output\n",
      static_cast<unsigned long long>(backlog.count), settings.size_bytes, settings.partitions);
  std::printf("%-28s%10s%12s%12s%10s%10s%10s\n", "", "seconds", "rec/s", "gap max ms", "peak MiB",
              "CPU s", "missing");
  Workspace workspace(settings);
  std::vector<Drain> drains;
  std::string json;
  for (int repeat = 0; repeat < settings.repeats; ++repeat) {
    for (const auto& subject : subjects_of(settings, false)) {
      MILLRACE_ASSIGN(const auto result, drain(settings, workspace, subject, backlog));
      print(result);
      json += (json.empty() ? "" : ",") + to_json(result);
      drains.push_back(result);
    }
  }
  std::fputs(compare_with_parts(settings, backlog, drains).c_str(), stdout);
  MILLRACE_TRY(write_output(settings, "{\"drains\":[" + json + "]}\n"));
  std::uint64_t faults = 0;
  for (const auto& drain : drains) faults += drain.faults;
  return check_output(faults);
}

}  // namespace millrace::bench
