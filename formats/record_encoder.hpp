#pragma once

#include "millrace/batch.hpp"

namespace millrace::formats {

/// Turns rows into the value bytes of records. Made for one choice of columns; owned and called by
/// one task's thread. Allocates nothing per record once warm.
class RecordEncoder {
 public:
  virtual ~RecordEncoder() = default;

  /// Writes one value per row of `rows` into `values` (resized to their number), its bytes into
  /// `arena` or left where the row's own text lies: pass the arena of `rows`, and let the batch
  /// that holds `values` adopt it.
  virtual void encode(const Batch& rows, Column& values, Arena& arena) = 0;
};

}  // namespace millrace::formats
