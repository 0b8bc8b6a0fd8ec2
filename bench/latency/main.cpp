#include "bench/latency/clicks.hpp"
#include "bench/latency/kafka_forwarder.hpp"
#include "bench/latency/modes.hpp"

#include <cstdio>
#include <string>
#include <vector>

// Kafka to Kafka latency: Millrace beside a bare librdkafka forwarder. --help tells the rest.

namespace {

using millrace::bench::Mode;

millrace::Status run(const millrace::bench::Settings& settings) {
  switch (settings.mode) {
    case Mode::kLatency:
      return millrace::bench::measure_latency(settings);
    case Mode::kBacklog:
      return millrace::bench::measure_backlog(settings);
    case Mode::kIdle:
      return millrace::bench::measure_idle(settings);
    case Mode::kReady:
      return millrace::bench::measure_ready(settings);
    case Mode::kForwarder:
      return millrace::bench::run_kafka_forwarder(settings);
  }
  return millrace::fail(millrace::ErrorCode::kInternal, "a mode without a function");
}

}  // namespace

int main(int argc, char** argv) {
  const auto settings =
      millrace::bench::parse_settings(std::vector<std::string>(argv + 1, argv + argc));
  if (!settings) {
    const bool is_help = settings.error().code == millrace::ErrorCode::kCancelled;
    std::fputs(settings.error().message.c_str(), is_help ? stdout : stderr);
    if (!is_help) std::fputc('\n', stderr);
    return is_help ? 0 : 2;
  }
  auto status = millrace::bench::keep_events(settings->keeps);
  if (status) status = run(*settings);
  if (status) return 0;
  std::fprintf(stderr, "millrace_latency: %s\n", status.error().message.c_str());
  return 1;
}
