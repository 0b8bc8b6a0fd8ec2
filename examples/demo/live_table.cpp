#include "examples/demo/live_table.hpp"

#include <fmt/format.h>

namespace millrace::demo {

namespace {

constexpr const char* kStages[] = {"fetch", "decode", "chain", "produce-ack"};

double ms(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }

}  // namespace

std::string table_header() {
  std::string names = fmt::format("{:>15}", "records/s");
  std::string columns = fmt::format("{:>7} {:>7}", "in", "out");
  for (const char* stage : kStages) {
    names += fmt::format(" | {:^22}", std::string(stage) + ", ms");
    columns += fmt::format(" | {:>6} {:>7} {:>7}", "p50", "p99", "max");
  }
  return names + "\n" + columns;
}

std::string table_row(const QueryProgress& progress) {
  const double seconds = static_cast<double>(progress.duration_ns) / 1e9;
  const auto per_second = [seconds](std::int64_t rows) {
    return seconds > 0 ? static_cast<double>(rows) / seconds : 0.0;
  };
  std::string row =
      fmt::format("{:>7.0f} {:>7.0f}", per_second(progress.rows_in), per_second(progress.rows_out));
  for (const char* name : kStages)
    for (const StageLatency& stage : progress.stages)
      if (stage.stage == name)
        row += fmt::format(" | {:>6.3f} {:>7.3f} {:>7.3f}", ms(stage.p50_ns), ms(stage.p99_ns),
                           ms(stage.max_ns));
  return row;
}

}  // namespace millrace::demo
