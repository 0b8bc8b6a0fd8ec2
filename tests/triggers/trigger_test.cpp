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

TEST(Trigger, ReadsThoseOfThePlannedDrive) {
  EXPECT_EQ(parse_trigger("processing_time 10 seconds"),
            Trigger({TriggerKind::kProcessingTime, 10'000}));
  EXPECT_EQ(parse_trigger("processingTime 1 ms"), Trigger({TriggerKind::kProcessingTime, 1}));
  EXPECT_EQ(parse_trigger("processing_time"), Trigger({TriggerKind::kProcessingTime, 0}));
  EXPECT_EQ(parse_trigger("processing_time 0 seconds"), Trigger({TriggerKind::kProcessingTime, 0}));
  EXPECT_EQ(parse_trigger("micro_batch"), Trigger({TriggerKind::kProcessingTime, 0}));
  EXPECT_EQ(parse_trigger("once"), Trigger({TriggerKind::kOnce, 0}));
  EXPECT_EQ(parse_trigger("availableNow"), Trigger({TriggerKind::kAvailableNow, 0}));
  EXPECT_TRUE(is_planned({TriggerKind::kOnce, 0}));
  EXPECT_FALSE(is_planned({TriggerKind::kRealTime, 10}));
}

TEST(Trigger, ReadsANumberOfRows) {
  EXPECT_EQ(parse_trigger("real_time 10 ms or 5000 rows"),
            Trigger({TriggerKind::kRealTime, 10, 5000}));
  EXPECT_EQ(parse_trigger("real_time 1 minute OR 1 row"),
            Trigger({TriggerKind::kRealTime, 60'000, 1}));
  EXPECT_EQ(refusal_of("real_time 10 ms or 0 rows").message,
            "trigger real_time cannot take '0 rows': a number of rows is written like '5000 rows'");
  EXPECT_EQ(refusal_of("real_time 10 ms or 5 seconds").message,
            "trigger real_time cannot take '5 seconds': a number of rows is written like '5000 "
            "rows'");
}

TEST(Trigger, RefusesWhatTheNameDoesNotTake) {
  EXPECT_EQ(refusal_of("once 5 seconds"),
            Error({ErrorCode::kInvalidArgument,
                   "trigger once cannot take '5 seconds': it takes nothing"}));
  EXPECT_EQ(refusal_of("continuous 1 second"),
            Error({ErrorCode::kNotSupported,
                   "there is no trigger continuous: real_time does that, with every operator"}));
  EXPECT_EQ(refusal_of("processing_time -5").message,
            "trigger processing_time cannot take '-5': an interval is above zero");
}

TEST(Trigger, NamesTheNearestForASlip) {
  EXPECT_EQ(refusal_of("real_tme 5 seconds"),
            Error({ErrorCode::kInvalidArgument,
                   "no trigger 'real_tme'; nearest: real_time; supported: real_time <duration>, "
                   "processing_time <duration>, available_now, once"}));
  EXPECT_EQ(refusal_of("onse").message,
            "no trigger 'onse'; nearest: once; supported: real_time <duration>, processing_time "
            "<duration>, available_now, once");
  EXPECT_EQ(refusal_of("hourly").message,
            "no trigger 'hourly'; supported: real_time <duration>, processing_time <duration>, "
            "available_now, once");
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
  EXPECT_EQ(to_string({TriggerKind::kRealTime, 10, 5000}), "real_time 10 ms or 5000 rows");
  EXPECT_EQ(to_string({TriggerKind::kProcessingTime, 0}), "processing_time 0 seconds");
  EXPECT_EQ(to_string({TriggerKind::kProcessingTime, 60'000}), "processing_time 1 minute");
  EXPECT_EQ(to_string({TriggerKind::kOnce, 0}), "once");
  EXPECT_EQ(to_string({TriggerKind::kAvailableNow, 0}), "available_now");
  EXPECT_EQ(parse_trigger(to_string({TriggerKind::kRealTime, 86'400'000})),
            Trigger({TriggerKind::kRealTime, 86'400'000}));
}

}  // namespace
}  // namespace millrace::triggers
