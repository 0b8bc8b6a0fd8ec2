#pragma once

#include "state/checkpoint.hpp"
#include "tests/support/lying_disk.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace millrace::state {

inline constexpr const char* kFolder = "chk/enrich";
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

}  // namespace millrace::state
