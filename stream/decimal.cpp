#include "stream/decimal.hpp"

#include "millrace/assert.hpp"

#include "stream/ascii.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace millrace::stream {

namespace {

constexpr std::size_t kPowersCount = DataType::kPrecisionMax + 1;
// An exponent beyond this leaves no digit in any type, whatever is before it.
constexpr std::int64_t kExponentMax = 1'000'000'000;

constexpr std::array<Int128, kPowersCount> make_powers() {
  std::array<Int128, kPowersCount> powers{};
  Int128 power = 1;
  for (Int128& each : powers) {
    each = power;
    if (&each != &powers.back()) power *= 10;
  }
  return powers;
}

constexpr auto kPowersOfTen = make_powers();

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// A number as it is written: `whole` and `fraction` are digits, the value is
/// whole.fraction * 10^exponent.
struct WrittenNumber {
  bool is_negative = false;
  std::string_view whole;
  std::string_view fraction;
  std::int64_t exponent = 0;

  [[nodiscard]] std::size_t digit_count() const { return whole.size() + fraction.size(); }
  [[nodiscard]] int digit(std::size_t index) const {
    return (index < whole.size() ? whole[index] : fraction[index - whole.size()]) - '0';
  }
};

std::string_view take_digits(std::string_view& text) {
  const auto size =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  const std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

/// An exponent, cut to what matters. False if there are no digits.
bool take_exponent(std::string_view& text, std::int64_t& exponent) {
  text.remove_prefix(1);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = take_digits(text);
  if (digits.empty()) return false;
  for (const char c : digits) exponent = std::min(exponent * 10 + (c - '0'), kExponentMax);
  if (is_negative) exponent = -exponent;
  return true;
}

std::optional<WrittenNumber> read_number(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  WrittenNumber number;
  number.is_negative = text.starts_with('-');
  if (number.is_negative || text.starts_with('+')) text.remove_prefix(1);
  number.whole = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    number.fraction = take_digits(text);
  }
  if (number.digit_count() == 0) return std::nullopt;
  if (text.starts_with('e') || text.starts_with('E')) {
    if (!take_exponent(text, number.exponent)) return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  return number;
}

}  // namespace

Int128 power_of_ten(int exponent) {
  MILLRACE_DEBUG_ASSERT(exponent >= 0 && exponent <= DataType::kPrecisionMax);
  return kPowersOfTen[static_cast<std::size_t>(exponent)];
}

std::size_t write_decimal(Decimal value, int scale, char* out) {
  // Least digit first, into a buffer that holds the sign too.
  std::array<char, kDecimalTextMax> buffer;
  char* const end = buffer.data() + buffer.size();
  char* begin = end;
  auto rest = static_cast<unsigned __int128>(value.unscaled);
  if (value.unscaled < 0) rest = 0 - rest;
  for (int written = 0; rest != 0 || written <= scale; ++written) {
    if (written == scale && scale != 0) *--begin = '.';
    *--begin = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  }
  if (value.unscaled < 0) *--begin = '-';
  std::copy(begin, end, out);
  return static_cast<std::size_t>(end - begin);
}

std::string decimal_text(Decimal value, int scale) {
  std::array<char, kDecimalTextMax> buffer;
  return {buffer.data(), write_decimal(value, scale, buffer.data())};
}

std::optional<Decimal> read_decimal(std::string_view text, int precision, int scale) {
  const auto number = read_number(text);
  if (!number) return std::nullopt;
  const std::size_t digits = number->digit_count();
  std::size_t first = 0;
  while (first < digits && number->digit(first) == 0) ++first;
  if (first == digits) return Decimal{};
  // How many digits, from the first one that is not zero, lie before the end of the scale.
  const std::int64_t kept = static_cast<std::int64_t>(number->whole.size()) -
                            static_cast<std::int64_t>(first) + number->exponent + scale;
  if (kept > precision) return std::nullopt;
  if (kept < 0) return Decimal{};
  Int128 unscaled = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kept); ++i)
    unscaled = unscaled * 10 + (first + i < digits ? number->digit(first + i) : 0);
  const std::size_t next = first + static_cast<std::size_t>(kept);
  if (next < digits && number->digit(next) >= 5) ++unscaled;
  const Decimal value{number->is_negative ? -unscaled : unscaled};
  if (!fits_precision(value, precision)) return std::nullopt;
  return value;
}

}  // namespace millrace::stream
