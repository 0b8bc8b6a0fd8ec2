#pragma once

#include "millrace/error.hpp"

#include "tests/golden/case_run.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace millrace::golden {

/// What the command line asks for.
struct Arguments {
  RunSettings settings;
  std::size_t passed_min = 0;  ///< fewer passed cases are a failure of the run
  std::vector<std::string> paths;
};

inline constexpr const char* kUsage =
    "millrace_golden [--drive planned|open] [--store memory|rocksdb] [--batch-rows N]\n"
    "                [--parallelism N] [--restart-every-epoch] [--passed-min N] PATH...\n";

[[nodiscard]] Result<Arguments> read_arguments(std::span<const std::string> words);

}  // namespace millrace::golden
