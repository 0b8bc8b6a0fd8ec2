#pragma once

#include "millrace/error.hpp"

#include "stream/plan/physical_plan.hpp"
#include "triggers/trigger.hpp"

namespace millrace::session {

/// Refuses a plan whose sinks ask for a delivery that it cannot give, naming what stands in the way
/// and the way out: exactly_once = 'resume' writes a record again only to find that it is there, so
/// that the same records must come of the same input, by expressions and functions that always give
/// the same; exactly_once = 'transaction' needs one that may take as long as an epoch of this
/// trigger. `has_checkpoint`: whether the query keeps anything.
[[nodiscard]] Status check_delivery(const stream::PhysicalPlan& plan,
                                    const triggers::Trigger& trigger, bool has_checkpoint);

/// Gives dead letters that go to a topic the delivery of the query's sinks.
void extend_delivery(stream::PhysicalPlan& plan);

/// Lets transactions take as long as an epoch of this trigger may, where nobody has said how long.
void extend_timeouts(stream::PhysicalPlan& plan, const triggers::Trigger& trigger);

/// Whether a sink of the plan resumes.
[[nodiscard]] bool has_resuming_sink(const stream::PhysicalPlan& plan);

}  // namespace millrace::session
