#include "triggers/trigger.hpp"

#include <gtest/gtest.h>

namespace millrace::triggers {
namespace {

std::int64_t interval_of(std::string_view text) {
  const auto trigger = parse_trigger(text);
  EXPECT_TRUE(trigger) << trigger.error().message;
  return trigger ? trigger->interval_ms : -1;
}

Error refusal_of(std::string_view text) {
  const auto trigger = parse_trigger(text);
  EXPECT_FALSE(trigger) << text;
  return trigger ? Error{} : trigger.error();
}

TEST(Trigger, IsRealTimeEveryFiveSecondsWhenNotSet) {
  EXPECT_EQ(parse_trigger(""), Trigger({TriggerKind::kRealTime, 5000}));
  EXPECT_EQ(parse_trigger(" \t\n"), Trigger({TriggerKind::kRealTime, 5000}));
  EXPECT_EQ(parse_trigger("real_time"), Trigger({TriggerKind::kRealTime, 5000}));
}

TEST(Trigger, ReadsTheInterval) {
  EXPECT_EQ(interval_of("real_time 5 seconds"), 5000);
  EXPECT_EQ(interval_of("real_time 10 ms"), 10);
  EXPECT_EQ(interval_of("real_time 250"), 250);
  EXPECT_EQ(interval_of("  real_time\t1 minute 30 seconds "), 90'000);
}

TEST(Trigger, IsFoundWithoutRegardToCaseAndUnderscores) {
  EXPECT_EQ(interval_of("realTime 1 s"), 1000);
  EXPECT_EQ(interval_of("REAL-TIME 1 s"), 1000);
}

TEST(Trigger, RefusesTheTriggersThatAreNotBuiltYetByName) {
  EXPECT_EQ(refusal_of("once"),
            Error({ErrorCode::kNotSupported,
                   "trigger 'once' is not supported yet; supported: real_time <duration>"}));
  EXPECT_EQ(refusal_of("availableNow"),
            Error({ErrorCode::kNotSupported,
                   "trigger 'available_now' is not supported yet; supported: real_time "
                   "<duration>"}));
  EXPECT_EQ(refusal_of("micro_batch").code, ErrorCode::kNotSupported);
  EXPECT_EQ(refusal_of("processing_time 10 seconds").code, ErrorCode::kNotSupported);
  EXPECT_EQ(refusal_of("continuous 1 second").code, ErrorCode::kNotSupported);
}

TEST(Trigger, NamesTheNearestForASlip) {
  EXPECT_EQ(refusal_of("real_tme 5 seconds"),
            Error({ErrorCode::kInvalidArgument,
                   "no trigger 'real_tme'; nearest: real_time; supported: real_time <duration>"}));
  EXPECT_EQ(refusal_of("onse"), Error({ErrorCode::kInvalidArgument,
                                       "no trigger 'onse'; supported: real_time <duration>"}));
  EXPECT_EQ(refusal_of("hourly"), Error({ErrorCode::kInvalidArgument,
                                         "no trigger 'hourly'; supported: real_time <duration>"}));
}

TEST(Trigger, RefusesIntervalsThatCannotBe) {
  EXPECT_EQ(refusal_of("real_time 0 seconds"),
            Error({ErrorCode::kInvalidArgument,
                   "trigger real_time cannot take '0 seconds': an interval is above zero"}));
  EXPECT_EQ(refusal_of("real_time -1"),
            Error({ErrorCode::kInvalidArgument,
                   "trigger real_time cannot take '-1': an interval is above zero"}));
  EXPECT_EQ(refusal_of("real_time 9 ms"),
            Error({ErrorCode::kInvalidArgument,
                   "trigger real_time cannot take '9 ms': the shortest interval is 10 ms"}));
  EXPECT_EQ(refusal_of("real_time 2 months"),
            Error({ErrorCode::kInvalidArgument,
                   "trigger real_time cannot take '2 months': months and years have no fixed "
                   "length; write days"}));
  EXPECT_EQ(refusal_of("real_time 9223372036855").message,
            "trigger real_time cannot take '9223372036855': the longest interval is 292 years");
}

TEST(Trigger, RefusesWhatIsNoDuration) {
  const Error error = refusal_of("real_time soon");
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(
      error.message.starts_with("trigger real_time cannot take 'soon': not a duration: 'soon'; "))
      << error.message;
}

TEST(Trigger, IsWrittenAsItIsRead) {
  EXPECT_EQ(to_string(Trigger{}), "real_time 5 seconds");
  EXPECT_EQ(to_string({TriggerKind::kRealTime, 1000}), "real_time 1 second");
  EXPECT_EQ(to_string({TriggerKind::kRealTime, 1500}), "real_time 1500 ms");
  EXPECT_EQ(to_string({TriggerKind::kRealTime, 7'200'000}), "real_time 2 hours");
  EXPECT_EQ(parse_trigger(to_string({TriggerKind::kRealTime, 86'400'000})),
            Trigger({TriggerKind::kRealTime, 86'400'000}));
}

}  // namespace
}  // namespace millrace::triggers
