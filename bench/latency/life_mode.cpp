#include "bench/latency/modes.hpp"
#include "bench/latency/steady_time.hpp"
#include "bench/latency/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

// What a query costs that has nothing to do, and how soon it is there.

namespace millrace::bench {
namespace {

constexpr int kReadySeconds = 30;
constexpr std::int64_t kSettleNs = 3'000'000'000;  // for start-up work to end

}  // namespace

Status measure_idle(const Settings& settings) {
  Workspace workspace(settings);
  std::string json;
  std::printf("idle for %d s, %d partitions\n%-28s%12s%12s\n", settings.seconds,
              settings.partitions, "", "% of a core", "MiB");
  for (const auto& subject : subjects_of(settings, false)) {
    MILLRACE_ASSIGN(const auto topics, workspace.create_topics());
    MILLRACE_ASSIGN(const auto child, workspace.start(subject, topics, false));
    MILLRACE_TRY(child->wait_until_ready(kReadySeconds));
    sleep_until_ns(steady_ns() + kSettleNs);
    MILLRACE_ASSIGN(const auto before, child->usage());
    sleep_until_ns(steady_ns() + settings.seconds * 1'000'000'000LL);
    MILLRACE_ASSIGN(const auto after, child->usage());
    MILLRACE_TRY(child->stop());
    MILLRACE_TRY(workspace.delete_topics(topics));

    const auto percent = (after.cpu_seconds - before.cpu_seconds) / settings.seconds * 100;
    const auto mib = static_cast<double>(after.resident_bytes) / (1024 * 1024);
    std::printf("%-28s%12.2f%12.1f\n", subject.name.c_str(), percent, mib);
    json += fmt::format("{}{{\"subject\":\"{}\",\"core_percent\":{:.2f},\"resident_mib\":{:.1f}}}",
                        json.empty() ? "" : ",", subject.name, percent, mib);
  }
  return write_output(settings, "{\"idle\":[" + json + "]}\n");
}

Status measure_ready(const Settings& settings) {
  Workspace workspace(settings);
  std::string json;
  std::printf("process start to its ready line, %d partitions, %d starts, ms\n%-28s%10s%10s%10s\n",
              settings.partitions, settings.repeats, "", "min", "median", "max");
  for (const auto& subject : subjects_of(settings, false)) {
    std::vector<double> times_ms;
    for (int repeat = 0; repeat < settings.repeats; ++repeat) {
      MILLRACE_ASSIGN(const auto topics, workspace.create_topics());
      MILLRACE_ASSIGN(const auto child, workspace.start(subject, topics, false));
      MILLRACE_ASSIGN(const auto ready_ns, child->wait_until_ready(kReadySeconds));
      times_ms.push_back(static_cast<double>(ready_ns - child->started_ns()) / 1e6);
      MILLRACE_TRY(child->stop());
      MILLRACE_TRY(workspace.delete_topics(topics));
    }
    std::ranges::sort(times_ms);
    const auto median_ms = times_ms[times_ms.size() / 2];
    std::printf("%-28s%10.0f%10.0f%10.0f\n", subject.name.c_str(), times_ms.front(), median_ms,
                times_ms.back());
    json += fmt::format(
        "{}{{\"subject\":\"{}\",\"min_ms\":{:.1f},\"median_ms\":{:.1f},\"max_ms\":{:.1f}}}",
        json.empty() ? "" : ",", subject.name, times_ms.front(), median_ms, times_ms.back());
  }
  return write_output(settings, "{\"ready\":[" + json + "]}\n");
}

}  // namespace millrace::bench
