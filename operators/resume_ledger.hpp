#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "formats/record_position.hpp"
#include "stream/replay_filter.hpp"
#include "stream/sink.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace millrace::operators {

/// (writer, source) -> the newest of its records in each output partition.
using WrittenMarks = std::map<std::pair<std::uint32_t, std::uint64_t>, stream::OutputMarks>;

/// What the writers of a sink that resumes share: what is in the tail, and how many of them have
/// not come to its end yet. The tail and the numbers are fixed before the first writer;
/// thread-safe.
struct ResumeLedger {
  formats::RecordPosition position;  ///< checkpoint and generation, for every record
  WrittenMarks tail;                 ///< what was written behind the newest commit
  std::int32_t partitions = 0;  ///< that records with a key, and those with none, are spread over
  /// Writers that have not passed all that they wrote before the crash. Until they have, records
  /// of a later epoch may stand before those of an earlier one, and the ends of the newest commit
  /// stay what they are.
  std::atomic<std::int64_t> behind{0};
};

/// One writer's part of that: numbers its records, leaves out those that are there, and makes the
/// header of the others. Owned and called by the writer's thread.
class ResumedWriter {
 public:
  ResumedWriter(std::shared_ptr<ResumeLedger> shared, const stream::WriterPlace& place);

  /// Whether the batch goes on where the one before ended. kDataLoss when the source partition's
  /// history began anew: its offsets no longer say which records were written.
  [[nodiscard]] Status check(const Batch& rows) const;
  /// Counts the next record, which was made from this offset. Every one, whatever becomes of it.
  void next(std::int64_t offset) { position_.mark = filter_.next(offset); }
  /// Whether it is there already.
  [[nodiscard]] bool is_written(std::int32_t output_partition) const {
    return filter_.is_written(output_partition, position_.mark);
  }
  /// The bytes of its header; good until the next call.
  [[nodiscard]] const formats::RecordPositionBytes& header() {
    formats::encode(position_, header_);
    return header_;
  }
  [[nodiscard]] std::int32_t partitions() const { return shared_->partitions; }
  /// Notes, behind a batch, that everything written before the crash has come again.
  void note_passed();

 private:
  const std::shared_ptr<ResumeLedger> shared_;
  formats::RecordPosition position_;
  stream::ReplayFilter filter_;
  formats::RecordPositionBytes header_{};
  bool has_passed_ = false;
};

}  // namespace millrace::operators
