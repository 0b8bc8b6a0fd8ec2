// A folder that something has happened to: refused with what is wrong and what to do.

#include "tests/state/checkpoint_fixture.hpp"

namespace millrace::state {
namespace {

TEST_F(CheckpointTest, CutsOffWhatLiesBehindAHole) {
  begin();
  close_and_commit(0);
  for (std::int64_t n = 1; n < 5; ++n) {
    ASSERT_TRUE(checkpoint_->write_closed(offsets(n), prepared(n)));
  }
  disk_.take_away(path("offsets/2"));

  const RestartPoint point = reopen();

  EXPECT_EQ(point.open.size(), 1u);
  EXPECT_EQ(point.next, Epoch(2));
  EXPECT_EQ(point.notices,
            Names{"checkpoint chk/enrich: offsets/2 is missing, so epochs 3 to 4 behind it are cut "
                  "off and their input is read again"});
  EXPECT_EQ(list("/offsets"), (Names{"0", "1"}));
  EXPECT_EQ(list("/prepared").size(), 2u);
  ASSERT_TRUE(checkpoint_->write_closed(offsets(2), prepared(2)));
}

TEST(CheckpointHole, StaysCutOffWhenThePowerGoesWhileItIsFilled) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    support::LyingDisk disk(seed);
    ManualClock clock;
    CheckpointOptions options;
    options.folder = kFolder;
    const auto planned = [](std::int64_t n, std::int64_t to) {
      OffsetsRecord record;
      record.epoch = Epoch(n);
      record.ranges["clicks"]["clicks-0"] = {10 * n, to};
      return record;
    };
    {
      const auto checkpoint = *Checkpoint::open(disk, clock, options);
      ASSERT_TRUE(checkpoint->restart());
      ASSERT_TRUE(checkpoint->write_start({}));
      for (std::int64_t n = 0; n < 3; ++n) {
        ASSERT_TRUE(checkpoint->write_offsets(planned(n, 10 * n + 10)));
      }
    }
    disk.take_away(std::string(kFolder) + "/offsets/1");
    {
      const auto checkpoint = *Checkpoint::open(disk, clock, options);
      ASSERT_TRUE(checkpoint->restart());
      disk.stop_at(2);  // after the rename, before the folder is synced
      ASSERT_FALSE(checkpoint->write_offsets(planned(1, 15)));
    }
    disk.crash();

    const auto checkpoint = *Checkpoint::open(disk, clock, options);
    const auto point = checkpoint->restart();

    ASSERT_TRUE(point);
    EXPECT_LE(point->next, Epoch(2)) << "seed " << seed;
  }
}

TEST_F(CheckpointTest, NamesATornFileAndWhatToDo) {
  begin();
  close_and_commit(0);
  ASSERT_TRUE(checkpoint_->write_closed(offsets(1), prepared(1)));
  const std::string attempt = checkpoint_->attempt();
  const auto torn = [&](const std::string& name) {
    const std::string whole = *disk_.read_file(path(name));
    disk_.plant(path(name), whole.substr(0, whole.size() / 2));
    const Error error = reopen_error();
    disk_.plant(path(name), whole);
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.message;
  };
  const std::string begin_anew =
      "choose another checkpoint_location (the query then begins at starting_offsets)";
  const std::string damaged =
      " is damaged: its checksum does not match; restore it from a copy, or ";

  EXPECT_EQ(torn("offsets/1"),
            "checkpoint file chk/enrich/offsets/1" + damaged +
                "remove it (the query then reads on from the end of the epoch before; output of "
                "later epochs may appear twice)");
  EXPECT_EQ(torn("prepared/1." + attempt),
            "checkpoint file chk/enrich/prepared/1." + attempt + damaged +
                "remove it (epoch 1 then runs again; its output may appear twice)");
  EXPECT_EQ(torn("commits/0"), "checkpoint file chk/enrich/commits/0" + damaged +
                                   "remove it (epoch 0 then runs again; its output may appear "
                                   "twice)");
  EXPECT_EQ(torn("offsets/0"), "checkpoint file chk/enrich/offsets/0" + damaged + begin_anew);
  EXPECT_EQ(torn("prepared/0." + attempt),
            "checkpoint file chk/enrich/prepared/0." + attempt + damaged + begin_anew);
  EXPECT_EQ(torn("sources/start"),
            "checkpoint file chk/enrich/sources/start" + damaged + begin_anew);
  EXPECT_EQ(reopen().next, Epoch(2));
}

TEST_F(CheckpointTest, NamesAMissingFile) {
  begin();
  close_and_commit(0);
  disk_.take_away(path("offsets/0"));
  EXPECT_EQ(reopen_error(),
            Error({ErrorCode::kCorrupt,
                   "checkpoint file chk/enrich/offsets/0 is missing; restore it from a copy, or "
                   "choose another checkpoint_location (the query then begins at "
                   "starting_offsets)"}));
  disk_.plant(path("offsets/0"), encode(offsets(0)));
  disk_.take_away(path("sources/start"));
  EXPECT_EQ(reopen_error().code, ErrorCode::kCorrupt);
}

TEST_F(CheckpointTest, NoticesAFileUnderAnothersName) {
  begin();
  close_and_commit(0);
  disk_.plant(path("offsets/1"), encode(offsets(5)));

  EXPECT_EQ(reopen_error().message,
            "checkpoint file chk/enrich/offsets/1 is damaged: it is of epoch 5; restore it from a "
            "copy, or choose another checkpoint_location (the query then begins at "
            "starting_offsets)");
}

TEST_F(CheckpointTest, IsRefusedWhenItsCommitsWereTakenAway) {
  begin();
  close_and_commit(0);
  close_and_commit(1);
  disk_.take_away(path("offsets/0"));
  disk_.take_away(path("commits/0"));
  disk_.take_away(path("commits/1"));

  EXPECT_EQ(reopen_error(),
            Error({ErrorCode::kCorrupt,
                   "checkpoint chk/enrich has no commits although its offsets begin at epoch 1; "
                   "restore commits from a copy, or choose another checkpoint_location (the query "
                   "then begins at starting_offsets)"}));
}

TEST_F(CheckpointTest, NeedsNoOldEpochForARestart) {
  begin();
  for (std::int64_t n = 0; n < 3; ++n) close_and_commit(n);
  disk_.plant(path("offsets/0"), "scribble");
  disk_.take_away(path("offsets/1"));

  const RestartPoint point = reopen();

  EXPECT_EQ(point.next, Epoch(3));
  ASSERT_EQ(point.notices.size(), 1u);
  EXPECT_TRUE(point.notices[0].ends_with(" (the restart does not need it)")) << point.notices[0];
}

}  // namespace
}  // namespace millrace::state
