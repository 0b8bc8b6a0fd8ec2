#pragma once

#include "millrace/column.hpp"

#include <compare>
#include <cstddef>

// The one order of values, of every type that has one: doubles with NaN equal to itself and above
// all others, 0.0 equal to -0.0; false below true; texts by their bytes; intervals by their length,
// a month taken as 30 days and a day as 24 hours; arrays and structs by their elements one after
// the other, where a null is below every value and equal to a null.

namespace millrace::stream {

/// Whether values of the type can be put in order: all but maps and what holds them.
[[nodiscard]] bool has_order(const DataType& type);
/// Whether values of the type can be told apart: all but maps and what holds them.
[[nodiscard]] bool has_equality(const DataType& type);

/// How long an interval is, in µs, as far as order and equality go.
[[nodiscard]] Int128 length_of(const Interval& interval);

/// Orders two values, neither of them null. The types are equal, but for the scale of decimals.
[[nodiscard]] std::weak_ordering compare_values(const Column& left, std::size_t left_row,
                                                const Column& right, std::size_t right_row);
/// The same for values that may be null.
[[nodiscard]] std::weak_ordering compare_nullable(const Column& left, std::size_t left_row,
                                                  const Column& right, std::size_t right_row);

}  // namespace millrace::stream
