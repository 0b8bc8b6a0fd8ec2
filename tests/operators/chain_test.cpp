#include "operators/chain.hpp"

#include "operators/static_table.hpp"
#include "tests/operators/operator_harness.hpp"

namespace millrace::operators {
namespace {

/// Keeps what a chain hands to its sink, with the epoch of each row.
class RecordingWriter final : public stream::SinkWriter {
 public:
  explicit RecordingWriter(std::vector<std::string>& lines) : lines_(lines) {}

  bool is_ready() override { return true; }
  Status write(const Batch& rows, Epoch epoch) override {
    for (std::size_t row = 0; row < rows.rows(); ++row)
      lines_.push_back(std::to_string(epoch.value) + "/" + row_text(rows, row));
    return {};
  }

 private:
  std::vector<std::string>& lines_;
};

const std::vector<Field> kRecord = {{"value", TypeKind::kBytes}};

stream::ChainNode decode_node(std::vector<std::size_t> targets) {
  return {stream::DecodeSpec{
              .format = "json",
              .options = {},
              .value_column = 0,
              .fields = {{"id", TypeKind::kInt64}, {"name", TypeKind::kString}},
              .passed_columns = {},
              .output = make_schema({{"id", TypeKind::kInt64}, {"name", TypeKind::kString}})},
          std::move(targets)};
}

stream::ChainNode encode_node(std::vector<std::size_t> targets) {
  return {stream::EncodeSpec{.format = "json",
                             .options = {},
                             .value_columns = {0, 1},
                             .value_names = {"id", "name"},
                             .key_column = {},
                             .headers_column = {},
                             .timestamp_column = {},
                             .topic_column = {},
                             .partition_column = {},
                             .output = make_schema({{"value", TypeKind::kBytes}})},
          std::move(targets)};
}

stream::ChainNode sink_node(const std::string& name) {
  stream::SinkSpec spec;
  spec.table.name = name;
  return {spec, {}};
}

class ChainTest : public testing::Test {
 protected:
  std::unique_ptr<Chain> build(const std::vector<stream::ChainNode>& nodes) {
    ChainContext context = harness_.context();
    context.first_epoch = Epoch(5);
    context.open_writer =
        [this](const stream::SinkSpec& spec) -> Result<std::unique_ptr<stream::SinkWriter>> {
      return std::make_unique<RecordingWriter>(spec.table.name == "left" ? left_ : right_);
    };
    auto chain = Chain::build(nodes, context);
    EXPECT_TRUE(chain.has_value()) << chain.error().message;
    return std::move(*chain);
  }
  Status process(Chain& chain, const std::vector<Row>& rows) {
    return chain.process(Port(0), harness_.make_batch(rows, 0, rows.size()));
  }

  OperatorHarness harness_{kRecord};
  std::vector<std::string> left_;
  std::vector<std::string> right_;
};

TEST_F(ChainTest, RunsRowsThroughEveryOperatorAndMarksThemWithTheirEpoch) {
  const auto chain = build({decode_node({1}), encode_node({2}), sink_node("left")});

  ASSERT_TRUE(process(*chain, {{text(R"({"name":"a","id":1})")}}).has_value());
  ASSERT_TRUE(chain->end_epoch({Epoch(5), WallTime(0), {}}).has_value());
  ASSERT_TRUE(process(*chain, {{text(R"({"id":2})")}}).has_value());

  EXPECT_EQ(left_,
            (std::vector<std::string>{R"(5/10: '{"id":1,"name":"a"}')", R"(6/10: '{"id":2}')"}));
  EXPECT_EQ(harness_.metrics.rows_out.load(), 2);
  EXPECT_EQ(harness_.metrics.chain.snapshot().count, 2U);
}

TEST_F(ChainTest, GivesEveryTargetOfATreeTheSameRows) {
  OperatorHarness decoded({{"id", TypeKind::kInt64}, {"name", TypeKind::kString}});
  const auto chain = build({decode_node({1, 3}),
                            {stream::FilterSpec{decoded.bind(col("id") > lit(1L))}, {2}},
                            sink_node("left"),
                            encode_node({4}),
                            sink_node("right")});

  ASSERT_TRUE(
      process(*chain, {{text(R"({"id":1,"name":"a\tb"})")}, {text(R"({"id":2})")}}).has_value());

  EXPECT_EQ(left_, (std::vector<std::string>{"5/11: 2, null"}));
  EXPECT_EQ(right_,
            (std::vector<std::string>{R"(5/10: '{"id":1,"name":"a\tb"}')", R"(5/11: '{"id":2}')"}));
}

TEST_F(ChainTest, EndsAtTheFirstFailureWithItsCause) {
  const auto chain = build({decode_node({1}), encode_node({2}), sink_node("left")});

  const Status status = process(*chain, {{text("{}")}, {text("{")}});

  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message,
            "topic clicks, partition 3, offset 11: the value is not a JSON object: a member name "
            "was expected (byte 1)");
  EXPECT_EQ(left_, std::vector<std::string>{"5/10: '{}'"}) << "what came before it goes on";
}

TEST_F(ChainTest, FailsToBuildWhenASinkCannotBeOpened) {
  ChainContext context = harness_.context();
  context.open_writer =
      [](const stream::SinkSpec& spec) -> Result<std::unique_ptr<stream::SinkWriter>> {
    return fail(ErrorCode::kNotFound, "topic not found: " + spec.table.name);
  };

  const auto chain = Chain::build({sink_node("left")}, context);

  ASSERT_FALSE(chain.has_value());
  EXPECT_EQ(chain.error().message, "topic not found: left");
}

}  // namespace
}  // namespace millrace::operators
