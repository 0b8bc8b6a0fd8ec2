#pragma once

#include "millrace/batch.hpp"

#include "stream/bad_record_policy.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::formats {

/// A row whose value cannot become columns, and why, as the end of a sentence.
struct BadRow {
  std::uint32_t row = 0;
  stream::BadRecordReason kind = stream::BadRecordReason::kMalformed;  ///< or kField
  std::string reason;
};

/// Turns the value bytes of a batch's records into columns. Made for one list of fields; owned and
/// called by one task's thread. Allocates nothing per record once warm, except for bad rows.
class RecordDecoder {
 public:
  virtual ~RecordDecoder() = default;

  /// Decodes `values` (string or bytes) row by row: field i becomes column i of `out`, which is
  /// resized to the number of values. A null value gives null in every field. Text may stay a view
  /// into the value's own bytes, the rest is put into `arena`: pass that of the batch which holds
  /// the values, and let `out` adopt it. A row that cannot be decoded is added to `bad` (which is
  /// not cleared; it ascends by row): a malformed one is null in every field, one with a value that
  /// does not fit in the fields of such values alone.
  virtual void decode(const Column& values, Batch& out, Arena& arena, std::vector<BadRow>& bad) = 0;
};

}  // namespace millrace::formats
