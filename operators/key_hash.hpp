#pragma once

#include "millrace/column.hpp"

#include <cstdint>
#include <span>

namespace millrace::operators {

/// Hashes of keys made of one or more columns, for tables in memory. Not stable between versions:
/// nothing durable may rest on them.

/// Mixes the column's value of every row into `hashes`, which has a number per row: all 0 before
/// the first column of a key. What lies under a null is hashed as it is.
void mix_hashes(const Column& column, std::span<std::uint64_t> hashes);

/// Gives all rows in which the column is null one hash, for keys whose nulls are equal. Right after
/// the column was mixed in.
void level_null_hashes(const Column& column, std::span<std::uint64_t> hashes);

/// Whether two values of columns of one type are the same key: as SQL's equality, but NaN is itself
/// and zero has no sign. Neither is null.
[[nodiscard]] bool are_keys_equal(const Column& left, std::size_t left_row, const Column& right,
                                  std::size_t right_row);
/// The same where either may be null: nulls are equal to each other and to nothing else.
[[nodiscard]] bool are_keys_same(const Column& left, std::size_t left_row, const Column& right,
                                 std::size_t right_row);

}  // namespace millrace::operators
