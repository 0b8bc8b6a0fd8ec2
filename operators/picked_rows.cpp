#include "operators/picked_rows.hpp"

#include "stream/arena_text.hpp"

#include <algorithm>

namespace millrace::operators {

namespace {

void pick_with_nulls(Column& target, const Column& source, std::span<const std::uint32_t> rows) {
  target.resize(0);
  for (const std::uint32_t row : rows) {
    if (row == kNoRow)
      target.append_null();
    else
      target.append_from(source, row);
  }
}

/// Ascending and as many as there are rows, from the first to the last: each of them once, unless
/// some are repeated in the place of others.
bool is_each_once(std::size_t rows, std::span<const std::uint32_t> picks) {
  if (picks.size() != rows) return false;
  for (std::size_t i = 0; i < picks.size(); ++i)
    if (picks[i] != i) return false;
  return true;
}

}  // namespace

void pick_values(Column& target, const Column& source, std::span<const std::uint32_t> rows) {
  if (std::ranges::find(rows, kNoRow) == rows.end()) return target.gather_from(source, rows);
  pick_with_nulls(target, source, rows);
}

PickedRows::PickedRows(std::vector<std::size_t> passed_columns)
    : columns_(std::move(passed_columns)) {
  for (std::size_t i = 0; i < columns_.size(); ++i) passed_.add(i, columns_[i]);
  positions_.reserve(kBatchRowsMax);
}

void PickedRows::finish_part(const Batch& rows, std::span<const std::uint32_t> picks,
                             Batch& result) {
  pick(rows, picks, result);
  for (std::size_t i = 0; i < result.column_count(); ++i)
    stream::own_text(result.column(i), result.arena());
  result.set_rows(picks.size());
  result.set_positions(positions_);
  result.set_origin(rows.origin());
  result.set_ingest(rows.ingest());
}

void PickedRows::finish_last(Batch& rows, std::span<const std::uint32_t> picks, Batch& result) {
  if (is_each_once(rows.rows(), picks)) {
    passed_.pass(rows, result);
    return result.adopt(rows);
  }
  pick(rows, picks, result);
  result.adopt(rows);
  result.set_rows(picks.size());
  result.set_positions(positions_);
}

void PickedRows::pick(const Batch& rows, std::span<const std::uint32_t> picks, Batch& result) {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    result.column(i).gather_from(rows.column(columns_[i]), picks);
  positions_.clear();
  if (!rows.positions().empty())
    for (const std::uint32_t row : picks) positions_.push_back(rows.positions()[row]);
}

}  // namespace millrace::operators
