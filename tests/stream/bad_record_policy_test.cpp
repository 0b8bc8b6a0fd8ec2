#include "stream/bad_record_policy.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

std::string refusal(const Options& options) {
  const auto policy = BadRecordPolicy::parse(options);
  return policy ? "accepted" : policy.error().message;
}

TEST(BadRecordPolicy, StopsTheQueryUnlessToldOtherwise) {
  const auto policy = BadRecordPolicy::parse({}).value();

  EXPECT_TRUE(policy.is_plain_fail());
  EXPECT_EQ(policy.corrupt_column, "_corrupt_record");
}

TEST(BadRecordPolicy, IsAboutEveryBadRecord) {
  const auto policy = BadRecordPolicy::parse({{"onBadRecord", "SKIP"}}).value();

  EXPECT_EQ(policy.choice(BadRecordReason::kMalformed), OnBadRecord::kSkip);
  EXPECT_EQ(policy.choice(BadRecordReason::kField), OnBadRecord::kSkip);
  EXPECT_EQ(policy.choice(BadRecordReason::kExpression), OnBadRecord::kSkip);
  EXPECT_EQ(policy.choice(BadRecordReason::kOversized), OnBadRecord::kSkip);
}

TEST(BadRecordPolicy, AModeIsAboutDecodingAlone) {
  const auto policy = BadRecordPolicy::parse({{"mode", "PERMISSIVE"}}).value();

  EXPECT_EQ(policy.choice(BadRecordReason::kMalformed), OnBadRecord::kNull);
  EXPECT_EQ(policy.choice(BadRecordReason::kField), OnBadRecord::kNull);
  EXPECT_EQ(policy.choice(BadRecordReason::kExpression), OnBadRecord::kFail);
  EXPECT_EQ(BadRecordPolicy::parse({{"mode", "dropmalformed"}})->on_decode, OnBadRecord::kSkip);
  EXPECT_EQ(BadRecordPolicy::parse({{"mode", "failfast"}})->on_decode, OnBadRecord::kFail);
}

TEST(BadRecordPolicy, TakesBothWhereTheyAgree) {
  EXPECT_EQ(refusal({{"mode", "permissive"}, {"on_bad_record", "null"}}), "accepted");
  EXPECT_EQ(refusal({{"mode", "permissive"}, {"on_bad_record", "skip"}}),
            "options mode = 'permissive' and on_bad_record = 'skip' contradict each other: mode = "
            "'permissive' goes with on_bad_record = 'null' or none");
  EXPECT_EQ(
      refusal({{"mode", "failfast"}, {"on_bad_record", "dead_letter"}, {"dead_letter_topic", "t"}}),
      "options mode = 'failfast' and on_bad_record = 'dead_letter' contradict each other: "
      "mode = 'failfast' goes with on_bad_record = 'fail' or none");
}

TEST(BadRecordPolicy, NamesWhatIsAccepted) {
  EXPECT_EQ(refusal({{"on_bad_record", "deadletter"}}),
            "option on_bad_record = 'deadletter' is not known; accepted: fail, skip, null, "
            "dead_letter; did you mean 'dead_letter'?");
  EXPECT_EQ(refusal({{"mode", "lenient"}}),
            "option mode = 'lenient' is not known; accepted: failfast, dropmalformed, permissive");
}

TEST(BadRecordPolicy, ADeadLetterHasOnePlaceToGo) {
  EXPECT_EQ(refusal({{"on_bad_record", "dead_letter"}}),
            "on_bad_record = 'dead_letter' needs one of the options dead_letter_topic and "
            "dead_letter_path");
  EXPECT_EQ(refusal({{"on_bad_record", "dead_letter"},
                     {"dead_letter_topic", "t"},
                     {"dead_letter_path", "p"}}),
            "on_bad_record = 'dead_letter' needs only one of the options dead_letter_topic and "
            "dead_letter_path");
  EXPECT_EQ(refusal({{"dead_letter_path", "p"}}),
            "option dead_letter_path does nothing without on_bad_record = 'dead_letter'");
}

TEST(BadRecordPolicy, ACorruptRecordColumnNeedsRecordsThatGoOn) {
  EXPECT_EQ(refusal({{"columnNameOfCorruptRecord", "raw"}, {"mode", "permissive"}}), "accepted");
  EXPECT_EQ(refusal({{"column_name_of_corrupt_record", "raw"}, {"on_bad_record", "skip"}}),
            "option column_name_of_corrupt_record does nothing without mode = 'permissive' or "
            "on_bad_record = 'null'");
}

}  // namespace
}  // namespace millrace::stream
