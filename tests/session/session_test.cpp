#include "millrace/session.hpp"

#include "tests/session/launch_double.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

using session::LaunchLog;

const std::vector<Field> kClicks = {
    {"ts", TypeKind::kInt64}, {"user_id", TypeKind::kInt32}, {"event_type", TypeKind::kString}};
const std::vector<Field> kUsers = {{"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}};

DataFrame clicks(const Session& session) {
  return session.read_stream("kafka")
      .option("bootstrap_servers", "127.0.0.1:9092")
      .option("topic", "clicks")
      .option("format", "json")
      .schema(kClicks)
      .load();
}

DataFrame users(const Session& session) {
  return session.read("csv").option("header", "true").schema(kUsers).load("data/users.csv");
}

StreamWriter to_enriched(const DataFrame& frame) {
  StreamWriter writer = frame.write_stream();
  writer.format("kafka")
      .option("bootstrap_servers", "127.0.0.1:9092")
      .option("topic", "enriched")
      .option("format", "json");
  return writer;
}

template <typename T>
std::string message_of(const Result<T>& result) {
  return result ? "accepted" : result.error().message;
}

TEST(Session, AFrameBecomesTheSamePlanAsTheSqlOfTheMainJob) {
  Session session;
  const DataFrame frame = clicks(session)
                              .join(users(session), col("clicks.user_id") == col("users.user_id"))
                              .where(col("event_type") != lit("purchase"))
                              .select({star("clicks"), col("country")});

  const auto plan = to_enriched(frame).explain();

  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(*plan, R"(query enriched
  trigger: real_time 5 seconds
  waiting: park (an idle task sleeps until its source has rows: a wake-up, 10 to 30 µs)
  checkpoint: none (nothing is kept; every start begins at the starting offsets)
  exchanges: none
  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes, key bytes, timestamp timestamp, headers array<struct<key: string, value: bytes>>
    decode json: builds ts bigint, user_id int, event_type string
    filter: event_type <> 'purchase'
    join static file users (path data/users.csv): clicks.user_id = users.user_id
      adds country string
    encode json: ts, user_id, event_type, country
      key from key
      headers from headers
      timestamp from timestamp
    sink kafka enriched
      delivery: at least once (exactly_once = 'none')
      a row becomes visible as soon as the sink acknowledges it; after a crash the rows of epochs that were not committed are written again
)");
}

TEST(Session, AFrameTellsItsColumns) {
  Session session;

  const auto schema = clicks(session).select({"user_id", "ts"}).schema();

  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_EQ(schema->to_string(), "user_id int, ts bigint");
}

TEST(Session, AFrameMayBeRenamedForItsColumns) {
  Session session;
  const DataFrame frame =
      clicks(session).as("c").join(users(session).as("u"), col("c.user_id") == col("u.user_id"));

  EXPECT_EQ(message_of(frame.select({col("u.country")}).schema()), "accepted");
  EXPECT_EQ(message_of(frame.select({col("users.country")}).schema()),
            "table not found: users in users.country; tables: c, u");
}

TEST(Session, AStreamIsNotReadAsATableNorTheOtherWayRound) {
  Session session;

  EXPECT_EQ(message_of(session.read("kafka")
                           .option("bootstrap_servers", "b:1")
                           .option("topic", "t")
                           .load()
                           .schema()),
            "reading t once, with an end, is not supported yet (connector kafka): use "
            "read_stream()");
  EXPECT_EQ(message_of(session.read_stream("csv").schema(kUsers).load("users.csv").schema()),
            "connector file of users is a static table: use read(), not read_stream()");
}

TEST(Session, StartsAQueryWithItsSettings) {
  LaunchLog log;
  Session session;
  session::use_doubles(session, log);
  ASSERT_TRUE(session.set("checkpointLocation", "chk"));
  ASSERT_TRUE(session.set("stop_timeout", "2 seconds"));

  const auto query =
      to_enriched(clicks(session)).trigger("real_time 100 ms").query_name("copy").start();

  ASSERT_TRUE(query) << query.error().message;
  EXPECT_EQ(query->name(), "copy");
  EXPECT_EQ(query->status(), QueryState::kRunning);
  ASSERT_EQ(log.launches.size(), 1U);
  EXPECT_EQ(log.launches[0].plan.name, "copy");
  EXPECT_EQ(log.launches[0].settings.checkpoint_folder, "chk/copy");
  EXPECT_EQ(log.launches[0].settings.trigger, "real_time 100 ms");
  EXPECT_EQ(log.launches[0].settings.stop_timeout_ms, 2000);
  EXPECT_EQ(query->close_epoch(), Epoch(7));
  EXPECT_TRUE(query->stop());
  EXPECT_EQ(query->status(), QueryState::kStopped);
  EXPECT_TRUE(query->await_termination());
}

TEST(Session, SaysWhenNothingIsKept) {
  LaunchLog log;
  std::vector<std::string> lines;
  SessionConfig config;
  config.log = [&](LogLevel, std::string_view line) { lines.emplace_back(line); };
  Session session(std::move(config));
  session::use_doubles(session, log);

  ASSERT_TRUE(to_enriched(clicks(session)).start());

  EXPECT_EQ(lines, std::vector<std::string>{
                       "query enriched: no checkpoint_location is set, so nothing is kept and "
                       "every start begins at the starting offsets"});
}

TEST(Session, WritesIntoATableOfItsOwn) {
  LaunchLog log;
  Session session;
  session::use_doubles(session, log);
  ASSERT_TRUE(session.create_table(
      "enriched", "kafka", {}, {{"bootstrap_servers", "b:1"}, {"topic", "e"}, {"format", "json"}}));

  EXPECT_EQ(message_of(clicks(session).write_stream().start("enriched")), "accepted");
  EXPECT_EQ(message_of(clicks(session).write_stream().start("enrichd")),
            "no table is called enrichd; did you mean enriched?");
  EXPECT_EQ(message_of(clicks(session).write_stream().format("kafka").start("enriched")),
            "a start into a table takes connector and options from the table: enriched");
}

TEST(Session, RefusesASecondQueryOfOneNameWhileTheFirstRuns) {
  LaunchLog log;
  Session session;
  session::use_doubles(session, log);
  const auto first = to_enriched(clicks(session)).start();
  ASSERT_TRUE(first);

  EXPECT_EQ(message_of(to_enriched(clicks(session)).start()),
            "a query called enriched is running already: give this one another name with "
            "query_name");
  ASSERT_TRUE(first->stop());
  EXPECT_EQ(message_of(to_enriched(clicks(session)).start()), "accepted");
}

TEST(Session, ALaunchThatFailsLeavesNoQuery) {
  LaunchLog log;
  log.launch_error = Error{ErrorCode::kNotFound, "topic not found: clicks", -1};
  Session session;
  session::use_doubles(session, log);

  EXPECT_EQ(message_of(to_enriched(clicks(session)).start()), "topic not found: clicks");
  EXPECT_TRUE(session.queries().empty());
}

TEST(Session, StopsEveryQueryAndTellsTheFirstError) {
  LaunchLog log;
  Session session;
  session::use_doubles(session, log);
  ASSERT_TRUE(to_enriched(clicks(session)).query_name("a").start());
  ASSERT_TRUE(to_enriched(clicks(session)).query_name("b").start());
  log.stop_error = Error{ErrorCode::kUnavailable, "the stop took too long", -1};

  const Status stopped = session.stop_all();

  EXPECT_EQ(log.stopped, (std::set<std::string>{"a", "b"}));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "the stop took too long");
  EXPECT_TRUE(session.shared()->environment.cancelled.stop_requested());
}

TEST(Session, EndsWhatRunsWhenItIsDestroyed) {
  LaunchLog log;
  std::optional<Query> query;
  {
    Session session;
    session::use_doubles(session, log);
    query = *to_enriched(clicks(session)).start();
  }

  EXPECT_EQ(log.aborted, std::vector<std::string>{"enriched"});
  EXPECT_EQ(query->status(), QueryState::kStopped);
}

TEST(Session, AFailedQueryTellsItsCause) {
  LaunchLog log;
  Session session;
  session::use_doubles(session, log);
  const auto query = to_enriched(clicks(session)).start();
  ASSERT_TRUE(query);
  auto& running = *session.shared()->queries[0]->running;
  dynamic_cast<session::QueryDouble&>(running).fail_with(
      {ErrorCode::kBadRecord, "topic clicks, partition 3, offset 9: no JSON", -1});

  EXPECT_EQ(query->exception()->message, "topic clicks, partition 3, offset 9: no JSON");
  EXPECT_FALSE(query->await_termination());
  EXPECT_FALSE(query->stop());
}

TEST(Session, RefusesTablesThatNoConnectorCanUse) {
  Session session;

  const Status unknown = session.create_table("t", "kafak", {}, {{"topic", "t"}});
  const Status slip = session.create_table(
      "t", "kafka", {}, {{"bootstrap_servers", "b:1"}, {"topic", "t"}, {"startng_offsets", "x"}});

  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message,
            "table t names an unknown connector: kafak (the nearest is kafka)");
  ASSERT_FALSE(slip);
}

TEST(Session, RefusesATableOfANameThatIsTaken) {
  Session session;
  const Options options = {{"bootstrap_servers", "b:1"}, {"topic", "t"}};
  ASSERT_TRUE(session.create_table("t", "kafka", {}, options));

  const Status second = session.create_table("t", "kafka", {}, options);

  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "table t exists already");
}

}  // namespace
}  // namespace millrace
