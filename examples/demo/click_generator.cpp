#include "examples/demo/click_generator.hpp"

#include "millrace/clock.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace millrace::demo {

ClickGenerator::ClickGenerator(std::string bootstrap_servers, std::string topic, int rate)
    : bootstrap_servers_(std::move(bootstrap_servers)), topic_(std::move(topic)), rate_(rate) {}

ClickGenerator::~ClickGenerator() { stop(); }

void ClickGenerator::start() {
  thread_ = std::thread([this] { run(); });
}

void ClickGenerator::stop() {
  stopping_.store(true);
  if (thread_.joinable()) thread_.join();
}

std::string ClickGenerator::make_click(std::int64_t seq, std::int64_t now_us) {
  static constexpr const char* kEvents[] = {"view", "click", "purchase"};
  static constexpr const char* kSymbols[] = {"AAPL", "MSFT", "NVDA", "AMZN", "GOOG"};
  // Spreads the sequence number over all bits, so that fields look unrelated.
  const std::uint64_t mixed = static_cast<std::uint64_t>(seq) * 0x9E3779B97F4A7C15ULL;
  return fmt::format(
      R"({{"ts":{},"seq":{},"user_id":{},"event_type":"{}","price":{}.{:02},"qty":{},"symbol":"{}","note":"click {}"}})",
      now_us, seq, (mixed >> 20) % 100, kEvents[(mixed >> 33) % 3], (mixed >> 40) % 900 + 10,
      (mixed >> 13) % 100, (mixed >> 50) % 9 + 1, kSymbols[(mixed >> 55) % 5], seq);
}

void ClickGenerator::run() {
  auto probe = connectors::KafkaProbe::open(bootstrap_servers_);
  if (!probe) {
    fault_ = probe.error().message;
    return;
  }
  using Steady = std::chrono::steady_clock;
  const auto begin = Steady::now();
  std::int64_t written = 0;
  while (!stopping_.load()) {
    // What is due by now is written now: a late wake-up does not slow the schedule down.
    const std::chrono::duration<double> passed = Steady::now() - begin;
    const auto wanted = static_cast<std::int64_t>(passed.count() * rate_);
    if (const Status status = write_up_to(**probe, wanted, written); !status) {
      fault_ = status.error().message;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (const Status flushed = (*probe)->flush(); !flushed) fault_ = flushed.error().message;
}

Status ClickGenerator::write_up_to(connectors::KafkaProbe& probe, std::int64_t wanted,
                                   std::int64_t& written) {
  const SystemClock clock;
  for (; written < wanted; ++written) {
    const std::int64_t now_us = clock.wall().value;
    connectors::KafkaProbeRecord record;
    record.key = "user-" + std::to_string(written % 100);
    record.value = make_click(written, now_us);
    record.timestamp_ms = now_us / 1000;
    MILLRACE_TRY(probe.write(topic_, record));
  }
  return {};
}

}  // namespace millrace::demo
