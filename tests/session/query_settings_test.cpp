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

TEST(QuerySettings, AreRefusedByNameWithTheNearest) {
  EXPECT_EQ(refusal("checkpoint_location", "chk"), "accepted");
  EXPECT_NE(refusal("checkpoint_loction", "chk").find("checkpoint_location"), std::string::npos);
  EXPECT_EQ(refusal("checkpoint_location", ""),
            "checkpoint_location = '' names no folder: write checkpoint_location = 'folder', or "
            "leave the setting out to keep nothing");
  EXPECT_NE(refusal("checkpointLocation", " "), "accepted");
  EXPECT_EQ(refusal("wait_policy", "spin"),
            "wait_policy = 'spin' is not supported yet; accepted: park");
  EXPECT_EQ(refusal("wait_policy", "prak"),
            "wait_policy = 'prak' is not known; accepted: park; did you mean 'park'?");
  EXPECT_EQ(refusal("stop_timeout", "soon"),
            "stop_timeout = 'soon' is not a duration above zero, like '30 seconds'");
  EXPECT_EQ(refusal("query_name", "a/b"), "query_name = 'a/b' cannot be a folder's name");
  EXPECT_NE(refusal("trigger", "once"), "accepted");
}

}  // namespace
}  // namespace millrace::session
