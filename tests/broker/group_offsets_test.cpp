// What tools see of a consumer group that a query tells how far it has come.

#include "tests/broker/job_fixture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace millrace::support {
namespace {

class GroupOffsetsTest : public JobTest {
 protected:
  void SetUp() override {
    JobTest::SetUp();
    if (!broker().is_available()) return;
    group_ = broker().unique_topic("group");
    std::string job = kJob;
    const std::string start = "starting_offsets = 'latest'";
    job.replace(job.find(start), start.size(),
                "starting_offsets = 'earliest', commit_offsets_to_group = '" + group_ + "'");
    std::ofstream(folder_ / "job.sql") << job;
  }
  void write_clicks(int count) {
    for (int i = 0; i < count; ++i, ++written_)
      write_click({std::nullopt, click(written_, 1, "view"), {}, written_ % kPartitions});
    ASSERT_TRUE(probe_->flush());
  }
  /// What Kafka's own tool says of the group: offset and lag, by partition; "-" where there is
  /// none.
  std::map<int, std::pair<std::string, std::string>> described() {
    const std::string command = "scripts/kafka groups --bootstrap-server " +
                                broker().bootstrap_servers() + " --describe --group " + group_ +
                                " 2>/dev/null";
    std::map<int, std::pair<std::string, std::string>> seen;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    std::array<char, 1024> line{};
    while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
      std::istringstream words(line.data());
      std::string group, topic, offset, end, lag;
      int partition = 0;
      if (words >> group >> topic >> partition >> offset >> end >> lag && topic == clicks_)
        seen[partition] = {offset, lag};
    }
    ::pclose(pipe);
    return seen;
  }

  std::string group_;
  int written_ = 0;
};

TEST_F(GroupOffsetsTest, ShowsTheLagAndIsNoPlaceToStartFrom) {
  write_clicks(8);
  {
    const auto engine = start();
    await_output(8);
    stop(*engine);
  }
  using Seen = std::map<int, std::pair<std::string, std::string>>;
  EXPECT_EQ(described(),
            (Seen{{0, {"2", "0"}}, {1, {"2", "0"}}, {2, {"2", "0"}}, {3, {"2", "0"}}}));
  write_clicks(5);
  EXPECT_EQ(described(),
            (Seen{{0, {"2", "2"}}, {1, {"2", "1"}}, {2, {"2", "1"}}, {3, {"2", "1"}}}));

  // Without its checkpoint the query begins where its options say.
  std::filesystem::remove_all(folder_ / "chk");
  const auto engine = start();
  await_output(8 + 13);
  stop(*engine);
  EXPECT_EQ(output().size(), 21U);
}

TEST_F(GroupOffsetsTest, IsToldNothingBeforeTheCommitIsDurable) {
  write_clicks(8);
  const auto engine = start({{"MILLRACE_STOP_AT", "before_commit:1"}});
  EXPECT_EQ(engine->wait(), -SIGKILL) << engine->said();
  EXPECT_TRUE(described().empty());
}

}  // namespace
}  // namespace millrace::support
