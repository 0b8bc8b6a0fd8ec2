#pragma once

#include "millrace/value.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
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

inline std::size_t below(std::size_t limit) { return *rc::gen::inRange<std::size_t>(0, limit); }

/// Any decimal type.
inline DataType any_decimal_type() {
  const auto precision = static_cast<int>(1 + below(DataType::kPrecisionMax));
  return DataType::decimal(precision, static_cast<int>(below(precision + 1)));
}

/// Any type that formats read and write one text for.
inline DataType any_scalar_type() {
  using enum TypeKind;
  if (below(4) == 0) return any_decimal_type();
  return *rc::gen::element<TypeKind>(kBoolean, kInt32, kInt64, kDouble, kString, kDate, kTimestamp);
}

/// Any type that JSON has values for, with so many levels at most.
inline DataType any_json_type(int levels) {
  if (levels == 0 || below(3) == 0) {
    const std::size_t choice = below(8);
    if (choice == 0) return TypeKind::kBytes;
    if (choice == 1) return TypeKind::kInterval;
    return any_scalar_type();
  }
  switch (below(3)) {
    case 0:
      return DataType::array(any_json_type(levels - 1));
    case 1:
      return DataType::map(TypeKind::kString, any_json_type(levels - 1));
    default: {
      std::vector<Field> fields;
      for (std::size_t i = below(4); i > 0; --i)
        fields.push_back({"f" + std::to_string(i), any_json_type(levels - 1)});
      return DataType::structure(std::move(fields));
    }
  }
}

/// Any number of as many digits as the type has.
inline Value any_decimal(const DataType& type) {
  Int128 unscaled = 0;
  for (std::size_t digits = below(static_cast<std::size_t>(type.precision()) + 1); digits > 0;
       --digits)
    unscaled = unscaled * 10 + static_cast<Int128>(below(10));
  if (below(2) == 0) unscaled = -unscaled;
  return {type, Decimal{unscaled}};
}

Value any_value_of(const DataType& type);

/// Elements, fields, or keys and values in turn; no key twice.
inline std::vector<Value> any_inside(const DataType& type) {
  std::vector<Value> inside;
  const std::size_t rounds = type.is(TypeKind::kStruct) ? 1 : below(4);
  for (std::size_t round = 0; round < rounds; ++round) {
    if (!type.is(TypeKind::kMap)) {
      for (const Field& field : type.fields()) inside.push_back(any_value_of(field.type));
      continue;
    }
    inside.push_back(Value::string(*any_text() + static_cast<char>('0' + round)));
    inside.push_back(any_value_of(type.fields()[1].type));
  }
  return inside;
}

/// Any value of a type, one in five a null. Texts are UTF-8, keys of maps are texts; dates and
/// times are of the years 1 to 9999.
inline Value any_value_of(const DataType& type) {
  if (below(5) == 0) return Value::null(type);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Value::boolean(*rc::gen::arbitrary<bool>());
    case TypeKind::kInt32:
      return Value::int32(static_cast<std::int32_t>(*any_int64()));
    case TypeKind::kInt64:
      return Value::int64(*any_int64());
    case TypeKind::kDouble:
      return Value::real(*any_double());
    case TypeKind::kString:
      return Value::string(*any_text());
    case TypeKind::kBytes:
      return Value::bytes(*rc::gen::arbitrary<std::string>());
    case TypeKind::kDate:
      return Value::date(*rc::gen::inRange<std::int32_t>(-719'162, 2'932'896));
    case TypeKind::kTimestamp:
      return Value::timestamp(
          *rc::gen::inRange<std::int64_t>(-62'135'596'800'000'000, 253'402'300'799'999'999));
    case TypeKind::kDecimal:
      return any_decimal(type);
    case TypeKind::kInterval:
      return Value::interval({static_cast<std::int32_t>(*any_int64()),
                              static_cast<std::int32_t>(*any_int64()), *any_int64()});
    default:
      return {type, any_inside(type)};
  }
}

}  // namespace millrace::property
