#pragma once

#include "millrace/data_type.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Exact decimals: whole numbers of up to 38 digits with a scale. Pure functions, no allocation in
// those that write into a buffer. Every result is exact before it is rounded once, whatever the
// operands: what does not fit 128 bits on the way is computed with 512.

namespace millrace::stream {

/// Room that write_decimal needs at most: sign, zero, point, 38 digits.
inline constexpr std::size_t kDecimalTextMax = 41;

/// How digits that have no place are given up.
enum class Rounding : std::uint8_t {
  kHalfUp,    ///< to the nearest, halves away from zero
  kHalfEven,  ///< to the nearest, halves to the even digit
  kDown,      ///< towards zero
  kFloor,
  kCeiling,
};

/// 10 to the power of 0 to 38.
[[nodiscard]] Int128 power_of_ten(int exponent);

/// Whether the number has at most so many digits.
[[nodiscard]] inline bool fits_precision(Decimal value, int precision) {
  const Int128 limit = power_of_ten(precision);
  return value.unscaled < limit && value.unscaled > -limit;
}

/// Writes all digits: "-0.05", "12.50", "7". Gives the length.
std::size_t write_decimal(Decimal value, int scale, char* out);
std::string decimal_text(Decimal value, int scale);

/// Reads "12", "-.5", "1.25e3", blanks at its ends apart, rounded half away from zero to the scale.
/// Nothing if it is not a number or has too many digits before the point.
std::optional<Decimal> read_decimal(std::string_view text, int precision, int scale);

// A decimal and its scale, as it stands in a column.
struct ScaledDecimal {
  Decimal value;
  int scale = 0;
};

// What follows gives nothing if the result has more digits than the precision; `type` is the
// result's.

/// The same number at the type's scale. `type.scale()` may be below `value.scale`.
[[nodiscard]] std::optional<Decimal> rescale(ScaledDecimal value, const DataType& type,
                                             Rounding rounding = Rounding::kHalfUp);
[[nodiscard]] std::optional<Decimal> add(ScaledDecimal left, ScaledDecimal right,
                                         const DataType& type);
[[nodiscard]] std::optional<Decimal> subtract(ScaledDecimal left, ScaledDecimal right,
                                              const DataType& type);
[[nodiscard]] std::optional<Decimal> multiply(ScaledDecimal left, ScaledDecimal right,
                                              const DataType& type);
/// `right` is not zero.
[[nodiscard]] std::optional<Decimal> divide(ScaledDecimal left, ScaledDecimal right,
                                            const DataType& type,
                                            Rounding rounding = Rounding::kHalfUp);
/// What is left of `left` after dividing to a whole number, with its sign. `right` is not zero.
[[nodiscard]] std::optional<Decimal> remainder(ScaledDecimal left, ScaledDecimal right,
                                               const DataType& type);

/// Rounds to a multiple of 10^places (places >= 0): 1250 to hundreds.
[[nodiscard]] std::optional<Int128> round_to_places(Int128 value, int places, Rounding rounding);

[[nodiscard]] std::strong_ordering compare(ScaledDecimal left, ScaledDecimal right);

/// The nearest double.
[[nodiscard]] double to_double(ScaledDecimal value);
/// By the shortest digits that name the double. Nothing for NaN, infinities and what does not fit.
[[nodiscard]] std::optional<Decimal> from_double(double value, int precision, int scale);

}  // namespace millrace::stream
