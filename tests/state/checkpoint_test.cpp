#include "state/checkpoint.hpp"

#include "tests/support/lying_disk.hpp"

#include <gtest/gtest.h>

namespace millrace::state {
namespace {

constexpr const char* kFolder = "chk/enrich";
using Names = std::vector<std::string>;
using SourcePositions = std::map<std::string, stream::Positions>;

/// One query's checkpoint on a disk that does as it is told. `epoch_N` reads positions
/// [10 N, 10 N + 10) of one partition.
class CheckpointTest : public ::testing::Test {
 protected:
  static CheckpointOptions options(std::uint64_t seed = 1) {
    CheckpointOptions result;
    result.folder = kFolder;
    result.plan_identity = R"({"sources":{"clicks":{"topic":"clicks"}}})";
    result.seed = seed;
    return result;
  }

  Result<std::unique_ptr<Checkpoint>> try_open() {
    return Checkpoint::open(disk_, clock_, options());
  }

  /// Opens the folder, by force of a dead process's lock being gone, and restarts.
  RestartPoint reopen() {
    checkpoint_.reset();
    auto opened = try_open();
    EXPECT_TRUE(opened) << opened.error().message;
    checkpoint_ = *std::move(opened);
    auto point = checkpoint_->restart();
    EXPECT_TRUE(point) << point.error().message;
    return point ? *std::move(point) : RestartPoint{};
  }

  Error reopen_error() {
    checkpoint_.reset();
    auto opened = try_open();
    if (!opened) return opened.error();
    const auto point = (*opened)->restart();
    EXPECT_FALSE(point);
    return point ? Error{} : point.error();
  }

  void begin() {
    reopen();
    ASSERT_TRUE(checkpoint_->write_start(start()));
  }

  static StartRecord start() { return {.sources = {{"clicks", {{"clicks-0", 0}}}}, .outputs = {}}; }

  static OffsetsRecord offsets(std::int64_t n) {
    OffsetsRecord record;
    record.epoch = Epoch(n);
    record.time = WallTime(n * 1000);
    record.ranges["clicks"]["clicks-0"] = {10 * n, 10 * n + 10};
    return record;
  }

  [[nodiscard]] PreparedRecord prepared(std::int64_t n) const {
    PreparedRecord record;
    record.epoch = Epoch(n);
    record.attempt = checkpoint_->attempt();
    return record;
  }

  [[nodiscard]] CommitRecord commit(std::int64_t n) const {
    return {.epoch = Epoch(n), .attempt = checkpoint_->attempt(), .mark = std::nullopt};
  }

  void close_and_commit(std::int64_t n) {
    ASSERT_TRUE(checkpoint_->write_closed(offsets(n), prepared(n)));
    ASSERT_TRUE(checkpoint_->write_commit(commit(n)));
  }

  Names list(const std::string& part) { return *disk_.list_folder(std::string(kFolder) + part); }
  static std::string path(const std::string& name) { return std::string(kFolder) + "/" + name; }

  support::LyingDisk disk_{7};
  ManualClock clock_{WallTime(1'700'000'000'000'000)};
  std::unique_ptr<Checkpoint> checkpoint_;
};

// -- the folder -----------------------------------------------------------------------------------

TEST(CheckpointFolder, IsNamedAfterTheQuery) {
  EXPECT_EQ(checkpoint_folder("chk", "enrich"), "chk/enrich");
  EXPECT_EQ(checkpoint_folder("/var/chk/", "enrich"), "/var/chk/enrich");
}

TEST(CheckpointFolder, RefusesNamesThatAreNone) {
  for (const std::string_view name : {"", ".", "..", "a/b"}) {
    const auto folder = checkpoint_folder("chk", name);
    ASSERT_FALSE(folder) << name;
    EXPECT_EQ(folder.error(),
              Error({ErrorCode::kInvalidArgument,
                     "the query's name cannot name its folder in checkpoint_location: '" +
                         std::string(name) + "'"}));
  }
  EXPECT_EQ(checkpoint_folder("", "a").error().message, "checkpoint_location is empty");
}

TEST_F(CheckpointTest, IsMadeWithItsPartsAtTheFirstOpen) {
  const RestartPoint point = reopen();

  EXPECT_EQ(list(""),
            (Names{"commits", "metadata", "offsets", "plan.json", "prepared", "sources"}));
  EXPECT_FALSE(point.start);
  EXPECT_FALSE(point.committed);
  EXPECT_TRUE(point.open.empty());
  EXPECT_EQ(point.next, Epoch(0));
  EXPECT_EQ(point.notices, Names{});
  EXPECT_EQ(point.positions(), SourcePositions{});
  EXPECT_EQ(checkpoint_->metadata().checkpoint_id.size(), 32u);
  EXPECT_EQ(checkpoint_->metadata().created, clock_.wall());
}

TEST_F(CheckpointTest, KeepsItsIdentity) {
  reopen();
  const CheckpointMetadata metadata = checkpoint_->metadata();

  reopen();

  EXPECT_EQ(checkpoint_->metadata(), metadata);
}

TEST_F(CheckpointTest, ReplacesMetadataAsAWhole) {
  reopen();
  CheckpointMetadata metadata = checkpoint_->metadata();
  metadata.transactional_ids = {"enrich-0"};
  metadata.mark = MarkPartition{"enriched", 2};

  ASSERT_TRUE(checkpoint_->write_metadata(metadata));
  disk_.crash();
  reopen();

  EXPECT_EQ(checkpoint_->metadata(), metadata);
}

TEST_F(CheckpointTest, IsRefusedWhileALiveProcessHoldsIt) {
  reopen();

  const auto second = try_open();

  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(),
            Error({ErrorCode::kLocked,
                   "checkpoint chk/enrich is in use by process 4711; stop it or choose another "
                   "checkpoint_location"}));
}

TEST_F(CheckpointTest, IsRefusedForAnotherQuery) {
  reopen();
  checkpoint_.reset();
  CheckpointOptions other = options();
  other.plan_identity = R"({"sources":{"clicks":{"topic":"trades"}}})";

  const auto opened = Checkpoint::open(disk_, clock_, other);

  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error(),
            Error({ErrorCode::kInvalidArgument,
                   "checkpoint chk/enrich belongs to another query: sources.clicks.topic is "
                   "\"clicks\" there and \"trades\" here; run the query it was made for, or choose "
                   "another checkpoint_location"}));
}

TEST_F(CheckpointTest, TakesNewDetailsOfTheSameQuery) {
  reopen();
  checkpoint_.reset();
  CheckpointOptions changed = options();
  changed.plan_details = R"({"filter":"qty > 1"})";

  const auto notices = [&] {
    return Checkpoint::open(disk_, clock_, changed).value()->restart().value().notices;
  };
  EXPECT_EQ(notices(), std::vector<std::string>{
                           "checkpoint chk/enrich was written by another form of this query: "
                           "filter is here and not there; it goes on with this one"});
  EXPECT_EQ(notices(), std::vector<std::string>{}) << "said once";

  const auto plan = decode_plan(*disk_.read_file(path("plan.json")));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->details, formats::JsonValue::object().set("filter", "qty > 1"));
}

TEST_F(CheckpointTest, IsRefusedWhenMetadataIsMissingBesideEpochs) {
  begin();
  close_and_commit(0);
  disk_.take_away(path("metadata"));

  EXPECT_EQ(reopen_error(),
            Error({ErrorCode::kCorrupt,
                   "checkpoint file chk/enrich/metadata is missing although sources/start is "
                   "there; restore it from a copy, or choose another checkpoint_location (the "
                   "query then begins at starting_offsets)"}));
}

TEST_F(CheckpointTest, IsRefusedWhenMetadataOrPlanIsTorn) {
  reopen();
  const std::string metadata = *disk_.read_file(path("metadata"));
  const std::string plan = *disk_.read_file(path("plan.json"));

  disk_.plant(path("metadata"), metadata.substr(0, metadata.size() - 1));
  EXPECT_EQ(reopen_error(),
            Error({ErrorCode::kCorrupt,
                   "checkpoint file chk/enrich/metadata is damaged: its checksum does not match; "
                   "restore it from a copy, or choose another checkpoint_location (the query then "
                   "begins at starting_offsets)"}));
  disk_.plant(path("metadata"), metadata);
  disk_.plant(path("plan.json"), "");
  EXPECT_EQ(reopen_error(),
            Error({ErrorCode::kCorrupt,
                   "checkpoint file chk/enrich/plan.json is damaged: it is empty; restore it from "
                   "a copy, or choose another checkpoint_location (the query then begins at "
                   "starting_offsets)"}));
  disk_.take_away(path("plan.json"));
  EXPECT_EQ(reopen_error().code, ErrorCode::kCorrupt);
}

TEST_F(CheckpointTest, IsRefusedWhenMadeByANewerMillrace) {
  reopen();
  CheckpointMetadata newer = checkpoint_->metadata();
  newer.format = 3;
  newer.oldest_reader = 2;
  disk_.plant(path("metadata"), encode(newer));

  EXPECT_EQ(reopen_error(),
            Error({ErrorCode::kNotSupported,
                   "checkpoint chk/enrich was made by a newer Millrace: it has format 3 and needs "
                   "a reader of format 2, this is one of 1"}));
}

// -- going on -------------------------------------------------------------------------------------

TEST_F(CheckpointTest, BeginsWhereItFirstBegan) {
  begin();

  const RestartPoint point = reopen();

  EXPECT_EQ(point.start, start());
  EXPECT_EQ(point.positions(), (SourcePositions{{"clicks", {{"clicks-0", 0}}}}));
  EXPECT_EQ(point.next, Epoch(0));
}

TEST_F(CheckpointTest, GoesOnBehindTheNewestCommit) {
  begin();
  close_and_commit(0);
  close_and_commit(1);
  const std::string attempt = checkpoint_->attempt();

  const RestartPoint point = reopen();

  ASSERT_TRUE(point.committed);
  EXPECT_EQ(point.committed->offsets, offsets(1));
  EXPECT_EQ(point.committed->prepared.attempt, attempt);
  EXPECT_EQ(point.committed->commit.epoch, Epoch(1));
  EXPECT_TRUE(point.open.empty());
  EXPECT_EQ(point.next, Epoch(2));
  EXPECT_EQ(point.positions(), (SourcePositions{{"clicks", {{"clicks-0", 20}}}}));
  EXPECT_NE(checkpoint_->attempt(), attempt);
}

TEST_F(CheckpointTest, RunsAClosedEpochAgainAsANewAttempt) {
  begin();
  close_and_commit(0);
  ASSERT_TRUE(checkpoint_->write_closed(offsets(1), prepared(1)));
  const std::string first_attempt = checkpoint_->attempt();

  const RestartPoint point = reopen();
  ASSERT_EQ(point.open.size(), 1u);
  EXPECT_EQ(point.open[0].offsets, offsets(1));
  ASSERT_EQ(point.open[0].prepared.size(), 1u);
  EXPECT_EQ(point.open[0].prepared[0].attempt, first_attempt);
  EXPECT_EQ(point.next, Epoch(2));
  EXPECT_EQ(point.positions(), (SourcePositions{{"clicks", {{"clicks-0", 10}}}}));

  OffsetsRecord again = offsets(1);
  again.time = WallTime(99'999'999);
  ASSERT_TRUE(checkpoint_->write_closed(again, prepared(1)));
  EXPECT_EQ(decode_offsets(*disk_.read_file(path("offsets/1"))), offsets(1));
  ASSERT_TRUE(checkpoint_->write_commit(commit(1)));
  EXPECT_EQ(list("/prepared"), (Names{list("/prepared")[0], "1." + checkpoint_->attempt()}));
  close_and_commit(2);
}

TEST_F(CheckpointTest, GoesOnWhereAnOpenEpochSaysThatTheTopicBeganAnew) {
  begin();
  close_and_commit(0);
  close_and_commit(1);
  OffsetsRecord anew = offsets(2);
  anew.ranges["clicks"]["clicks-0"] = {0, 3};
  anew.ranges["clicks"]["clicks-1"] = {5, 6};  // came while the query ran
  ASSERT_TRUE(checkpoint_->write_closed(anew, prepared(2)));

  EXPECT_EQ(reopen().positions(),
            (SourcePositions{{"clicks", {{"clicks-0", 0}, {"clicks-1", 5}}}}));
}

TEST_F(CheckpointTest, CommitsAnEarlierAttemptThatTheDeciderMadeVisible) {
  begin();
  ASSERT_TRUE(checkpoint_->write_closed(offsets(0), prepared(0)));

  const RestartPoint point = reopen();
  const std::string visible = point.open.at(0).prepared.at(0).attempt;
  ASSERT_TRUE(
      checkpoint_->write_commit({Epoch(0), visible, CommitMark{Generation(0), Epoch(0), visible}}));

  EXPECT_EQ(reopen().committed->commit.mark, (CommitMark{Generation(0), Epoch(0), visible}));
}

TEST_F(CheckpointTest, KeepsPlannedEpochsInOrder) {
  begin();
  for (std::int64_t n = 0; n < 4; ++n) ASSERT_TRUE(checkpoint_->write_offsets(offsets(n)));
  ASSERT_TRUE(checkpoint_->write_prepared(prepared(0)));
  ASSERT_TRUE(checkpoint_->write_commit(commit(0)));

  const RestartPoint point = reopen();

  ASSERT_EQ(point.open.size(), 3u);
  EXPECT_EQ(point.open[0].offsets.epoch, Epoch(1));
  EXPECT_EQ(point.open[2].offsets.epoch, Epoch(3));
  EXPECT_EQ(point.next, Epoch(4));
}

TEST_F(CheckpointTest, RefusesToRunAnEpochAgainOverOtherPositions) {
  begin();
  ASSERT_TRUE(checkpoint_->write_offsets(offsets(0)));
  reopen();
  OffsetsRecord other = offsets(0);
  other.ranges["clicks"]["clicks-0"].to = 11;

  EXPECT_EQ(
      checkpoint_->write_offsets(other).error(),
      Error({ErrorCode::kInternal, "epoch 0 ran again over other positions than offsets/0 says"}));
}

TEST_F(CheckpointTest, DrawsAnAttemptThatNoEntryBearsFromTheSameSeed) {
  begin();
  ASSERT_TRUE(checkpoint_->write_closed(offsets(0), prepared(0)));
  const std::string first = checkpoint_->attempt();
  checkpoint_.reset();

  reopen();
  EXPECT_NE(checkpoint_->attempt(), first);
  const std::string second = checkpoint_->attempt();
  ASSERT_TRUE(checkpoint_->restart());
  EXPECT_NE(checkpoint_->attempt(), second);
}

TEST_F(CheckpointTest, ForgetsTemporaryAndForeignFiles) {
  begin();
  close_and_commit(0);
  disk_.plant(path("offsets/.1.tmp"), "half");
  disk_.plant(path(".metadata.tmp"), "half");
  disk_.plant(path("offsets/1~"), "an editor's");
  disk_.plant(path("offsets/01"), "a person's");

  const RestartPoint point = reopen();

  EXPECT_EQ(point.next, Epoch(1));
  EXPECT_EQ(list("/offsets"), (Names{"0", "01", "1~"}));
  EXPECT_EQ(list(""),
            (Names{"commits", "metadata", "offsets", "plan.json", "prepared", "sources"}));
}

// -- damage ---------------------------------------------------------------------------------------

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

// -- another owner, a full disk -------------------------------------------------------------------

TEST_F(CheckpointTest, StopsWhenAnotherOwnersEntryAppears) {
  begin();
  close_and_commit(0);
  disk_.plant(path("offsets/1"), encode(offsets(1)));

  EXPECT_EQ(checkpoint_->write_closed(offsets(1), prepared(1)).error(),
            Error({ErrorCode::kConflict,
                   "another process writes to checkpoint chk/enrich: offsets/1 has appeared while "
                   "this query runs; stop one of the two"}));
}

TEST_F(CheckpointTest, StopsWhenAnotherOwnersCommitAppears) {
  begin();
  ASSERT_TRUE(checkpoint_->write_closed(offsets(0), prepared(0)));
  disk_.plant(path("commits/0"), encode(commit(0)));

  EXPECT_EQ(checkpoint_->write_commit(commit(0)).error(),
            Error({ErrorCode::kConflict,
                   "another process writes to checkpoint chk/enrich: commits/0 has appeared while "
                   "this query runs; stop one of the two"}));
}

TEST_F(CheckpointTest, SaysThatTheDiskIsFullAndGoesOnWhenThereIsRoom) {
  begin();
  close_and_commit(0);
  for (std::int64_t write = 0; write < 3; ++write) {
    disk_.fill_at(write);
    Status status = checkpoint_->write_closed(offsets(1), prepared(1));
    if (status) status = checkpoint_->write_commit(commit(1));
    ASSERT_FALSE(status);
    EXPECT_TRUE(is_disk_full(status.error())) << status.error().message;

    disk_.free_space();
    EXPECT_EQ(reopen().committed->commit.epoch, Epoch(0));
  }
  close_and_commit(1);
}

// -- retention ------------------------------------------------------------------------------------

TEST_F(CheckpointTest, RemovesOldEpochsLowestFirstAndTheirCommitsLast) {
  begin();
  CheckpointOptions two = options();
  two.retention = {.keep_newest = 2, .retain_for_ms = 0};
  checkpoint_.reset();
  checkpoint_ = *Checkpoint::open(disk_, clock_, two);
  ASSERT_TRUE(checkpoint_->restart());
  for (std::int64_t n = 0; n < 5; ++n) close_and_commit(n);
  ASSERT_TRUE(checkpoint_->write_closed(offsets(5), prepared(5)));

  ASSERT_TRUE(checkpoint_->retain(WallTime(1'000'000'000)));

  EXPECT_EQ(list("/offsets"), (Names{"3", "4", "5"}));
  EXPECT_EQ(list("/commits"), (Names{"3", "4"}));
  EXPECT_EQ(list("/prepared").size(), 3u);
}

// Kept are the newest 100 and the first of every minute: 200 epochs stand for a minute's 6,000. A
// whole query with all of them is in tests/simulation.
TEST_F(CheckpointTest, HoldsAnHourOfShortEpochsInFewFiles) {
  begin();
  std::int64_t most_files = 0;
  std::int64_t n = 0;

  for (int minute = 0; minute < 65; ++minute) {
    for (int epoch = 0; epoch < 200; ++epoch, ++n) {
      clock_.advance_us(10'000);
      OffsetsRecord record = offsets(n);
      record.time = clock_.wall();
      ASSERT_TRUE(checkpoint_->write_closed(record, prepared(n)));
      ASSERT_TRUE(checkpoint_->write_commit(commit(n)));
      ASSERT_TRUE(checkpoint_->retain(clock_.wall()));
      most_files = std::max(most_files, disk_.file_count(kFolder));
    }
    clock_.advance_us(58'000'000);
  }

  EXPECT_LT(most_files, 1000);
  EXPECT_GT(most_files, 480);  // three files each of 100 and of 60 epochs
  EXPECT_EQ(reopen().next, Epoch(13'000));
}

}  // namespace
}  // namespace millrace::state
