#include "operators/decode_operator.hpp"

#include "tests/operators/operator_harness.hpp"

namespace millrace::operators {
namespace {

const std::vector<Field> kRecord = {{"key", TypeKind::kBytes}, {"value", TypeKind::kBytes}};

stream::DecodeSpec decode_spec() {
  return {.format = "json",
          .options = {},
          .value_column = 1,
          .fields = {{"id", TypeKind::kInt64}, {"name", TypeKind::kString}},
          .passed_columns = {0},
          .output = make_schema(
              {{"id", TypeKind::kInt64}, {"name", TypeKind::kString}, {"key", TypeKind::kBytes}})};
}

TEST(DecodeOperator, MakesColumnsAndHandsTheRecordsOwnOn) {
  OperatorHarness harness(kRecord);

  EXPECT_EQ(harness.run(decode_spec(), {{text("k1"), text(R"({"id":1,"name":"a\nb"})")},
                                        {null(), text(R"({"name":"plain"})")},
                                        {text(""), null()}}),
            (std::vector<std::string>{"10: 1, 'a\nb', 'k1'", "11: null, 'plain', null",
                                      "12: null, null, ''"}));
  EXPECT_EQ(harness.metrics.decode.snapshot().count, 9U);  // three rows, cut in three ways
}

TEST(DecodeOperator, DecodesAFullBatch) {
  OperatorHarness harness(kRecord);
  std::vector<Row> rows;
  for (int i = 0; i < 1024; ++i)
    rows.push_back({text("k"), text("{\"id\":" + std::to_string(i) + "}")});

  const auto lines = harness.run(decode_spec(), rows);

  ASSERT_EQ(lines.size(), 1024U);
  EXPECT_EQ(lines[1023], "1033: 1023, null, 'k'");
}

TEST(DecodeOperator, StopsAtABadRecordNamingItsPlaceAndTheReason) {
  OperatorHarness harness(kRecord);

  const Error error = harness.run_failing(
      decode_spec(), {{null(), text(R"({"id":1})")}, {null(), text(R"({"id":1} x)")}});

  EXPECT_EQ(error.code, ErrorCode::kBadRecord);
  EXPECT_EQ(error.message,
            "topic clicks, partition 3, offset 11: the value is not a JSON object: text follows "
            "the object (byte 9)");
  EXPECT_EQ(harness.metrics.bad(stream::BadRecordReason::kMalformed), 1);
}

TEST(DecodeOperator, NamesTheFieldThatCannotTakeItsValue) {
  OperatorHarness harness(kRecord);

  EXPECT_EQ(harness.run_failing(decode_spec(), {{null(), text(R"({"id":1.5})")}}).message,
            "topic clicks, partition 3, offset 10: field \"id\" cannot be read as bigint: 1.5");
}

const std::vector<Row> kTwoBad = {{text("k"), text(R"({"id":1})")},
                                  {text("k"), text(R"({"id":"x","name":"b"})")},
                                  {text("k"), text("\xFF")},
                                  {text("k"), text(R"({"id":4})")}};

TEST(DecodeOperator, DropsBadRecordsThatAreSkipped) {
  OperatorHarness harness(kRecord);

  EXPECT_EQ(harness.run(decode_spec(), kTwoBad, harness.context(stream::OnBadRecord::kSkip)),
            (std::vector<std::string>{"10: 1, null, 'k'", "13: 4, null, 'k'"}));
  // In three ways to cut them into batches.
  EXPECT_EQ(harness.metrics.bad(stream::BadRecordReason::kMalformed), 3);
  EXPECT_EQ(harness.metrics.bad(stream::BadRecordReason::kField), 3);
}

TEST(DecodeOperator, EmitsNothingWhenEveryRecordIsSkipped) {
  OperatorHarness harness(kRecord);

  EXPECT_TRUE(harness
                  .run(decode_spec(), {{null(), text("")}, {null(), text("[]")}},
                       harness.context(stream::OnBadRecord::kSkip))
                  .empty());
}

TEST(DecodeOperator, MakesNullsOfWhatCannotBeReadAndKeepsTheText) {
  OperatorHarness harness(kRecord);
  stream::DecodeSpec spec = decode_spec();
  spec.corrupt_column = 2;
  spec.output = make_schema({{"id", TypeKind::kInt64},
                             {"name", TypeKind::kString},
                             {"_corrupt_record", TypeKind::kString},
                             {"key", TypeKind::kBytes}});

  EXPECT_EQ(harness.run(spec, kTwoBad, harness.context(stream::OnBadRecord::kNull)),
            (std::vector<std::string>{
                "10: 1, null, null, 'k'", R"(11: null, 'b', '{"id":"x","name":"b"}', 'k')",
                "12: null, null, '\xEF\xBF\xBD', 'k'", "13: 4, null, null, 'k'"}));
}

TEST(DecodeOperator, RefusesWhatItCannotDoBeforeAnythingIsRead) {
  OperatorHarness harness(kRecord);
  const auto refusal = [&](const auto& change) {
    stream::DecodeSpec spec = decode_spec();
    change(spec);
    return make_operator(spec, harness.context()).error().message;
  };

  EXPECT_EQ(refusal([](auto& spec) { spec.format = "jsn"; }),
            "unknown format 'jsn', did you mean 'json'? (accepted: csv, json, raw, text)");
  EXPECT_EQ(refusal([](auto& spec) { spec.format = "raw"; }),
            "format raw gives one column of type string or bytes: id bigint, name string");
}

TEST(DecodeOperator, PassesRawValuesByteForByte) {
  OperatorHarness harness(kRecord);
  const stream::DecodeSpec spec{.format = "raw",
                                .options = {},
                                .value_column = 1,
                                .fields = {{"value", TypeKind::kBytes}},
                                .passed_columns = {},
                                .output = make_schema({{"value", TypeKind::kBytes}})};

  EXPECT_EQ(harness.run(spec, {{null(), text("\xFF\xFE")}, {null(), null()}, {null(), text("")}}),
            (std::vector<std::string>{"10: '\xFF\xFE'", "11: null", "12: ''"}));
}

}  // namespace
}  // namespace millrace::operators
