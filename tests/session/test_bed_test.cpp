#include "millrace/test.hpp"

#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace millrace::test {
namespace {

using std::chrono::milliseconds;

Row order(std::int64_t id, const char* symbol) { return {Value::int64(id), Value::string(symbol)}; }

class TestBedTest : public testing::Test {
 protected:
  // Orders with a known symbol and an even id, with the symbol's venue.
  Result<Query> start_job(TestBed& bed) {
    Session& session = bed.session();
    return session.read_stream(orders)
        .where(col("id") % lit(2) == lit(0))
        .join(session.read(venues), col("orders.symbol") == col("venues.symbol"))
        .select({"id", "venue"})
        .write_stream()
        .to(checked)
        .start();
  }
  void SetUp() override {
    ASSERT_TRUE(venues.add({Value::string("ACME"), Value::string("XNAS")}));
    ASSERT_TRUE(venues.add({Value::string("BOLT"), Value::string("XLON")}));
  }

  MemorySource orders{"orders", {{"id", TypeKind::kInt64}, {"symbol", TypeKind::kString}}};
  MemoryTable venues{"venues", {{"symbol", TypeKind::kString}, {"venue", TypeKind::kString}}};
  MemorySink checked{"checked"};
};

TEST_F(TestBedTest, RunsAJobOverRowsThatTheTestAdds) {
  TestBed bed;
  const auto query = start_job(bed);
  ASSERT_TRUE(query) << query.error().message;

  ASSERT_TRUE(orders.add_rows({order(1, "ACME"), order(2, "BOLT"), order(4, "NONE")}));
  ASSERT_TRUE(orders.add(order(6, "ACME")));
  ASSERT_TRUE(bed.run());

  const std::vector<Row> expected = {{Value::int64(2), Value::string("XLON")},
                                     {Value::int64(6), Value::string("XNAS")}};
  EXPECT_EQ(checked.rows(), expected);
  EXPECT_EQ(checked.schema().to_string(), "id bigint, venue string");
  EXPECT_EQ(query->progress().rows_in, 4);
  EXPECT_EQ(query->progress().rows_out, 2);
}

TEST_F(TestBedTest, TellsExpressionsTheTimeOfItsClock) {
  TestBed bed;
  const auto query = bed.session()
                         .read_stream(orders)
                         .select({col("id"), call("unix_timestamp", {}).as("at")})
                         .write_stream()
                         .to(checked)
                         .start();
  ASSERT_TRUE(query) << query.error().message;
  const std::int64_t start_s = bed.clock().wall().value / 1'000'000;
  ASSERT_TRUE(orders.add(order(1, "ACME")));
  ASSERT_TRUE(bed.run());
  ASSERT_TRUE(bed.advance(std::chrono::seconds(90)));
  ASSERT_TRUE(orders.add(order(2, "ACME")));
  ASSERT_TRUE(bed.run());

  const std::vector<Row> expected = {{Value::int64(1), Value::int64(start_s)},
                                     {Value::int64(2), Value::int64(start_s + 90)}};
  EXPECT_EQ(checked.rows(), expected);
}

TEST_F(TestBedTest, ExplainsHowExpressionsDifferFromTheDefault) {
  TestBed bed;
  const auto explained = [&](std::string_view zone, std::string_view ansi) {
    const auto query = bed.session()
                           .read_stream(orders)
                           .write_stream()
                           .to(checked)
                           .option("time_zone", zone)
                           .option("ansi", ansi)
                           .explain();
    return query ? *query : query.error().message;
  };

  EXPECT_EQ(explained("UTC", "true").find("expressions:"), std::string::npos);
  EXPECT_NE(explained("Europe/Berlin", "false")
                .find("  expressions: ansi = 'false' (what cannot be computed is null), time zone "
                      "Europe/Berlin\n"),
            std::string::npos);
}

TEST_F(TestBedTest, WritesWhereTheLastWordPoints) {
  TestBed bed;
  const auto query = bed.session()
                         .read_stream(orders)
                         .write_stream()
                         .to(checked)
                         .format("kafka")
                         .option("topic", "checked")
                         .start();

  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().message,
            "table checked: a kafka table needs the option bootstrap_servers "
            "(\"host:port,host:port\")");
}

TEST_F(TestBedTest, TellsFilesOfOneNameApart) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "one_name";
  for (const char* place : {"old", "new"}) {
    std::filesystem::create_directories(folder / place);
    std::ofstream(folder / place / "venues.csv") << "ACME," << place << "\n";
  }
  TestBed bed;
  Session& session = bed.session();
  const auto venues_in = [&](const char* place) {
    return session.read("csv")
        .schema({{"symbol", TypeKind::kString}, {"venue", TypeKind::kString}})
        .load((folder / place / "venues.csv").string())
        .as(place);
  };
  const auto query = session.read_stream(orders)
                         .join(venues_in("old"), col("orders.symbol") == col("old.symbol"))
                         .join(venues_in("new"), col("orders.symbol") == col("new.symbol"))
                         .select({col("old.venue"), col("new.venue").as("now")})
                         .write_stream()
                         .to(checked)
                         .start();
  ASSERT_TRUE(query) << query.error().message;

  ASSERT_TRUE(orders.add(order(1, "ACME")));
  ASSERT_TRUE(bed.run());

  const std::vector<Row> expected = {{Value::string("old"), Value::string("new")}};
  EXPECT_EQ(checked.rows(), expected);
}

TEST_F(TestBedTest, EndsAnEpochWhenTheTriggersTimeHasPassed) {
  TestBed bed;
  const auto query = start_job(bed);
  ASSERT_TRUE(query);
  ASSERT_TRUE(orders.add(order(2, "ACME")));

  ASSERT_TRUE(bed.advance(milliseconds(4'999)));
  EXPECT_FALSE(query->progress().epoch);

  ASSERT_TRUE(bed.advance(milliseconds(1)));
  EXPECT_EQ(query->progress().epoch, Epoch(0));
}

TEST_F(TestBedTest, ReadsRowsAgainThatWereNotCommittedBeforeARestart) {
  TestBed bed;
  const auto query = start_job(bed);
  ASSERT_TRUE(query);
  ASSERT_TRUE(orders.add(order(2, "ACME")));
  ASSERT_TRUE(bed.close_epoch());
  ASSERT_TRUE(orders.add(order(4, "BOLT")));
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(checked.take_rows().size(), 2U);

  ASSERT_TRUE(bed.restart());
  ASSERT_TRUE(bed.run());

  const std::vector<Row> expected = {{Value::int64(4), Value::string("XLON")}};
  EXPECT_EQ(checked.rows(), expected);
  EXPECT_EQ(query->status(), QueryState::kRunning);
}

TEST_F(TestBedTest, GoesOnAfterAStopWithWhatIsNew) {
  TestBed bed;
  const auto query = start_job(bed);
  ASSERT_TRUE(query);
  ASSERT_TRUE(orders.add(order(2, "ACME")));
  ASSERT_TRUE(query->stop());
  EXPECT_EQ(query->status(), QueryState::kStopped);
  checked.take_rows();
  ASSERT_TRUE(orders.add(order(8, "ACME")));

  const auto again = start_job(bed);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_TRUE(bed.run());

  const std::vector<Row> expected = {{Value::int64(8), Value::string("XNAS")}};
  EXPECT_EQ(checked.rows(), expected);
}

TEST_F(TestBedTest, GivesTheSameRowsForEveryBatchSize) {
  for (const std::size_t batch_rows : {1U, 2U, 1024U}) {
    TestBed bed({.batch_rows = batch_rows});
    const auto query = start_job(bed);
    ASSERT_TRUE(query);
    MemorySource& source = orders;
    if (source.size() == 0) {
      ASSERT_TRUE(source.add_rows({order(2, "ACME"), order(4, "BOLT"), order(6, "ACME")}));
    }
    ASSERT_TRUE(bed.run());

    const std::vector<Row> expected = {{Value::int64(2), Value::string("XNAS")},
                                       {Value::int64(4), Value::string("XLON")},
                                       {Value::int64(6), Value::string("XNAS")}};
    EXPECT_EQ(checked.take_rows(), expected) << batch_rows;
  }
}

TEST_F(TestBedTest, LeavesTheCauseWithAQueryThatFails) {
  TestBed bed;
  MemorySource numbers("numbers", {{"n", TypeKind::kInt64}});
  const auto query = bed.session()
                         .read_stream(numbers)
                         .select({(lit(1) / col("n")).as("inverse")})
                         .write_stream()
                         .to(checked)
                         .start();
  ASSERT_TRUE(query) << query.error().message;
  ASSERT_TRUE(numbers.add({Value::int64(0)}));

  ASSERT_TRUE(bed.run());

  ASSERT_TRUE(query->exception());
  EXPECT_EQ(query->exception()->code, ErrorCode::kBadRecord);
  EXPECT_EQ(query->status(), QueryState::kFailed);
}

TEST_F(TestBedTest, ReadsEveryPartitionOfAMemorySource) {
  TestBed bed;
  MemorySource numbers("numbers", {{"n", TypeKind::kInt64}}, 2);
  ASSERT_TRUE(numbers.add({Value::int64(1)}, 0));
  ASSERT_TRUE(numbers.add({Value::int64(2)}, 1));
  const auto query = bed.session().read_stream(numbers).write_stream().to(checked).start();
  ASSERT_TRUE(query);

  ASSERT_TRUE(bed.run());

  EXPECT_EQ(checked.rows().size(), 2U);
  const Status refused = numbers.add({Value::int64(3)}, 2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "memory numbers has 2 partitions; there is no 2");
}

TEST_F(TestBedTest, RefusesARowThatDoesNotFitNamingColumnAndTypes) {
  const Status wrong = orders.add_rows({order(1, "ACME"), {Value::int32(2), Value::string("X")}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "column orders.id is bigint, the value given is int");
  const Status few = orders.add({Value::int64(1)});
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().message, "a row of orders has 1 values, the table has 2 columns");
  EXPECT_EQ(orders.size(), 0);
}

TEST_F(TestBedTest, TellsSourcesSinksAndTablesApart) {
  TestBed bed;
  Session& session = bed.session();
  const auto read_sink = session.read_stream(checked).schema();
  ASSERT_FALSE(read_sink);
  EXPECT_EQ(read_sink.error().message,
            "table checked: memory checked is a sink and cannot be read");
  const auto write_source = session.read_stream(orders).write_stream().to(orders).start();
  ASSERT_FALSE(write_source);
  EXPECT_EQ(write_source.error().message,
            "table orders: memory orders is no sink and cannot be written");
  const auto by_name = session.create_table("orders", "memory", {}, {});
  ASSERT_FALSE(by_name);
}

}  // namespace
}  // namespace millrace::test
