#include "connectors/connector_registry.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace millrace::connectors {
namespace {

std::string source_refusal(const std::string& connector, const Options& options) {
  const auto traits = source_traits({"t", connector, {{"id", TypeKind::kInt32}}, options});
  return traits ? "accepted" : traits.error().message;
}

TEST(ConnectorRegistry, NamesTheNearestConnector) {
  EXPECT_EQ(source_refusal("kafak", {}),
            "table t names an unknown connector: kafak (the nearest is kafka)");
  EXPECT_EQ(
      source_refusal("postgres", {}),
      "table t names an unknown connector: postgres (there are: kafka, file, memory, channel)");
  EXPECT_EQ(source_refusal("", {}),
            "table t names no connector; there are: kafka, file, memory, channel");
}

TEST(ConnectorRegistry, KnowsWhatAKafkaTableIs) {
  const auto traits =
      source_traits({"t", "kafka", {}, {{"bootstrap_servers", "h:1"}, {"topic", "t"}}});

  ASSERT_TRUE(traits.has_value());
  EXPECT_TRUE(traits->is_stream);
  EXPECT_TRUE(traits->has_format);
  EXPECT_EQ(Schema(traits->record).to_string(),
            "key bytes, value bytes, topic string, partition int, offset bigint, "
            "timestamp timestamp, timestampType int, "
            "headers array<struct<key: string, value: bytes>>");
}

TEST(ConnectorRegistry, KnowsHowASinkBesideAKafkaSourceReachesItsCluster) {
  const auto traits = source_traits({"t",
                                     "kafka",
                                     {},
                                     {{"bootstrap_servers", "h:1"},
                                      {"topic", "t"},
                                      {"kafka.fetch.min.bytes", "10"},
                                      {"kafka.security.protocol", "plaintext"},
                                      {"on_bad_record", "dead_letter"},
                                      {"dead_letter_topic", "t_bad"},
                                      {"create_topics", "true"},
                                      {"partitions", "3"}}});

  ASSERT_TRUE(traits.has_value()) << traits.error().message;
  const Options& beside = traits->sink_beside;
  EXPECT_EQ(beside.get("bootstrap_servers"), "h:1");
  EXPECT_EQ(beside.get("kafka.security.protocol"), "plaintext");
  EXPECT_EQ(beside.get("create_topics"), "true");
  EXPECT_EQ(beside.get("partitions"), "3");
  EXPECT_FALSE(beside.has("kafka.fetch.min.bytes"));  // does nothing in a sink
  EXPECT_FALSE(beside.has("topic"));
}

TEST(ConnectorRegistry, ASourceCreatesNoTopicButThatOfItsDeadLetters) {
  EXPECT_EQ(source_refusal(
                "kafka", {{"bootstrap_servers", "h:1"}, {"topic", "t"}, {"create_topics", "true"}}),
            "table t: option create_topics of a kafka source is for its dead_letter_topic, and "
            "none is given");
}

TEST(ConnectorRegistry, KnowsWhatAFileTableIs) {
  const auto traits = source_traits({"t", "file", {{"id", TypeKind::kInt32}}, {{"path", "x.csv"}}});

  ASSERT_TRUE(traits.has_value());
  EXPECT_FALSE(traits->is_stream);
  EXPECT_FALSE(traits->has_format);
}

TEST(ConnectorRegistry, RefusesToWriteToAFileTable) {
  const auto traits = sink_traits({"t", "file", {}, {{"path", "x.csv"}}});

  ASSERT_FALSE(traits.has_value());
  EXPECT_EQ(traits.error().message, "table t: connector file cannot be written");
}

TEST(FileTable, ChecksItsOptions) {
  EXPECT_EQ(source_refusal("file", {}), "table t: a file table needs the option path");
  EXPECT_EQ(source_refusal("file", {{"path", "x"}, {"format", "parquet"}}),
            "table t: option format of a file table must be csv or json, not parquet");
}

TEST(FileTable, ReadsJsonALine) {
  const std::string path = testing::TempDir() + "millrace_table.jsonl";
  std::ofstream(path) << "{\"id\":7}\n{\"id\":8}\n";

  const auto rows =
      load_static({"t", "file", {{"id", TypeKind::kInt32}}, {{"path", path}, {"format", "json"}}});

  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  EXPECT_EQ(rows->rows, 2U);
  std::remove(path.c_str());
}

TEST(FileTable, RefusesOptionsThatDoNothing) {
  EXPECT_EQ(source_refusal("file", {{"path", "x"}, {"format", "json"}, {"header", "true"}}),
            "table t: option header is for format csv and does nothing with format json");
  EXPECT_EQ(source_refusal("file", {{"path", "x"}, {"reload", "10 ms"}}),
            "table t: option reload must be 100 ms or more, like '10 seconds', not '10 ms'");
}

TEST(FileTable, TellsAChangedFileByItsStamp) {
  const std::string path = testing::TempDir() + "millrace_stamp.csv";
  std::ofstream(path) << "1\n";
  const stream::TableDefinition table = {"t", "file", {{"id", TypeKind::kInt32}}, {{"path", path}}};

  const auto before = static_stamp(table);
  EXPECT_EQ(static_stamp(table), before);
  std::ofstream(path, std::ios::app) << "2\n";
  EXPECT_NE(static_stamp(table), before);
  std::remove(path.c_str());
}

TEST(FileTable, SaysThatItsFileIsMissing) {
  const auto rows =
      load_static({"t", "file", {{"id", TypeKind::kInt32}}, {{"path", "no/such/file.csv"}}});

  ASSERT_FALSE(rows.has_value());
  EXPECT_EQ(rows.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(rows.error().message,
            "table t: cannot open the table's file: No such file or directory: no/such/file.csv");
}

TEST(FileTable, IsReadWhole) {
  const std::string path = testing::TempDir() + "file_table_test.csv";
  std::ofstream(path) << "country,user_id\nDE,1\n,2\n";

  const auto rows = load_static({"users",
                                 "file",
                                 {{"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}},
                                 {{"path", path}, {"header", "true"}}});
  std::remove(path.c_str());

  ASSERT_TRUE(rows.has_value()) << rows.error().message;
  ASSERT_EQ(rows->rows, 2U);
  EXPECT_EQ(rows->columns[0].value<std::int32_t>(1), 2);
  EXPECT_EQ(rows->columns[1].text(0), "DE");
  EXPECT_TRUE(rows->columns[1].is_null(1));
}

}  // namespace
}  // namespace millrace::connectors
