#include "tests/state/checkpoint_fixture.hpp"

namespace millrace::state {
namespace {

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

TEST_F(CheckpointTest, IsAnotherQuerysWhereNothingWasBegun) {
  reopen();
  checkpoint_.reset();
  CheckpointOptions other = options();
  other.plan_identity = R"({"sources":{"clicks":{"topic":"trades"}}})";
  const auto opened = Checkpoint::open(disk_, clock_, other);
  ASSERT_TRUE(opened) << opened.error().message;
  const auto plan = decode_plan(*disk_.read_file(path("plan.json")));
  EXPECT_EQ(plan->identity.dump(), other.plan_identity);
}

TEST_F(CheckpointTest, IsRefusedForAnotherQuery) {
  begin();
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

  bool is_adopted = false;
  const auto notices = [&] {
    const auto checkpoint = Checkpoint::open(disk_, clock_, changed).value();
    const auto restart = checkpoint->restart().value();
    EXPECT_EQ(restart.has_other_steps, !restart.notices.empty());
    if (is_adopted) EXPECT_TRUE(checkpoint->adopt_plan());
    return restart.notices;
  };
  const std::vector<std::string> change = {
      "checkpoint chk/enrich was written by another form of this query: filter is here and not "
      "there; it goes on with this one"};
  EXPECT_EQ(notices(), change) << "a start that comes to nothing leaves the plan as it was";
  is_adopted = true;
  EXPECT_EQ(notices(), change);
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
