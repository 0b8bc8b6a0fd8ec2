#include "sql/program.hpp"

#include "tests/session/launch_double.hpp"

#include <gtest/gtest.h>

namespace millrace::sql {
namespace {

using session::LaunchLog;

const std::string kTables = R"(
CREATE TABLE clicks (ts bigint, note text)
  WITH (connector = 'kafka', bootstrap_servers = '${BROKER}', topic = 'clicks', format = 'json');
CREATE TABLE a () WITH (connector = 'kafka', bootstrap_servers = 'b:1', topic = 'a', format = 'json');
CREATE TABLE b () WITH (connector = 'kafka', bootstrap_servers = 'b:1', topic = 'b', format = 'json');
)";

std::optional<std::string> variables(std::string_view name) {
  if (name == "BROKER") return "127.0.0.1:9092";
  return std::nullopt;
}

/// A session of doubles and a job run in it.
struct JobRun {
  explicit JobRun(const std::string& job) {
    session::use_doubles(session, log);
    auto parsed = Program::parse(job, variables);
    if (!parsed) {
      error = parsed.error().message;
      return;
    }
    program.emplace(std::move(*parsed));
    const Status prepared = program->prepare(session);
    if (!prepared) {
      error = prepared.error().message;
      return;
    }
    auto result = program->start(session);
    if (!result) {
      error = result.error().message;
      return;
    }
    started = std::move(*result);
  }

  LaunchLog log;
  Session session;
  std::optional<Program> program;
  std::string error;
  std::vector<StartedQuery> started;
};

TEST(Program, StartsEveryQueryWithTheSettingsBeforeIt) {
  const JobRun run(kTables +
                   "SET checkpoint_location = 'chk';\n"
                   "INSERT INTO a SELECT ts FROM clicks;\n"
                   "SET trigger = 'real_time 10 ms';\n"
                   "INSERT INTO b SELECT note FROM clicks;\n");

  ASSERT_EQ(run.error, "");
  ASSERT_EQ(run.started.size(), 2U);
  EXPECT_EQ(run.started[1].query.name(), "b");
  EXPECT_EQ(run.started[1].summary, "2 partitions of b");
  EXPECT_EQ(run.log.launches[0].settings.trigger, "real_time 5 seconds");
  EXPECT_EQ(run.log.launches[1].settings.trigger, "real_time 10 ms");
  EXPECT_EQ(run.log.launches[1].settings.checkpoint_folder, "chk/b");
  EXPECT_EQ(run.log.launches[0].plan.chains[0].source.table.options.get("bootstrap_servers"),
            "127.0.0.1:9092");
}

TEST(Program, AJobIsUtf8WithOrWithoutAByteOrderMark) {
  const auto marked = Program::parse("\xEF\xBB\xBFSET trigger = 'once';", variables);
  EXPECT_TRUE(marked) << marked.error().message;
  const auto latin = Program::parse("SET trigger = 'once';\n-- caf\xE9\n", variables);
  ASSERT_FALSE(latin);
  EXPECT_EQ(latin.error().message,
            "line 2: the job is not UTF-8: byte 0xe9 begins no character (was it saved in another "
            "encoding?)");
}

TEST(Program, AMistakeAnywhereStartsNothing) {
  const JobRun run(kTables +
                   "INSERT INTO a SELECT ts FROM clicks;\n"
                   "INSERT INTO b SELECT nte FROM clicks;\n");

  EXPECT_EQ(run.error,
            "line 7, column 22: column not found: nte; nearest: note; columns: ts, note\n"
            "  INSERT INTO b SELECT nte FROM clicks;\n"
            "                       ^");
  EXPECT_TRUE(run.log.launches.empty());
}

TEST(Program, AWrongSettingStandsAtItsStatement) {
  const JobRun run("\nSET wait_policy = 'sping';");

  EXPECT_EQ(
      run.error,
      "line 2, column 1: wait_policy = 'sping' is not known; accepted: park, adaptive, spin; did "
      "you mean 'spin'?\n"
      "  SET wait_policy = 'sping';\n"
      "  ^");
}

TEST(Program, AWrongOptionStandsWhereItIsWritten) {
  const auto place = [](const std::string& options) {
    const JobRun run("CREATE TABLE t (a int)\n  WITH (" + options + ");");
    return run.error.substr(0, run.error.find('\n'));
  };
  EXPECT_EQ(place("connector = 'kafka', bootstrap_servers = 'b:1', topic = 't', format = 'jsn'"),
            "line 2, column 70: format 'jsn' of table t is not known; accepted: csv, json, raw, "
            "text; did you mean 'json'?");
  EXPECT_EQ(place("connector = 'file', path = 'a', format = 'jason'"),
            "line 2, column 41: table t: option format of a file table must be csv or json, not "
            "jason; did you mean json?");
  EXPECT_EQ(place("path = 'a', connector = 'flie'"),
            "line 2, column 21: table t names an unknown connector: flie (the nearest is file)");
  EXPECT_EQ(place("connector = 'file', path = 'a', haeder = 'true'"),
            "line 2, column 41: table t: file table has no option haeder; nearest: header");
  EXPECT_EQ(place("connector = 'file'"),
            "line 1, column 1: table t: a file table needs the option path");
}

TEST(Program, ATableCreatedTwiceStandsAtTheSecond) {
  const JobRun run(kTables +
                   "CREATE TABLE a () WITH (connector = 'kafka', bootstrap_servers = 'b:1', "
                   "topic = 'x', format = 'json');");

  EXPECT_EQ(run.error.substr(0, run.error.find('\n')), "line 6, column 1: table a exists already");
}

TEST(Program, ExplainShowsAPlanAndRunsNothing) {
  const JobRun run(kTables + "EXPLAIN INSERT INTO a SELECT ts FROM clicks");

  ASSERT_EQ(run.error, "");
  EXPECT_TRUE(run.started.empty());
  EXPECT_EQ(run.program->query_count(), 0U);
  EXPECT_EQ(run.program->shown(false).substr(0, 7), "query a");
}

TEST(Program, TwoQueriesIntoOneTableNeedNames) {
  const JobRun run(kTables +
                   "INSERT INTO a SELECT ts FROM clicks;\n"
                   "INSERT INTO a SELECT ts FROM clicks;\n");

  EXPECT_EQ(run.error.substr(0, run.error.find('\n')),
            "line 7, column 1: two queries of this job are called a: SET query_name = '...' before "
            "one of them");
}

TEST(Program, WhenOneQueryCannotBeOpenedNoneStarts) {
  Session session;
  LaunchLog log;
  session::use_doubles(session, log);
  auto& launcher = session.shared()->launcher;
  launcher = [&log, inner = launcher](auto plan, auto settings, auto environment) {
    if (settings.name == "b") log.launch_error = Error{ErrorCode::kNotFound, "no topic b", -1};
    return inner(std::move(plan), std::move(settings), std::move(environment));
  };
  auto program = Program::parse(kTables +
                                    "INSERT INTO a SELECT ts FROM clicks;"
                                    "INSERT INTO b SELECT ts FROM clicks;",
                                variables);
  ASSERT_TRUE(program);
  ASSERT_TRUE(program->prepare(session));

  const auto started = program->start(session);

  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message, "no topic b");
  EXPECT_EQ(log.launches.size(), 1U);
  EXPECT_TRUE(log.started.empty());
  EXPECT_TRUE(session.queries().empty());
}

TEST(Program, AllQueriesAreOpenBeforeTheFirstStarts) {
  Session session;
  LaunchLog log;
  session::use_doubles(session, log);
  std::vector<std::size_t> started_before;
  auto& launcher = session.shared()->launcher;
  launcher = [&, inner = launcher](auto plan, auto settings, auto environment) {
    started_before.push_back(log.started.size());
    return inner(std::move(plan), std::move(settings), std::move(environment));
  };
  auto program = Program::parse(kTables +
                                    "INSERT INTO a SELECT ts FROM clicks;"
                                    "INSERT INTO b SELECT ts FROM clicks;",
                                variables);
  ASSERT_TRUE(program->prepare(session));

  ASSERT_TRUE(program->start(session));

  EXPECT_EQ(started_before, (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(log.started, (std::vector<std::string>{"a", "b"}));
}

TEST(Program, AQuerysNameIsThatOfTheNextOneAlone) {
  const JobRun run(kTables +
                   "SET checkpoint_location = 'chk';\n"
                   "SET query_name = 'first';\n"
                   "EXPLAIN INSERT INTO a SELECT ts FROM clicks;\n"
                   "INSERT INTO a SELECT ts FROM clicks;\n"
                   "INSERT INTO a SELECT ts + 1 AS ts FROM clicks;\n");

  ASSERT_EQ(run.error, "");
  ASSERT_EQ(run.log.launches.size(), 2U);
  EXPECT_EQ(run.program->shown(false).substr(0, 11), "query first");
  EXPECT_EQ(run.log.launches[0].settings.checkpoint_folder, "chk/first");
  EXPECT_EQ(run.log.launches[1].settings.checkpoint_folder, "chk/a");
}

TEST(Program, ANameThatNoQueryTakesIsRefused) {
  const JobRun run(kTables + "INSERT INTO a SELECT ts FROM clicks;\nSET query_name = 'late';");

  EXPECT_EQ(run.error,
            "line 7, column 1: SET query_name = 'late' names the next query, and none follows\n"
            "  SET query_name = 'late';\n"
            "  ^");
}

TEST(Program, AStatementSetIsOneQueryThatReadsItsSourceOnce) {
  const JobRun run(kTables +
                   "SET query_name = 'both'; SET statement_set = 'on';\n"
                   "INSERT INTO a SELECT ts FROM clicks WHERE ts > 0;\n"
                   "INSERT INTO b SELECT note FROM clicks;\n"
                   "SET statement_set = off;\n"
                   "INSERT INTO b SELECT ts FROM clicks;\n");

  ASSERT_EQ(run.error, "");
  ASSERT_EQ(run.log.launches.size(), 2U);
  EXPECT_EQ(run.log.launches[0].settings.name, "both");
  EXPECT_EQ(run.log.launches[1].settings.name, "b");
  const std::string shown = run.program->shown(true);
  const std::size_t chain = shown.find("  chain 0");
  EXPECT_EQ(shown.substr(chain, shown.find("\n\n") - chain),
            R"(  chain 0, tasks: one per partition of clicks
    source kafka clicks: value bytes, key bytes, timestamp timestamp, headers array<struct<key: string, value: bytes>>
    decode json: builds ts bigint, note string
    branch 1 of 2
    filter: ts > 0
    encode json: ts
      key from key
      headers from headers
      timestamp from timestamp
    sink kafka a
      delivery: at least once (exactly_once = 'none')
      a row becomes visible as soon as the sink acknowledges it; after a crash the rows of epochs that were not committed are written again
    branch 2 of 2
    encode json: note
      key from key
      headers from headers
      timestamp from timestamp
    sink kafka b
      delivery: at least once (exactly_once = 'none')
      a row becomes visible as soon as the sink acknowledges it; after a crash the rows of epochs that were not committed are written again)");
}

TEST(Program, AStatementSetIsRefusedWhereItIsWrong) {
  const auto refusal = [](const std::string& rest) {
    const JobRun run(kTables + "SET statement_set = 'on';\n" + rest);
    return run.error.substr(0, run.error.find('\n'));
  };
  EXPECT_EQ(refusal("INSERT INTO a SELECT ts FROM clicks; SET trigger = 'real_time 1 second';"),
            "line 7, column 38: a statement set is one query, and has begun: SET trigger goes "
            "before its first INSERT");
  EXPECT_EQ(refusal("INSERT INTO a SELECT ts FROM clicks;\nINSERT INTO b SELECT tss FROM clicks;"),
            "line 8, column 22: column not found: tss; nearest: ts; columns: ts, note");
  EXPECT_EQ(
      refusal("INSERT INTO a SELECT ts FROM clicks;\nINSERT INTO b SELECT ts + 1 FROM clicks;"),
      "line 8, column 13: column 1 of the query has no name: write ts + 1 AS name");
  EXPECT_EQ(refusal("SET statement_set = 'yes';"),
            "line 7, column 1: statement_set = 'yes' is not known; accepted: on, off");
  EXPECT_EQ(refusal("SET statement_st = 'on';"),
            "line 7, column 1: session has no option statement_st; nearest: statement_set");
}

TEST(Program, ShowsTablesAndViewsWithWhatTheyAreGoodFor) {
  const JobRun run(
      "SHOW TABLES;\n" + kTables +
      "CREATE TABLE users (id int, country text) WITH (connector = 'file', path = 'u.csv');\n"
      "CREATE TABLE records () WITH (connector = 'kafka', bootstrap_servers = 'b:1', topic = 'r', "
      "format = 'raw');\n"
      "CREATE VIEW loud AS SELECT upper(note) AS shout, country FROM clicks JOIN users ON id = "
      "ts;\n"
      "SHOW TABLES;");

  ASSERT_EQ(run.error, "");
  EXPECT_EQ(run.program->shown(false), R"(no table has been created

table    connector  use           columns
a        kafka      sink          not declared
b        kafka      sink          not declared
clicks   kafka      stream, sink  ts bigint, note string
loud     view       stream        shout string, country string
records  kafka      stream, sink  key bytes, value bytes, topic string, partition int, offset bigint, timestamp timestamp, timestampType int, headers array<struct<key: string, value: bytes>>
users    file       static        id int, country string
)");
}

TEST(Program, AViewIsCheckedWhenItIsMade) {
  const auto refusal = [](const std::string& rest) {
    const JobRun run(kTables + rest);
    return run.error.substr(0, run.error.find('\n'));
  };
  EXPECT_EQ(refusal("CREATE VIEW v AS SELECT tss FROM clicks;"),
            "line 6, column 25: column not found: tss; nearest: ts; columns: ts, note");
  EXPECT_EQ(refusal("CREATE VIEW v AS SELECT ts + 1 FROM clicks;"),
            "line 6, column 1: column 1 of view v has no name: give it one with AS");
  EXPECT_EQ(refusal("CREATE VIEW v AS SELECT ts, note AS ts FROM clicks;"),
            "line 6, column 1: view v has two columns called ts: leave one out, or give it another "
            "name with AS");
  EXPECT_EQ(refusal("CREATE VIEW v(a, b, c) AS SELECT * FROM clicks;"),
            "line 6, column 13: v names 3 columns, and there are 2");
  EXPECT_EQ(refusal("CREATE VIEW a AS SELECT ts FROM clicks;"),
            "line 6, column 1: a table is called a already");
  EXPECT_EQ(refusal("CREATE VIEW v AS SELECT ts FROM clicks; CREATE VIEW v AS SELECT ts FROM "
                    "clicks;"),
            "line 6, column 41: view v exists already");
  EXPECT_EQ(refusal("CREATE VIEW v AS SELECT ts FROM clicks; INSERT INTO v SELECT ts FROM clicks;"),
            "line 6, column 53: v is a view: it can be read, and not written");
  EXPECT_EQ(refusal("CREATE VIEW itself AS SELECT ts FROM itself;"),
            "line 6, column 38: no table is called itself; there are a, b, clicks");
}

TEST(Program, AViewsMistakeIsShownWhereTheViewIsUsed) {
  const JobRun run(kTables +
                   "CREATE VIEW v AS SELECT ts AS x FROM clicks;\n"
                   "INSERT INTO a SELECT v.x FROM v JOIN clicks c ON v.x = c.ts;\n");

  EXPECT_EQ(run.error.substr(0, run.error.find('\n')),
            "line 7, column 38: a join of two streams is not supported yet: clicks and clicks");
}

}  // namespace
}  // namespace millrace::sql
