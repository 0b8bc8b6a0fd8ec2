#include "connectors/kafka_group_offsets.hpp"

#include "connectors/kafka_mock.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace millrace::connectors {
namespace {

class KafkaGroupOffsetsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(mock_->create_topic("clicks", 2));
    const KafkaSettings settings =
        kafka_settings({{"bootstrap_servers", mock_->bootstrap_servers()}}, KafkaRole::kSource)
            .value();
    group_ = KafkaGroupOffsets::open("source clicks", "lag", settings, {clock_, log_}).value();
  }
  /// Commits until the answer to the commit before has been taken, which says a line.
  void commit_until_lines(std::size_t count) {
    while (lines_.size() < count) {
      group_->commit({{{"clicks", 0}, ++offset_}});
      std::this_thread::yield();
    }
  }

  std::vector<std::string> lines_;
  LogFunction log_ = [this](LogLevel level, std::string_view line) {
    lines_.push_back((level == LogLevel::kWarning ? "warning: " : "") + std::string(line));
  };
  ManualClock clock_;
  std::unique_ptr<KafkaMock> mock_ = KafkaMock::start().value();
  std::unique_ptr<KafkaGroupOffsets> group_;
  std::int64_t offset_ = 0;
};

TEST_F(KafkaGroupOffsetsTest, AFailureOnlyWarnsAndAtMostOnceAMinute) {
  const std::string warning =
      "warning: source clicks: the offsets of group lag cannot be committed: Broker: Group "
      "authorization failed. The query goes on, which does not need them; what watches the group "
      "sees old ones";
  const std::string again = "source clicks: the offsets of group lag are committed again";
  mock_->push_group_commit_refusals(3);
  commit_until_lines(2);
  EXPECT_EQ(lines_, (std::vector<std::string>{warning, again}));

  mock_->push_group_commit_refusals(1);
  commit_until_lines(3);
  EXPECT_EQ(lines_[2], again) << "within a minute the next failure says nothing";

  clock_.advance_us(60'000'000);
  mock_->push_group_commit_refusals(1);
  commit_until_lines(4);
  EXPECT_EQ(lines_[3], warning);
}

}  // namespace
}  // namespace millrace::connectors
