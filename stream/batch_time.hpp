#pragma once

#include "millrace/strong.hpp"

#include <optional>

namespace millrace::stream {

/// While one of these lives, the calling thread's expressions take `time` for the time of their
/// batches, whatever the clock says: the rows of a planned epoch have the time at which it was
/// planned, and again the same when it runs again after a crash. Not nested.
class BatchTimeScope {
 public:
  /// None: the clock says.
  explicit BatchTimeScope(std::optional<WallTime> time);
  ~BatchTimeScope();
  BatchTimeScope(const BatchTimeScope&) = delete;
  BatchTimeScope& operator=(const BatchTimeScope&) = delete;
};

}  // namespace millrace::stream
