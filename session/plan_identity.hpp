#pragma once

#include "stream/plan/physical_plan.hpp"

#include <string>

namespace millrace::session {

/// What must stay the same for a checkpoint to be this query's, as JSON: the sources and what they
/// read. A stateless query may change everything else (semantics ).
[[nodiscard]] std::string identity_of(const stream::PhysicalPlan& plan);

/// What the plan does, as JSON, for who reads the checkpoint, and to say what has changed since it
/// was written. Of options only where rows go.
[[nodiscard]] std::string details_of(const stream::PhysicalPlan& plan);

}  // namespace millrace::session
