#include "session/query_settings.hpp"

#include <gtest/gtest.h>

namespace millrace::session {
namespace {

std::string refusal(std::string_view name, std::string_view value) {
  const Status checked = check_setting(name, value);
  return checked ? "accepted" : checked.error().message;
}

TEST(QuerySettings, HaveDefaults) {
  const auto settings = read_settings({}, {}, "enriched");

  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->name, "enriched");
  EXPECT_EQ(settings->checkpoint_folder, "");
  EXPECT_EQ(settings->trigger, "real_time 5 seconds");
  EXPECT_EQ(settings->wait_policy, "park");
  EXPECT_EQ(settings->task_threads, 1u);
  EXPECT_EQ(settings->task_thread_name, "millrace");
  EXPECT_TRUE(settings->task_cores.empty());
  EXPECT_EQ(describe_threads(*settings), "");
  EXPECT_EQ(settings->stop_timeout_ms, 30'000);
}

TEST(QuerySettings, TheQuerysOwnGoBeforeTheSessions) {
  const Options session = {{"checkpoint_location", "chk/"}, {"trigger", "real_time 1 second"}};
  const Options own = {{"trigger", "real_time 20 ms"}, {"queryName", "mine"}};

  const auto settings = read_settings(session, own, "enriched");

  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->checkpoint_folder, "chk/mine");
  EXPECT_EQ(settings->trigger, "real_time 20 ms");
}

TEST(QuerySettings, SayHowManyThreadsStepTheTasksAndHowTheyWait) {
  const Options own = {
      {"wait_policy", "spin"}, {"task_threads", "per_task"}, {"taskThreadName", "desk"}};

  const auto settings = read_settings({}, own, "enriched");

  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->wait_policy, "spin");
  EXPECT_EQ(settings->task_threads, 0u);
  EXPECT_EQ(settings->task_thread_name, "desk");
  EXPECT_EQ(describe_threads(*settings), "one per task");
}

TEST(QuerySettings, DescribeThreadsInWords) {
  QuerySettings settings;
  settings.task_cores = {0, 1};
  EXPECT_EQ(describe_threads(settings), "one for all tasks, on cores 0, 1");
  settings.task_threads = 3;
  settings.task_cores = {};
  EXPECT_EQ(describe_threads(settings), "3");
}

TEST(QuerySettings, RefuseThreadsThatCannotBe) {
  EXPECT_EQ(refusal("wait_policy", "adaptive"), "accepted");
  EXPECT_EQ(refusal("task_threads", "4"), "accepted");
  EXPECT_EQ(refusal("task_threads", "0"),
            "task_threads = '0' is neither a number from 1 to 256 nor 'per_task'");
  EXPECT_EQ(refusal("task_thread_name", "a name too long"),
            "task_thread_name = 'a name too long' does not have 1 to 11 bytes");
  EXPECT_EQ(refusal("task_cores", "0,"), "task_cores = '0,' is not a list of cores like '0,1'");
  EXPECT_EQ(refusal("task_cores", "5000"),
            "task_cores = '5000': this process may not run on core 5000");
}

TEST(QuerySettings, SayWhetherAFailedQueryStartsAgain) {
  const auto defaults = read_settings({}, {}, "kept");
  ASSERT_TRUE(defaults) << defaults.error().message;
  EXPECT_FALSE(defaults->restart.is_on);
  const auto chosen = read_settings({{"restart", "on_failure"},
                                     {"restart_delay", "200 ms"},
                                     {"restart_delay_max", "10 seconds"},
                                     {"restart_reset_after", "1 minute"}},
                                    {}, "kept");
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_TRUE(chosen->restart.is_on);
  EXPECT_EQ(chosen->restart.delay_ms, 200);
  EXPECT_EQ(chosen->restart.delay_max_ms, 10'000);
  EXPECT_EQ(chosen->restart.reset_after_ms, 60'000);
  EXPECT_EQ(refusal("restart", "always"),
            "restart = 'always' is not known; accepted: never, on_failure");
  EXPECT_EQ(refusal("restart_delay", "0 s"),
            "restart_delay = '0 s' is not a duration above zero, like '30 seconds'");
}

TEST(QuerySettings, AreRefusedByNameWithTheNearest) {
  EXPECT_EQ(refusal("checkpoint_location", "chk"), "accepted");
  EXPECT_NE(refusal("checkpoint_loction", "chk").find("checkpoint_location"), std::string::npos);
  EXPECT_EQ(refusal("checkpoint_location", ""),
            "checkpoint_location = '' names no folder: write checkpoint_location = 'folder', or "
            "leave the setting out to keep nothing");
  EXPECT_NE(refusal("checkpointLocation", " "), "accepted");
  EXPECT_EQ(
      refusal("wait_policy", "prak"),
      "wait_policy = 'prak' is not known; accepted: park, adaptive, spin; did you mean 'park'?");
  EXPECT_EQ(refusal("stop_timeout", "soon"),
            "stop_timeout = 'soon' is not a duration above zero, like '30 seconds'");
  EXPECT_EQ(refusal("query_name", "a/b"), "query_name = 'a/b' cannot be a folder's name");
  EXPECT_NE(refusal("trigger", "continuous"), "accepted");
}

TEST(QuerySettings, SayWhatExpressionsAreEvaluatedUnder) {
  const auto defaults = read_evaluation({}, {});
  ASSERT_TRUE(defaults) << defaults.error().message;
  EXPECT_EQ(defaults->zone->name(), "UTC");
  EXPECT_TRUE(defaults->is_ansi);

  const auto chosen = read_evaluation({{"time_zone", "Europe/Berlin"}, {"ansi", "true"}},
                                      {{"timeZone", "America/New_York"}, {"ANSI", "false"}});
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_EQ(chosen->zone->name(), "America/New_York");
  EXPECT_FALSE(chosen->is_ansi);

  EXPECT_EQ(refusal("time_zone", "Berlin"),
            "unknown time zone: Berlin; accepted: names like Europe/Berlin, UTC, PST, offsets like "
            "+02:00");
  EXPECT_EQ(refusal("ansi", "maybe"), "option ansi must be 'true' or 'false', not 'maybe'");
}

}  // namespace
}  // namespace millrace::session
