#include "state/checkpoint_tools.hpp"

#include "state/checkpoint.hpp"
#include "state/memory_disk.hpp"

#include <gtest/gtest.h>

namespace millrace::state {
namespace {

constexpr const char* kFolder = "chk/q";

/// A folder with three committed epochs of ten offsets each, and one that is only planned.
class CheckpointToolsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto checkpoint = open();
    ASSERT_TRUE(checkpoint->restart());
    StartRecord start;
    start.sources["clicks"] = {{"clicks-0", 0}};
    ASSERT_TRUE(checkpoint->write_start(start));
    for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
      const PreparedRecord prepared{Epoch(epoch), checkpoint->attempt(), {}, {}, {}, {}, {}, {}};
      ASSERT_TRUE(checkpoint->write_closed(offsets(epoch, Drive::kOpen), prepared));
      ASSERT_TRUE(checkpoint->write_commit({Epoch(epoch), checkpoint->attempt(), std::nullopt}));
    }
    ASSERT_TRUE(checkpoint->write_offsets(offsets(3, Drive::kPlanned)));
  }
  std::unique_ptr<Checkpoint> open() {
    CheckpointOptions options;
    options.folder = kFolder;
    auto checkpoint = Checkpoint::open(disk_, clock_, options);
    EXPECT_TRUE(checkpoint) << checkpoint.error().message;
    return std::move(*checkpoint);
  }
  static OffsetsRecord offsets(std::int64_t epoch, Drive drive) {
    OffsetsRecord record;
    record.epoch = Epoch(epoch);
    record.drive = drive;
    record.time = WallTime(1'700'000'000'000'000 + epoch * 1'000'000);
    record.ranges["clicks"]["clicks-0"] = {epoch * 10, epoch * 10 + 10};
    return record;
  }

  MemoryDisk disk_;
  ManualClock clock_{WallTime(1'700'000'000'000'000)};
};

TEST_F(CheckpointToolsTest, ShowsWhatAFolderHolds) {
  const auto text = describe_checkpoint(disk_, kFolder);
  ASSERT_TRUE(text) << text.error().message;
  const std::string id = open()->metadata().checkpoint_id;
  EXPECT_EQ(*text, "checkpoint chk/q\n  id " + id +
                       ", made 2023-11-14 22:13:20 UTC, format 1, generation 0\n"
                       "  4 epochs kept, 0 to 3; newest committed: 2\n"
                       "  epoch 0: 2023-11-14 22:13:20 UTC, open, 10 offsets, committed\n"
                       "  epoch 1: 2023-11-14 22:13:21 UTC, open, 10 offsets, committed\n"
                       "  epoch 2: 2023-11-14 22:13:22 UTC, open, 10 offsets, committed\n"
                       "  epoch 3: 2023-11-14 22:13:23 UTC, planned, 10 offsets, not committed: it "
                       "runs again at the next start\n"
                       "  source clicks goes on at\n"
                       "    clicks-0  30\n");
}

TEST_F(CheckpointToolsTest, SaysWhatIsNoCheckpoint) {
  const auto text = describe_checkpoint(disk_, "elsewhere");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message,
            "elsewhere is no checkpoint: there is no file metadata in it (a query's folder lies "
            "below checkpoint_location, under the query's name)");
  EXPECT_FALSE(roll_back_checkpoint(disk_, "elsewhere", Epoch(0)));
  EXPECT_FALSE(disk_.list_folder("elsewhere")) << "it was not made one";
}

TEST_F(CheckpointToolsTest, RollsBackAndKeepsWhatWasUndone) {
  const auto said = roll_back_checkpoint(disk_, kFolder, Epoch(0));
  ASSERT_TRUE(said) << said.error().message;
  EXPECT_EQ(*said,
            "checkpoint chk/q: rolled back to epoch 0; 3 later epochs are in undone/1. The query "
            "goes on behind epoch 0, as generation 1");
  const auto checkpoint = open();
  EXPECT_EQ(checkpoint->metadata().generation, Generation(1));
  EXPECT_EQ(checkpoint->metadata().forks, (std::vector<Fork>{{Generation(1), Epoch(0)}}));
  const auto restart = checkpoint->restart();
  ASSERT_TRUE(restart) << restart.error().message;
  EXPECT_EQ(restart->next, Epoch(1));
  EXPECT_TRUE(restart->open.empty());
  EXPECT_EQ(restart->positions().at("clicks").at("clicks-0"), 10);
  EXPECT_EQ(disk_.list_folder("chk/q/undone/1/offsets"), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(disk_.list_folder("chk/q/undone/1/commits"), (std::vector<std::string>{"1", "2"}));
}

TEST_F(CheckpointToolsTest, RollsBackOnlyToAnEpochThatIsKept) {
  const auto said = roll_back_checkpoint(disk_, kFolder, Epoch(3));
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().message,
            "checkpoint chk/q: there is no committed epoch 3 to roll back to; 0 to 2 are kept");
  EXPECT_EQ(open()->metadata().generation, Generation(0));
}

TEST_F(CheckpointToolsTest, LeavesAFolderAloneThatAQueryRunsOn) {
  const auto running = open();
  const auto said = roll_back_checkpoint(disk_, kFolder, Epoch(0));
  ASSERT_FALSE(said);
  EXPECT_EQ(said.error().code, ErrorCode::kLocked);
}

}  // namespace
}  // namespace millrace::state
