#include "cli/progress_line.hpp"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

TEST(ProgressLine, TellsAnEpochInOneLine) {
  QueryProgress progress;
  progress.query = "enriched";
  progress.epoch = Epoch(17);
  progress.rows_in = 5000;
  progress.rows_out = 3333;
  progress.duration_ns = 5'000'000'000;
  progress.stages = {{"fetch", 5000, 410'000, 1'200'000, 3'100'000}, {"chain", 0, 0, 0, 0}};

  EXPECT_EQ(progress_line(progress),
            "enriched epoch 17: 5000 in, 3333 out, 1000 rows/s; fetch p50 0.410 p99 1.200 max "
            "3.100 ms");

  progress.rows_behind = 12;
  progress.stages.clear();
  EXPECT_EQ(progress_line(progress),
            "enriched epoch 17: 5000 in, 3333 out, 1000 rows/s, 12 behind");
}

TEST(ProgressLine, TellsOfBadRecordsBySourceAndReason) {
  QueryProgress progress;
  progress.query = "enriched";
  progress.duration_ns = 1'000'000'000;
  progress.bad_records = {{"clicks", "malformed", 3}, {"clicks", "expression", 1}};

  EXPECT_EQ(progress_line(progress),
            "enriched: 0 in, 0 out, 0 rows/s; 3 bad of clicks (malformed); 1 bad of clicks "
            "(expression)");
}

}  // namespace
}  // namespace millrace::cli
