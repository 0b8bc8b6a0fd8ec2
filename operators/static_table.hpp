#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "formats/table_rows.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

namespace millrace::operators {

/// A table held in memory with an index over one list of key columns. Built once; then immutable,
/// read from any thread, shared by all tasks of a query, and outliving their batches: text that a
/// join puts into its output is a view into it.
class StaticTable {
 public:
  static constexpr std::uint32_t kNoRow = UINT32_MAX;

  /// Builds the index. Rows with a null in their key are kept but never found, unless the place of
  /// that column in `key_columns` is one of `null_safe_keys`: nulls are equal there.
  /// kInvalidArgument when a key column is an array, struct or map, or the table has 2^32 rows or
  /// more.
  [[nodiscard]] static Result<std::shared_ptr<const StaticTable>> build(
      formats::TableRows rows, std::vector<std::size_t> key_columns,
      std::set<std::size_t> null_safe_keys = {});

  [[nodiscard]] std::size_t rows() const { return rows_.rows; }
  [[nodiscard]] const Schema& schema() const { return *rows_.schema; }
  [[nodiscard]] const Column& column(std::size_t index) const { return rows_.columns[index]; }

  /// The first row, in the table's order, whose key equals that of row `row` of `keys`, whose hash
  /// mix_hashes (and level_null_hashes, of null-safe keys) gave; or kNoRow. No other key is null
  /// there.
  [[nodiscard]] std::uint32_t find(std::span<const Column* const> keys, std::size_t row,
                                   std::uint64_t hash) const;
  /// The next row with the same key as `row`, or kNoRow.
  [[nodiscard]] std::uint32_t next(std::uint32_t row) const { return next_[row]; }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t first_row = kNoRow;  ///< kNoRow: the slot is free
  };

  StaticTable(formats::TableRows rows, std::vector<std::size_t> key_columns,
              std::set<std::size_t> null_safe_keys);
  void index_rows();
  [[nodiscard]] Slot& slot_for(std::uint32_t row, std::uint64_t hash);
  [[nodiscard]] bool has_null_key(std::uint32_t row) const;

  formats::TableRows rows_;
  std::vector<std::size_t> key_columns_;
  std::vector<bool> is_null_safe_;   ///< per key
  std::vector<Slot> slots_;          ///< open addressing; its size is a power of two
  std::vector<std::uint32_t> next_;  ///< per row
};

}  // namespace millrace::operators
