#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"
#include "millrace/test.hpp"

#include "formats/json_document.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::test {
namespace {

using formats::JsonValue;
using std::chrono::milliseconds;

/// One job, whatever trigger: ids that are not 0.
class ProgressTest : public testing::TestWithParam<const char*> {
 protected:
  Query start(TestBed& bed, std::string_view trigger, std::string_view recent = "100") {
    return bed.session()
        .read_stream(orders)
        .where(col("id") != lit(0))
        .write_stream()
        .to(kept)
        .option("trigger", trigger)
        .option("recent_progress", recent)
        .start()
        .value();
  }
  void add(std::int64_t id, std::int32_t partition = 0) {
    ASSERT_TRUE(orders.add({Value::int64(id)}, partition));
  }
  static std::vector<std::string> names_of(const JsonValue& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.as_object()) names.push_back(name);
    return names;
  }

  MemorySource orders{"orders", {{"id", TypeKind::kInt64}}, 2};
  MemorySink kept{"kept"};
};

INSTANTIATE_TEST_SUITE_P(Triggers, ProgressTest,
                         testing::Values("real_time 1 second", "processing_time 1 second"));

TEST_P(ProgressTest, HasARecordPerEpochInBothDrives) {
  TestBed bed({{}, 1024, 1, WallTime(1'700'000'000'000'000)});
  const Query query = start(bed, GetParam());
  ASSERT_TRUE(bed.run());
  EXPECT_FALSE(query.last_progress());
  add(0);
  add(7);
  add(8, 1);
  ASSERT_TRUE(bed.advance(milliseconds(1'000)));
  add(9, 1);
  ASSERT_TRUE(bed.advance(milliseconds(1'000)));

  const std::vector<QueryProgress> records = query.recent_progress();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].query, "kept");
  EXPECT_EQ(records[0].epoch, Epoch(0));
  EXPECT_EQ(records[0].rows_in, 3);
  EXPECT_EQ(records[0].rows_out, 2);
  ASSERT_EQ(records[0].sources.size(), 1U);
  EXPECT_EQ(records[0].sources[0].rows_in, 3);
  EXPECT_EQ(records[0].sources[0].end,
            (std::map<std::string, std::int64_t>{{"orders-0", 2}, {"orders-1", 1}}));
  EXPECT_EQ(records[1].epoch, Epoch(1));
  EXPECT_EQ(records[1].rows_in, 1);
  EXPECT_EQ(records[1].rows_out, 1);
  EXPECT_EQ(records[1].sources[0].start, records[0].sources[0].end);
  EXPECT_EQ(query.last_progress()->epoch, Epoch(1));
}

class ProgressRecordTest : public ProgressTest {};

// Positions of a memory stream have no gaps, so that ranges say how many rows an epoch has.
TEST_F(ProgressRecordTest, CountsExactlyTheEpochWhateverIsUnderWay) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    MemorySource rows("rows", {{"id", TypeKind::kInt64}}, 2);
    TestBed bed({{}, 1, seed});
    const Query query = bed.session()
                            .read_stream(rows)
                            .write_stream()
                            .to(kept)
                            .option("trigger", "real_time 1 hour or 2 rows")
                            .start()
                            .value();
    for (std::int64_t id = 0; id < 20; ++id)
      ASSERT_TRUE(rows.add({Value::int64(id)}, static_cast<std::int32_t>(id % 2)));
    ASSERT_TRUE(bed.run());
    ASSERT_TRUE(query.stop());
    std::int64_t total = 0;
    for (const QueryProgress& record : query.recent_progress()) {
      std::int64_t length = 0;
      for (const auto& [partition, end] : record.sources[0].end)
        length += end - record.sources[0].start.at(partition);
      EXPECT_EQ(record.rows_in, length) << "seed " << seed;
      EXPECT_EQ(record.rows_out, length) << "seed " << seed;
      total += record.rows_in;
    }
    EXPECT_EQ(total, 20) << "seed " << seed;
  }
}

TEST_F(ProgressRecordTest, M1PartsOfTheDurationAreWithinTheWhole) {
  TestBed bed;
  const Query open = start(bed, "real_time 1 second");
  add(1);
  ASSERT_TRUE(bed.advance(milliseconds(1'000)));
  EXPECT_EQ(open.last_progress()->durations_ms,
            (std::map<std::string, std::int64_t>{
                {"triggerExecution", 1000}, {"addBatch", 1000}, {"commitOffsets", 0}}));
  ASSERT_TRUE(open.stop());

  const Query planned = start(bed, "processing_time");
  add(2);
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(planned.last_progress()->durations_ms,
            (std::map<std::string, std::int64_t>{{"triggerExecution", 0},
                                                 {"latestOffset", 0},
                                                 {"walCommit", 0},
                                                 {"addBatch", 0},
                                                 {"commitOffsets", 0}}));
}

// Section 11.1: names and order; what is ours comes behind them.
TEST_F(ProgressRecordTest, M4M5IsOneLineOfJsonWithTheKnownNames) {
  TestBed bed({{}, 1024, 1, WallTime(1'700'000'000'123'456)});
  const Query query = start(bed, "real_time 2 seconds");
  add(0);
  add(7);
  add(8, 1);
  ASSERT_TRUE(bed.advance(milliseconds(2'000)));

  const std::string line = query.last_progress()->to_json();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const JsonValue json = JsonValue::parse(line).value();
  EXPECT_EQ(names_of(json),
            (std::vector<std::string>{
                "id", "runId", "name", "timestamp", "batchId", "batchDuration", "numInputRows",
                "inputRowsPerSecond", "processedRowsPerSecond", "durationMs", "eventTime",
                "stateOperators", "sources", "sink", "observedMetrics", "restarts", "stages"}));
  EXPECT_EQ(json.get_string("name"), "kept");
  EXPECT_EQ(json.get_string("timestamp"), "2023-11-14T22:13:20.123Z");
  EXPECT_EQ(json.get_integer("batchId"), 0);
  EXPECT_EQ(json.get_integer("batchDuration"), 2000);
  EXPECT_EQ(json.get_integer("numInputRows"), 3);
  EXPECT_EQ(json.get_number("inputRowsPerSecond"), 1.5);
  EXPECT_EQ(json.get_number("processedRowsPerSecond"), 1.5);

  const JsonValue source = (*json.get_array("sources"))->at(0);
  EXPECT_EQ(names_of(source),
            (std::vector<std::string>{"description", "startOffset", "endOffset", "latestOffset",
                                      "numInputRows", "inputRowsPerSecond",
                                      "processedRowsPerSecond", "metrics", "name", "badRecords"}));
  EXPECT_EQ(source.get_string("description"), "memory (orders)");
  EXPECT_EQ(source.find("startOffset")->dump(), R"({"orders":{"0":0,"1":0}})");
  EXPECT_EQ(source.find("endOffset")->dump(), R"({"orders":{"0":2,"1":1}})");
  EXPECT_EQ(source.find("latestOffset")->dump(), R"({"orders":{"0":2,"1":1}})");
  EXPECT_EQ(source.find("metrics")->dump(),
            R"({"minOffsetsBehindLatest":"0","maxOffsetsBehindLatest":"0",)"
            R"("avgOffsetsBehindLatest":"0.0"})");
  EXPECT_EQ(json.find("sink")->dump(),
            R"json({"description":"memory (kept)","numOutputRows":2,"metrics":{}})json");
}

TEST(QueryProgress, LeavesOutRatesOverNoTimeAndTellsOfBadRecords) {
  QueryProgress progress;
  progress.query = "kept";
  progress.epoch = Epoch(7);
  progress.rows_in = 2;
  progress.timestamp = WallTime(-1);
  progress.rows_behind = 12;
  progress.sources = {{"clicks",
                       "kafka (topic clicks)",
                       {{"clicks-0", 1}},
                       {{"clicks-0", 3}},
                       {{"clicks-0", 8}},
                       2}};
  progress.bad_records = {{"clicks", "malformed", 1}, {"other", "field", 4}};
  progress.stages = {{"fetch", 2, 1'999, 3'000, 4'000}, {"chain", 0, 0, 0, 0}};
  EXPECT_EQ(
      progress.to_json(),
      R"({"id":"","runId":"","name":"kept","timestamp":"1969-12-31T23:59:59.999Z",)"
      R"("batchId":7,"batchDuration":0,"numInputRows":2,"durationMs":{},"eventTime":{},)"
      R"json("stateOperators":[],"sources":[{"description":"kafka (topic clicks)",)json"
      R"("startOffset":{"clicks":{"0":1}},"endOffset":{"clicks":{"0":3}},)"
      R"("latestOffset":{"clicks":{"0":8}},"numInputRows":2,)"
      R"("metrics":{"minOffsetsBehindLatest":"5","maxOffsetsBehindLatest":"5",)"
      R"("avgOffsetsBehindLatest":"5.0"},"name":"clicks","badRecords":{"malformed":1}}],)"
      R"("sink":{"description":"","numOutputRows":0,"metrics":{}},"observedMetrics":{},)"
      R"("rowsBehind":12,"restarts":0,"stages":{"fetch":{"count":2,"p50Us":1,"p99Us":3,"maxUs":4}}})");
}

TEST_F(ProgressRecordTest, M21KeepsAsManyRecordsAsItShall) {
  TestBed bed;
  const Query query = start(bed, "processing_time", "2");
  for (std::int64_t id = 1; id <= 4; ++id) {
    add(id);
    ASSERT_TRUE(bed.run());
  }
  std::vector<Epoch> epochs;
  for (const QueryProgress& record : query.recent_progress()) epochs.push_back(*record.epoch);
  EXPECT_EQ(epochs, (std::vector<Epoch>{Epoch(2), Epoch(3)}));

  Session session;
  const Status refused = session.set("recent_progress", "many");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "recent_progress = 'many' is not a number from 0 to 10000");
}

TEST_F(ProgressRecordTest, HasTheIdOfItsCheckpointAndAnotherOfEachStart) {
  TestBed bed;
  const Query first = start(bed, "processing_time");
  add(1);
  ASSERT_TRUE(bed.run());
  ASSERT_TRUE(first.stop());
  const Query second = start(bed, "real_time 1 second");
  add(2);
  ASSERT_TRUE(bed.advance(milliseconds(1'000)));
  EXPECT_EQ(first.last_progress()->id, second.last_progress()->id);
  EXPECT_NE(first.last_progress()->run_id, second.last_progress()->run_id);
  EXPECT_EQ(second.last_progress()->id.size(), 36U);
  EXPECT_EQ(second.last_progress()->epoch, Epoch(1));
}

}  // namespace
}  // namespace millrace::test
