#include "operators/bad_records.hpp"

#include "operators/chain.hpp"
#include "operators/static_table.hpp"
#include "tests/operators/operator_harness.hpp"

namespace millrace::operators {
namespace {

using stream::BadRecordReason;
using stream::OnBadRecord;

const std::vector<Field> kInput = {{"name", TypeKind::kString}, {"qty", TypeKind::kInt64}};
const std::vector<Row> kOneZero = {
    {text("a"), number(2)}, {text("b"), number(0)}, {text("c"), number(5)}};

/// One over qty: fails where qty is zero.
Expr share() { return lit(10L) % col("qty"); }

TEST(BadRecords, AConditionThatFailsDropsTheRow) {
  OperatorHarness harness(kInput);
  const stream::FilterSpec spec{harness.bind(share() == lit(0L))};

  EXPECT_EQ(harness.run(spec, kOneZero, harness.context(OnBadRecord::kSkip)),
            (std::vector<std::string>{"10: 'a', 2", "12: 'c', 5"}));
  EXPECT_EQ(harness.metrics.bad(BadRecordReason::kExpression), 3);
}

TEST(BadRecords, WithNullTheFailingCallIsNullAndTheExpressionGoesOn) {
  OperatorHarness harness(kInput);

  EXPECT_EQ(harness.run(stream::FilterSpec{harness.bind(share().is_null())}, kOneZero,
                        harness.context(OnBadRecord::kNull)),
            (std::vector<std::string>{"11: 'b', 0"}));
  EXPECT_EQ(harness.metrics.bad(BadRecordReason::kExpression), 3);
}

TEST(BadRecords, AProjectionDropsOrNullsTheRowsItFailsOn) {
  OperatorHarness harness(kInput);
  const stream::ProjectSpec spec{
      {harness.bind(col("name")), harness.bind(share())},
      make_schema({{"name", TypeKind::kString}, {"share", TypeKind::kInt64}})};

  EXPECT_EQ(harness.run(spec, kOneZero, harness.context(OnBadRecord::kSkip)),
            (std::vector<std::string>{"10: 'a', 0", "12: 'c', 0"}));
  EXPECT_EQ(harness.run(spec, kOneZero, harness.context(OnBadRecord::kNull)),
            (std::vector<std::string>{"10: 'a', 0", "11: 'b', null", "12: 'c', 0"}));
  EXPECT_EQ(harness.run_failing(spec, kOneZero).message.substr(0, 57),
            "topic clicks, partition 3, offset 11: division by zero in");
}

TEST(BadRecords, AJoinKeyThatFailsDropsTheRow) {
  OperatorHarness harness(kInput);
  formats::TableRows table(make_schema({{"key", TypeKind::kInt64}}));
  append(table.columns[0], number(0), table.arena);
  table.rows = 1;
  const auto shared = StaticTable::build(std::move(table), {0}).value();
  const stream::StaticJoinSpec spec{.table = {},
                                    .table_schema = {{"key", TypeKind::kInt64}},
                                    .stream_keys = {harness.bind(share())},
                                    .table_keys = {0},
                                    .stream_columns = {0},
                                    .table_columns = {},
                                    .output = make_schema({{"name", TypeKind::kString}}),
                                    .null_safe_keys = {}};
  ChainContext context = harness.context(OnBadRecord::kSkip);
  context.static_table = [&](const stream::StaticJoinSpec&) { return shared; };

  EXPECT_EQ(harness.run(spec, kOneZero, context), (std::vector<std::string>{"10: 'a'", "12: 'c'"}));
}

// I-4
TEST(BadRecordLog, SaysOneLineInTenSeconds) {
  ManualClock clock;
  std::vector<std::string> lines;
  BadRecordLog log([&](LogLevel, std::string_view line) { lines.emplace_back(line); }, clock);

  log.note("clicks", "topic clicks, partition 0, offset 7", "it is empty", "skipped");
  log.note("clicks", "topic clicks, partition 0, offset 8", "it is empty", "skipped");
  log.note("clicks", "topic clicks, partition 0, offset 9", "it is empty", "skipped");
  clock.advance_us(10'000'000);
  log.note("clicks", "topic clicks, partition 1, offset 3", "it is long", "skipped");

  EXPECT_EQ(lines,
            (std::vector<std::string>{
                "source clicks: topic clicks, partition 0, offset 7: it is empty: skipped",
                "source clicks: topic clicks, partition 1, offset 3: it is long: skipped; 3 bad "
                "records since the last such line"}));
}

/// Keeps what it is given as text, with the epoch.
class TextWriter final : public stream::SinkWriter {
 public:
  explicit TextWriter(std::vector<std::string>& lines) : lines_(lines) {}

  bool is_ready() override { return true; }
  Status write(const Batch& rows, Epoch epoch) override {
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      std::string line = std::to_string(epoch.value) + "/" + std::to_string(rows.positions()[row]);
      line += " value=" + shown(rows.column(0), row);
      if (rows.column_count() > 1) {
        line += " key=" + shown(rows.column(1), row);
        const Column& headers = rows.column(2);
        const auto entries = headers.value<ListEntry>(row);
        for (std::size_t i = entries.offset; i < entries.offset + entries.length; ++i)
          line +=
              " " + shown(headers.child(0).child(0), i) + "=" + shown(headers.child(0).child(1), i);
      }
      lines_.push_back(line);
    }
    return {};
  }

 private:
  static std::string shown(const Column& column, std::size_t row) {
    return column.is_null(row) ? "null" : std::string(column.text(row));
  }
  std::vector<std::string>& lines_;
};

/// decode -> filter (fails where qty is 0) -> encode -> sink, with dead letters.
class DeadLetterChain : public testing::Test {
 protected:
  const DataType kHeaders = DataType::array(
      DataType::structure({{"key", TypeKind::kString}, {"value", TypeKind::kBytes}}));

  std::unique_ptr<Chain> build(bool is_lines, OnBadRecord choice = OnBadRecord::kDeadLetter) {
    OperatorHarness decoded({{"qty", TypeKind::kInt64}});
    stream::DecodeSpec decode;
    decode.format = "json";
    decode.fields = {{"qty", TypeKind::kInt64}};
    decode.output = make_schema(decode.fields);
    stream::EncodeSpec encode;
    encode.format = "json";
    encode.value_columns = {0};
    encode.value_names = {"qty"};
    encode.output = make_schema({{"value", TypeKind::kBytes}});
    stream::SinkSpec sink;
    sink.table.name = "out";

    stream::DeadLetterSpec letters;
    letters.is_lines = is_lines;
    letters.value_column = 0;
    letters.key_column = 1;
    letters.headers_column = 2;
    letters.topic_column = 3;
    letters.sink.table.name = "letters";
    letters.sink.table.options.set("topic", "bad");
    std::vector<Field> fields = {{"value", TypeKind::kBytes}};
    if (!is_lines) fields.insert(fields.end(), {{"key", TypeKind::kBytes}, {"headers", kHeaders}});
    letters.sink.schema = make_schema(fields);

    ChainContext context;
    context.clock = &clock_;
    context.metrics = &metrics_;
    context.source = "clicks";
    context.first_epoch = Epoch(5);
    context.bad_record_spec.policy.on_decode = choice;
    context.bad_record_spec.policy.on_row = choice;
    if (choice == OnBadRecord::kDeadLetter) context.bad_record_spec.dead_letter = letters;
    context.open_writer =
        [this](const stream::SinkSpec& spec) -> Result<std::unique_ptr<stream::SinkWriter>> {
      return std::make_unique<TextWriter>(spec.table.name == "out" ? out_ : letters_);
    };
    auto chain = Chain::build({{decode, {1}},
                               {stream::FilterSpec{decoded.bind(share() >= lit(0L))}, {2}},
                               {encode, {3}},
                               {sink, {}}},
                              context);
    EXPECT_TRUE(chain.has_value()) << chain.error().message;
    return std::move(*chain);
  }

  Status process(Chain& chain, const std::vector<std::string>& values) {
    Batch batch = pool_.take();
    std::vector<std::int64_t> positions;
    for (std::size_t row = 0; row < values.size(); ++row) {
      batch.column(0).append(batch.arena().store(values[row]));
      batch.column(1).append(std::string_view("k1"));
      batch.column(3).append(std::string_view("clicks"));
      positions.push_back(static_cast<std::int64_t>(20 + row));
    }
    Column& headers = batch.column(2);
    headers.resize(values.size());
    headers.child(0).resize(1);
    headers.child(0).child(0).values<std::string_view>()[0] = "trace";
    headers.child(0).child(1).values<std::string_view>()[0] = "x";
    for (std::size_t row = 0; row < values.size(); ++row) headers.values<ListEntry>()[row] = {0, 1};
    batch.set_rows(values.size());
    batch.set_positions(positions);
    batch.set_origin(&origin_);
    return chain.process(Port(0), std::move(batch));
  }

  ManualClock clock_;
  StageMetrics metrics_;
  Origin origin_{"clicks", "topic clicks, partition 3", 3};
  BatchPool pool_{make_schema({{"value", TypeKind::kBytes},
                               {"key", TypeKind::kBytes},
                               {"headers", kHeaders},
                               {"topic", TypeKind::kString}})};
  std::vector<std::string> out_;
  std::vector<std::string> letters_;
};

TEST_F(DeadLetterChain, PassesARecordOnAsItCameWhereverItFails) {
  const auto chain = build(false);

  ASSERT_TRUE(process(*chain, {R"({"qty":2})", "\xFF", R"({"qty":0})", R"({"qty":3})"}));
  ASSERT_TRUE(chain->end_epoch({Epoch(5), WallTime(0), {}}));
  ASSERT_TRUE(process(*chain, {R"({"qty":"x"})"}));

  EXPECT_EQ(out_, (std::vector<std::string>{R"(5/20 value={"qty":2})", R"(5/23 value={"qty":3})"}));
  const std::string origin =
      " trace=x millrace.dead_letter.topic=clicks millrace.dead_letter.partition=3 "
      "millrace.dead_letter.offset=";
  ASSERT_EQ(letters_.size(), 3U);
  EXPECT_EQ(letters_[0], "5/21 value=\xFF key=k1" + origin +
                             "21 millrace.dead_letter.kind=malformed "
                             "millrace.dead_letter.reason=the value is not a JSON object: it is "
                             "not valid UTF-8 (byte 0)");
  EXPECT_EQ(letters_[1].substr(0, letters_[1].find(" in ")),
            R"(5/22 value={"qty":0} key=k1)" + origin +
                "22 millrace.dead_letter.kind=expression "
                "millrace.dead_letter.reason=division by zero");
  EXPECT_EQ(letters_[2], R"(6/20 value={"qty":"x"} key=k1)" + origin +
                             "20 millrace.dead_letter.kind=field millrace.dead_letter.reason=field "
                             "\"qty\" cannot be read as bigint: \"x\"");
  EpochCounts counts;
  counts.rows_out = 2;
  counts.rows_bad = {1, 1, 1, 0, 0};
  EXPECT_EQ(chain->counts(), counts);
  EXPECT_EQ(metrics_.bad(BadRecordReason::kMalformed), 1);
  EXPECT_EQ(metrics_.bad(BadRecordReason::kField), 1);
  EXPECT_EQ(metrics_.bad(BadRecordReason::kExpression), 1);
}

TEST_F(DeadLetterChain, PutsLettersOfATaskThatComesLateIntoTheEpochItJoins) {
  const auto chain = build(false);  // for epoch 5

  chain->join(Epoch(9));
  ASSERT_TRUE(process(*chain, {"\xFF", R"({"qty":2})"}));
  ASSERT_TRUE(chain->end_epoch({Epoch(9), WallTime(0), {}}));
  ASSERT_TRUE(process(*chain, {"\xFF"}));

  EXPECT_EQ(out_, (std::vector<std::string>{R"(9/21 value={"qty":2})"}));
  ASSERT_EQ(letters_.size(), 2U);
  EXPECT_EQ(letters_[0].substr(0, 5), "9/20 ");
  EXPECT_EQ(letters_[1].substr(0, 6), "10/20 ");
}

TEST_F(DeadLetterChain, StopsAtTheFirstBadRecordWhicheverStepFindsIt) {
  const std::string malformed = "\xFF", zero = R"({"qty":0})", good = R"({"qty":2})";
  const auto cause = [&](const std::vector<std::string>& values) {
    out_.clear();
    const auto chain = build(false, OnBadRecord::kFail);
    const Status status = process(*chain, values);
    return status ? "" : status.error().message.substr(0, 53);
  };

  // Decoding sees all rows before the expression sees the first.
  EXPECT_EQ(cause({good, zero, malformed, good}),
            "topic clicks, partition 3, offset 21: division by zer");
  EXPECT_EQ(out_, (std::vector<std::string>{R"(5/20 value={"qty":2})"}));
  EXPECT_EQ(cause({good, malformed, zero, good}),
            "topic clicks, partition 3, offset 21: the value is no");
  EXPECT_EQ(out_, (std::vector<std::string>{R"(5/20 value={"qty":2})"}));
  EXPECT_EQ(cause({malformed, zero}), "topic clicks, partition 3, offset 20: the value is no");
  EXPECT_EQ(out_, std::vector<std::string>{});
}

TEST_F(DeadLetterChain, WritesLinesForAFile) {
  const auto chain = build(true);

  ASSERT_TRUE(process(*chain, {"\xFF"}));

  EXPECT_EQ(letters_,
            (std::vector<std::string>{
                R"(5/20 value={"topic":"clicks","partition":3,"offset":20,"timestamp":null,)"
                R"("kind":"malformed","reason":"the value is not a JSON object: it is not valid )"
                R"x(UTF-8 (byte 0)","key":"k1","value_base64":"/w==",)x"
                R"("headers":[{"key":"trace","value":"x"}]})"}));
}

}  // namespace
}  // namespace millrace::operators
