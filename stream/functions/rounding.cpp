#include "stream/functions/row_kernel.hpp"
#include "stream/kind_storage.hpp"
#include "stream/scalar_text.hpp"

#include <double-conversion/double-conversion.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

// Rounding. A double is rounded as its shortest decimal digits are, so that round(2.675, 2) is 2.68
// although the binary number is a little less.

namespace millrace::stream {

namespace {

enum class Half { kUp, kEven };

/// The shortest digits that read back as the double: 0.digits · 10^point.
struct Digits {
  std::array<char, double_conversion::DoubleToStringConverter::kBase10MaximalLength + 1> text{};
  int count = 0;
  int point = 0;
};

Digits digits_of(double value) {
  using double_conversion::DoubleToStringConverter;
  Digits digits;
  bool is_negative = false;
  DoubleToStringConverter::DoubleToAscii(value, DoubleToStringConverter::SHORTEST, 0,
                                         digits.text.data(), static_cast<int>(digits.text.size()),
                                         &is_negative, &digits.count, &digits.point);
  return digits;
}

/// Whether the first `kept` digits grow by one when the others are left off.
bool rounds_up(const Digits& digits, int kept, Half half) {
  const char next = digits.text[static_cast<std::size_t>(kept)];
  if (next != '5' || half == Half::kUp || kept + 1 < digits.count) return next >= '5';
  return kept > 0 && (digits.text[static_cast<std::size_t>(kept) - 1] - '0') % 2 == 1;
}

/// The double nearest to the digits with their sign.
double read_digits(bool is_negative, std::string_view digits, int exponent) {
  std::array<char, 64> text;
  char* end = text.data();
  if (is_negative) *end++ = '-';
  end = std::copy(digits.begin(), digits.end(), end);
  *end++ = 'e';
  end = std::to_chars(end, text.data() + text.size(), exponent).ptr;
  double value = 0;
  std::from_chars(text.data(), end, value);
  return value;
}

double round_to(double value, std::int64_t scale, Half half) {
  if (!std::isfinite(value) || value == 0) return value == 0 ? 0.0 : value;
  Digits digits = digits_of(value);
  const std::int64_t kept = digits.point + scale;
  if (kept >= digits.count) return value;
  if (kept < 0) return 0;
  int count = static_cast<int>(kept);
  if (!rounds_up(digits, count, half)) {
    if (count == 0) return 0;
    return read_digits(value < 0, {digits.text.data(), static_cast<std::size_t>(count)},
                       digits.point - count);
  }
  while (count > 0 && digits.text[static_cast<std::size_t>(count) - 1] == '9') --count;
  if (count == 0) return read_digits(value < 0, "1", digits.point);
  ++digits.text[static_cast<std::size_t>(count) - 1];
  return read_digits(value < 0, {digits.text.data(), static_cast<std::size_t>(count)},
                     digits.point - count);
}

template <Half kHalf>
double round_double(Row&, double value, std::int32_t scale) {
  return round_to(value, scale, kHalf);
}
template <Half kHalf>
double round_to_whole(Row&, double value) {
  return round_to(value, 0, kHalf);
}

/// 10^exponent; nothing if it is out of the type's range.
template <typename T>
T power_of_ten(std::int64_t exponent) {
  if (exponent > std::numeric_limits<T>::digits10) return 0;
  T power = 1;
  for (; exponent > 0; --exponent) power = static_cast<T>(power * 10);
  return power;
}

template <typename T>
bool rounds_away(T value, T unit, Half half) {
  const T quotient = value / unit;
  const T rest = std::abs(value % unit);
  const T missing = unit - rest;
  if (rest != missing) return rest > missing;
  return half == Half::kUp || quotient % 2 != 0;
}

template <typename T>
void raise_overflow(Row& row, T value) {
  row.overflow([&] {
    return std::string(integer_name<T>()) + " overflow: rounding " + std::to_string(value);
  });
}

/// Rounds to a power of ten that the type does not hold: to 0, or out of range, wrapped.
template <typename T>
T round_to_large_unit(Row& row, T value, std::int64_t exponent, Half half) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    constexpr std::int64_t kFive = 5'000'000'000'000'000'000;
    const bool is_half = value == kFive || value == -kFive;
    if (exponent == 19 && (is_half ? half == Half::kUp : value > kFive || value < -kFive)) {
      raise_overflow(row, value);
      constexpr auto kTenTimes19 = static_cast<std::int64_t>(10'000'000'000'000'000'000U);
      return value < 0 ? -kTenTimes19 : kTenTimes19;
    }
  }
  return 0;
}

template <typename T, Half kHalf>
T round_integer(Row& row, T value, std::int32_t scale) {
  if (scale >= 0) return value;
  const T unit = power_of_ten<T>(-std::int64_t{scale});
  if (unit == 0) return round_to_large_unit(row, value, -std::int64_t{scale}, kHalf);
  T result = value / unit;
  if (rounds_away(value, unit, kHalf)) result = static_cast<T>(result + (value < 0 ? -1 : 1));
  if (__builtin_mul_overflow(result, unit, &result)) raise_overflow(row, value);
  return result;
}
template <typename T>
T same(Row&, T value) {
  return value;
}

/// As the largest or smallest bigint if it is beyond; NaN is 0.
std::int64_t saturated(double value) {
  constexpr double kLimit = 9223372036854775808.0;
  if (std::isnan(value)) return 0;
  if (value >= kLimit) return std::numeric_limits<std::int64_t>::max();
  if (value < -kLimit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

std::int64_t floor_of(double value) { return saturated(std::floor(value)); }
std::int64_t ceiling_of(double value) { return saturated(std::ceil(value)); }
std::int64_t whole_of(std::int64_t value) { return value; }
double nearest_whole(double value) { return std::nearbyint(value); }

template <Half kHalf>
void add_rounding(FunctionRegistry& registry, const char* name, const char* description) {
  using enum TypeKind;
  constexpr const char* kErrors =
      "the result is out of the type's range (by ansi = 'false' it wraps)";
  registry.add(plain_function(name, {kInt32}, kInt32, each_row<same<std::int32_t>>, description));
  registry.add(plain_function(name, {kInt64}, kInt64, each_row<same<std::int64_t>>, description));
  registry.add(
      plain_function(name, {kDouble}, kDouble, each_row<round_to_whole<kHalf>>, description));
  registry.add(failing(plain_function(name, {kInt32, kInt32}, kInt32,
                                      each_row<round_integer<std::int32_t, kHalf>>, description),
                       kErrors));
  registry.add(failing(plain_function(name, {kInt64, kInt32}, kInt64,
                                      each_row<round_integer<std::int64_t, kHalf>>, description),
                       kErrors));
  registry.add(
      plain_function(name, {kDouble, kInt32}, kDouble, each_row<round_double<kHalf>>, description));
}

}  // namespace

void add_rounding_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_rounding<Half::kUp>(registry, "round",
                          "The number rounded to so many places behind the point (none if not "
                          "given, tens and hundreds if negative); halves away from zero.");
  add_rounding<Half::kEven>(registry, "bround", "The same, halves to the even neighbour.");
  registry.add(plain_function("floor", {kInt64}, kInt64, each_row<whole_of>, "The number itself."));
  registry.add(plain_function("floor", {kDouble}, kInt64, each_row<floor_of>,
                              "The largest whole number that is not above; those out of range "
                              "become the last in range, NaN becomes 0."));
  registry.add(plain_function("ceil", {kInt64}, kInt64, each_row<whole_of>, "The number itself."));
  registry.add(plain_function("ceil", {kDouble}, kInt64, each_row<ceiling_of>,
                              "The smallest whole number that is not below; those out of range "
                              "become the last in range, NaN becomes 0."));
  registry.add_alias("ceiling", "ceil");
  registry.add(plain_function("rint", {kDouble}, kDouble, each_row<nearest_whole>,
                              "The nearest whole number, as a double; halves to the even one."));
}

}  // namespace millrace::stream
