#include "cli/progress_line.hpp"

#include <fmt/format.h>

namespace millrace::cli {
namespace {

double milliseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

}  // namespace

std::string progress_line(const QueryProgress& progress) {
  std::string line = progress.query;
  if (progress.epoch) line += fmt::format(" epoch {}", progress.epoch->value);
  line += fmt::format(": {} in, {} out, {:.0f} rows/s", progress.rows_in, progress.rows_out,
                      progress.rows_per_second());
  if (progress.rows_behind) line += fmt::format(", {} behind", *progress.rows_behind);
  for (const BadRecordCount& bad : progress.bad_records)
    line += fmt::format("; {} bad of {} ({})", bad.count, bad.source, bad.reason);
  for (const StageLatency& stage : progress.stages) {
    if (stage.count == 0) continue;
    line += fmt::format("; {} p50 {:.3f} p99 {:.3f} max {:.3f} ms", stage.stage,
                        milliseconds(stage.p50_ns), milliseconds(stage.p99_ns),
                        milliseconds(stage.max_ns));
  }
  return line;
}

}  // namespace millrace::cli
