#include "sql/statement_builder.hpp"
#include "stream/plan/explain.hpp"
#include "stream/plan/physical_planner.hpp"
#include "tests/stream/table_catalog.hpp"

#include <gtest/gtest.h>

namespace millrace::sql {
namespace {

// The job of the README, as users write it.
constexpr const char* kJob = R"(
CREATE TABLE clicks (ts bigint, seq bigint, user_id int, event_type text, price double precision, qty int, symbol text, note text)
  WITH (connector = 'kafka', bootstrap_servers = '127.0.0.1:9092', topic = 'clicks', format = 'json', starting_offsets = 'latest');
CREATE TABLE users (user_id int, country text, tier int) WITH (connector = 'file', path = 'users.csv', format = 'csv', header = 'true');
CREATE TABLE enriched () WITH (connector = 'kafka', bootstrap_servers = '127.0.0.1:9092', topic = 'enriched', format = 'json');
SET checkpoint_location = 'chk/enrich';
SET trigger = 'real_time 5 seconds';
INSERT INTO enriched
  SELECT c.*, u.country, u.tier FROM clicks c JOIN users u ON c.user_id = u.user_id WHERE c.event_type <> 'purchase';
)";

// Plans the last query of a job over the tables that the job creates.
Result<stream::PhysicalPlan> planned(const std::string& job) {
  MILLRACE_ASSIGN(const auto statements, build_statements(job));
  stream::TableCatalog catalog;
  Result<stream::PhysicalPlan> plan = fail(ErrorCode::kNotFound, "the job has no query");
  for (const Statement& statement : statements) {
    if (const auto* create = std::get_if<CreateTable>(&statement.body)) catalog.add(create->table);
    if (const auto* insert = std::get_if<Insert>(&statement.body)) {
      plan = stream::plan_query(insert->plan, "", catalog, stream::FunctionRegistry::builtin());
    }
  }
  return plan;
}

TEST(JobPlan, TheMainJobIsOneChainThatReadsWhatItNeeds) {
  const auto plan = planned(kJob);

  ASSERT_TRUE(plan) << plan.error().message;
  stream::ExplainContext context;
  context.checkpoint_folder = "chk/enrich/enriched";
  EXPECT_EQ(stream::explain(*plan, context), R"(query enriched
  trigger: real_time 5 seconds
  waiting: park (an idle task sleeps until its source has rows: a wake-up, 10 to 30 µs)
  checkpoint: chk/enrich/enriched
  exchanges: none
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes, key bytes, timestamp timestamp, headers array<struct<key: string, value: bytes>>
    decode json: builds ts bigint, seq bigint, user_id int, event_type string, price double, qty int, symbol string, note string
    filter: c.event_type <> 'purchase'
    join static file users (path users.csv): c.user_id = users.user_id
      adds country string, tier int
    encode json: ts, seq, user_id, event_type, price, qty, symbol, note, country, tier
      key from key
      headers from headers
      timestamp from timestamp
    sink kafka enriched
      delivery: at least once (exactly_once = 'none')
      a row becomes visible as soon as the sink acknowledges it; after a crash the rows of epochs that were not committed are written again
)");
}

TEST(JobPlan, AListOfThousandsOfConditionsIsPlanned) {
  std::string all = "ts <> 0";
  std::string list = "0";
  for (int i = 1; i < 20'000; ++i) {
    all += " AND ts <> " + std::to_string(i);
    list += ", " + std::to_string(i);
  }
  const std::string job = kJob;
  const std::string head =
      job.substr(0, job.find("INSERT")) + "INSERT INTO enriched SELECT ts FROM clicks WHERE ";

  EXPECT_TRUE(planned(head + all));
  EXPECT_TRUE(planned(head + "ts IN (" + list + ")"));
}

TEST(JobPlan, ANumberTooLargeForDoubleIsRefused) {
  const std::string job = kJob;
  const auto plan = planned(job.substr(0, job.find("INSERT")) +
                            "INSERT INTO enriched SELECT 1e400 AS x FROM clicks");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message, "a number is too large for double");
}

TEST(JobPlan, ASubQueryIsPlannedAway) {
  const auto plan = planned(R"(
CREATE TABLE clicks (ts bigint, note text, price double precision)
  WITH (connector = 'kafka', topic = 'clicks', format = 'json');
CREATE TABLE loud () WITH (connector = 'kafka', topic = 'loud', format = 'json');
INSERT INTO loud
  SELECT x.shout, x."offset" FROM (SELECT upper(note) AS shout, ts FROM clicks WHERE price > 1) x
  WHERE x.ts > 5;
)");

  ASSERT_TRUE(plan) << plan.error().message;
  const auto& nodes = plan->chains[0].nodes;
  EXPECT_EQ(std::get<stream::FilterSpec>(nodes[1].spec).predicate.text, "price > 1 and x.ts > 5");
  EXPECT_EQ(std::get<stream::ProjectSpec>(nodes[2].spec).expressions[0].text, "upper(note)");
}

TEST(JobPlan, AnUnknownColumnStandsWhereItIsWritten) {
  const std::string job = R"(
CREATE TABLE clicks (ts bigint) WITH (connector = 'kafka', topic = 'clicks', format = 'json');
CREATE TABLE out () WITH (connector = 'kafka', topic = 'out', format = 'json');
INSERT INTO out SELECT upper(coalesce(c.tss, 'x')) FROM clicks c;
)";

  const auto plan = planned(job);

  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message, "column not found: c.tss; nearest: ts; columns: ts");
  EXPECT_EQ(plan.error().position, static_cast<std::int32_t>(job.find("c.tss")));
}

TEST(JobPlan, AnUnknownTableStandsWhereItIsWritten) {
  const std::string job = "INSERT INTO out SELECT a FROM nowhere";

  const auto plan = planned(job);

  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().position, static_cast<std::int32_t>(job.find("nowhere")));
}

}  // namespace
}  // namespace millrace::sql
