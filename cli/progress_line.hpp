#pragma once

#include "millrace/query.hpp"

#include <string>

namespace millrace::cli {

/// One epoch in one line: "enriched epoch 17: 5000 in, 3333 out, 1000 rows/s; fetch p50 0.41 p99
/// 1.20 max 3.10 ms; ...".
[[nodiscard]] std::string progress_line(const QueryProgress& progress);

}  // namespace millrace::cli
