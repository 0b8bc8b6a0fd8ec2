#include "state/checkpoint.hpp"
#include "tests/support/lying_disk.hpp"

#include <gtest/gtest.h>

// The power goes at every single operation of a query's life, on disks that lie in every seeded
// way; then the folder is opened again. What a verb had acknowledged must be there, and the epochs
// must go on without a hole.

namespace millrace::state {
namespace {

constexpr const char* kFolder = "chk/enrich";
constexpr std::int64_t kEpochs = 8;

/// What the query was told is durable.
struct Acknowledged {
  bool start = false;
  std::int64_t offsets = 0;  ///< epochs 0 .. offsets-1
  std::int64_t commits = 0;
};

/// Plays one process after the other over one disk, and remembers what they were promised.
class CrashingQuery {
 public:
  explicit CrashingQuery(std::uint64_t seed) : disk_(seed), random_(seed) {}

  support::LyingDisk& disk() { return disk_; }

  /// Opens, checks every promise, and runs until all epochs are committed or something fails.
  Status run() {
    CheckpointOptions options;
    options.folder = kFolder;
    options.seed = random_();
    options.retention = {.keep_newest = 2, .retain_for_ms = 0};
    MILLRACE_ASSIGN(const auto checkpoint, Checkpoint::open(disk_, clock_, options));
    MILLRACE_ASSIGN(const RestartPoint point, checkpoint->restart());
    check(point);
    if (!point.start) {
      MILLRACE_TRY(checkpoint->write_start({{{"clicks", {{"clicks-0", 0}}}}, {}}));
    }
    acknowledged_.start = true;
    std::int64_t position =
        point.positions().empty() ? 0 : point.positions().at("clicks").at("clicks-0");
    for (const OpenEpoch& open : point.open) {
      MILLRACE_TRY(run_epoch(*checkpoint, open.offsets));
      position = open.offsets.ranges.at("clicks").at("clicks-0").to;
    }
    for (std::int64_t n = point.next.value; n < kEpochs; ++n) {
      const std::int64_t end = position + static_cast<std::int64_t>(random_() % 5);
      MILLRACE_TRY(run_epoch(*checkpoint, offsets(n, position, end)));
      position = end;
    }
    return {};
  }

  [[nodiscard]] const Acknowledged& acknowledged() const { return acknowledged_; }

 private:
  OffsetsRecord offsets(std::int64_t n, std::int64_t from, std::int64_t to) {
    OffsetsRecord record;
    record.epoch = Epoch(n);
    record.time = WallTime(n);
    record.ranges["clicks"]["clicks-0"] = {from, to};
    return record;
  }

  Status run_epoch(Checkpoint& checkpoint, const OffsetsRecord& record) {
    PreparedRecord prepared;
    prepared.epoch = record.epoch;
    prepared.attempt = checkpoint.attempt();
    if (random_() % 2 == 0) {
      MILLRACE_TRY(checkpoint.write_closed(record, prepared));
      promise_offsets(record);
    } else {
      MILLRACE_TRY(checkpoint.write_offsets(record));
      promise_offsets(record);
      MILLRACE_TRY(checkpoint.write_prepared(prepared));
    }
    MILLRACE_TRY(checkpoint.write_commit({record.epoch, checkpoint.attempt(), std::nullopt}));
    acknowledged_.commits = std::max(acknowledged_.commits, record.epoch.value + 1);
    return checkpoint.retain(WallTime(1'000'000'000));
  }

  void promise_offsets(const OffsetsRecord& record) {
    acknowledged_.offsets = std::max(acknowledged_.offsets, record.epoch.value + 1);
    promised_[record.epoch.value] = record;
  }

  void check(const RestartPoint& point) {
    const std::int64_t committed = point.committed ? point.committed->commit.epoch.value + 1 : 0;
    EXPECT_TRUE(point.start || !acknowledged_.start);
    EXPECT_GE(committed, acknowledged_.commits);
    EXPECT_GE(point.next.value, acknowledged_.offsets);
    EXPECT_EQ(point.next.value, committed + static_cast<std::int64_t>(point.open.size()));
    EXPECT_EQ(point.notices, std::vector<std::string>{});

    acknowledged_.commits = committed;
    std::int64_t position = 0;
    if (point.committed) {
      check_promised(point.committed->offsets);
      position = point.committed->offsets.ranges.at("clicks").at("clicks-0").to;
    }
    for (const OpenEpoch& open : point.open) {
      check_promised(open.offsets);
      EXPECT_EQ(open.offsets.ranges.at("clicks").at("clicks-0").from, position);
      position = open.offsets.ranges.at("clicks").at("clicks-0").to;
    }
  }

  void check_promised(const OffsetsRecord& record) {
    const auto found = promised_.find(record.epoch.value);
    if (found == promised_.end()) {
      promise_offsets(record);  // what a restart has shown may not go away again either
    } else {
      EXPECT_EQ(record, found->second);
    }
  }

  support::LyingDisk disk_;
  std::mt19937_64 random_;
  ManualClock clock_;
  Acknowledged acknowledged_;
  std::map<std::int64_t, OffsetsRecord> promised_;
};

std::int64_t operations_of_a_whole_life() {
  CrashingQuery query(0);
  EXPECT_TRUE(query.run());
  return query.disk().operations();
}

TEST(CheckpointCrash, LosesNothingAcknowledgedWhenThePowerGoesAtAnyOperation) {
  const std::int64_t operations = operations_of_a_whole_life();
  ASSERT_GT(operations, 100);

  for (std::int64_t stop = 0; stop < operations + 20; ++stop) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(testing::Message() << "stop " << stop << " seed " << seed);
      CrashingQuery query(seed);
      query.disk().stop_at(stop);
      if (query.run()) continue;
      ASSERT_TRUE(query.disk().is_stopped());
      query.disk().crash();
      const Status second = query.run();
      ASSERT_TRUE(second) << second.error().message;
      EXPECT_EQ(query.acknowledged().commits, kEpochs);
      if (HasFailure()) return;
    }
  }
}

TEST(CheckpointCrash, SurvivesOneCrashAfterAnother) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    CrashingQuery query(seed);
    for (int crash = 0; crash < 12; ++crash) {
      query.disk().stop_at(static_cast<std::int64_t>(random() % 60));
      const Status status = query.run();
      ASSERT_TRUE(status || query.disk().is_stopped()) << status.error().message;
      query.disk().crash();
    }
    const Status last = query.run();
    ASSERT_TRUE(last) << last.error().message;
    EXPECT_EQ(query.acknowledged().commits, kEpochs);
    if (HasFailure()) return;
  }
}

TEST(CheckpointCrash, LosesNothingWhenOnlyTheProcessDiesOrOneOperationFails) {
  const std::int64_t operations = operations_of_a_whole_life();

  for (std::int64_t failing = 0; failing < operations; ++failing) {
    SCOPED_TRACE(testing::Message() << "operation " << failing);
    CrashingQuery query(1);
    query.disk().fail_at(failing);
    const Status first = query.run();
    EXPECT_TRUE(first || first.error().code == ErrorCode::kIo) << first.error().message;
    const Status second = query.run();
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(query.acknowledged().commits, kEpochs);

    query.disk().crash();
    const Status third = query.run();
    ASSERT_TRUE(third) << third.error().message;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace millrace::state
