#include "stream/plan/dead_letter_planning.hpp"

#include "stream/plan/explain.hpp"
#include "stream/plan/physical_planner.hpp"
#include "tests/stream/table_catalog.hpp"

#include <gtest/gtest.h>

namespace millrace::stream {
namespace {

/// SELECT expression FROM a Kafka table of these columns and options, written as JSON.
Result<PhysicalPlan> planned(std::vector<Field> columns, const Options& options,
                             std::vector<Expr> select, const std::string& sink = "enriched") {
  ScanNode scan;
  scan.table = "t";
  scan.definition = TableDefinition{"t", "kafka", std::move(columns), options};
  const auto project = make_plan(ProjectNode{make_plan(std::move(scan)), std::move(select)});
  return plan_query(make_plan(WriteNode{project, sink, std::nullopt}), "", shop_catalog(),
                    FunctionRegistry::builtin());
}

std::string refusal(std::vector<Field> columns, const Options& options) {
  const auto plan = planned(std::move(columns), options, {col("*")});
  return plan ? "accepted" : plan.error().message;
}

const std::vector<Field> kIdAndText = {{"id", TypeKind::kInt64},
                                       {"_corrupt_record", TypeKind::kString}};

TEST(DeadLetterPlanning, ReadsWhatALetterIsMadeOfBehindWhatTheQueryReads) {
  const auto plan = planned({{"id", TypeKind::kInt64}},
                            {{"topic", "t"},
                             {"format", "json"},
                             {"on_bad_record", "dead_letter"},
                             {"dead_letter_topic", "t_bad"}},
                            {col("id")});

  ASSERT_TRUE(plan) << plan.error().message;
  const ChainSpec& chain = plan->chains[0];
  EXPECT_EQ(chain.source.record_columns,
            (std::vector<std::string>{"value", "key", "timestamp", "headers", "topic"}));
  const DeadLetterSpec& letters = *chain.bad_records.dead_letter;
  EXPECT_EQ(letters.value_column, 0U);
  EXPECT_EQ(letters.key_column, 1U);
  EXPECT_EQ(letters.timestamp_column, 2U);
  EXPECT_EQ(letters.headers_column, 3U);
  EXPECT_EQ(letters.topic_column, 4U);
  EXPECT_EQ(letters.sink.table.name, "dead letters of t");
  EXPECT_EQ(letters.sink.table.options.get("topic"), "t_bad");
  EXPECT_EQ(letters.sink.table.options.get("bootstrap_servers"), "h:1");
  EXPECT_EQ(letters.sink.schema->to_string(),
            "value bytes, key bytes, headers array<struct<key: string, value: bytes>>, "
            "timestamp timestamp");
  EXPECT_NE(explain(*plan, {}).find(
                "bad records: dead_letter to topic t_bad, acknowledged before their epoch commits"),
            std::string::npos);
}

TEST(DeadLetterPlanning, WritesLinesToAFile) {
  const auto plan = planned(
      {}, {{"topic", "t"}, {"on_bad_record", "dead_letter"}, {"dead_letter_path", "bad.jsonl"}},
      {col("value")}, "records");

  ASSERT_TRUE(plan) << plan.error().message;
  const DeadLetterSpec& letters = *plan->chains[0].bad_records.dead_letter;
  EXPECT_TRUE(letters.is_lines);
  EXPECT_EQ(letters.sink.table.connector, "dead_letter_file");
  EXPECT_EQ(letters.sink.schema->to_string(), "value bytes");
}

TEST(DeadLetterPlanning, TheCorruptRecordColumnIsNoFieldOfTheRecord) {
  const auto plan =
      planned(kIdAndText, {{"topic", "t"}, {"format", "json"}, {"mode", "permissive"}},
              {col("_corrupt_record"), col("id")});

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& decode = std::get<DecodeSpec>(plan->chains[0].nodes[0].spec);
  EXPECT_EQ(Schema(decode.fields).to_string(), "id bigint");
  EXPECT_EQ(decode.corrupt_column, 1U);
  EXPECT_EQ(decode.output->field(1).name, "_corrupt_record");
  EXPECT_NE(explain(*plan, {}).find("bad records: null when they cannot be decoded, else fail"),
            std::string::npos);
}

TEST(DeadLetterPlanning, WhereRecordsDoNotGoOnAColumnOfThatNameIsAField) {
  const auto plan =
      planned(kIdAndText, {{"topic", "t"}, {"format", "json"}}, {col("_corrupt_record")});

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& decode = std::get<DecodeSpec>(plan->chains[0].nodes[0].spec);
  EXPECT_EQ(Schema(decode.fields).to_string(), "_corrupt_record string");
  EXPECT_FALSE(decode.corrupt_column.has_value());
}

TEST(DeadLetterPlanning, RefusesSettingsThatCannotBe) {
  EXPECT_EQ(refusal({{"_corrupt_record", TypeKind::kInt64}},
                    {{"topic", "t"}, {"format", "json"}, {"mode", "permissive"}}),
            "table t: column _corrupt_record takes the text of corrupt records, so it must be "
            "text, not bigint");
  EXPECT_EQ(refusal({{"id", TypeKind::kInt64}}, {{"topic", "t"},
                                                 {"format", "json"},
                                                 {"mode", "permissive"},
                                                 {"column_name_of_corrupt_record", "bad"}}),
            "table t: column_name_of_corrupt_record = 'bad' names no declared column");
  EXPECT_EQ(refusal({}, {{"topic", "t"}, {"mode", "permissive"}}),
            "table t: option mode does nothing with format 'raw': any value is well formed");
  EXPECT_EQ(refusal({{"id", TypeKind::kInt64}},
                    {{"topic", "t"}, {"format", "json"}, {"on_bad_record", "ignore"}}),
            "table t: option on_bad_record = 'ignore' is not known; accepted: fail, skip, null, "
            "dead_letter");
}

TEST(DeadLetterPlanning, RefusesALetterThatWouldComeBack) {
  EXPECT_EQ(refusal({{"id", TypeKind::kInt64}}, {{"subscribe", "s, t"},
                                                 {"format", "json"},
                                                 {"on_bad_record", "dead_letter"},
                                                 {"dead_letter_topic", "t"}}),
            "table t: dead_letter_topic = 't' is what the table reads: a letter would come back as "
            "a bad record for ever");
}

TEST(DeadLetterPlanning, LetsTheSinkKnowADeletionMarkWhenItComes) {
  const auto plan = planned({{"id", TypeKind::kInt64}}, {{"topic", "t"}, {"format", "json"}},
                            {(col("id") + lit(1L)).as("next")});

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& encode = std::get<EncodeSpec>(plan->chains[0].nodes[2].spec);
  const auto& project = std::get<ProjectSpec>(plan->chains[0].nodes[1].spec);
  ASSERT_TRUE(encode.source_value_column.has_value());
  EXPECT_EQ(project.output->field(*encode.source_value_column).name, "value");
}

}  // namespace
}  // namespace millrace::stream
