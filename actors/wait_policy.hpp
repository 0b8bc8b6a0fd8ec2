#pragma once

#include "millrace/strong.hpp"

namespace millrace::actors {

/// What a task does after a look that found no input: look again at once, or sleep until it is
/// woken. The price of the first is a core, of the second a wake-up (10 to 30 µs on an idle
/// machine). One object may serve many tasks: it has no state. Called on the tasks' threads.
class WaitPolicy {
 public:
  virtual ~WaitPolicy() = default;
  /// Whether to look again, given how long looks have found nothing.
  [[nodiscard]] virtual bool looks_again(SteadyTime idle_since, SteadyTime now) const = 0;
};

/// Sleeps at once: an idle query costs nothing. The default.
class ParkPolicy final : public WaitPolicy {
 public:
  [[nodiscard]] bool looks_again(SteadyTime /*idle_since*/, SteadyTime /*now*/) const override {
    return false;
  }
};

}  // namespace millrace::actors
