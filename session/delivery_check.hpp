#pragma once

#include "millrace/error.hpp"

#include "stream/plan/physical_plan.hpp"

namespace millrace::session {

/// Refuses a plan whose sinks ask for a delivery that it cannot give, naming what stands in the way
/// and the way out: exactly_once = 'resume' writes a record again only to find that it is there, so
/// that the same records must come of the same input, by expressions and functions that always give
/// the same. `has_checkpoint`: whether the query keeps anything.
[[nodiscard]] Status check_delivery(const stream::PhysicalPlan& plan, bool has_checkpoint);

/// Gives dead letters that go to a topic the delivery of the query's sinks.
void extend_delivery(stream::PhysicalPlan& plan);

/// Whether a sink of the plan resumes.
[[nodiscard]] bool has_resuming_sink(const stream::PhysicalPlan& plan);

}  // namespace millrace::session
