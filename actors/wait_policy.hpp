#pragma once

#include "millrace/strong.hpp"

#include <cstdint>
#include <string_view>

namespace millrace::actors {

/// What a worker thread does when none of its tasks has work: look again at once, or sleep until it
/// is woken. The price of the first is a core, of the second a wake-up (10 to 30 µs on an idle
/// machine). One object may serve many threads: it has no state.
class WaitPolicy {
 public:
  virtual ~WaitPolicy() = default;
  /// Whether to look again, given since when looks have found nothing.
  [[nodiscard]] virtual bool looks_again(SteadyTime idle_since, SteadyTime now) const = 0;
};

/// Sleeps at once: an idle query costs nothing. The default.
class ParkPolicy final : public WaitPolicy {
 public:
  [[nodiscard]] bool looks_again(SteadyTime /*idle_since*/, SteadyTime /*now*/) const override {
    return false;
  }
};

/// Looks for a little while, then sleeps: rows that come in quick succession need no wake-up, an
/// idle query costs nothing, and a wake-up costs so much more of a core.
class AdaptivePolicy final : public WaitPolicy {
 public:
  static constexpr std::int64_t kSpinNs = 50'000;

  [[nodiscard]] bool looks_again(SteadyTime idle_since, SteadyTime now) const override {
    return now.value - idle_since.value < kSpinNs;
  }
};

/// Never sleeps: each worker thread keeps a core busy, and no wake-up is ever paid for.
class SpinPolicy final : public WaitPolicy {
 public:
  [[nodiscard]] bool looks_again(SteadyTime /*idle_since*/, SteadyTime /*now*/) const override {
    return true;
  }
};

/// 'park', 'adaptive' or 'spin', alive as long as the program; null for another name.
[[nodiscard]] const WaitPolicy* wait_policy_named(std::string_view name);

}  // namespace millrace::actors
