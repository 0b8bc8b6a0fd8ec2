#pragma once

#include "tests/golden/case_run.hpp"

#include <chrono>
#include <functional>

namespace millrace::golden {

/// Runs one case in a process of its own, so that one that crashes or never ends is a failure with
/// a reason, and the next one is run all the same. The caller has one thread.
[[nodiscard]] Verdict run_apart(const std::function<Verdict()>& run, std::chrono::seconds limit);

}  // namespace millrace::golden
