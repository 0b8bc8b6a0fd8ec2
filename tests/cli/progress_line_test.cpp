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
}

}  // namespace
}  // namespace millrace::cli
