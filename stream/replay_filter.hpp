#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

namespace millrace::stream {

/// Which of the records that a writer makes out of one source partition: the `index`-th that was
/// made from the record at `offset`. A writer makes them in this order, whatever batches they come
/// in, as long as the chain before it gives the same rows for the same records.
struct OutputMark {
  std::int64_t offset = -1;
  std::int32_t index = 0;

  friend auto operator<=>(const OutputMark&, const OutputMark&) = default;
};

/// Output partition -> the newest record there.
using OutputMarks = std::map<std::int32_t, OutputMark>;

/// Lets a writer leave out records that it wrote before a crash. What a writer sent to one output
/// partition arrived as a prefix of what it sent, so that all up to the newest one there are there,
/// and none behind it. One per writer, used by its thread; costs a comparison once what was written
/// has been passed.
class ReplayFilter {
 public:
  ReplayFilter() = default;
  explicit ReplayFilter(OutputMarks written);

  /// The mark of the next record, made from `offset`; offsets never go down.
  [[nodiscard]] OutputMark next(std::int64_t offset) {
    newest_ = {offset, offset == newest_.offset ? newest_.index + 1 : 0};
    return newest_;
  }
  /// Whether the record is there already.
  [[nodiscard]] bool is_written(std::int32_t output_partition, const OutputMark& mark) const {
    if (mark > written_up_to_) [[likely]]
      return false;
    const auto found = written_.find(output_partition);
    return found != written_.end() && mark <= found->second;
  }
  /// Whether everything that was written has come again.
  [[nodiscard]] bool has_passed() const { return newest_ >= written_up_to_; }
  /// Whether this offset can come next: they never go down.
  [[nodiscard]] bool may_follow(std::int64_t offset) const { return offset >= newest_.offset; }

 private:
  OutputMarks written_;
  OutputMark written_up_to_;  ///< the newest of them
  OutputMark newest_;
};

}  // namespace millrace::stream
