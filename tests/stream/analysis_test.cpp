#include "stream/plan/analysis.hpp"

#include "tests/stream/table_catalog.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

LogicalPlan scan(const std::string& table, const std::string& alias = "") {
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

LogicalPlan join(LogicalPlan left, LogicalPlan right, Expr condition) {
  return make_plan(JoinNode{std::move(left), std::move(right), std::move(condition), {}});
}

LogicalPlan write(LogicalPlan input, TableDefinition sink) {
  return make_plan(WriteNode{std::move(input), sink.name, sink});
}

TableDefinition kafka_sink(std::vector<Field> columns, Options options) {
  if (!options.has("topic_column")) options.set("topic", "out");
  if (!options.has("format")) options.set("format", "json");
  return {"out", "kafka", std::move(columns), std::move(options)};
}

Result<ResolvedQuery> analyzed(const LogicalPlan& plan) {
  return analyze(plan, shop_catalog(), FunctionRegistry::builtin());
}

std::string refusal(const LogicalPlan& plan) {
  const auto query = analyzed(plan);
  return query ? "accepted" : query.error().message;
}

std::vector<std::string> output_names(const LogicalPlan& plan) {
  const auto query = analyzed(plan);
  std::vector<std::string> names;
  if (!query) return {query.error().message};
  for (const OutputColumn& output : query->outputs) names.push_back(output.name);
  return names;
}

std::vector<std::string> payload_names(const ResolvedQuery& query) {
  std::vector<std::string> names;
  for (const OutputColumn& output : query.sink->payload) names.push_back(output.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Analysis, AStarIsTheDeclaredColumnsWithoutTheRecord) {
  EXPECT_EQ(output_names(project(scan("clicks"), {star()})),
            (Names{"ts", "user_id", "event_type", "price", "note"}));
}

TEST(Analysis, AStreamWithoutColumnsShowsTheRecord) {
  EXPECT_EQ(output_names(project(scan("records"), {star()})),
            (Names{"key", "value", "topic", "partition", "offset", "timestamp", "timestampType",
                   "headers"}));
}

TEST(Analysis, RecordColumnsOfADecodedStreamAreFoundByName) {
  EXPECT_EQ(output_names(project(scan("clicks"), {col("offset"), col("clicks.partition")})),
            (Names{"offset", "partition"}));
}

TEST(Analysis, ADecodedStreamDoesNotOfferItsUndecodedValue) {
  EXPECT_EQ(refusal(project(scan("clicks"), {col("value")})),
            "column not found: value; columns: ts, user_id, event_type, price, note");
}

TEST(Analysis, ADeclaredColumnHidesTheRecordsOfItsName) {
  TableCatalog catalog = shop_catalog();
  catalog.add({"keyed", "kafka", {{"key", TypeKind::kInt32}}, {{"format", "json"}}});

  const auto query =
      analyze(project(scan("keyed"), {col("key")}), catalog, FunctionRegistry::builtin());

  ASSERT_TRUE(query);
  EXPECT_EQ(query->outputs[0].expression.type, DataType(TypeKind::kInt32));
}

TEST(Analysis, RecordColumnsFlowThroughAProjectionUnseen) {
  const LogicalPlan inner = project(scan("clicks"), {col("ts")});

  EXPECT_EQ(output_names(project(inner, {star(), col("offset")})), (Names{"ts", "offset"}));
}

TEST(Analysis, AColumnFoundInAnotherCaseKeepsItsOwnSpelling) {
  EXPECT_EQ(output_names(project(scan("clicks"), {col("TIMESTAMPTYPE"), col("User_Id")})),
            (Names{"timestampType", "user_id"}));
}

TEST(Analysis, AnExpressionIsCalledAfterItsFunctionOrColumn) {
  EXPECT_EQ(output_names(project(scan("clicks"),
                                 {upper(col("note")), col("ts").cast(TypeKind::kString),
                                  (col("price") * lit(2)).as("twice"), col("price") * lit(2)})),
            (Names{"upper", "ts", "twice", ""}));
}

TEST(Analysis, AJoinBringsTheLeftColumnsThenTheRight) {
  const LogicalPlan plan =
      join(scan("users", "u"), scan("clicks", "c"), col("c.user_id") == col("u.user_id"));

  EXPECT_EQ(output_names(project(plan, {star("c")})),
            (Names{"ts", "user_id", "event_type", "price", "note"}));
  EXPECT_EQ(output_names(project(plan, {star()})),
            (Names{"user_id", "country", "tier", "ts", "user_id", "event_type", "price", "note"}));
}

TEST(Analysis, UsingBringsItsColumnsFirstAndOnce) {
  const LogicalPlan plan =
      make_plan(JoinNode{scan("clicks", "c"), scan("users", "u"), std::nullopt, {"user_id"}});

  EXPECT_EQ(output_names(project(plan, {star()})),
            (Names{"user_id", "ts", "event_type", "price", "note", "country", "tier"}));
}

TEST(Analysis, ARightJoinTakesTheColumnsOfUsingFromTheRight) {
  const auto query = analyzed(make_plan(JoinNode{
      scan("users", "u"), scan("clicks", "c"), std::nullopt, {"user_id"}, JoinKind::kRight}));

  ASSERT_TRUE(query) << query.error().message;
  EXPECT_EQ(query->outputs[0].name, "user_id");
  EXPECT_EQ(query->relation_of(query->outputs[0].expression.column), 1U);
}

TEST(Analysis, ASemiJoinShowsTheLeftSideAlone) {
  const LogicalPlan plan = make_plan(JoinNode{scan("clicks", "c"),
                                              scan("users", "u"),
                                              col("c.user_id") == col("u.user_id"),
                                              {},
                                              JoinKind::kLeftSemi});

  EXPECT_EQ(output_names(project(plan, {star()})),
            (Names{"ts", "user_id", "event_type", "price", "note"}));
  EXPECT_EQ(refusal(project(plan, {col("country")})),
            "column not found: country; columns: ts, user_id, event_type, price, note");
}

TEST(Analysis, AColumnIsAddedBehindOrMadeAnewInItsPlace) {
  const LogicalPlan added = make_plan(WithColumnNode{scan("clicks"), "loud", upper(col("note"))});
  const LogicalPlan again = make_plan(WithColumnNode{added, "TS", col("ts") + lit(1)});

  EXPECT_EQ(output_names(again), (Names{"TS", "user_id", "event_type", "price", "note", "loud"}));
}

TEST(Analysis, ColumnsAreDroppedAndRenamed) {
  const LogicalPlan dropped = make_plan(DropNode{scan("clicks"), {"ts", "price"}});

  EXPECT_EQ(output_names(make_plan(RenameNode{dropped, "note", "text"})),
            (Names{"user_id", "event_type", "text"}));
  EXPECT_EQ(refusal(make_plan(DropNode{scan("clicks"), {"nots"}})),
            "column not found: nots; nearest: note; columns: ts, user_id, event_type, price, note");
}

TEST(Analysis, ExplodeTakesAnArrayOrAMap) {
  EXPECT_EQ(refusal(project(scan("clicks"), {call("explode", {col("note")})})),
            "explode takes an array or a map, note is string");
}

TEST(Analysis, OneNameCannotCallThePlaceAndTheElement) {
  EXPECT_EQ(refusal(project(scan("records"), {call("posexplode", {col("headers")}).as("h")})),
            "posexplode(headers) gives 2 columns, which one name cannot call: leave h away and "
            "rename them behind it");
  EXPECT_EQ(output_names(project(scan("records"), {call("posexplode", {col("headers")})})),
            (Names{"pos", "col"}));
}

TEST(Analysis, ConditionsAreSplitAtEveryAnd) {
  const auto query =
      analyzed(filter(filter(scan("clicks"), col("ts") > lit(1) && col("note").is_not_null()),
                      col("price") < lit(2.5)));

  ASSERT_TRUE(query);
  ASSERT_EQ(query->conditions.size(), 3U);
  EXPECT_EQ(query->conditions[0].predicate.text, "ts > 1");
  EXPECT_EQ(query->conditions[2].predicate.text, "price < 2.5");
}

TEST(Analysis, AConditionMustBeBoolean) {
  EXPECT_EQ(refusal(filter(scan("clicks"), col("price") + lit(1))),
            "a condition must be boolean, price + 1 is double");
}

TEST(Analysis, AnUnknownColumnNamesTheNearest) {
  EXPECT_EQ(refusal(project(scan("clicks"), {col("even_type")})),
            "column not found: even_type; nearest: event_type; columns: ts, user_id, event_type, "
            "price, note");
}

TEST(Analysis, AnUnknownQualifierOfAStarNamesTheNearest) {
  EXPECT_EQ(refusal(project(scan("clicks"), {star("click")})),
            "no table click to take columns from; did you mean clicks.*?");
}

TEST(Analysis, TwoTablesOfOneNameAreRefused) {
  EXPECT_EQ(refusal(join(scan("users"), scan("users"), lit(true))),
            "two tables are called users: give one another name with AS");
}

TEST(Analysis, AnErrorStandsWhereTheInnermostMistakeStands) {
  ExprNode wrong = col("pric").node();
  wrong.position = 42;
  ExprNode sum = (Expr(wrong) + lit(1)).node();
  sum.position = 40;

  const auto query = analyzed(project(scan("clicks"), {Expr(sum).as("x")}));

  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().position, 42);
}

TEST(Analysis, ATableDeclaringAColumnTwiceIsRefused) {
  ScanNode node;
  node.table = "t";
  node.definition = TableDefinition{
      "t", "kafka", {{"a", TypeKind::kInt32}, {"a", TypeKind::kInt64}}, {{"format", "json"}}};

  EXPECT_EQ(refusal(make_plan(std::move(node))), "table t declares column a twice");
}

TEST(Analysis, DeclaredColumnsNeedAFormat) {
  ScanNode node;
  node.table = "t";
  node.definition = TableDefinition{"t", "kafka", {{"a", TypeKind::kInt32}}, {}};

  EXPECT_EQ(refusal(make_plan(std::move(node))),
            "table t does not say how its columns lie in the value: add format = 'json'");
}

TEST(Analysis, AnUnknownFormatNamesTheNearest) {
  ScanNode node;
  node.table = "t";
  node.definition = TableDefinition{"t", "kafka", {{"a", TypeKind::kInt32}}, {{"format", "jsn"}}};

  EXPECT_EQ(
      refusal(make_plan(std::move(node))),
      "format 'jsn' of table t is not known; accepted: csv, json, raw, text; did you mean 'json'?");
}

TEST(SinkAnalysis, PassesOnKeyHeadersAndTimeOfTheSourceRecord) {
  const auto query = analyzed(
      write(project(scan("clicks"), {col("ts"), col("note").as("key")}), kafka_sink({}, {})));

  ASSERT_TRUE(query) << query.error().message;
  const ResolvedSink& sink = *query->sink;
  EXPECT_EQ(sink.passed_on, (Names{"key", "headers", "timestamp"}));
  // The record's key, not the payload's column of that name.
  EXPECT_TRUE(query->column(sink.key->column).is_record);
  EXPECT_EQ(payload_names(*query), (Names{"ts", "key"}));
}

TEST(SinkAnalysis, NoneTurnsPassingOnOff) {
  const auto query = analyzed(
      write(project(scan("clicks"), {col("ts")}),
            kafka_sink({}, {{"key", "none"}, {"headers", "none"}, {"timestamp", "none"}})));

  ASSERT_TRUE(query) << query.error().message;
  EXPECT_FALSE(query->sink->key);
  EXPECT_FALSE(query->sink->headers);
  EXPECT_FALSE(query->sink->timestamp);
}

TEST(SinkAnalysis, AnAddressLeavesThePayloadAndAKeyStays) {
  const auto query =
      analyzed(write(project(scan("clicks"), {col("ts"), col("note"), col("event_type")}),
                     kafka_sink({}, {{"key_column", "note"}, {"topic_column", "event_type"}})));

  ASSERT_TRUE(query) << query.error().message;
  EXPECT_EQ(payload_names(*query), (Names{"ts", "note"}));
  EXPECT_EQ(query->sink->key->text, "note");
  EXPECT_EQ(query->sink->topic->text, "event_type");
}

TEST(SinkAnalysis, OneTopicForAllAndATopicForEachExcludeEachOther) {
  TableDefinition sink = kafka_sink({}, {{"topic_column", "note"}});
  sink.options.set("topic", "out");

  EXPECT_EQ(refusal(write(project(scan("clicks"), {col("ts"), col("note")}), sink)),
            "topic = 'out' and topic_column = 'note' of table out exclude each other");
}

TEST(SinkAnalysis, PayloadColumnsNamesAColumnOnce) {
  const auto query = analyzed(write(project(scan("clicks"), {col("ts"), col("note")}),
                                    kafka_sink({}, {{"payload_columns", "ts, note, ts"}})));

  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().message.substr(0, 23), "payload_columns of tabl");
  EXPECT_NE(query.error().message.find("names 'ts' twice"), std::string::npos);
}

TEST(SinkAnalysis, PayloadColumnsNamesWhatTheValueHolds) {
  const auto query =
      analyzed(write(project(scan("clicks"), {col("ts"), col("note"), col("price")}),
                     kafka_sink({}, {{"key_column", "note"}, {"payload_columns", "price, ts"}})));

  ASSERT_TRUE(query) << query.error().message;
  EXPECT_EQ(payload_names(*query), (Names{"price", "ts"}));
}

TEST(SinkAnalysis, ARecordColumnOfTheSourceMaySayWhere) {
  const auto query = analyzed(write(project(scan("clicks"), {col("ts")}),
                                    kafka_sink({}, {{"partition_column", "partition"}})));

  ASSERT_TRUE(query) << query.error().message;
  EXPECT_EQ(query->sink->partition->text, "partition");
  EXPECT_EQ(payload_names(*query), (Names{"ts"}));
}

TEST(SinkAnalysis, AnEnvelopeColumnMustHaveItsType) {
  EXPECT_EQ(
      refusal(write(project(scan("clicks"), {col("ts")}), kafka_sink({}, {{"key_column", "ts"}}))),
      "key_column = 'ts' of table out must be string or bytes, it is bigint");
}

TEST(SinkAnalysis, AnUnknownEnvelopeColumnNamesTheNearest) {
  EXPECT_EQ(refusal(write(project(scan("clicks"), {col("note")}),
                          kafka_sink({}, {{"key_column", "notes"}}))),
            "key_column = 'notes' of table out names no column of the query; did you mean 'note'?");
}

TEST(SinkAnalysis, DeclaredColumnsTakeTheQuerysInOrderWithSafeCasts) {
  const auto query = analyzed(
      write(project(scan("clicks"), {col("user_id"), col("price") * lit(2)}),
            kafka_sink({{"user_id", TypeKind::kInt64}, {"twice", TypeKind::kDouble}}, {})));

  ASSERT_TRUE(query) << query.error().message;
  EXPECT_EQ(payload_names(*query), (Names{"user_id", "twice"}));
  EXPECT_EQ(query->sink->payload[0].expression.type, DataType(TypeKind::kInt64));
}

TEST(SinkAnalysis, ADeclaredColumnOfAnotherTypeIsRefusedWithBothTypes) {
  EXPECT_EQ(refusal(write(project(scan("clicks"), {col("price")}),
                          kafka_sink({{"price", TypeKind::kInt32}}, {}))),
            "column price is double in the query and int in table out: write CAST(price AS int) AS "
            "price");
}

TEST(SinkAnalysis, ADeclaredColumnOfAnotherNameIsRefusedWithBothNames) {
  EXPECT_EQ(
      refusal(write(project(scan("clicks"), {col("price"), col("ts")}),
                    kafka_sink({{"price", TypeKind::kDouble}, {"time", TypeKind::kInt64}}, {}))),
      "column 2 of the query is ts, table out has time there (columns are taken in order): "
      "write ts AS time, or change the order");
}

TEST(SinkAnalysis, ADeclaredListOfAnotherLengthIsRefused) {
  EXPECT_EQ(refusal(write(project(scan("clicks"), {col("price"), col("ts")}),
                          kafka_sink({{"price", TypeKind::kDouble}}, {}))),
            "table out has 1 columns, the query gives 2: price, ts");
}

TEST(SinkAnalysis, EveryColumnNeedsANameOfItsOwn) {
  EXPECT_EQ(refusal(write(project(scan("clicks"), {col("price") + lit(1)}), kafka_sink({}, {}))),
            "column 1 of the query has no name: write price + 1 AS name");
  EXPECT_EQ(
      refusal(
          write(project(scan("clicks"), {col("ts"), col("price").as("ts")}), kafka_sink({}, {}))),
      "the query gives two columns called ts: leave one out, or give it another name with AS");
}

TEST(SinkAnalysis, OtherDeliveriesAreRefusedByName) {
  const auto delivered = [](const char* delivery) {
    return refusal(
        write(project(scan("clicks"), {col("ts")}), kafka_sink({}, {{"exactly_once", delivery}})));
  };
  EXPECT_EQ(delivered("none"), "accepted");
  EXPECT_EQ(delivered("resume"), "accepted");
  EXPECT_EQ(delivered("transaction"), "accepted");
  EXPECT_EQ(
      delivered("exactly"),
      "exactly_once = 'exactly' of table out is not known; accepted: none, resume, transaction");
  EXPECT_EQ(
      delivered("nome"),
      "exactly_once = 'nome' of table out is not known; accepted: none, resume, transaction; did "
      "you mean 'none'?");
}

TEST(SinkAnalysis, ARawSinkTakesOneColumnOrTheOneCalledValue) {
  const auto one =
      analyzed(write(project(scan("clicks"), {col("note")}), kafka_sink({}, {{"format", "raw"}})));
  const auto beside = analyzed(write(project(scan("records"), {col("key"), col("value")}),
                                     kafka_sink({}, {{"format", "raw"}, {"key_column", "key"}})));

  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(payload_names(*one), (Names{"note"}));
  ASSERT_TRUE(beside) << beside.error().message;
  EXPECT_EQ(payload_names(*beside), (Names{"value"}));
  EXPECT_EQ(refusal(write(project(scan("clicks"), {col("ts"), col("note")}),
                          kafka_sink({}, {{"format", "raw"}}))),
            "table out has format 'raw', which writes one column of type string or bytes: name it "
            "with value_column; the query gives ts, note");
}

// What the user selected is written, or refused.
TEST(SinkAnalysis, ARawSinkLeavesNoColumnOutInSilence) {
  const auto refused = [](const std::vector<Expr>& columns, Options options) {
    options.set("format", "raw");
    return refusal(write(project(scan("records"), columns), kafka_sink({}, options)));
  };
  const std::string ways =
      " alone; leave it out, or name it with key_column, headers_column, timestamp_column, "
      "topic_column or partition_column";

  EXPECT_EQ(
      refused({col("value"), col("topic")}, {}),
      "column topic of the query would not be written to table out: format 'raw' writes value" +
          ways);
  EXPECT_EQ(
      refused({col("value"), col("value").as("other")}, {{"value_column", "other"}}),
      "column value of the query would not be written to table out: format 'raw' writes other" +
          ways);
  EXPECT_EQ(refused({col("key"), col("value")}, {}), "accepted") << "passed on as it is";
  EXPECT_EQ(refused({col("key"), col("value")}, {{"payload_columns", "value"}}), "accepted");
  EXPECT_EQ(refused({col("key"), col("value")}, {{"key", "none"}}),
            "column key of the query would not be written to table out: format 'raw' writes value" +
                ways);
}

}  // namespace
}  // namespace millrace::stream
