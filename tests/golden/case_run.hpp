#pragma once

#include "millrace/error.hpp"

#include "formats/json_document.hpp"

#include <cstddef>
#include <string>

namespace millrace::golden {

/// How cases are run.
struct RunSettings {
  std::string drive = "open";
  std::string store = "memory";
  std::size_t batch_rows = 1024;
  std::size_t parallelism = 1;  ///< partitions of every stream
  bool restarts_every_epoch = false;
};

/// What became of a case.
struct Verdict {
  enum class Kind { kPassed, kFailed, kSkipped };

  Kind kind = Kind::kPassed;
  std::string reason;  ///< of a failure or a skip
};

/// Runs one case: builds its query by the public API, feeds its steps to the query in the inline
/// runtime, and holds rows, types and errors against those expected. A case that needs what is not
/// built, or has a member that nobody knows, is skipped; one that cannot be read has failed.
[[nodiscard]] Verdict run_case(const formats::JsonValue& golden, const RunSettings& settings);

}  // namespace millrace::golden
