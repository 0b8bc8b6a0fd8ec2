#include "operators/encode_operator.hpp"

#include "tests/operators/operator_harness.hpp"

namespace millrace::operators {
namespace {

const std::vector<Field> kInput = {
    {"id", TypeKind::kInt64}, {"name", TypeKind::kString}, {"key", TypeKind::kBytes}};

stream::EncodeSpec encode_spec() {
  return {.format = "json",
          .options = {},
          .value_columns = {0, 1},
          .value_names = {"id", "who"},
          .key_column = 2,
          .headers_column = {},
          .timestamp_column = {},
          .topic_column = {},
          .partition_column = {},
          .output = make_schema({{"value", TypeKind::kBytes}, {"key", TypeKind::kBytes}})};
}

TEST(EncodeOperator, MakesRecordsWithTheirKey) {
  OperatorHarness harness(kInput);

  EXPECT_EQ(harness.run(encode_spec(), {{number(1), text("a\"b"), text("k")},
                                        {null(), null(), null()},
                                        {number(-2), text(""), text("")}}),
            (std::vector<std::string>{R"(10: '{"id":1,"who":"a\"b"}', 'k')", "11: '{}', null",
                                      R"(12: '{"id":-2,"who":""}', '')"}));
}

TEST(EncodeOperator, KeepsTheMarkOfADeletedKey) {
  OperatorHarness harness({{"id", TypeKind::kInt64},
                           {"name", TypeKind::kString},
                           {"key", TypeKind::kBytes},
                           {"value", TypeKind::kBytes}});
  stream::EncodeSpec spec = encode_spec();
  spec.source_value_column = 3;

  EXPECT_EQ(
      harness.run(spec, {{null(), null(), text("k1"), null()},
                         {null(), null(), text("k2"), text("{}")},
                         {number(7), null(), text("k3"), null()}}),
      (std::vector<std::string>{"10: null, 'k1'", "11: '{}', 'k2'", R"(12: '{"id":7}', 'k3')"}));
}

TEST(EncodeOperator, UsesOneColumnForSeveralThings) {
  OperatorHarness harness({{"name", TypeKind::kString}});
  stream::EncodeSpec spec = encode_spec();
  spec.value_columns = {0};
  spec.value_names = {"name"};
  spec.key_column = 0;
  spec.topic_column = 0;
  spec.output = make_schema(
      {{"value", TypeKind::kBytes}, {"key", TypeKind::kString}, {"topic", TypeKind::kString}});

  EXPECT_EQ(harness.run(spec, {{text("a")}, {text("b")}}),
            (std::vector<std::string>{R"(10: '{"name":"a"}', 'a', 'a')",
                                      R"(11: '{"name":"b"}', 'b', 'b')"}));
}

TEST(EncodeOperator, KeepsNullAndEmptyApartInRawRecords) {
  OperatorHarness harness({{"value", TypeKind::kBytes}});
  stream::EncodeSpec spec = encode_spec();
  spec.format = "raw";
  spec.value_columns = {0};
  spec.key_column = std::nullopt;
  spec.output = make_schema({{"value", TypeKind::kBytes}});

  EXPECT_EQ(harness.run(spec, {{null()}, {text("")}, {text("x")}}),
            (std::vector<std::string>{"10: null", "11: ''", "12: 'x'"}));
}

}  // namespace
}  // namespace millrace::operators
