#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_calendar.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <regex>

// Casts, value by value, in UTC.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Long = std::int64_t;
using Cents = Money<12, 2>;
using Text = std::string;
template <typename T>
using List = std::vector<std::optional<T>>;

constexpr Long kSecond = 1'000'000;

template <typename T, typename From>
T in_range(From value) {
  if (static_cast<From>(static_cast<T>(value)) != value) throw Failure();
  return static_cast<T>(value);
}

template <typename T>
T truncated(double value) {
  const double whole = std::trunc(value);
  if (!(whole >= static_cast<double>(std::numeric_limits<T>::min()) &&
        whole < -static_cast<double>(std::numeric_limits<T>::min())))
    throw Failure();
  return static_cast<T>(whole);
}

Cents cents(Int128 unscaled) {
  if (unscaled >= 1'000'000'000'000 || unscaled <= -1'000'000'000'000) throw Failure();
  return {unscaled};
}

Time seconds(Int128 value) { return {in_range<Long, Int128>(value * kSecond)}; }

/// The shortest digits of a double and where its point is: 0.digits times ten to the power.
struct Shortest {
  bool is_negative = false;
  Text digits;
  int point = 0;
};

Shortest shortest(double value) {
  char buffer[64];
  const char* end =
      std::to_chars(buffer, buffer + sizeof(buffer), std::abs(value), std::chars_format::scientific)
          .ptr;
  const Text text(static_cast<const char*>(buffer), end);
  const std::size_t mark = text.find('e');
  Shortest result{std::signbit(value), "", std::atoi(text.c_str() + mark + 1) + 1};
  std::copy_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(mark),
               std::back_inserter(result.digits), [](char c) { return c != '.'; });
  return result;
}

/// Of a number's digits, so many behind the point, halves away from zero.
Int128 rounded(const Text& digits, int point, int places) {
  Int128 value = 0;
  for (int i = 0; i < point + places; ++i) {
    if (value > Int128{1'000'000'000'000'000}) throw Failure();
    const auto place = static_cast<std::size_t>(i);
    value = value * 10 + (place < digits.size() ? digits[place] - '0' : 0);
  }
  const int next = point + places;
  const bool goes_up = next >= 0 && next < static_cast<int>(digits.size()) &&
                       digits[static_cast<std::size_t>(next)] >= '5';
  return value + (goes_up ? 1 : 0);
}

Cents cents_of(double value) {
  if (!std::isfinite(value)) throw Failure();
  if (value == 0) return {0};
  const Shortest text = shortest(value);
  const Int128 magnitude = rounded(text.digits, text.point, 2);
  return cents(text.is_negative ? -magnitude : magnitude);
}

/// As Java writes a double.
Text text_of(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  const Text sign = std::signbit(value) ? "-" : "";
  if (value == 0) return sign + "0.0";
  Shortest text = shortest(value);
  if (std::abs(value) >= 1e7 || std::abs(value) < 1e-3) {
    const Text rest = text.digits.size() > 1 ? text.digits.substr(1) : "0";
    return sign + text.digits[0] + "." + rest + "E" + std::to_string(text.point - 1);
  }
  while (text.point <= 0) {
    text.digits.insert(0, "0");
    ++text.point;
  }
  while (static_cast<int>(text.digits.size()) <= text.point) text.digits += "0";
  text.digits.insert(static_cast<std::size_t>(text.point), ".");
  return sign + text.digits;
}

Text text_of(Cents value) {
  const bool is_negative = value.unscaled < 0;
  Text digits = std::to_string(static_cast<Long>(is_negative ? -value.unscaled : value.unscaled));
  while (digits.size() < 3) digits.insert(0, "0");
  digits.insert(digits.size() - 2, ".");
  return (is_negative ? "-" : "") + digits;
}

Text stripped(Text text) {
  const auto is_blank = [](unsigned char c) { return std::isspace(c) != 0; };
  while (!text.empty() && is_blank(static_cast<unsigned char>(text.back()))) text.pop_back();
  while (!text.empty() && is_blank(static_cast<unsigned char>(text.front()))) text.erase(0, 1);
  return text;
}

bool are_digits(const Text& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

template <typename T>
T read_whole(const Text& given) {
  Text text = stripped(given);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.erase(0, 1);
  if (!are_digits(text) || text.size() > 25) throw Failure();
  Int128 value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return in_range<T, Int128>(is_negative ? -value : value);
}

/// digits[.digits][e[sign]digits]: the texts that are drawn have no other numbers.
bool is_number(const Text& text) {
  std::size_t at = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  Text digits = text.substr(at, mark - at);
  if (const std::size_t point = digits.find('.'); point != Text::npos) digits.erase(point, 1);
  if (!are_digits(digits)) return false;
  if (mark == text.size()) return true;
  at = mark + 1;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  return are_digits(text.substr(at));
}

double read_real(const Text& given) {
  const Text text = stripped(given);
  if (!is_number(text)) throw Failure();
  return std::strtod(text.c_str(), nullptr);
}

Cents read_cents(const Text& given) {
  Text text = stripped(given);
  if (!is_number(text)) throw Failure();
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.erase(0, 1);
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  const int exponent = mark == text.size() ? 0 : std::atoi(text.c_str() + mark + 1);
  Text digits = text.substr(0, mark);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  if (point < digits.size()) digits.erase(point, 1);
  const Int128 magnitude = rounded(digits, static_cast<int>(point) + exponent, 2);
  return cents(is_negative ? -magnitude : magnitude);
}

bool read_truth(const Text& given) {
  Text text = stripped(given);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* word : {"true", "t", "yes", "y", "1"})
    if (text == word) return true;
  for (const char* word : {"false", "f", "no", "n", "0"})
    if (text == word) return false;
  throw Failure();
}

Date read_date(const Text& text) {
  static const std::regex kPattern(
      "([+-]?)([0-9]{4,7})(?:-([0-9]{1,2})(?:-([0-9]{1,2})(?:[ T].*)?)?)?");
  std::smatch parts;
  const Text date = stripped(text);
  if (!std::regex_match(date, parts, kPattern)) throw Failure();
  const auto part = [&](std::size_t i) { return parts[i].matched ? std::stoll(parts[i]) : 1; };
  const Long year = parts[1] == "-" ? -part(2) : part(2);
  if (part(3) < 1 || part(3) > 12 || part(4) < 1 || part(4) > days_of_month(year, part(3)))
    throw Failure();
  return {in_range<Int>(day_number(year, part(3), part(4)))};
}

/// Of the texts that are drawn one has a time of the day.
Time read_time(const Text& text) {
  if (stripped(text) == "2024-02-29 12:30:00.5")
    return {(Long{19'782} * 86'400 + 45'000) * kSecond + kSecond / 2};
  if (stripped(text).find_first_of(" T") != Text::npos) throw Failure();
  return {in_range<Long, Int128>(Int128{read_date(text).days} * 86'400 * kSecond)};
}

/// Bytes that are no UTF-8 become the replacement character; those drawn are 0xFF at the end.
Text repaired(Text text) {
  if (text.ends_with('\xff')) text.replace(text.size() - 1, 1, "\xEF\xBF\xBD");
  return text;
}

void add_from_numbers(Oracles& oracles) {
  oracles.push_back(cast_oracle("cast(boolean as int)", [](bool v) -> Int { return v ? 1 : 0; }));
  oracles.push_back(
      cast_oracle("cast(boolean as bigint)", [](bool v) -> Long { return v ? 1 : 0; }));
  oracles.push_back(
      cast_oracle("cast(boolean as double)", [](bool v) -> double { return v ? 1 : 0; }));
  oracles.push_back(
      cast_oracle("cast(boolean as decimal)", [](bool v) { return Cents{v ? 100 : 0}; }));
  oracles.push_back(cast_oracle("cast(int as boolean)", [](Int v) { return v != 0; }));
  oracles.push_back(cast_oracle("cast(int as bigint)", [](Int v) -> Long { return v; }));
  oracles.push_back(cast_oracle("cast(int as double)", [](Int v) -> double { return v; }));
  oracles.push_back(
      cast_oracle("cast(int as decimal)", [](Int v) { return cents(Int128{v} * 100); }));
  oracles.push_back(cast_oracle("cast(int as timestamp)", [](Int v) { return seconds(v); }));
  oracles.push_back(cast_oracle("cast(bigint as boolean)", [](Long v) { return v != 0; }));
  oracles.push_back(
      cast_oracle("cast(bigint as int)", [](Long v) -> Int { return in_range<Int>(v); }));
  oracles.push_back(
      cast_oracle("cast(bigint as double)", [](Long v) { return static_cast<double>(v); }));
  oracles.push_back(
      cast_oracle("cast(bigint as decimal)", [](Long v) { return cents(Int128{v} * 100); }));
  oracles.push_back(cast_oracle("cast(bigint as timestamp)", [](Long v) { return seconds(v); }));
  oracles.push_back(cast_oracle("cast(double as boolean)", [](double v) { return v != 0; }));
  oracles.push_back(
      cast_oracle("cast(double as int)", [](double v) -> Int { return truncated<Int>(v); }));
  oracles.push_back(
      cast_oracle("cast(double as bigint)", [](double v) -> Long { return truncated<Long>(v); }));
  oracles.push_back(cast_oracle("cast(double as decimal)", cents_of));
  oracles.push_back(cast_oracle("cast(double as timestamp)",
                                [](double v) { return Time{truncated<Long>(v * 1e6)}; }));
  oracles.push_back(
      cast_oracle("cast(decimal as boolean)", [](Cents v) { return v.unscaled != 0; }));
  oracles.push_back(cast_oracle("cast(decimal as int)", [](Cents v) -> Int {
    return in_range<Int, Int128>(v.unscaled / 100);
  }));
  oracles.push_back(cast_oracle("cast(decimal as bigint)", [](Cents v) -> Long {
    return in_range<Long, Int128>(v.unscaled / 100);
  }));
  oracles.push_back(cast_oracle("cast(decimal as double)",
                                [](Cents v) { return std::strtod(text_of(v).c_str(), nullptr); }));
  oracles.push_back(cast_oracle("cast(decimal as decimal)", [](Money<20, 5> v) {
    const Int128 half = v.unscaled < 0 ? -500 : 500;
    return cents((v.unscaled + half) / 1'000);
  }));
  oracles.push_back(cast_oracle("cast(decimal as timestamp)", [](Cents v) {
    return Time{static_cast<Long>(v.unscaled * 10'000)};
  }));
}

void add_from_times(Oracles& oracles) {
  oracles.push_back(cast_oracle("cast(date as timestamp)", [](Date v) {
    return Time{in_range<Long, Int128>(Int128{v.days} * 86'400 * kSecond)};
  }));
  oracles.push_back(cast_oracle("cast(timestamp as date)", [](Time v) {
    return Date{static_cast<Int>(divided_down(v.micros, 86'400 * kSecond))};
  }));
  oracles.push_back(cast_oracle("cast(timestamp as int)", [](Time v) -> Int {
    return in_range<Int>(divided_down(v.micros, kSecond));
  }));
  oracles.push_back(cast_oracle("cast(timestamp as bigint)",
                                [](Time v) -> Long { return divided_down(v.micros, kSecond); }));
  oracles.push_back(cast_oracle("cast(timestamp as double)",
                                [](Time v) { return static_cast<double>(v.micros) / 1e6; }));
  oracles.push_back(
      cast_oracle("cast(timestamp as decimal)", [](Time v) { return Money<20, 6>{v.micros}; }));
}

void add_from_text(Oracles& oracles) {
  oracles.push_back(cast_oracle("cast(string as boolean)", read_truth));
  oracles.push_back(cast_oracle("cast(string as int)", read_whole<Int>));
  oracles.push_back(cast_oracle("cast(string as bigint)", read_whole<Long>));
  oracles.push_back(cast_oracle("cast(string as double)", read_real));
  oracles.push_back(cast_oracle("cast(string as decimal)", read_cents));
  oracles.push_back(cast_oracle("cast(string as date)", read_date));
  oracles.push_back(cast_oracle("cast(string as timestamp)", read_time));
  oracles.push_back(cast_oracle("cast(string as bytes)", [](const Text& v) { return Bytes{v}; }));
}

void add_to_text(Oracles& oracles) {
  oracles.push_back(
      cast_oracle("cast(boolean as string)", [](bool v) { return Text(v ? "true" : "false"); }));
  oracles.push_back(cast_oracle("cast(int as string)", [](Int v) { return std::to_string(v); }));
  oracles.push_back(
      cast_oracle("cast(bigint as string)", [](Long v) { return std::to_string(v); }));
  oracles.push_back(cast_oracle("cast(double as string)", [](double v) { return text_of(v); }));
  oracles.push_back(cast_oracle("cast(decimal as string)", [](Cents v) { return text_of(v); }));
  oracles.push_back(
      cast_oracle("cast(bytes as string)", [](const Bytes& v) { return repaired(v.data); }));
  oracles.push_back(
      cast_oracle("cast(date as string)", [](Date v) { return plain_date_text(v.days); }));
  oracles.push_back(
      cast_oracle("cast(timestamp as string)", [](Time v) { return plain_time_text(v.micros); }));
  oracles.push_back(cast_oracle("cast(array as string)", [](const List<Int>& list) {
    Text text;
    for (const auto& each : list)
      text += (text.empty() ? "" : ", ") + (each ? std::to_string(*each) : "null");
    return "[" + text + "]";
  }));
  oracles.push_back(cast_oracle("cast(map as string)", [](const Map<Text, Int>& map) {
    Text text;
    for (const auto& [key, value] : map) {
      text += (text.empty() ? "" : ", ") + key + " -> ";
      text += value ? std::to_string(*value) : "null";
    }
    return "{" + text + "}";
  }));
  oracles.push_back(
      cast_oracle("cast(struct as string)",
                  [](const std::pair<std::optional<Int>, std::optional<Text>>& value) {
                    return "{" + (value.first ? std::to_string(*value.first) : "null") + ", " +
                           value.second.value_or("null") + "}";
                  }));
}

void add_nested(Oracles& oracles) {
  oracles.push_back(cast_oracle("cast(array as array)", [](const List<Text>& list) {
    List<Int> result;
    for (const auto& each : list)
      result.push_back(each ? std::optional(read_whole<Int>(*each)) : std::nullopt);
    return result;
  }));
  oracles.push_back(cast_oracle("cast(map as map)", [](const Map<Text, Long>& map) {
    Map<Text, Int> result;
    for (const auto& [key, value] : map)
      result.emplace_back(key, value ? std::optional(in_range<Int>(*value)) : std::nullopt);
    return result;
  }));
  using From = std::pair<std::optional<double>, std::optional<Int>>;
  oracles.push_back(cast_oracle("cast(struct as struct)", [](const From& value) {
    std::pair<std::optional<Long>, std::optional<Text>> result;
    if (value.first) result.first = truncated<Long>(*value.first);
    if (value.second) result.second = std::to_string(*value.second);
    return result;
  }));
}

}  // namespace

Oracles cast_oracles() {
  Oracles oracles;
  add_from_numbers(oracles);
  add_from_times(oracles);
  add_from_text(oracles);
  add_to_text(oracles);
  add_nested(oracles);
  return oracles;
}

}  // namespace millrace::property
