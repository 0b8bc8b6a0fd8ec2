#pragma once

#include "millrace/data_type.hpp"

#include "formats/json_scanner.hpp"
#include "stream/decimal.hpp"

#include <double-conversion/double-conversion.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

// What JSON's numbers and words mean as values of columns. In a header, to be inlined into the loop
// that reads records.

namespace millrace::formats {

/// Integers of at most this many digits are exact as doubles.
inline constexpr int kExactDigitsMax = 15;
/// Significands of at most this many digits are exact.
inline constexpr int kSignificandDigitsMax = 19;

inline constexpr std::array<double, 16> kPowersOfTen = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/// True and the value when it fits; the sign is applied in unsigned arithmetic.
inline bool to_int64(const JsonScanner::Number& number, std::int64_t& value) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (!number.is_integer || number.digits > kSignificandDigitsMax) return false;
  if (number.significand > kMax + (number.is_negative ? 1 : 0)) return false;
  value =
      static_cast<std::int64_t>(number.is_negative ? 0 - number.significand : number.significand);
  return true;
}

/// The nearest double. False when that is infinite.
inline bool to_double(const JsonScanner::Number& number, double& value) {
  if (number.digits <= kExactDigitsMax && !number.has_exponent) {
    // Both numbers are exact doubles, so one division rounds once: the nearest double.
    value = static_cast<double>(number.significand) /
            kPowersOfTen[static_cast<std::size_t>(number.fraction_digits)];
    if (number.is_negative) value = -value;
    return true;
  }
  const char* const end = number.text.data() + number.text.size();
  if (std::from_chars(number.text.data(), end, value).ec == std::errc()) return true;
  // Out of range: too small is zero, too large is refused.
  static const double_conversion::StringToDoubleConverter converter(
      double_conversion::StringToDoubleConverter::NO_FLAGS, 0.0, 0.0, nullptr, nullptr);
  int used = 0;
  value = converter.StringToDouble(number.text.data(), static_cast<int>(number.text.size()), &used);
  return std::isfinite(value);
}

/// The number at the type's scale, rounded half away from zero. Nothing if it does not fit.
inline std::optional<Decimal> to_decimal(const JsonScanner::Number& number, const DataType& type) {
  if (number.digits > kSignificandDigitsMax || number.has_exponent)
    return stream::read_decimal(number.text, type.precision(), type.scale());
  const Int128 digits = number.significand;
  return stream::rescale({Decimal{number.is_negative ? -digits : digits}, number.fraction_digits},
                         type);
}

inline bool special_double(std::string_view text, double& value) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN")
    value = std::numeric_limits<double>::quiet_NaN();
  else if (text == "Infinity" || text == "+Infinity" || text == "INF" || text == "+INF")
    value = kInfinity;
  else if (text == "-Infinity" || text == "-INF")
    value = -kInfinity;
  else
    return false;
  return true;
}

}  // namespace millrace::formats
