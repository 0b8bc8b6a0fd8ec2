#pragma once

#include "millrace/strong.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::state {

/// How much history a checkpoint keeps.
struct RetentionOptions {
  /// This many of the newest committed epochs are kept whole, whatever their age.
  std::int64_t keep_newest = 100;
  /// Older ones: the first of each minute, as long as it is not older than this.
  std::int64_t retain_for_ms = 3'600'000;
};

/// A committed epoch and its time.
struct RetainedEpoch {
  Epoch epoch;
  WallTime time;
};

/// Decides which committed epochs to remove, lowest first. `committed` ascends by epoch. A pure
/// function: the same answer for the same input, and asking again after the removal gives nothing.
/// A wall clock that steps cannot make it keep more than keep_newest plus one a minute of
/// retain_for.
[[nodiscard]] std::vector<Epoch> epochs_to_remove(std::span<const RetainedEpoch> committed,
                                                  WallTime now, const RetentionOptions& options);

}  // namespace millrace::state
