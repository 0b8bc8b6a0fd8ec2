#pragma once

#include "millrace/data_type.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Exact decimals: whole numbers of up to 38 digits with a scale. Pure functions, no allocation in
// those that write into a buffer.

namespace millrace::stream {

/// Room that write_decimal needs at most: sign, zero, point, 38 digits.
inline constexpr std::size_t kDecimalTextMax = 41;

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

}  // namespace millrace::stream
