#include "stream/decimal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

// Decimal arithmetic against digits on paper: texts of digits without a sign, added, multiplied and
// divided as one learns it at school, without a limit to their length.

namespace millrace::stream {
namespace {

using Digits = std::string;

Digits trimmed(Digits digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  return digits.empty() ? "0" : digits;
}

bool is_less(const Digits& left, const Digits& right) {
  return left.size() != right.size() ? left.size() < right.size() : left < right;
}

Digits sum(const Digits& left, const Digits& right) {
  Digits result;
  int carry = 0;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()) || carry != 0; ++i) {
    if (i < left.size()) carry += left[left.size() - 1 - i] - '0';
    if (i < right.size()) carry += right[right.size() - 1 - i] - '0';
    result += static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  std::ranges::reverse(result);
  return trimmed(result);
}

/// left - right, of which right is not the larger.
Digits difference(const Digits& left, const Digits& right) {
  Digits result = left;
  int borrow = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    int digit = left[left.size() - 1 - i] - '0' - borrow;
    if (i < right.size()) digit -= right[right.size() - 1 - i] - '0';
    borrow = digit < 0 ? 1 : 0;
    result[left.size() - 1 - i] = static_cast<char>('0' + digit + 10 * borrow);
  }
  return trimmed(result);
}

Digits product(const Digits& left, const Digits& right) {
  Digits result = "0";
  for (std::size_t i = 0; i < right.size(); ++i) {
    result += '0';
    for (char times = right[i]; times > '0'; --times) result = sum(result, left);
  }
  return trimmed(result);
}

struct Division {
  Digits quotient = "0";
  Digits rest = "0";
};

Division division(const Digits& left, const Digits& right) {
  Division result;
  for (const char digit : left) {
    result.rest = trimmed(result.rest + digit);
    char times = '0';
    for (; !is_less(result.rest, right); ++times) result.rest = difference(result.rest, right);
    result.quotient += times;
  }
  result.quotient = trimmed(result.quotient);
  return result;
}

/// numerator / divisor, halves upwards.
Digits rounded(const Digits& numerator, const Digits& divisor) {
  const Division divided = division(numerator, divisor);
  const bool goes_up = !is_less(sum(divided.rest, divided.rest), divisor);
  return goes_up ? sum(divided.quotient, "1") : divided.quotient;
}

struct Number {
  bool is_negative = false;
  Digits digits;  ///< without the point
  int scale = 0;

  [[nodiscard]] ScaledDecimal decimal() const {
    const Int128 magnitude = read_decimal(digits, 38, 0)->unscaled;
    return {Decimal{is_negative ? -magnitude : magnitude}, scale};
  }
  /// The digits at a larger scale.
  [[nodiscard]] Digits at(int wanted) const {
    return trimmed(digits + Digits(static_cast<std::size_t>(wanted - scale), '0'));
  }
};

/// Few and many digits, often extreme ones.
Number any_number() {
  Number number;
  number.is_negative = *rc::gen::arbitrary<bool>();
  const int size = *rc::gen::inRange(1, 39);
  for (int i = 0; i < size; ++i) number.digits += *rc::gen::element('0', '0', '1', '4', '5', '9');
  number.digits = trimmed(number.digits);
  number.scale = *rc::gen::inRange(0, 39);
  return number;
}

DataType any_decimal_type(int scale_max) {
  const int precision = *rc::gen::inRange(1, 39);
  return DataType::decimal(precision, *rc::gen::inRange(0, std::min(precision, scale_max) + 1));
}

/// What stands in a column: "none" if there are too many digits.
std::string shown(bool is_negative, const Digits& digits, const DataType& type) {
  if (digits != "0" && static_cast<int>(digits.size()) > type.precision()) return "none";
  return (is_negative && digits != "0" ? "-" : "") + digits;
}

std::string shown(const std::optional<Decimal>& value) {
  return value ? decimal_text(*value, 0) : "none";
}

RC_GTEST_PROP(DecimalProperty, AddsAsOnPaper, ()) {
  const Number left = any_number();
  const Number right = any_number();
  const int scale = std::max(left.scale, right.scale);
  const DataType type = any_decimal_type(scale);
  const Digits a = left.at(scale);
  const Digits b = right.at(scale);
  const bool a_is_larger = !is_less(a, b);
  const Digits exact = left.is_negative == right.is_negative ? sum(a, b)
                       : a_is_larger                         ? difference(a, b)
                                                             : difference(b, a);
  const bool is_negative = a_is_larger ? left.is_negative : right.is_negative;
  const Digits unit = "1" + Digits(static_cast<std::size_t>(scale - type.scale()), '0');

  RC_ASSERT(shown(add(left.decimal(), right.decimal(), type)) ==
            shown(is_negative, rounded(exact, unit), type));
}

RC_GTEST_PROP(DecimalProperty, MultipliesAsOnPaper, ()) {
  const Number left = any_number();
  const Number right = any_number();
  const DataType type = any_decimal_type(left.scale + right.scale);
  const Digits unit =
      "1" + Digits(static_cast<std::size_t>(left.scale + right.scale - type.scale()), '0');

  RC_ASSERT(shown(multiply(left.decimal(), right.decimal(), type)) ==
            shown(left.is_negative != right.is_negative,
                  rounded(product(left.digits, right.digits), unit), type));
}

RC_GTEST_PROP(DecimalProperty, DividesAsOnPaper, ()) {
  const Number left = any_number();
  const Number right = any_number();
  RC_PRE(right.digits != "0");
  const DataType type = any_decimal_type(38);
  const int places = type.scale() + right.scale - left.scale;
  const auto zeroes = [](int count) {
    return Digits(static_cast<std::size_t>(std::max(count, 0)), '0');
  };

  RC_ASSERT(shown(divide(left.decimal(), right.decimal(), type)) ==
            shown(left.is_negative != right.is_negative,
                  rounded(trimmed(left.digits + zeroes(places)), right.digits + zeroes(-places)),
                  type));
}

RC_GTEST_PROP(DecimalProperty, LeavesTheRemainderThatPaperLeaves, ()) {
  const Number left = any_number();
  const Number right = any_number();
  RC_PRE(right.digits != "0");
  const int scale = std::max(left.scale, right.scale);
  const DataType type = DataType::decimal(38, scale);

  RC_ASSERT(shown(remainder(left.decimal(), right.decimal(), type)) ==
            shown(left.is_negative, division(left.at(scale), right.at(scale)).rest, type));
}

RC_GTEST_PROP(DecimalProperty, ComparesAsOnPaper, ()) {
  const Number left = any_number();
  const Number right = any_number();
  const int scale = std::max(left.scale, right.scale);
  const Digits a = left.at(scale);
  const Digits b = right.at(scale);
  const bool a_is_negative = left.is_negative && a != "0";
  const bool b_is_negative = right.is_negative && b != "0";
  const bool expected = a_is_negative != b_is_negative ? a_is_negative
                        : a_is_negative                ? is_less(b, a)
                                                       : is_less(a, b);

  RC_ASSERT((compare(left.decimal(), right.decimal()) < 0) == expected);
  RC_ASSERT((compare(right.decimal(), left.decimal()) > 0) == expected);
}

RC_GTEST_PROP(DecimalProperty, ReadsBackWhatItWrites, ()) {
  const Number number = any_number();
  const ScaledDecimal decimal = number.decimal();

  const auto again = read_decimal(decimal_text(decimal.value, decimal.scale), 38, decimal.scale);

  // More digits behind the point than the number has: all of them are zeroes at the front.
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == decimal.value);
}

}  // namespace
}  // namespace millrace::stream
