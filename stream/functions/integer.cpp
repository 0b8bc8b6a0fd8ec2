#include "stream/functions/row_kernel.hpp"
#include "stream/kind_storage.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

// Whole-number division, absolute values, bits, and numbers in other bases.

namespace millrace::stream {

namespace {

// --- arithmetic
// -----------------------------------------------------------------------------------

template <typename T>
T absolute(Row& row, T value) {
  if (value == std::numeric_limits<T>::min()) [[unlikely]]
    row.overflow([&] {
      return std::string(integer_name<T>()) + " overflow: abs(" + std::to_string(value) + ")";
    });
  return value < 0 ? static_cast<T>(-static_cast<std::make_unsigned_t<T>>(value)) : value;
}
double absolute_double(double value) { return std::fabs(value); }

template <typename T>
T same(T value) {
  return value;
}

constexpr const char* kDivisionByZero = "division by zero";

std::int64_t divide(Row& row, std::int64_t left, std::int64_t right) {
  if (right == 0) {
    row.raise(kDivisionByZero);
    return 0;
  }
  if (right == -1) {  // the one quotient that can be out of range
    if (left == std::numeric_limits<std::int64_t>::min()) {
      row.overflow([&] { return "bigint overflow: " + std::to_string(left) + " div -1"; });
      return left;
    }
    return -left;
  }
  return left / right;
}

/// The remainder, moved by the divisor if it is negative.
template <typename T>
T positive_remainder(Row& row, T left, T right) {
  if (right == 0) {
    row.raise(kDivisionByZero);
    return 0;
  }
  if constexpr (std::is_same_v<T, double>) {
    const double rest = std::fmod(left, right);
    return rest < 0 ? std::fmod(rest + right, right) : rest;
  } else {
    if (right == -1) return 0;
    using Unsigned = std::make_unsigned_t<T>;
    const T rest = static_cast<T>(left % right);
    if (rest >= 0) return rest;
    return static_cast<T>(
        static_cast<T>(static_cast<Unsigned>(rest) + static_cast<Unsigned>(right)) % right);
  }
}

std::int64_t factorial(Row& row, std::int32_t number) {
  if (number < 0 || number > 20) {
    row.set_null();
    return 0;
  }
  std::int64_t product = 1;
  for (std::int64_t factor = 2; factor <= number; ++factor) product *= factor;
  return product;
}

// --- bits
// -----------------------------------------------------------------------------------------

template <typename T>
T bits_and(T left, T right) {
  return left & right;
}
template <typename T>
T bits_or(T left, T right) {
  return left | right;
}
template <typename T>
T bits_xor(T left, T right) {
  return left ^ right;
}
template <typename T>
T bits_not(T value) {
  return static_cast<T>(~value);
}

/// Only the lower bits of the distance count: by 33 is by 1 for an int.
template <typename T>
T shift_left(T value, std::int32_t distance) {
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<Unsigned>(value) << (distance & (8 * int{sizeof(T)} - 1)));
}
template <typename T>
T shift_right(T value, std::int32_t distance) {
  return static_cast<T>(value >> (distance & (8 * int{sizeof(T)} - 1)));
}
template <typename T>
T shift_right_unsigned(T value, std::int32_t distance) {
  using Unsigned = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<Unsigned>(value) >> (distance & (8 * int{sizeof(T)} - 1)));
}

/// Of a negative int too it counts the bits of 64.
std::int32_t count_bits(std::int64_t value) {
  return std::popcount(static_cast<std::uint64_t>(value));
}
std::int32_t count_bit(bool value) { return value ? 1 : 0; }

template <typename T>
std::int32_t bit_at(Row& row, T value, std::int32_t position) {
  constexpr int kBits = 8 * sizeof(T);
  if (position < 0 || position >= kBits) {
    row.raise([&] {
      return "there is no bit " + std::to_string(position) + ": " + integer_name<T>() + " has " +
             std::to_string(kBits) + ", from 0";
    });
    return 0;
  }
  return static_cast<std::int32_t>((value >> position) & 1);
}

// --- bases
// ----------------------------------------------------------------------------------------

constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr int kBaseMin = 2;
constexpr int kBaseMax = 36;

/// Writes the digits to the end of the buffer and gives them.
std::string_view write_digits(std::uint64_t number, unsigned base, std::array<char, 65>& buffer) {
  std::size_t begin = buffer.size();
  do {
    buffer[--begin] = kDigits[number % base];
    number /= base;
  } while (number != 0);
  return {buffer.data() + begin, buffer.size() - begin};
}

std::string_view stored(Row& row, std::string_view sign, std::string_view digits) {
  char* const begin = row.allocate(sign.size() + digits.size());
  std::copy(digits.begin(), digits.end(), std::copy(sign.begin(), sign.end(), begin));
  return {begin, sign.size() + digits.size()};
}

std::string_view binary_digits(Row& row, std::int64_t number) {
  std::array<char, 65> buffer;
  return stored(row, "", write_digits(static_cast<std::uint64_t>(number), 2, buffer));
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : kBaseMax;
}

/// The number that the digits at the front are; nothing if it does not fit in 64 bits.
std::optional<std::uint64_t> read_digits(std::string_view text, int base) {
  std::uint64_t number = 0;
  for (const char c : text) {
    const int digit = digit_value(c);
    if (digit >= base) break;
    if (__builtin_mul_overflow(number, static_cast<std::uint64_t>(base), &number) ||
        __builtin_add_overflow(number, static_cast<std::uint64_t>(digit), &number))
      return std::nullopt;
  }
  return number;
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(' ') + 1));
  return text;
}

bool is_base(std::int64_t base) { return base >= kBaseMin && base <= kBaseMax; }

/// A negative base to convert to makes the number a signed one of 64 bits. One that is out of range
/// is the largest of 64 bits where ansi = 'false'.
std::string_view convert_base(Row& row, std::string_view text, std::int32_t from, std::int32_t to) {
  text = trimmed(text);
  const std::int64_t base = std::abs(std::int64_t{to});
  if (text.empty() || !is_base(from) || !is_base(base)) {
    row.set_null();
    return {};
  }
  bool is_negative = text.starts_with('-');
  const auto number = read_digits(text.substr(is_negative ? 1 : 0), from);
  if (!number)
    row.overflow([&] { return "conv: '" + std::string(text) + "' does not fit in 64 bits"; });
  std::uint64_t bits = number.value_or(~std::uint64_t{0});
  const bool is_large = static_cast<std::int64_t>(bits) < 0;
  if (is_negative && to > 0) bits = is_large ? ~std::uint64_t{0} : -bits;
  if (to < 0 && is_large) {
    bits = -bits;
    is_negative = true;
  }
  std::array<char, 65> buffer;
  return stored(row, is_negative && to < 0 ? "-" : "",
                write_digits(bits, static_cast<unsigned>(base), buffer));
}

// --- registration
// ---------------------------------------------------------------------------------

void add_pairs(FunctionRegistry& registry, const char* name, Kernel ints, Kernel longs,
               const char* description) {
  using enum TypeKind;
  registry.add(plain_function(name, {kInt32, kInt32}, kInt32, ints, description));
  registry.add(plain_function(name, {kInt64, kInt64}, kInt64, longs, description));
}

void add_shift(FunctionRegistry& registry, const char* name, Kernel ints, Kernel longs,
               const char* description) {
  using enum TypeKind;
  registry.add(plain_function(name, {kInt32, kInt32}, kInt32, ints, description));
  registry.add(plain_function(name, {kInt64, kInt32}, kInt64, longs, description));
}

void add_arithmetic(FunctionRegistry& registry) {
  using enum TypeKind;
  constexpr const char* kAbsolute = "The number without its sign.";
  constexpr const char* kOutOfRange = "the result is out of the type's range";
  registry.add(
      failing(plain_function("abs", {kInt32}, kInt32, each_row<absolute<std::int32_t>>, kAbsolute),
              kOutOfRange));
  registry.add(
      failing(plain_function("abs", {kInt64}, kInt64, each_row<absolute<std::int64_t>>, kAbsolute),
              kOutOfRange));
  registry.add(plain_function("abs", {kDouble}, kDouble, each_row<absolute_double>, kAbsolute));
  registry.add(failing(plain_function("div", {kInt64, kInt64}, kInt64, each_row<divide>,
                                      "The quotient without its fraction."),
                       "the divisor is 0, or the result is out of bigint's range"));
  constexpr const char* kRemainder =
      "The remainder; where it is negative, the divisor is added once.";
  for (const auto& [type, kernel] :
       {std::pair(kInt32, Kernel{each_row<positive_remainder<std::int32_t>>}),
        std::pair(kInt64, Kernel{each_row<positive_remainder<std::int64_t>>}),
        std::pair(kDouble, Kernel{each_row<positive_remainder<double>>})})
    registry.add(failing(plain_function("pmod", {type, type}, type, kernel, kRemainder),
                         "the divisor is 0"));
  registry.add(with_nulls(plain_function("factorial", {kInt32}, kInt64, each_row<factorial>,
                                         "The product of the numbers from 1 on."),
                          "the argument is null, negative or above 20"));
  registry.add(plain_function("positive", {kInt32}, kInt32, each_row<same<std::int32_t>>,
                              "The number itself."));
  registry.add(plain_function("positive", {kInt64}, kInt64, each_row<same<std::int64_t>>,
                              "The number itself."));
  registry.add(
      plain_function("positive", {kDouble}, kDouble, each_row<same<double>>, "The number itself."));
}

void add_bits(FunctionRegistry& registry) {
  using enum TypeKind;
  using Int = std::int32_t;
  using Long = std::int64_t;
  add_pairs(registry, "&", each_row<bits_and<Int>>, each_row<bits_and<Long>>,
            "The bits that both numbers have.");
  add_pairs(registry, "|", each_row<bits_or<Int>>, each_row<bits_or<Long>>,
            "The bits that one of the numbers has.");
  add_pairs(registry, "^", each_row<bits_xor<Int>>, each_row<bits_xor<Long>>,
            "The bits that only one of the numbers has.");
  registry.add(plain_function("~", {kInt32}, kInt32, each_row<bits_not<Int>>,
                              "The bits that the number does not have."));
  registry.add(plain_function("~", {kInt64}, kInt64, each_row<bits_not<Long>>,
                              "The bits that the number does not have."));
  add_shift(registry, "shiftleft", each_row<shift_left<Int>>, each_row<shift_left<Long>>,
            "The bits moved to the left; only the lower 5 (bigint: 6) bits of the distance count.");
  add_shift(registry, "shiftright", each_row<shift_right<Int>>, each_row<shift_right<Long>>,
            "The bits moved to the right, the sign drawn on.");
  add_shift(registry, "shiftrightunsigned", each_row<shift_right_unsigned<Int>>,
            each_row<shift_right_unsigned<Long>>,
            "The bits moved to the right, zeros behind them.");
  registry.add_alias("<<", "shiftleft");
  registry.add_alias(">>", "shiftright");
  registry.add_alias(">>>", "shiftrightunsigned");
  registry.add(plain_function("bit_count", {kInt64}, kInt32, each_row<count_bits>,
                              "How many of the number's 64 bits are set."));
  registry.add(plain_function("bit_count", {kBoolean}, kInt32, each_row<count_bit>,
                              "1 for true, 0 for false."));
  constexpr const char* kBit = "The bit of that number, counted from 0, the lowest.";
  constexpr const char* kErrors = "there is no such bit";
  registry.add(failing(
      plain_function("bit_get", {kInt32, kInt32}, kInt32, each_row<bit_at<Int>>, kBit), kErrors));
  registry.add(failing(
      plain_function("bit_get", {kInt64, kInt32}, kInt32, each_row<bit_at<Long>>, kBit), kErrors));
  registry.add_alias("getbit", "bit_get");
}

}  // namespace

void add_integer_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_arithmetic(registry);
  registry.add_alias("mod", "%");
  add_bits(registry);
  registry.add(plain_function("bin", {kInt64}, kString, each_row<binary_digits>,
                              "The number in binary digits; negative ones as 64 bits."));
  registry.add(with_nulls(
      failing(text_function("conv", {kString, kInt32, kInt32}, kString, each_row<convert_base>,
                            "The number that the text's front is in the first base, written in the "
                            "second (2 to 36): as unsigned 64 bits, as signed ones if that is "
                            "negative."),
              "the number does not fit in 64 bits (by ansi = 'false' the largest stands for it)"),
      "an argument is null, the text is empty, or a base is out of range"));
}

}  // namespace millrace::stream
