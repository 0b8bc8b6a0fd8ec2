#include "operators/static_table.hpp"

#include "operators/key_hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace millrace::operators {

Result<std::shared_ptr<const StaticTable>> StaticTable::build(
    formats::TableRows rows, std::vector<std::size_t> key_columns,
    std::set<std::size_t> null_safe_keys) {
  if (rows.rows >= kNoRow)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a static table holds fewer than {} rows, not {}", kNoRow, rows.rows));
  for (const std::size_t column : key_columns) {
    const Field& field = rows.schema->field(column);
    if (!field.type.fields().empty())
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("column {} of type {} cannot be a join key", field.name,
                              field.type.to_string()));
  }
  return std::shared_ptr<const StaticTable>(
      new StaticTable(std::move(rows), std::move(key_columns), std::move(null_safe_keys)));
}

StaticTable::StaticTable(formats::TableRows rows, std::vector<std::size_t> key_columns,
                         std::set<std::size_t> null_safe_keys)
    : rows_(std::move(rows)), key_columns_(std::move(key_columns)), next_(rows_.rows, kNoRow) {
  for (std::size_t i = 0; i < key_columns_.size(); ++i)
    is_null_safe_.push_back(null_safe_keys.contains(i));
  // At most half full, so that a search ends soon.
  slots_.resize(std::bit_ceil(std::max<std::size_t>(8, 2 * rows_.rows)));
  index_rows();
}

void StaticTable::index_rows() {
  std::vector<std::uint64_t> hashes(rows_.rows, 0);
  for (std::size_t i = 0; i < key_columns_.size(); ++i) {
    mix_hashes(rows_.columns[key_columns_[i]], hashes);
    if (is_null_safe_[i]) level_null_hashes(rows_.columns[key_columns_[i]], hashes);
  }
  // From the last row to the first, so that each list begins with its first row.
  for (auto row = static_cast<std::uint32_t>(rows_.rows); row-- > 0;) {
    if (has_null_key(row)) continue;
    Slot& slot = slot_for(row, hashes[row]);
    next_[row] = slot.first_row;
    slot = {hashes[row], row};
  }
}

StaticTable::Slot& StaticTable::slot_for(std::uint32_t row, std::uint64_t hash) {
  for (std::size_t place = hash & (slots_.size() - 1);; place = (place + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[place];
    if (slot.first_row == kNoRow) return slot;
    if (slot.hash != hash) continue;
    const bool is_equal = std::ranges::all_of(key_columns_, [&](std::size_t column) {
      return are_keys_same(rows_.columns[column], slot.first_row, rows_.columns[column], row);
    });
    if (is_equal) return slot;
  }
}

std::uint32_t StaticTable::find(std::span<const Column* const> keys, std::size_t row,
                                std::uint64_t hash) const {
  for (std::size_t place = hash & (slots_.size() - 1);; place = (place + 1) & (slots_.size() - 1)) {
    const Slot& slot = slots_[place];
    if (slot.first_row == kNoRow) return kNoRow;
    if (slot.hash != hash) continue;
    bool is_equal = true;
    for (std::size_t i = 0; i < keys.size() && is_equal; ++i)
      is_equal = are_keys_same(*keys[i], row, rows_.columns[key_columns_[i]], slot.first_row);
    if (is_equal) return slot.first_row;
  }
}

bool StaticTable::has_null_key(std::uint32_t row) const {
  for (std::size_t i = 0; i < key_columns_.size(); ++i)
    if (!is_null_safe_[i] && rows_.columns[key_columns_[i]].is_null(row)) return true;
  return false;
}

}  // namespace millrace::operators
