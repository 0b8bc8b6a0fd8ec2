#include "operators/static_join_operator.hpp"

#include "tests/operators/operator_harness.hpp"

#include <limits>

namespace millrace::operators {
namespace {

formats::TableRows make_rows(std::vector<Field> fields, const std::vector<Row>& rows) {
  formats::TableRows table(make_schema(std::move(fields)));
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) append(table.columns[i], row[i], table.arena);
  table.rows = rows.size();
  return table;
}

const std::vector<Field> kUserFields = {
    {"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}, {"tier", TypeKind::kInt32}};
const std::vector<Field> kInput = {{"user_id", TypeKind::kInt32}, {"note", TypeKind::kString}};

/// clicks JOIN users ON clicks.user_id = users.user_id, giving note, country and tier.
class JoinOfClicks : public testing::Test {
 protected:
  std::vector<std::string> run(const std::vector<Row>& users, const std::vector<Row>& clicks) {
    return run(spec(), users, clicks);
  }

  std::vector<std::string> run(const stream::StaticJoinSpec& join, const std::vector<Row>& users,
                               const std::vector<Row>& clicks) {
    const auto table =
        StaticTable::build(make_rows(kUserFields, users), join.table_keys, join.null_safe_keys)
            .value();
    ChainContext context = harness_.context();
    context.static_table = [&table](const stream::StaticJoinSpec&) { return table; };
    return harness_.run(join, clicks, context);
  }

  stream::StaticJoinSpec spec(stream::StaticJoinKind kind) {
    stream::StaticJoinSpec join = spec();
    join.kind = kind;
    const bool adds_columns = kind == stream::StaticJoinKind::kLeft;
    if (!adds_columns) join.table_columns.clear();
    if (!adds_columns) join.output = make_schema({{"note", TypeKind::kString}});
    return join;
  }

  /// The same on u.user_id = c.user_id AND u.tier > 1.
  stream::StaticJoinSpec spec_with_residual(stream::StaticJoinKind kind) {
    stream::StaticJoinSpec join = spec(kind);
    const SchemaRef columns = make_schema({{"tier", TypeKind::kInt32}});
    const OperatorHarness pairs({{"tier", TypeKind::kInt32}});
    join.residual = stream::ResidualSpec{pairs.bind(col("tier") > lit(1)), {}, {2}, columns};
    return join;
  }

  stream::StaticJoinSpec spec() {
    return {.table = {},
            .table_schema = kUserFields,
            .stream_keys = {harness_.bind(col("user_id"))},
            .table_keys = {0},
            .stream_columns = {1},
            .table_columns = {1, 2},
            .output = make_schema({{"note", TypeKind::kString},
                                   {"country", TypeKind::kString},
                                   {"tier", TypeKind::kInt32}}),
            .kind = stream::StaticJoinKind::kInner,
            .null_safe_keys = {},
            .residual = {}};
  }

  const std::vector<Row> users_ = {{small(1), text("de"), small(1)},
                                   {small(1), text("at"), small(2)},
                                   {small(2), text("fr"), small(1)},
                                   {null(), text("xx"), small(9)}};
  const std::vector<Row> clicks_ = {{small(1), text("one")},
                                    {small(2), text("two")},
                                    {small(3), text("three")},
                                    {null(), text("nobody")}};

  OperatorHarness harness_{kInput};
};

TEST_F(JoinOfClicks, AddsTheColumnsOfTheMatch) {
  EXPECT_EQ(
      run({{small(1), text("de"), small(3)}, {small(2), text("fr"), null()}},
          {{small(2), text("x")}, {small(1), text("y")}, {small(1), null()}}),
      (std::vector<std::string>{"10: 'x', 'fr', null", "11: 'y', 'de', 3", "12: null, 'de', 3"}));
}

TEST_F(JoinOfClicks, SeesOneVersionOfTheTableInAnEpoch) {
  const auto table_with = [](const char* country) {
    return StaticTable::build(make_rows(kUserFields, {{small(1), text(country), small(3)}}), {0})
        .value();
  };
  const auto versions = std::make_shared<TableVersions>(table_with("old"));
  ChainContext context = harness_.context();
  context.first_epoch = Epoch(4);
  context.static_table = [&](const stream::StaticJoinSpec&) { return table_with("old"); };
  context.table_versions = [&](const stream::StaticJoinSpec&) { return versions; };
  const auto join = make_operator(spec(), context).value();
  CollectingEmitter out;
  const std::vector<Row> click = {{small(1), text("x")}};

  ASSERT_TRUE(join->on_batch(Port(0), harness_.make_batch(click, 0, 1), out));
  versions->replace(table_with("new"));
  ASSERT_TRUE(join->on_batch(Port(0), harness_.make_batch(click, 0, 1), out));
  ASSERT_TRUE(join->on_epoch_end({Epoch(4), WallTime(0), {}}, out));
  // An epoch without rows yet takes what is newest when the first comes.
  versions->replace(table_with("newest"));
  ASSERT_TRUE(join->on_batch(Port(0), harness_.make_batch(click, 0, 1), out));

  EXPECT_EQ(out.lines, (std::vector<std::string>{"10: 'x', 'old', 3", "10: 'x', 'old', 3",
                                                 "10: 'x', 'newest', 3"}));
}

TEST_F(JoinOfClicks, ATaskThatComesLateSeesTheVersionOfTheEpochItJoins) {
  const auto table_with = [](const char* country) {
    return StaticTable::build(make_rows(kUserFields, {{small(1), text(country), small(3)}}), {0})
        .value();
  };
  const auto versions = std::make_shared<TableVersions>(table_with("old"));
  ASSERT_TRUE(versions->version(Epoch(4)));  // settled by a task that was there then
  versions->replace(table_with("new"));
  ASSERT_TRUE(versions->version(Epoch(7)));
  versions->replace(table_with("newest"));
  ChainContext context = harness_.context();
  context.first_epoch = Epoch(4);
  context.static_table = [&](const stream::StaticJoinSpec&) { return table_with("old"); };
  context.table_versions = [&](const stream::StaticJoinSpec&) { return versions; };
  const auto join = make_operator(spec(), context).value();
  CollectingEmitter out;

  join->on_join(Epoch(7));
  ASSERT_TRUE(join->on_batch(Port(0), harness_.make_batch({{small(1), text("x")}}, 0, 1), out));

  EXPECT_EQ(out.lines, (std::vector<std::string>{"10: 'x', 'new', 3"}));
}

TEST_F(JoinOfClicks, AConditionThatFailsMakesItsRowABadRecord) {
  stream::StaticJoinSpec join = spec_with_residual(stream::StaticJoinKind::kLeft);
  const OperatorHarness pairs({{"tier", TypeKind::kInt32}});
  join.residual->predicate = pairs.bind(lit(10) / col("tier") > lit(1));
  const auto table = StaticTable::build(make_rows(kUserFields, {{small(1), text("de"), small(2)},
                                                                {small(2), text("fr"), small(0)},
                                                                {small(2), text("at"), small(1)}}),
                                        join.table_keys)
                         .value();
  const std::vector<Row> clicks = {
      {small(1), text("one")}, {small(2), text("two")}, {small(1), text("three")}};
  const auto under = [&](stream::OnBadRecord choice) {
    ChainContext context = harness_.context(choice);
    context.static_table = [&table](const stream::StaticJoinSpec&) { return table; };
    const auto step = make_operator(join, context).value();
    CollectingEmitter out;
    Status status = step->on_batch(Port(0), harness_.make_batch(clicks, 0, 3), out);
    if (status) status = context.bad_records->flush();
    if (!status) out.lines.push_back(status.error().message.substr(0, 53));
    return out.lines;
  };

  EXPECT_EQ(under(stream::OnBadRecord::kSkip),
            (std::vector<std::string>{"10: 'one', 'de', 2", "12: 'three', 'de', 2"}));
  EXPECT_EQ(under(stream::OnBadRecord::kNull),
            (std::vector<std::string>{"10: 'one', 'de', 2", "11: 'two', 'at', 1",
                                      "12: 'three', 'de', 2"}))
      << "what fails matches nothing";
  EXPECT_EQ(under(stream::OnBadRecord::kFail),
            (std::vector<std::string>{"10: 'one', 'de', 2",
                                      "topic clicks, partition 3, offset 11: division by zer"}));
}

TEST_F(JoinOfClicks, AsksNoConditionOfARowWithoutAMatch) {
  stream::StaticJoinSpec join = spec(stream::StaticJoinKind::kLeft);
  const OperatorHarness pairs({{"user_id", TypeKind::kInt32}});
  join.residual = stream::ResidualSpec{pairs.bind(lit(10) / col("user_id") > lit(1)),
                                       {0},
                                       {},
                                       make_schema({{"user_id", TypeKind::kInt32}})};

  EXPECT_EQ(run(join, users_, {{small(0), text("nobody")}, {small(2), text("two")}}),
            (std::vector<std::string>{"10: 'nobody', null, null", "11: 'two', 'fr', 1"}));
}

TEST_F(JoinOfClicks, AsksForTheTimeOnceABatchInItsCondition) {
  ManualClock clock;
  clock.advance_us(5'000'000);
  stream::StaticJoinSpec join = spec_with_residual(stream::StaticJoinKind::kSemi);
  stream::EvaluationSettings settings;
  settings.clock = &clock;
  const stream::Dialect dialect(stream::FunctionRegistry::builtin(), settings);
  const std::vector<stream::InputField> inputs = {{"", "tier", TypeKind::kInt32, false}};
  join.residual->predicate =
      stream::bind(call("unix_timestamp", {}) == lit(5L), inputs, dialect).value();
  const auto table = StaticTable::build(make_rows(kUserFields, users_), join.table_keys).value();
  ChainContext context = harness_.context();
  context.static_table = [&table](const stream::StaticJoinSpec&) { return table; };
  const auto step = make_operator(join, context).value();
  CollectingEmitter out;

  // Both parts of what came in at one time, though the clock has moved on.
  ASSERT_TRUE(step->on_batch(Port(0), harness_.make_batch(clicks_, 0, 1), out));
  clock.advance_us(1'000'000);
  ASSERT_TRUE(step->on_batch(Port(0), harness_.make_batch(clicks_, 0, 1), out));

  EXPECT_EQ(out.lines, (std::vector<std::string>{"10: 'one'", "10: 'one'"}));
}

TEST_F(JoinOfClicks, DropsRowsWithoutMatchAndNullsMatchNothing) {
  EXPECT_EQ(run({{small(1), text("de"), small(3)}, {null(), text("xx"), small(0)}},
                {{small(2), text("x")}, {null(), text("y")}, {small(1), text("z")}}),
            (std::vector<std::string>{"12: 'z', 'de', 3"}));
}

TEST_F(JoinOfClicks, GivesSeveralMatchesInTheTablesRowOrder) {
  EXPECT_EQ(run({{small(1), text("a"), small(1)},
                 {small(2), text("b"), small(2)},
                 {small(1), text("c"), small(3)},
                 {small(1), text("d"), small(4)}},
                {{small(1), text("x")}, {small(3), text("y")}, {small(2), text("z")}}),
            (std::vector<std::string>{"10: 'x', 'a', 1", "10: 'x', 'c', 3", "10: 'x', 'd', 4",
                                      "12: 'z', 'b', 2"}));
}

TEST_F(JoinOfClicks, KeepsApartWhoIsRepeatedAndWhoIsDropped) {
  // As many matches as rows, and still not each row once.
  EXPECT_EQ(run({{small(1), text("a"), small(1)}, {small(1), text("b"), small(2)}},
                {{small(1), text("x")}, {small(9), text("y")}}),
            (std::vector<std::string>{"10: 'x', 'a', 1", "10: 'x', 'b', 2"}));
}

TEST_F(JoinOfClicks, EmitsNothingForAnEmptyTable) {
  EXPECT_TRUE(run({}, {{small(1), text("x")}}).empty());
}

TEST_F(JoinOfClicks, SendsMoreMatchesThanABatchHoldsAsSeveralBatches) {
  std::vector<Row> users;
  for (int i = 0; i < 700; ++i)
    users.push_back({small(7), text("u" + std::to_string(i)), small(i)});
  std::vector<Row> clicks;
  for (int i = 0; i < 5; ++i) clicks.push_back({small(7), text("c" + std::to_string(i))});

  const auto lines = run(users, clicks);

  ASSERT_EQ(lines.size(), 3500U);
  EXPECT_EQ(lines[0], "10: 'c0', 'u0', 0");
  EXPECT_EQ(lines[1023], "11: 'c1', 'u323', 323");
  EXPECT_EQ(lines[3499], "14: 'c4', 'u699', 699");
}

TEST_F(JoinOfClicks, FindsEveryKeyOfALargeTable) {
  std::vector<Row> users;
  for (int i = 0; i < 100'000; ++i) users.push_back({small(i * 64), text(""), small(i)});
  std::vector<Row> clicks;
  for (int i = 0; i < 1024; ++i) clicks.push_back({small(i * 97 * 64), text("")});

  const auto lines = run(users, clicks);

  ASSERT_EQ(lines.size(), 1024U);
  EXPECT_EQ(lines[1023], "1033: '', '', 99231");
}

TEST_F(JoinOfClicks, ALeftJoinKeepsRowsWithoutMatchBesideNulls) {
  EXPECT_EQ(
      run(spec(stream::StaticJoinKind::kLeft), users_, clicks_),
      (std::vector<std::string>{"10: 'one', 'de', 1", "10: 'one', 'at', 2", "11: 'two', 'fr', 1",
                                "12: 'three', null, null", "13: 'nobody', null, null"}));
}

TEST_F(JoinOfClicks, ALeftJoinWithAnEmptyTableKeepsEveryRow) {
  EXPECT_EQ(run(spec(stream::StaticJoinKind::kLeft), {}, clicks_),
            (std::vector<std::string>{"10: 'one', null, null", "11: 'two', null, null",
                                      "12: 'three', null, null", "13: 'nobody', null, null"}));
}

TEST_F(JoinOfClicks, ASemiJoinKeepsRowsWithAMatchOnce) {
  EXPECT_EQ(run(spec(stream::StaticJoinKind::kSemi), users_, clicks_),
            (std::vector<std::string>{"10: 'one'", "11: 'two'"}));
}

TEST_F(JoinOfClicks, AnAntiJoinKeepsRowsWithoutMatch) {
  EXPECT_EQ(run(spec(stream::StaticJoinKind::kAnti), users_, clicks_),
            (std::vector<std::string>{"12: 'three'", "13: 'nobody'"}));
}

TEST_F(JoinOfClicks, ANullSafeKeyFindsNull) {
  stream::StaticJoinSpec join = spec();
  join.null_safe_keys = {0};

  EXPECT_EQ(run(join, users_, clicks_),
            (std::vector<std::string>{"10: 'one', 'de', 1", "10: 'one', 'at', 2",
                                      "11: 'two', 'fr', 1", "13: 'nobody', 'xx', 9"}));
}

TEST_F(JoinOfClicks, WithoutKeysEveryRowMeetsEveryRow) {
  stream::StaticJoinSpec join = spec();
  join.stream_keys.clear();
  join.table_keys.clear();

  EXPECT_EQ(run(join, users_, {{small(1), text("x")}, {null(), text("y")}}),
            (std::vector<std::string>{"10: 'x', 'de', 1", "10: 'x', 'at', 2", "10: 'x', 'fr', 1",
                                      "10: 'x', 'xx', 9", "11: 'y', 'de', 1", "11: 'y', 'at', 2",
                                      "11: 'y', 'fr', 1", "11: 'y', 'xx', 9"}));
}

TEST_F(JoinOfClicks, ALeftJoinMatchesByTheWholeCondition) {
  EXPECT_EQ(run(spec_with_residual(stream::StaticJoinKind::kLeft), users_, clicks_),
            (std::vector<std::string>{"10: 'one', 'at', 2", "11: 'two', null, null",
                                      "12: 'three', null, null", "13: 'nobody', null, null"}));
}

TEST_F(JoinOfClicks, SemiAndAntiJoinsMatchByTheWholeCondition) {
  EXPECT_EQ(run(spec_with_residual(stream::StaticJoinKind::kSemi), users_, clicks_),
            (std::vector<std::string>{"10: 'one'"}));
  EXPECT_EQ(run(spec_with_residual(stream::StaticJoinKind::kAnti), users_, clicks_),
            (std::vector<std::string>{"11: 'two'", "12: 'three'", "13: 'nobody'"}));
}

TEST_F(JoinOfClicks, RemembersAMatchFromOneBatchOfCandidatesToTheNext) {
  // The match is the first of 3,000 candidates, of which none but it has tier 2.
  std::vector<Row> users = {{small(1), text("first"), small(2)}};
  for (int i = 1; i < 3000; ++i) users.push_back({small(1), text(""), small(0)});

  EXPECT_EQ(run(spec_with_residual(stream::StaticJoinKind::kLeft), users, clicks_)[0],
            "10: 'one', 'first', 2");
  EXPECT_EQ(run(spec_with_residual(stream::StaticJoinKind::kLeft), users, clicks_).size(), 4U);
  EXPECT_EQ(run(spec_with_residual(stream::StaticJoinKind::kAnti), users, clicks_).size(), 3U);
}

TEST(StaticTable, ComparesKeysOfSeveralColumnsOfEveryType) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto table =
      StaticTable::build(
          make_rows({{"a", TypeKind::kString}, {"b", TypeKind::kDouble}}, {{text("x"), real(0.0)},
                                                                           {text("x"), real(kNan)},
                                                                           {text("y"), null()},
                                                                           {text(""), real(1.5)}}),
          {0, 1})
          .value();
  OperatorHarness harness({{"a", TypeKind::kString}, {"b", TypeKind::kDouble}});
  const stream::StaticJoinSpec spec{
      .table = {},
      .table_schema = {},
      .stream_keys = {harness.bind(col("a")), harness.bind(col("b"))},
      .table_keys = {0, 1},
      .stream_columns = {0},
      .table_columns = {1},
      .output = make_schema({{"a", TypeKind::kString}, {"b", TypeKind::kDouble}}),
      .kind = stream::StaticJoinKind::kInner,
      .null_safe_keys = {},
      .residual = {}};
  ChainContext context = harness.context();
  context.static_table = [&table](const stream::StaticJoinSpec&) { return table; };

  const auto lines = harness.run(spec,
                                 {{text("x"), real(-0.0)},
                                  {text("x"), real(-kNan)},
                                  {text("y"), null()},
                                  {text("y"), real(0.0)},
                                  {text(""), real(1.5)}},
                                 context);

  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].substr(0, 7), "10: 'x'");
  EXPECT_EQ(lines[1].substr(0, 7), "11: 'x'");
  EXPECT_EQ(lines[2], "14: '', 1.5");
}

TEST(StaticTable, RefusesAKeyOfArrays) {
  formats::TableRows rows(make_schema({{"list", DataType::array(TypeKind::kInt32)}}));
  EXPECT_EQ(StaticTable::build(std::move(rows), {0}).error().message,
            "column list of type array<int> cannot be a join key");
}

}  // namespace
}  // namespace millrace::operators
