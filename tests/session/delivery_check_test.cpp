#include "session/delivery_check.hpp"

#include "millrace/expression.hpp"

#include "stream/plan/expression_binder.hpp"
#include "tests/support/stateless_simulation.hpp"

#include <gtest/gtest.h>

namespace millrace::session {
namespace {

stream::PhysicalPlan resuming_plan() { return support::simulated_plan({true, false, true}); }

stream::FilterSpec filter(const Expr& condition) {
  return {stream::bind(condition, {}, stream::FunctionRegistry::builtin()).value()};
}

std::string refusal(const stream::PhysicalPlan& plan) {
  const Status checked = check_delivery(plan, true);
  return checked ? "accepted" : checked.error().message;
}

TEST(DeliveryCheck, ResumesWhatComesOutTheSame) {
  EXPECT_EQ(refusal(resuming_plan()), "accepted");
  EXPECT_TRUE(has_resuming_sink(resuming_plan()));
  EXPECT_FALSE(has_resuming_sink(support::simulated_plan()));
}

TEST(DeliveryCheck, NeedsACheckpoint) {
  EXPECT_TRUE(check_delivery(support::simulated_plan(), false));
  EXPECT_EQ(check_delivery(resuming_plan(), false).error().message,
            "exactly_once = 'resume' of table enriched needs a checkpoint_location: without one "
            "nothing is known after a restart");
}

TEST(DeliveryCheck, RefusesWhatMayComeOutOtherwise) {
  stream::PhysicalPlan plan = resuming_plan();
  plan.chains[0].nodes[1].spec = filter(call("rand", {}) < lit(0.5));
  EXPECT_EQ(
      refusal(plan),
      "exactly_once = 'resume' of table enriched rests on records that come out the same when "
      "they are made again, and rand() may give another result when it is evaluated again; "
      "leave that out, or deliver at least once");
}

TEST(DeliveryCheck, RefusesATableThatIsReadAnew) {
  stream::PhysicalPlan plan = resuming_plan();
  for (stream::ChainNode& node : plan.chains[0].nodes)
    if (auto* join = std::get_if<stream::StaticJoinSpec>(&node.spec))
      join->table.options.set("reload", "1 minute");
  EXPECT_EQ(
      refusal(plan),
      "exactly_once = 'resume' of table enriched rests on records that come out the same when "
      "they are made again, and table labels is read anew while the query runs (option "
      "reload); leave that out, or deliver at least once");
}

TEST(DeliveryCheck, GivesLettersToATopicTheSameDelivery) {
  stream::PhysicalPlan plan = resuming_plan();
  stream::SinkSpec& letters = plan.chains[0].bad_records.dead_letter->sink;
  letters.delivery = "none";
  extend_delivery(plan);
  EXPECT_EQ(letters.delivery, "none") << "no topic";
  letters.table.connector = "kafka";
  extend_delivery(plan);
  EXPECT_EQ(letters.delivery, "resume");
  EXPECT_EQ(letters.table.options.get_or("exactly_once", ""), "resume");
}

}  // namespace
}  // namespace millrace::session
