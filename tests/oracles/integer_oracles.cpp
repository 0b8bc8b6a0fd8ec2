#include "tests/oracles/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

// Whole-number division, bits, and numbers in other bases.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Long = std::int64_t;
using Text = std::string;

template <typename T>
T checked(Int128 value) {
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
    throw Failure();
  return static_cast<T>(value);
}

/// As text of zeros and ones, the highest first.
template <typename T>
Text bits_of(T value) {
  Text bits;
  for (int bit = 8 * int{sizeof(T)} - 1; bit >= 0; --bit)
    bits += (Int128{value} >> bit & 1) != 0 ? '1' : '0';
  return bits;
}

template <typename T>
T value_of(const Text& bits) {
  Int128 value = bits[0] == '1' ? -1 : 0;
  for (const char bit : bits) value = value * 2 + (bit - '0');
  return static_cast<T>(value);
}

template <typename T>
void add_bits(Oracles& oracles, const Text& type) {
  for (const char* sign : {"&", "|", "^"}) {
    oracles.push_back(oracle(type + " " + sign + " " + type, sign, [=](T left, T right) -> T {
      Text bits = bits_of(left);
      const Text others = bits_of(right);
      for (std::size_t i = 0; i < bits.size(); ++i) {
        const int both = bits[i] - '0' + others[i] - '0';
        const bool is_set = *sign == '&' ? both == 2 : *sign == '|' ? both != 0 : both == 1;
        bits[i] = is_set ? '1' : '0';
      }
      return value_of<T>(bits);
    }));
  }
  oracles.push_back(oracle("~(" + type + ")", "~",
                           [](T value) -> T { return static_cast<T>(-Int128{value} - 1); }));
  for (const char* name : {"shiftleft", "shiftright", "shiftrightunsigned"}) {
    oracles.push_back(
        oracle(Text(name) + "(" + type + ", int)", name, [=](T value, Int distance) -> T {
          Text bits = bits_of(value);
          const auto size = static_cast<Int>(bits.size());
          const Int moved = ((distance % size) + size) % size;
          const Text way = name;
          const char fill = way == "shiftright" ? bits[0] : '0';
          for (Int i = 0; i < moved; ++i) {
            if (way == "shiftleft") {
              bits.erase(0, 1);
              bits += '0';
            } else {
              bits.pop_back();
              bits.insert(0, 1, fill);
            }
          }
          return value_of<T>(bits);
        }));
  }
  oracles.push_back(oracle("bit_get(" + type + ", int)", "bit_get", [](T value, Few place) -> Int {
    const Text bits = bits_of(value);
    if (place.value < 0 || place.value >= static_cast<Int>(bits.size())) throw Failure();
    return bits[bits.size() - 1 - static_cast<std::size_t>(place.value)] - '0';
  }));
}

template <typename T>
void add_numbers(Oracles& oracles, const Text& type) {
  oracles.push_back(oracle("abs(" + type + ")", "abs", [](T value) -> T {
    if constexpr (std::is_same_v<T, double>)
      return std::signbit(value) ? -value : value;
    else
      return checked<T>(value < 0 ? -Int128{value} : Int128{value});
  }));
  oracles.push_back(
      oracle("positive(" + type + ")", "positive", [](T value) -> T { return value; }));
  oracles.push_back(oracle("pmod(" + type + ", " + type + ")", "pmod", [](T left, T right) -> T {
    if (right == 0) throw Failure();
    if constexpr (std::is_same_v<T, double>) {
      const double rest = std::fmod(left, right);
      return rest < 0 ? std::fmod(rest + right, right) : rest;
    } else {
      const Int128 rest = Int128{left} % right;
      // The sum of the rest and the divisor wraps as the type does.
      return rest < 0 ? static_cast<T>(Int128{static_cast<T>(rest + right)} % right)
                      : static_cast<T>(rest);
    }
  }));
}

Text in_base(std::uint64_t number, unsigned base) {
  Text digits;
  do {
    digits += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % base];
    number /= base;
  } while (number != 0);
  std::ranges::reverse(digits);
  return digits;
}

}  // namespace

Oracles integer_oracles() {
  Oracles oracles;
  add_bits<Int>(oracles, "int");
  add_bits<Long>(oracles, "bigint");
  add_numbers<Int>(oracles, "int");
  add_numbers<Long>(oracles, "bigint");
  add_numbers<double>(oracles, "double");
  oracles.push_back(oracle("div(bigint, bigint)", "div", [](Long left, Long right) -> Long {
    if (right == 0) throw Failure();
    return checked<Long>(Int128{left} / right);
  }));
  oracles.push_back(oracle("bit_count(bigint)", "bit_count", [](Long value) -> Int {
    return static_cast<Int>(std::ranges::count(bits_of(value), '1'));
  }));
  oracles.push_back(
      oracle("bit_count(boolean)", "bit_count", [](bool value) -> Int { return value ? 1 : 0; }));
  oracles.push_back(oracle("bin(bigint)", "bin", [](Long value) {
    const Text bits = bits_of(value);
    return bits.substr(std::min(bits.find('1'), bits.size() - 1));
  }));
  oracles.push_back(oracle("factorial(int)", "factorial", [](Few number) -> std::optional<Long> {
    if (number.value < 0 || number.value > 20) return std::nullopt;
    Long product = 1;
    for (Long each = number.value; each > 1; --each) product *= each;
    return product;
  }));
  // From decimal digits, of which the drawn texts have a few, to hexadecimal ones.
  oracles.push_back(oracle(
      "conv(string, int, int)",
      [](const std::vector<Expr>& columns) {
        return call("conv", {columns[0].cast(TypeKind::kString), lit(10), lit(16)});
      },
      [](Long value) {
        // What does not fit as a negative number is the largest.
        if (value == std::numeric_limits<Long>::min()) return Text(16, 'F');
        return in_base(static_cast<std::uint64_t>(value), 16);
      }));
  oracles.push_back(oracle(
      "conv(string, int, int)",
      [](const std::vector<Expr>& columns) {
        return call("conv", {columns[0].cast(TypeKind::kString), lit(10), lit(-7)});
      },
      [](Long value) {
        const auto bits = static_cast<std::uint64_t>(value);
        return (value < 0 ? "-" : "") + in_base(value < 0 ? 0 - bits : bits, 7);
      }));
  return oracles;
}

}  // namespace millrace::property
