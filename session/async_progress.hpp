#pragma once

#include "millrace/error.hpp"

#include "session/query_launcher.hpp"
#include "stream/plan/physical_plan.hpp"

namespace millrace::session {

/// Refuses async_progress where it would break a promise or do nothing, with the reason: with a
/// sink that writes exactly once, in the open drive, and without a checkpoint.
[[nodiscard]] Status check_async_progress(const stream::PhysicalPlan& plan,
                                          const QuerySettings& settings);

}  // namespace millrace::session
