#pragma once

#include "millrace/error.hpp"

#include "tests/golden/case_run.hpp"
#include "tests/golden/run_report.hpp"

#include <span>
#include <string>
#include <vector>

namespace millrace::golden {

/// What the command line asks for.
struct Arguments {
  RunSettings settings;
  Allowances allowances;
  bool leaves_state_out = false;  ///< cases that need state are not run
  std::string report;             ///< where to write the outcomes as XML; empty: nowhere
  std::vector<std::string> paths;
};

inline constexpr const char* kUsage =
    "millrace_golden [--drive planned|open] [--store memory|rocksdb] [--batch-rows N]\n"
    "                [--parallelism N] [--restart-every-epoch] [--strict]\n"
    "                [--may-skip NAME,NAME...] [--exceptions FILE] [--without-state]\n"
    "                [--report FILE] PATH...\n";

[[nodiscard]] Result<Arguments> read_arguments(std::span<const std::string> words);

}  // namespace millrace::golden
