#include "session/delivery_check.hpp"

#include "millrace/expression.hpp"

#include "stream/plan/expression_binder.hpp"
#include "tests/support/stateless_simulation.hpp"

#include <gtest/gtest.h>

namespace millrace::session {
namespace {

const triggers::Trigger kTrigger = {triggers::TriggerKind::kRealTime, 5000};

stream::PhysicalPlan resuming_plan() { return support::simulated_plan({true, false, true}); }

stream::FilterSpec filter(const Expr& condition) {
  return {stream::bind(condition, {}, stream::FunctionRegistry::builtin()).value()};
}

std::string refusal(const stream::PhysicalPlan& plan) {
  const Status checked = check_delivery(plan, kTrigger, true);
  return checked ? "accepted" : checked.error().message;
}

TEST(DeliveryCheck, ResumesWhatComesOutTheSame) {
  EXPECT_EQ(refusal(resuming_plan()), "accepted");
  EXPECT_TRUE(has_resuming_sink(resuming_plan()));
  EXPECT_FALSE(has_resuming_sink(support::simulated_plan()));
}

TEST(DeliveryCheck, NeedsACheckpoint) {
  EXPECT_TRUE(check_delivery(support::simulated_plan(), kTrigger, false));
  EXPECT_EQ(check_delivery(resuming_plan(), kTrigger, false).error().message,
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

stream::PhysicalPlan deciding_plan() {
  stream::PhysicalPlan plan = support::simulated_plan({true, false, true});
  for (stream::ChainNode& node : plan.chains[0].nodes)
    if (auto* sink = std::get_if<stream::SinkSpec>(&node.spec)) sink->delivery = "transaction";
  return plan;
}

stream::SinkSpec& sink_of(stream::PhysicalPlan& plan) {
  return std::get<stream::SinkSpec>(plan.chains[0].nodes.back().spec);
}

TEST(DeliveryCheck, DecidesAboutWhatMayComeOutOtherwiseNextTime) {
  stream::PhysicalPlan plan = deciding_plan();
  plan.chains[0].nodes[1].spec = filter(call("rand", {}) < lit(0.5));
  EXPECT_EQ(refusal(plan), "accepted");
}

TEST(DeliveryCheck, RefusesTwoWaysOfExactlyOnceInOneQuery) {
  stream::PhysicalPlan plan = support::simulated_plan({false, true, true});
  sink_of(plan).delivery = "transaction";
  EXPECT_EQ(refusal(plan),
            "tables enriched and copies are written by one query, exactly once in two ways "
            "('resume' and 'transaction'): give both the same exactly_once");
}

TEST(DeliveryCheck, RefusesATransactionThatAnEpochMayOutlast) {
  stream::PhysicalPlan plan = deciding_plan();
  sink_of(plan).table.options.set("kafka.transaction.timeout.ms", "19999");
  EXPECT_EQ(refusal(plan),
            "kafka.transaction.timeout.ms = 19999 of table enriched is too short: with trigger "
            "real_time 5 seconds an epoch and its commit may take 20000 ms (twice the interval and "
            "10000 ms); shorten the trigger, or set it to at least that");
  sink_of(plan).table.options.set("kafka.transaction.timeout.ms", "20000");
  EXPECT_EQ(refusal(plan), "accepted");
}

TEST(DeliveryCheck, LetsATransactionTakeAsLongAsTwoEpochs) {
  stream::PhysicalPlan plan = deciding_plan();
  extend_timeouts(plan, {triggers::TriggerKind::kRealTime, 25'000});
  EXPECT_FALSE(sink_of(plan).table.options.has("kafka.transaction.timeout.ms"));
  extend_timeouts(plan, {triggers::TriggerKind::kRealTime, 60'000});
  EXPECT_EQ(sink_of(plan).table.options.get_or("kafka.transaction.timeout.ms", ""), "130000");
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
