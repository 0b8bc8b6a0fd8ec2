#include "connectors/kafka_broker_watch.hpp"

#include "tests/support/kafka_proxy.hpp"
#include "tests/support/kafka_tap.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <stop_token>

namespace millrace::connectors {
namespace {

class KafkaBrokerWatchTest : public testing::Test {
 protected:
  LogFunction log() {
    return [this](LogLevel, std::string_view line) {
      const std::lock_guard lock(mutex_);
      lines_.emplace_back(line);
      (void)giving_up_.request_stop();
    };
  }

  std::mutex mutex_;
  std::vector<std::string> lines_;
  std::stop_source giving_up_;
};

TEST_F(KafkaBrokerWatchTest, SaysEachChangeOnce) {
  KafkaBrokerWatch watch("source clicks", "h:1", log());

  watch.note_failure("connection refused");
  watch.note_all_down();
  watch.note_all_down();
  constexpr std::int16_t kFetch = 1;
  watch.note_response(kFetch);
  watch.note_response(kFetch);

  EXPECT_EQ(lines_,
            std::vector<std::string>({"source clicks: no broker of h:1 answers, waiting for one "
                                      "(connection refused)",
                                      "source clicks: a broker of h:1 answers again"}));
}

TEST_F(KafkaBrokerWatchTest, TakesNoGreetingForAnAnswer) {
  KafkaBrokerWatch watch("source clicks", "h:1", log());
  watch.note_failure("who is that", "wants to know");
  watch.note_all_down();

  for (const int greeting : {17, 18, 36}) watch.note_response(static_cast<std::int16_t>(greeting));
  EXPECT_EQ(lines_.size(), 1U);
  EXPECT_TRUE(watch.is_refused());
  EXPECT_EQ(watch.last_refusal(), "wants to know");
  EXPECT_TRUE(watch.has_answered());

  constexpr std::int16_t kMetadata = 3;
  watch.note_response(kMetadata);
  EXPECT_EQ(lines_.size(), 2U);
  EXPECT_FALSE(watch.is_refused());
}

TEST_F(KafkaBrokerWatchTest, KeepsTheReasonThatTellsUntilABrokerServes) {
  KafkaBrokerWatch watch("source clicks", "h:1", log());
  const std::string telling =
      "h:1: Disconnected: verify that security.protocol is correctly configured, broker might "
      "require SASL authentication (after 3ms in state UP)";
  const std::string plain = "h:1: Disconnected (after 900ms in state UP)";

  watch.note_failure(plain);
  EXPECT_EQ(watch.telling_failure(), plain);
  watch.note_failure(telling);
  watch.note_failure(plain);
  EXPECT_EQ(watch.last_failure(), plain);
  EXPECT_EQ(watch.telling_failure(), telling);
  watch.note_response(3);  // metadata
  watch.note_failure(plain);
  EXPECT_EQ(watch.telling_failure(), plain);
}

TEST_F(KafkaBrokerWatchTest, PassesAdviceOnSettingsOnOnlyUntilTheyWorked) {
  KafkaBrokerWatch watch("source clicks", "h:1", log());
  const std::string ended =
      "h:1/1: Disconnected: verify that security.protocol is correctly configured, broker might "
      "require SASL authentication (after 3ms in state UP, 1 identical error(s) suppressed)";

  watch.note_failure(ended);
  EXPECT_EQ(watch.last_failure(), ended);

  constexpr std::int16_t kMetadata = 3;
  watch.note_response(kMetadata);
  watch.note_failure(ended);
  watch.note_all_down();
  EXPECT_EQ(lines_,
            std::vector<std::string>(
                {"source clicks: no broker of h:1 answers, waiting for one (h:1/1: "
                 "Disconnected (after 3ms in state UP, 1 identical error(s) suppressed))"}));

  watch.note_failure(
      "h:1/1: Disconnected while requesting ApiVersion: might be caused by incorrect "
      "security.protocol configuration (connecting to a SSL listener?) or broker version is < 0.10 "
      "(see api.version.request)");
  EXPECT_EQ(watch.last_failure(), "h:1/1: Disconnected while requesting ApiVersion");
}

// The client alone takes ten seconds to give such a broker up, and gives a reason then.
TEST_F(KafkaBrokerWatchTest, ABrokerThatTakesConnectionsAndSaysNothingIsWaitedForAloud) {
  const support::KafkaProxy silent;
  const SystemClock clock;
  const auto source =
      make_kafka_source({support::kafka_table(silent.bootstrap_servers(), "t"), {}, {}},
                        {clock, log(), giving_up_.get_token()})
          .value();

  const auto partitions = source->partitions();

  ASSERT_FALSE(partitions.has_value());
  EXPECT_EQ(partitions.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(lines_,
            std::vector<std::string>({"source t: no broker of " + silent.bootstrap_servers() +
                                      " answers, waiting for one"}));
}

}  // namespace
}  // namespace millrace::connectors
