#include "stream/plan/physical_planner.hpp"

#include "stream/plan/explain.hpp"
#include "tests/stream/table_catalog.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

LogicalPlan scan(const std::string& table, const std::string& alias) {
  ScanNode node;
  node.table = table;
  node.alias = alias;
  return make_plan(std::move(node));
}

LogicalPlan project(LogicalPlan input, std::vector<Expr> expressions) {
  return make_plan(ProjectNode{std::move(input), std::move(expressions)});
}

LogicalPlan filter(LogicalPlan input, Expr condition) {
  return make_plan(FilterNode{std::move(input), std::move(condition)});
}

LogicalPlan join(LogicalPlan left, LogicalPlan right, std::optional<Expr> condition) {
  return make_plan(JoinNode{std::move(left), std::move(right), std::move(condition), {}});
}

LogicalPlan write(LogicalPlan input, const std::string& table) {
  return make_plan(WriteNode{std::move(input), table, std::nullopt});
}

Result<PhysicalPlan> planned(const LogicalPlan& plan) {
  return plan_query(plan, "", shop_catalog(), FunctionRegistry::builtin());
}

std::string refusal(const LogicalPlan& plan) {
  const auto result = planned(plan);
  return result ? "accepted" : result.error().message;
}

// The steps alone, as explain tells them.
std::string steps(const LogicalPlan& plan) {
  const auto result = planned(plan);
  if (!result) return result.error().message;
  const std::string text = explain(*result, {});
  return "\n" + text.substr(text.find("    source"));
}

const Expr kJoinUsers = col("c.user_id") == col("u.user_id");

TEST(PhysicalPlanner, RunsTheMainJobAsOneChain) {
  const LogicalPlan plan =
      write(project(filter(join(scan("clicks", "c"), scan("users", "u"), kJoinUsers),
                           col("c.event_type") != lit("purchase")),
                    {col("c.ts"), col("c.event_type"), col("u.country")}),
            "enriched");

  EXPECT_EQ(steps(plan), R"(
    source kafka clicks: value bytes, key bytes, timestamp timestamp, headers array<struct<key: string, value: bytes>>
    decode json: builds ts bigint, user_id int, event_type string
      skips price, note
    filter: c.event_type <> 'purchase'
    join static file users (path users.csv): c.user_id = users.user_id
      adds country string
    encode json: ts, event_type, country
      key from key
      headers from headers
      timestamp from timestamp
    sink kafka enriched
      delivery: at least once (exactly_once = 'none')
      a row becomes visible as soon as the sink acknowledges it; after a crash the rows of epochs that were not committed are written again
)");
}

TEST(PhysicalPlanner, GivesTheSpecsThatOperatorsAreMadeFrom) {
  const auto plan =
      planned(write(project(filter(join(scan("clicks", "c"), scan("users", "u"), kJoinUsers),
                                   col("c.event_type") != lit("purchase")),
                            {col("c.ts"), col("c.event_type"), col("u.country")}),
                    "enriched"));

  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->name, "enriched");
  ASSERT_EQ(plan->chains.size(), 1U);
  const ChainSpec& chain = plan->chains[0];
  EXPECT_EQ(chain.source.record_columns,
            (std::vector<std::string>{"value", "key", "timestamp", "headers"}));
  ASSERT_EQ(chain.nodes.size(), 5U);
  EXPECT_EQ(chain.nodes[0].targets, std::vector<std::size_t>{1});
  EXPECT_EQ(chain.nodes[4].targets, std::vector<std::size_t>{});

  const auto& decode = std::get<DecodeSpec>(chain.nodes[0].spec);
  EXPECT_EQ(decode.value_column, 0U);
  EXPECT_EQ(decode.passed_columns, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(
      decode.output->to_string(),
      "ts bigint, user_id int, event_type string, value bytes, key bytes, timestamp timestamp, "
      "headers array<struct<key: string, value: bytes>>");

  const auto& static_join = std::get<StaticJoinSpec>(chain.nodes[2].spec);
  EXPECT_EQ(static_join.table_schema.size(), 3U);
  EXPECT_EQ(static_join.stream_keys[0].column, 1U);
  EXPECT_EQ(static_join.table_keys, std::vector<std::size_t>{0});
  EXPECT_EQ(static_join.stream_columns, (std::vector<std::size_t>{0, 2, 3, 4, 5, 6}));
  EXPECT_EQ(static_join.table_columns, std::vector<std::size_t>{1});

  const auto& encode = std::get<EncodeSpec>(chain.nodes[3].spec);
  EXPECT_EQ(encode.value_columns, (std::vector<std::size_t>{0, 1, 6}));
  EXPECT_EQ(encode.value_names, (std::vector<std::string>{"ts", "event_type", "country"}));
  EXPECT_EQ(encode.key_column, 3U);
  EXPECT_EQ(encode.timestamp_column, 4U);
  EXPECT_EQ(encode.headers_column, 5U);
  EXPECT_EQ(encode.source_value_column, 2U);
  EXPECT_EQ(encode.topic_column, std::nullopt);
  EXPECT_EQ(encode.output->to_string(),
            "value bytes, key bytes, headers array<struct<key: string, value: bytes>>, timestamp "
            "timestamp");

  const auto& sink = std::get<SinkSpec>(chain.nodes[4].spec);
  EXPECT_EQ(sink.delivery, "none");
  EXPECT_EQ(sink.schema, encode.output);
}

TEST(PhysicalPlanner, PushesAFilterBelowProjectionAndJoin) {
  const LogicalPlan named =
      project(scan("clicks", "c"), {upper(col("note")).as("loud"), col("user_id")});
  const LogicalPlan plan =
      write(project(filter(join(named, scan("users", "u"), col("c.user_id") == col("u.user_id")),
                           col("loud") == lit("X") && col("tier") > lit(1)),
                    {col("loud"), col("tier")}),
            "enriched");

  EXPECT_EQ(steps(plan), R"(
    source kafka clicks: value bytes, key bytes, timestamp timestamp, headers array<struct<key: string, value: bytes>>
    decode json: builds user_id int, note string
      skips ts, event_type, price
    filter: loud = 'X'
    join static file users (path users.csv): c.user_id = users.user_id
      adds tier int
    filter: tier > 1
    project: upper(note) as loud, tier, key, headers, timestamp, value
    encode json: loud, tier
      key from key
      headers from headers
      timestamp from timestamp
    sink kafka enriched
      delivery: at least once (exactly_once = 'none')
      a row becomes visible as soon as the sink acknowledges it; after a crash the rows of epochs that were not committed are written again
)");
}

TEST(PhysicalPlanner, DecodesToValidateEvenWhenNoFieldIsRead) {
  const auto plan = planned(write(project(scan("clicks", "c"), {col("offset")}), "enriched"));

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& decode = std::get<DecodeSpec>(plan->chains[0].nodes[0].spec);
  EXPECT_TRUE(decode.fields.empty());
  EXPECT_EQ(decode.output->field(0).name, "value");  // to know a deletion mark by
  EXPECT_EQ(decode.output->field(1).name, "key");
  EXPECT_EQ(decode.output->field(2).name, "offset");
}

TEST(PhysicalPlanner, CopiesRecordsWithoutADecodeStep) {
  TableCatalog catalog = shop_catalog();
  catalog.add({"copy", "kafka", {}, {{"topic", "copy"}, {"format", "raw"}}});

  const auto plan = plan_query(write(project(scan("records", ""), {col("value")}), "copy"), "",
                               catalog, FunctionRegistry::builtin());

  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->chains[0].nodes.size(), 2U);
  const auto& encode = std::get<EncodeSpec>(plan->chains[0].nodes[0].spec);
  EXPECT_EQ(encode.format, "raw");
  EXPECT_EQ(encode.value_columns, std::vector<std::size_t>{1});
  EXPECT_EQ(encode.key_column, 0U);
}

TEST(PhysicalPlanner, ARawColumnOfTheUsersNameIsTheValue) {
  TableCatalog catalog = shop_catalog();
  catalog.add({"lines", "kafka", {{"line", TypeKind::kString}}, {{"format", "raw"}}});

  const auto plan = plan_query(
      write(project(filter(scan("lines", ""), col("line") != lit("")), {col("line")}), "enriched"),
      "", catalog, FunctionRegistry::builtin());

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& decode = std::get<DecodeSpec>(plan->chains[0].nodes[0].spec);
  EXPECT_EQ(decode.format, "text") << "it is text, and held to UTF-8 as lines are";
  EXPECT_EQ(decode.fields, (std::vector<Field>{{"line", TypeKind::kString}}));
}

TEST(PhysicalPlanner, AStaticTableMayStandOnTheLeft) {
  const auto plan = planned(write(project(join(scan("users", "u"), scan("clicks", "c"), kJoinUsers),
                                          {col("u.country"), col("c.ts")}),
                                  "enriched"));

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& encode = std::get<EncodeSpec>(plan->chains[0].nodes[2].spec);
  EXPECT_EQ(encode.value_names, (std::vector<std::string>{"country", "ts"}));
}

TEST(PhysicalPlanner, JoinsSeveralTablesOneAfterTheOther) {
  const LogicalPlan plan =
      write(project(join(join(scan("clicks", "c"), scan("users", "u"), kJoinUsers),
                         scan("countries", "k"), col("k.code") == col("u.country")),
                    {col("continent")}),
            "enriched");

  EXPECT_NE(steps(plan).find("join static file countries (path countries.csv): u.country = "
                             "countries.code\n      adds continent string"),
            std::string::npos)
      << steps(plan);
}

TEST(PhysicalPlanner, AnEqualityInWhereIsAKeyToo) {
  const auto plan = planned(
      write(project(filter(join(scan("clicks", "c"), scan("users", "u"), std::nullopt), kJoinUsers),
                    {col("country")}),
            "enriched"));

  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(std::get<StaticJoinSpec>(plan->chains[0].nodes[1].spec).table_keys.size(), 1U);
}

TEST(PhysicalPlanner, ABigintKeyMatchesAnIntColumnWithoutOverflow) {
  const auto plan = planned(
      write(project(join(scan("clicks", "c"), scan("users", "u"), col("u.user_id") == col("c.ts")),
                    {col("country")}),
            "enriched"));

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& key = std::get<StaticJoinSpec>(plan->chains[0].nodes[1].spec).stream_keys[0];
  EXPECT_EQ(key.type, DataType(TypeKind::kInt32));
  EXPECT_EQ(key.function->name, "case");
  EXPECT_EQ(key.text, "c.ts");
}

TEST(PhysicalPlanner, AKeyOfAWiderTypeMatchesTheColumnWhereItIsOneOfItsValues) {
  const auto plan = planned(write(
      project(join(scan("clicks", "c"), scan("users", "u"), col("c.price") == col("u.user_id")),
              {col("country")}),
      "enriched"));

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& join = std::get<StaticJoinSpec>(plan->chains[0].nodes[1].spec);
  EXPECT_EQ(join.stream_keys[0].type, DataType(TypeKind::kInt32));
  EXPECT_EQ(join.stream_keys[0].function->name, "case");
  EXPECT_EQ(join.table_keys, std::vector<std::size_t>{0});
  EXPECT_TRUE(join.computed.empty());
}

TEST(PhysicalPlanner, AKeyThatTheTableDoesNotHoldIsComputedWhenItIsRead) {
  const auto plan = planned(write(
      project(join(scan("clicks", "c"), scan("users", "u"), col("c.user_id") == col("u.country")),
              {col("country")}),
      "enriched"));

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& join = std::get<StaticJoinSpec>(plan->chains[0].nodes[1].spec);
  ASSERT_EQ(join.computed.size(), 1U);
  EXPECT_EQ(join.computed[0].type, DataType(TypeKind::kInt64));
  EXPECT_EQ(join.computed[0].mode, ErrorMode::kNull);
  EXPECT_EQ(join.computed[0].children[0].column, 1U);
  EXPECT_EQ(join.table_keys, std::vector<std::size_t>{join.table_schema.size()});
  EXPECT_EQ(join.stream_keys[0].type, DataType(TypeKind::kInt64));
}

TEST(PhysicalPlanner, AnEqualityThatCannotBeAKeyIsTestedAfterTheJoin) {
  const LogicalPlan plan = write(
      project(
          join(scan("clicks", "c"), scan("users", "u"),
               kJoinUsers && col("c.price") == col("u.tier") + lit(0) && col("u.tier") == lit(3)),
          {col("country")}),
      "enriched");

  const auto result = planned(plan);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(std::get<StaticJoinSpec>(result->chains[0].nodes[1].spec).table_keys,
            std::vector<std::size_t>{0});
  EXPECT_EQ(std::get<FilterSpec>(result->chains[0].nodes[2].spec).predicate.text,
            "c.price = (u.tier + 0) and u.tier = 3");
}

// What explain says from the first join or explode on, to the encode step.
std::string middle(const LogicalPlan& plan) {
  const std::string text = steps(plan);
  const std::size_t begin = text.find("\n", text.find("skips")) + 1;
  const std::size_t end = text.find("    encode");
  return end == std::string::npos ? text : text.substr(begin, end - begin);
}

LogicalPlan join(LogicalPlan left, LogicalPlan right, Expr condition, JoinKind kind) {
  return make_plan(JoinNode{std::move(left), std::move(right), std::move(condition), {}, kind});
}

TEST(PhysicalPlanner, AJoinWithoutAnEqualityComparesEveryRow) {
  EXPECT_EQ(middle(write(project(join(scan("clicks", "c"), scan("users", "u"),
                                      col("c.user_id") > col("u.user_id")),
                                 {col("country")}),
                         "enriched")),
            "    join static file users (path users.csv): every row of the table is compared\n"
            "      adds user_id int, country string\n"
            "    filter: c.user_id > u.user_id\n");
}

TEST(PhysicalPlanner, ALeftJoinMatchesByItsConditionAndIsFilteredBehind) {
  const LogicalPlan joined =
      join(scan("clicks", "c"), filter(scan("users", "u"), col("tier") > lit(1)),
           kJoinUsers && col("c.price") > lit(0.5), JoinKind::kLeft);

  EXPECT_EQ(middle(write(project(filter(joined, col("country").is_null() && col("ts") > lit(9)),
                                 {col("ts"), col("country")}),
                         "enriched")),
            "    filter: ts > 9\n"
            "    left join static file users (path users.csv): c.user_id = users.user_id\n"
            "      matches if c.price > 0.5 and tier > 1\n"
            "      adds country string\n"
            "    filter: country is null\n");
}

TEST(PhysicalPlanner, ARightJoinWithTheStreamOnTheRightKeepsItsRows) {
  EXPECT_EQ(middle(write(
                project(join(scan("users", "u"), scan("clicks", "c"), kJoinUsers, JoinKind::kRight),
                        {col("ts"), col("country")}),
                "enriched")),
            "    left join static file users (path users.csv): c.user_id = users.user_id\n"
            "      adds country string\n");
}

TEST(PhysicalPlanner, SemiAndAntiJoinsAddNoColumns) {
  const auto plan = [](JoinKind kind) {
    return write(
        project(join(scan("clicks", "c"), scan("users", "u"), kJoinUsers, kind), {col("ts")}),
        "enriched");
  };

  EXPECT_EQ(middle(plan(JoinKind::kLeftSemi)),
            "    keep rows with a match in static file users (path users.csv): c.user_id = "
            "users.user_id\n");
  EXPECT_EQ(middle(plan(JoinKind::kLeftAnti)),
            "    keep rows without a match in static file users (path users.csv): c.user_id = "
            "users.user_id\n");
}

TEST(PhysicalPlanner, JoinsThatWaitForTheEndOfAStreamAreRefused) {
  const auto refused = [](const char* left, const char* right, JoinKind kind) {
    return refusal(write(
        project(join(scan(left, "l"), scan(right, "r"), col("l.user_id") == col("r.user_id"), kind),
                {col("l.user_id")}),
        "enriched"));
  };

  EXPECT_EQ(refused("users", "clicks", JoinKind::kLeft),
            "a left outer join keeps rows of its left side by what the other side has, and stream "
            "clicks never has all its rows: put the stream on the left");
  EXPECT_EQ(
      refused("clicks", "users", JoinKind::kRight),
      "a right outer join keeps rows of its right side by what the other side has, and stream "
      "clicks never has all its rows: put the stream on the right");
  EXPECT_EQ(refused("users", "clicks", JoinKind::kLeftAnti).substr(0, 14), "a left anti jo");
  EXPECT_EQ(refused("clicks", "users", JoinKind::kFull).substr(0, 53),
            "a full outer join of a stream with a table has no end");
  EXPECT_EQ(refused("clicks", "clicks", JoinKind::kLeft),
            "a left outer join of two streams is not supported yet");
}

TEST(PhysicalPlanner, AUnionOfOneStreamReadsItOnceAndParts) {
  const LogicalPlan left = project(filter(scan("clicks", "c"), col("price") > lit(1.5)),
                                   {col("user_id"), col("note").as("text")});
  const LogicalPlan right = project(scan("clicks", "c"), {col("ts"), col("event_type")});

  EXPECT_EQ(
      steps(write(filter(make_plan(UnionNode{left, right}), col("text") != lit("x")), "enriched")),
      R"(
    source kafka clicks: value bytes, key bytes, timestamp timestamp, headers array<struct<key: string, value: bytes>>
    decode json: builds ts bigint, user_id int, event_type string, price double, note string
    branch 1 of 2
    filter: price > 1.5 and text <> 'x'
    project: cast(user_id as bigint) as user_id, note as text, key, headers, timestamp, value
    encode json: user_id, text
      key from key
      headers from headers
      timestamp from timestamp
    sink kafka enriched
      delivery: at least once (exactly_once = 'none')
      a row becomes visible as soon as the sink acknowledges it; after a crash the rows of epochs that were not committed are written again
    branch 2 of 2
    filter: text <> 'x'
    encode json: user_id, text
      key from key
      headers from headers
      timestamp from timestamp
    sink kafka enriched
      delivery: at least once (exactly_once = 'none')
      a row becomes visible as soon as the sink acknowledges it; after a crash the rows of epochs that were not committed are written again
)");
}

TEST(PhysicalPlanner, AUnionOfTwoStreamsIsAChainForEach) {
  TableCatalog catalog = shop_catalog();
  catalog.add({"orders", "rows", {{"id", TypeKind::kInt64}}, {}});
  catalog.add({"returns", "rows", {{"order_id", TypeKind::kInt32}}, {}});
  catalog.add({"out", "rows", {}, {}});

  const auto plan =
      plan_query(write(make_plan(UnionNode{scan("orders", ""), scan("returns", "")}), "out"), "",
                 catalog, FunctionRegistry::builtin());

  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->chains.size(), 2U);
  EXPECT_EQ(plan->chains[1].source.table.name, "returns");
  const auto& project = std::get<ProjectSpec>(plan->chains[1].nodes[0].spec);
  EXPECT_EQ(project.output->to_string(), "id bigint");
}

TEST(PhysicalPlanner, SidesOfAUnionThatDoNotFitAreRefused) {
  const auto refused = [](LogicalPlan left, LogicalPlan right) {
    return refusal(write(make_plan(UnionNode{std::move(left), std::move(right)}), "enriched"));
  };
  const LogicalPlan clicks = project(scan("clicks", "c"), {col("ts"), col("note")});

  EXPECT_EQ(refused(clicks, project(scan("clicks", "c"), {col("ts")})),
            "the sides of a union must have as many columns: 2 and 1");
  EXPECT_EQ(refused(clicks, project(scan("users", "u"), {col("user_id"), col("country")})),
            "a union of a stream with a table has no place for the table's rows: write them to the "
            "stream's source");
}

TEST(PhysicalPlanner, AnExplodeComesBehindWhatItReads) {
  const Expr tags = col("tags");
  TableCatalog catalog = shop_catalog();
  catalog.add({"posts",
               "rows",
               {{"id", TypeKind::kInt64}, {"tags", DataType::array(TypeKind::kString)}},
               {}});
  catalog.add({"out", "rows", {}, {}});
  const LogicalPlan exploded =
      project(scan("posts", "p"), {col("id"), call("explode", {col("tags")}).as("tag")});

  const auto plan =
      plan_query(write(filter(exploded, col("tag") != lit("x") && col("id") > lit(1)), "out"), "",
                 catalog, FunctionRegistry::builtin());

  ASSERT_TRUE(plan) << plan.error().message;
  const std::string text = explain(*plan, {});
  EXPECT_EQ(text.substr(text.find("    filter"), text.find("    sink") - text.find("    filter")),
            "    filter: id > 1\n"
            "    explode tags\n"
            "      adds tag string\n"
            "    filter: tag <> 'x'\n");
}

TEST(PhysicalPlanner, TwoStreamsAndNoStreamAreRefusedByName) {
  EXPECT_EQ(refusal(write(
                project(join(scan("clicks", "a"), scan("clicks", "b"), col("a.ts") == col("b.ts")),
                        {col("a.ts")}),
                "enriched")),
            "a join of two streams is not supported yet: clicks and clicks");
  EXPECT_EQ(refusal(write(project(scan("users", "u"), {col("tier")}), "enriched")),
            "a query without a stream has an end, which is not supported yet; it reads users");
}

TEST(PhysicalPlanner, ASinkOfPlainColumnsGetsThemInOrder) {
  TableCatalog catalog = shop_catalog();
  catalog.add({"out", "rows", {}, {}});

  const auto plan = plan_query(write(project(scan("clicks", "c"), {col("note"), col("ts")}), "out"),
                               "", catalog, FunctionRegistry::builtin());

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& nodes = plan->chains[0].nodes;
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(std::get<ProjectSpec>(nodes[1].spec).output->to_string(), "note string, ts bigint");
  EXPECT_EQ(std::get<SinkSpec>(nodes[2].spec).schema->to_string(), "note string, ts bigint");
}

TEST(Explain, TellsTriggerWaitingCheckpointAndTasks) {
  const auto plan = planned(write(project(scan("clicks", "c"), {col("ts")}), "enriched"));
  ASSERT_TRUE(plan);
  ExplainContext context;
  context.checkpoint_folder = "chk/enriched";
  context.partitions = {{"clicks", 4}};

  EXPECT_EQ(
      explain(*plan, context).substr(0, explain(*plan, context).find("    source")),
      "query enriched\n"
      "  trigger: real_time 5 seconds\n"
      "  waiting: park (an idle task sleeps until its source has rows: a wake-up, 10 to 30 µs)\n"
      "  checkpoint: chk/enriched\n"
      "  exchanges: none\n"
      "  chain 0, tasks: 4, one per partition of clicks\n");
}

TEST(Explain, SaysWhatIsNotKnownOrNotKept) {
  const auto plan = planned(write(project(scan("clicks", "c"), {col("ts")}), "enriched"));
  ASSERT_TRUE(plan);

  const std::string text = explain(*plan, {});

  EXPECT_NE(text.find("  checkpoint: none (nothing is kept; every start begins at the starting "
                      "offsets)\n"),
            std::string::npos);
  EXPECT_NE(text.find("  chain 0, tasks: one per partition of clicks\n"), std::string::npos);
}

}  // namespace
}  // namespace millrace::stream
