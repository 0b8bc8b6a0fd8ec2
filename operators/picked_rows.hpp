#pragma once

#include "millrace/batch.hpp"

#include "operators/passed_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::operators {

/// Stands for no row: the picked value is null.
inline constexpr std::uint32_t kNoRow = UINT32_MAX;

/// Makes `target` source[rows[0]], source[rows[1]], ... with null for kNoRow. String views are
/// copied, not bytes.
void pick_values(Column& target, const Column& source, std::span<const std::uint32_t> rows);

/// Output batches made of input rows that go on any number of times: what joins and explodes have
/// in common. Hands `passed_columns` of the input on as the first columns of the output, and the
/// rows' positions, origin and ingest time with them. The caller fills the columns behind, before
/// it calls either verb. `picks` ascends and names an input row per output row.
class PickedRows {
 public:
  explicit PickedRows(std::vector<std::size_t> passed_columns);

  /// Finishes a batch while more from the same rows follow: text is copied into its own arena.
  void finish_part(const Batch& rows, std::span<const std::uint32_t> picks, Batch& result);
  /// Finishes the last batch from these rows, which takes their memory over.
  void finish_last(Batch& rows, std::span<const std::uint32_t> picks, Batch& result);

 private:
  void pick(const Batch& rows, std::span<const std::uint32_t> picks, Batch& result);

  std::vector<std::size_t> columns_;
  PassedColumns passed_;  ///< the same, for when every row goes on once
  std::vector<std::int64_t> positions_;
};

}  // namespace millrace::operators
