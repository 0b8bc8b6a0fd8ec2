#pragma once

#include "stream/plan/logical_plan.hpp"

namespace millrace::stream {

/// The same plan without positions: a view is used far from the text that made it.
[[nodiscard]] LogicalPlan without_positions(const LogicalPlan& plan);

}  // namespace millrace::stream
