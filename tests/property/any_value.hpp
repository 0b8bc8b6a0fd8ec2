#pragma once

#include <rapidcheck.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace millrace::property {

/// Any character of Unicode: all of them, the planes and lengths of UTF-8 equally often.
inline rc::Gen<char32_t> any_character() {
  const auto between = [](char32_t first, char32_t last) {
    return rc::gen::cast<char32_t>(
        rc::gen::inRange(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last) + 1));
  };
  return rc::gen::oneOf(between(0, 0x7F), between(0, 0x1F), between(0x80, 0x7FF),
                        between(0x800, 0xD7FF), between(0xE000, 0xFFFF),
                        between(0x10000, 0x10FFFF));
}

inline std::string utf8_of(char32_t character) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  const auto tail = [&](int shift) {
    return byte(0x80U | ((static_cast<std::uint32_t>(character) >> shift) & 0x3FU));
  };
  const auto code = static_cast<std::uint32_t>(character);
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0U | (code >> 6)), tail(0)};
  if (code < 0x10000) return {byte(0xE0U | (code >> 12)), tail(6), tail(0)};
  return {byte(0xF0U | (code >> 18)), tail(12), tail(6), tail(0)};
}

inline std::string utf8_of(const std::u32string& characters) {
  std::string text;
  for (const char32_t character : characters) text += utf8_of(character);
  return text;
}

inline rc::Gen<std::u32string> any_characters() {
  return rc::gen::container<std::u32string>(any_character());
}

/// Any text that is UTF-8.
inline rc::Gen<std::string> any_text() {
  return rc::gen::map(any_characters(),
                      [](const std::u32string& characters) { return utf8_of(characters); });
}

/// Any number of 64 bits, the ends and the neighbours of powers of two often.
inline rc::Gen<std::int64_t> any_int64() {
  const auto near_power = rc::gen::apply(
      [](int bit, int distance, bool is_negative) {
        const auto power = static_cast<std::int64_t>((std::uint64_t{1} << bit) +
                                                     static_cast<std::uint64_t>(distance));
        return is_negative ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(power))
                           : power;
      },
      rc::gen::inRange(0, 64), rc::gen::inRange(-2, 3), rc::gen::arbitrary<bool>());
  return rc::gen::oneOf(
      rc::gen::cast<std::int64_t>(rc::gen::arbitrary<std::uint64_t>()), near_power,
      rc::gen::element<std::int64_t>(INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX));
}

/// Any bits of a double: zeroes, subnormals, infinities and NaN among them.
inline rc::Gen<double> any_double() {
  using Limits = std::numeric_limits<double>;
  const auto any_bits = rc::gen::map(
      rc::gen::apply(
          [](std::uint32_t high, std::uint32_t low) { return (std::uint64_t{high} << 32) | low; },
          rc::gen::inRange<std::uint32_t>(0, UINT32_MAX),
          rc::gen::inRange<std::uint32_t>(0, UINT32_MAX)),
      [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
  return rc::gen::oneOf(
      any_bits,
      rc::gen::map(any_int64(), [](std::int64_t value) { return static_cast<double>(value); }),
      rc::gen::arbitrary<double>(),
      rc::gen::element(0.0, -0.0, 0.1, Limits::denorm_min(), Limits::min(), Limits::max(),
                       Limits::lowest(), Limits::infinity(), -Limits::infinity(),
                       Limits::quiet_NaN(), 9007199254740993.0, 1e22, 1e23, 5e-324));
}

}  // namespace millrace::property
