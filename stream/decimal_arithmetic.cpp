#include "stream/decimal.hpp"
#include "stream/scalar_text.hpp"
#include "stream/wide_number.hpp"

#include <double-conversion/double-conversion.h>

#include <algorithm>
#include <array>
#include <cmath>

// The arithmetic of decimals. Each operation tries 128 bits first, which is nearly always enough,
// and takes 512 where a step overflows.

namespace millrace::stream {

namespace {

// Doubles hold whole numbers and powers of ten up to these exactly.
constexpr Int128 kExactInDouble = Int128{1} << 53;
constexpr int kExactPowerInDouble = 22;

UnsignedInt128 magnitude(Int128 value) {
  const auto bits = static_cast<UnsignedInt128>(value);
  return value < 0 ? 0 - bits : bits;
}

std::optional<Decimal> checked(std::optional<Int128> value, const DataType& type) {
  if (!value || !fits_precision(Decimal{*value}, type.precision())) return std::nullopt;
  return Decimal{*value};
}

/// Whether a quotient's last digit goes up by one. `half` compares the remainder with half of the
/// divisor.
bool rounds_up(Rounding rounding, std::strong_ordering half, bool has_remainder, bool is_odd,
               bool is_negative) {
  switch (rounding) {
    case Rounding::kHalfUp:
      return half >= 0;
    case Rounding::kHalfEven:
      return half > 0 || (half == 0 && is_odd);
    case Rounding::kDown:
      return false;
    case Rounding::kFloor:
      return has_remainder && is_negative;
    case Rounding::kCeiling:
      return has_remainder && !is_negative;
  }
  return false;
}

/// numerator / divisor, rounded; the divisor is above zero.
Int128 divided(Int128 numerator, Int128 divisor, Rounding rounding) {
  Int128 quotient = numerator / divisor;
  const UnsignedInt128 rest = magnitude(numerator % divisor);
  const UnsignedInt128 other = static_cast<UnsignedInt128>(divisor) - rest;
  const auto half = rest < other   ? std::strong_ordering::less
                    : rest > other ? std::strong_ordering::greater
                                   : std::strong_ordering::equal;
  if (rounds_up(rounding, half, rest != 0, (quotient & 1) != 0, numerator < 0))
    quotient += numerator < 0 ? -1 : 1;
  return quotient;
}

/// The same of what is too wide.
std::optional<Int128> divided(WideNumber numerator, const WideNumber& divisor, bool is_negative,
                              Rounding rounding) {
  const WideNumber rest = numerator.divide(divisor);
  WideNumber other = divisor;
  other.subtract(rest);
  const auto half = rest.is_less(other)   ? std::strong_ordering::less
                    : other.is_less(rest) ? std::strong_ordering::greater
                                          : std::strong_ordering::equal;
  if (rounds_up(rounding, half, !rest.is_zero(), numerator.is_odd(), is_negative))
    numerator.add(WideNumber(1));
  auto quotient = numerator.as_int128();
  if (quotient && is_negative) quotient = -*quotient;
  return quotient;
}

/// The magnitude times 10^places.
WideNumber shifted(UnsignedInt128 value, int places) {
  WideNumber result(value);
  for (; places > DataType::kPrecisionMax; places -= DataType::kPrecisionMax)
    result.multiply(static_cast<UnsignedInt128>(power_of_ten(DataType::kPrecisionMax)));
  result.multiply(static_cast<UnsignedInt128>(power_of_ten(places)));
  return result;
}

/// value * 10^places where that fits 128 bits.
bool shift_up(Int128 value, int places, Int128& result) {
  if (places > DataType::kPrecisionMax) return false;
  return !__builtin_mul_overflow(value, power_of_ten(places), &result);
}

/// A wide number of some scale, at the type's.
std::optional<Int128> at_scale(WideNumber number, int scale, bool is_negative,
                               const DataType& type) {
  const int places = scale - type.scale();
  if (places < 0) number.multiply(static_cast<UnsignedInt128>(power_of_ten(-places)));
  return divided(number, shifted(1, std::max(places, 0)), is_negative, Rounding::kHalfUp);
}

/// A number of 512 bits with a sign, for sums.
struct SignedWide {
  WideNumber magnitude;
  bool is_negative = false;
};

SignedWide sum_of(const SignedWide& left, const SignedWide& right) {
  SignedWide sum = left;
  if (left.is_negative == right.is_negative) {
    sum.magnitude.add(right.magnitude);
  } else if (left.magnitude.is_less(right.magnitude)) {
    sum = right;
    sum.magnitude.subtract(left.magnitude);
  } else {
    sum.magnitude.subtract(right.magnitude);
  }
  return sum;
}

std::optional<Decimal> add_wide(ScaledDecimal left, ScaledDecimal right, int scale,
                                const DataType& type) {
  const auto widened = [scale](ScaledDecimal each) {
    return SignedWide{shifted(magnitude(each.value.unscaled), scale - each.scale),
                      each.value.unscaled < 0};
  };
  const SignedWide sum = sum_of(widened(left), widened(right));
  return checked(
      divided(sum.magnitude, shifted(1, scale - type.scale()), sum.is_negative, Rounding::kHalfUp),
      type);
}

}  // namespace

std::optional<Decimal> rescale(ScaledDecimal value, const DataType& type, Rounding rounding) {
  const int places = type.scale() - value.scale;
  if (places <= 0)
    return checked(divided(value.value.unscaled, power_of_ten(-places), rounding), type);
  Int128 result = 0;
  if (!shift_up(value.value.unscaled, places, result)) return std::nullopt;
  return checked(result, type);
}

std::optional<Decimal> add(ScaledDecimal left, ScaledDecimal right, const DataType& type) {
  const int scale = std::max(left.scale, right.scale);
  Int128 a = 0;
  Int128 b = 0;
  Int128 sum = 0;
  if (shift_up(left.value.unscaled, scale - left.scale, a) &&
      shift_up(right.value.unscaled, scale - right.scale, b) && !__builtin_add_overflow(a, b, &sum))
      [[likely]]
    return rescale({Decimal{sum}, scale}, type);
  return add_wide(left, right, scale, type);
}

std::optional<Decimal> subtract(ScaledDecimal left, ScaledDecimal right, const DataType& type) {
  return add(left, {Decimal{-right.value.unscaled}, right.scale}, type);
}

std::optional<Decimal> multiply(ScaledDecimal left, ScaledDecimal right, const DataType& type) {
  const int scale = left.scale + right.scale;
  Int128 product = 0;
  if (!__builtin_mul_overflow(left.value.unscaled, right.value.unscaled, &product) &&
      scale - type.scale() <= DataType::kPrecisionMax) [[likely]]
    return rescale({Decimal{product}, scale}, type);
  WideNumber wide(magnitude(left.value.unscaled));
  wide.multiply(magnitude(right.value.unscaled));
  const bool is_negative = (left.value.unscaled < 0) != (right.value.unscaled < 0);
  return checked(at_scale(wide, scale, is_negative, type), type);
}

std::optional<Decimal> divide(ScaledDecimal left, ScaledDecimal right, const DataType& type,
                              Rounding rounding) {
  const int places = type.scale() + right.scale - left.scale;
  const bool is_negative = (left.value.unscaled < 0) != (right.value.unscaled < 0);
  const UnsignedInt128 divisor = magnitude(right.value.unscaled);
  Int128 numerator = 0;
  if (places >= 0 && shift_up(left.value.unscaled, places, numerator)) [[likely]] {
    if (right.value.unscaled < 0) numerator = -numerator;
    return checked(divided(numerator, static_cast<Int128>(divisor), rounding), type);
  }
  const WideNumber wide = shifted(magnitude(left.value.unscaled), std::max(places, 0));
  return checked(divided(wide, shifted(divisor, std::max(-places, 0)), is_negative, rounding),
                 type);
}

std::optional<Decimal> remainder(ScaledDecimal left, ScaledDecimal right, const DataType& type) {
  const int scale = std::max(left.scale, right.scale);
  Int128 a = 0;
  Int128 b = 0;
  if (shift_up(left.value.unscaled, scale - left.scale, a) &&
      shift_up(right.value.unscaled, scale - right.scale, b)) [[likely]]
    return rescale({Decimal{a % b}, scale}, type);
  WideNumber wide = shifted(magnitude(left.value.unscaled), scale - left.scale);
  const auto rest =
      wide.divide(shifted(magnitude(right.value.unscaled), scale - right.scale)).as_int128();
  if (!rest) return std::nullopt;
  return rescale({Decimal{left.value.unscaled < 0 ? -*rest : *rest}, scale}, type);
}

std::optional<Int128> round_to_places(Int128 value, int places, Rounding rounding) {
  if (places > DataType::kPrecisionMax) return Int128{0};
  const Int128 unit = power_of_ten(places);
  Int128 result = 0;
  if (__builtin_mul_overflow(divided(value, unit, rounding), unit, &result)) return std::nullopt;
  return result;
}

std::strong_ordering compare(ScaledDecimal left, ScaledDecimal right) {
  if (left.scale == right.scale) return left.value <=> right.value;
  const int scale = std::max(left.scale, right.scale);
  Int128 a = 0;
  Int128 b = 0;
  const bool left_fits = shift_up(left.value.unscaled, scale - left.scale, a);
  const bool right_fits = shift_up(right.value.unscaled, scale - right.scale, b);
  if (left_fits && right_fits) return a <=> b;
  // The one that does not fit is the larger in magnitude.
  if (!left_fits) return left.value.unscaled <=> Int128{0};
  return Int128{0} <=> right.value.unscaled;
}

double to_double(ScaledDecimal value) {
  const Int128 digits = value.value.unscaled;
  if (digits < kExactInDouble && digits > -kExactInDouble && value.scale <= kExactPowerInDouble) {
    // Both are exact doubles, so that the division rounds once: the nearest double.
    return static_cast<double>(static_cast<std::int64_t>(digits)) /
           static_cast<double>(power_of_ten(value.scale));
  }
  std::array<char, kDecimalTextMax> text;
  const std::size_t size = write_decimal(value.value, value.scale, text.data());
  static const double_conversion::StringToDoubleConverter converter(
      double_conversion::StringToDoubleConverter::NO_FLAGS, 0.0, 0.0, nullptr, nullptr);
  int used = 0;
  return converter.StringToDouble(text.data(), static_cast<int>(size), &used);
}

std::optional<Decimal> from_double(double value, int precision, int scale) {
  if (!std::isfinite(value)) return std::nullopt;
  std::array<char, kScalarTextMax> text;
  return read_decimal({text.data(), write_double(value, text.data())}, precision, scale);
}

}  // namespace millrace::stream
