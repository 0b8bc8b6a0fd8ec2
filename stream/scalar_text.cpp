#include "stream/scalar_text.hpp"

#include "millrace/data_type.hpp"

#include "stream/ascii.hpp"
#include "stream/calendar.hpp"

#include <double-conversion/double-conversion.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace millrace::stream {

namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

char* write_padded(char* out, std::uint64_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i) {
    out[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return out + digits;
}

/// Takes characters off the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return text_.empty(); }
  [[nodiscard]] char peek() const { return text_.empty() ? '\0' : text_.front(); }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  /// Between `least` and `most` digits as a number.
  std::optional<std::int64_t> digits(std::size_t least, std::size_t most) {
    std::int64_t value = 0;
    std::size_t count = 0;
    while (count < most && is_digit(peek())) {
      value = value * 10 + (peek() - '0');
      text_.remove_prefix(1);
      ++count;
    }
    if (count < least) return std::nullopt;
    return value;
  }
  /// The digits behind a decimal point as microseconds.
  std::int64_t fraction_us() {
    std::int64_t value = 0;
    std::int64_t unit = 100'000;
    for (; is_digit(peek()); text_.remove_prefix(1), unit /= 10) value += (peek() - '0') * unit;
    return value;
  }
  [[nodiscard]] std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

// As many digits as the years of the type need.
constexpr std::size_t kDateYearDigitsMax = 7;
constexpr std::size_t kTimestampYearDigitsMax = 6;

/// A day, and whether it was named and not only a year or a month.
struct ScannedDay {
  std::int32_t days = 0;
  bool is_whole = false;
};

std::optional<ScannedDay> scan_date(Scanner& scanner, std::size_t year_digits_max) {
  const bool is_negative = scanner.take('-');
  if (!is_negative) scanner.take('+');
  const auto year = scanner.digits(4, year_digits_max);
  if (!year) return std::nullopt;
  std::optional<std::int64_t> month = 1;
  std::optional<std::int64_t> day = 1;
  bool is_whole = false;
  if (scanner.take('-')) {
    month = scanner.digits(1, 2);
    is_whole = month && scanner.take('-');
    if (is_whole) day = scanner.digits(1, 2);
  }
  if (!month || !day) return std::nullopt;
  const auto days = checked_day(is_negative ? -*year : *year, *month, *day);
  if (!days) return std::nullopt;
  return ScannedDay{*days, is_whole};
}

/// A time of day in µs; the text stands at its first digit.
std::optional<std::int64_t> scan_time(Scanner& scanner) {
  const auto hours = scanner.digits(1, 2);
  std::optional<std::int64_t> minutes = 0;
  std::optional<std::int64_t> seconds = 0;
  std::int64_t fraction = 0;
  if (scanner.take(':')) {
    minutes = scanner.digits(1, 2);
    if (minutes && scanner.take(':')) {
      seconds = scanner.digits(1, 2);
      if (seconds && scanner.take('.')) fraction = scanner.fraction_us();
    }
  }
  if (!hours || !minutes || !seconds || *hours > 23 || *minutes > 59 || *seconds > 59)
    return std::nullopt;
  return ((*hours * 60 + *minutes) * 60 + *seconds) * kMicrosPerSecond + fraction;
}

/// Brings a local time to UTC by the zone that is left in the text, or else by `zone`.
std::optional<std::int64_t> apply_zone(std::string_view text, std::int64_t local_us,
                                       const TimeZone& zone) {
  text = trim(text);
  if (text.empty()) return zone.to_utc(local_us);
  std::int64_t offset_us = 0;
  if (equals_ignoring_case(text, "z") || equals_ignoring_case(text, "utc") ||
      equals_ignoring_case(text, "gmt") || read_zone_offset(text, offset_us)) {
    std::int64_t utc_us = 0;
    if (__builtin_sub_overflow(local_us, offset_us, &utc_us)) return std::nullopt;
    return utc_us;
  }
  const auto named = TimeZone::find(text);
  if (!named) return std::nullopt;
  return (*named)->to_utc(local_us);
}

/// The number without the d or f that may stand behind it.
std::string_view without_suffix(std::string_view number) {
  const char last = number.back();
  const bool has_suffix = last == 'd' || last == 'D' || last == 'f' || last == 'F';
  return has_suffix && number.size() > 1 ? number.substr(0, number.size() - 1) : number;
}

/// What is behind 0x, with an exponent to the base of 2.
std::optional<double> read_hexadecimal(std::string_view digits) {
  if (digits.find_first_of("pP") == std::string_view::npos) return std::nullopt;
  digits = without_suffix(digits);
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, problem] = std::from_chars(digits.data(), end, value, std::chars_format::hex);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return value;
}

const double_conversion::DoubleToStringConverter& shortest_converter() {
  using Converter = double_conversion::DoubleToStringConverter;
  static const Converter converter(
      Converter::EMIT_TRAILING_DECIMAL_POINT | Converter::EMIT_TRAILING_ZERO_AFTER_POINT,
      "Infinity", "NaN", 'E', -3, 7, 0, 0);
  return converter;
}

}  // namespace

std::size_t write_double(double value, char* out) {
  double_conversion::StringBuilder builder(out, kScalarTextMax);
  shortest_converter().ToShortest(value, &builder);
  auto size = static_cast<std::size_t>(builder.position());
  builder.Finalize();
  // The converter writes "1E10"; a double's text always shows a point: "1.0E10".
  const std::string_view text(out, size);
  const std::size_t exponent = text.find('E');
  if (exponent != std::string_view::npos && text.find('.') == std::string_view::npos) {
    std::copy_backward(out + exponent, out + size, out + size + 2);
    out[exponent] = '.';
    out[exponent + 1] = '0';
    size += 2;
  }
  return size;
}

std::size_t write_int64(std::int64_t value, char* out) {
  return static_cast<std::size_t>(std::to_chars(out, out + kScalarTextMax, value).ptr - out);
}

std::size_t write_date(std::int32_t days, char* out) {
  const auto shifted = static_cast<std::int64_t>(days) + 719'468;  // days since 0000-03-01
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const std::int64_t day_of_era = shifted - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);

  char* end = out;
  if (year < 0) *end++ = '-';
  if (year > 9'999) *end++ = '+';
  const auto magnitude = static_cast<std::uint64_t>(year < 0 ? -year : year);
  if (magnitude > 9'999) {
    end = std::to_chars(end, out + kScalarTextMax, magnitude).ptr;
  } else {
    end = write_padded(end, magnitude, 4);
  }
  *end++ = '-';
  end = write_padded(end, static_cast<std::uint64_t>(month), 2);
  *end++ = '-';
  end = write_padded(end, static_cast<std::uint64_t>(day), 2);
  return static_cast<std::size_t>(end - out);
}

std::size_t write_timestamp(std::int64_t microseconds, char* out) {
  std::int64_t days = microseconds / kMicrosPerDay;
  std::int64_t rest = microseconds % kMicrosPerDay;
  if (rest < 0) {
    rest += kMicrosPerDay;
    --days;
  }
  char* end = out + write_date(static_cast<std::int32_t>(days), out);
  const auto seconds = static_cast<std::uint64_t>(rest / kMicrosPerSecond);
  *end++ = ' ';
  end = write_padded(end, seconds / 3600, 2);
  *end++ = ':';
  end = write_padded(end, seconds / 60 % 60, 2);
  *end++ = ':';
  end = write_padded(end, seconds % 60, 2);
  if (const std::int64_t fraction = rest % kMicrosPerSecond; fraction != 0) {
    *end++ = '.';
    end = write_padded(end, static_cast<std::uint64_t>(fraction), 6);
    while (end[-1] == '0') --end;
  }
  return static_cast<std::size_t>(end - out);
}

std::string double_text(double value) {
  std::array<char, kScalarTextMax> buffer;
  return {buffer.data(), write_double(value, buffer.data())};
}

std::string date_text(std::int32_t days) {
  std::array<char, kScalarTextMax> buffer;
  return {buffer.data(), write_date(days, buffer.data())};
}

std::string timestamp_text(std::int64_t microseconds) {
  std::array<char, kScalarTextMax> buffer;
  return {buffer.data(), write_timestamp(microseconds, buffer.data())};
}

std::optional<std::int64_t> read_int64(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text.front() == '+' && is_digit(text[1])) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> read_int64_leniently(std::string_view text) {
  text = trim(text);
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return read_int64(text);
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(point + 1);
  if (!std::all_of(fraction.begin(), fraction.end(), is_digit)) return std::nullopt;
  if (whole.empty() || whole == "-" || whole == "+") return 0;
  if (is_blank(whole.back())) return std::nullopt;
  return read_int64(whole);
}

std::optional<double> read_double(std::string_view text) {
  text = trim(text);
  const bool is_negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '+' || is_negative)) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  const double sign = is_negative ? -1.0 : 1.0;
  if (!is_digit(text.front()) && text.front() != '.') {
    if (equals_ignoring_case(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
    if (equals_ignoring_case(text, "inf") || equals_ignoring_case(text, "infinity"))
      return sign * std::numeric_limits<double>::infinity();
    return std::nullopt;
  }
  if (text.starts_with("0x") || text.starts_with("0X")) {
    auto value = read_hexadecimal(text.substr(2));
    if (value) *value *= sign;
    return value;
  }
  text = without_suffix(text);
  using Converter = double_conversion::StringToDoubleConverter;
  static const Converter converter(Converter::NO_FLAGS, 0.0,
                                   std::numeric_limits<double>::quiet_NaN(), nullptr, nullptr);
  int used = 0;
  const double value = converter.StringToDouble(text.data(), static_cast<int>(text.size()), &used);
  if (std::isnan(value) || static_cast<std::size_t>(used) != text.size()) return std::nullopt;
  return sign * value;
}

std::optional<bool> read_boolean(std::string_view text) {
  text = trim(text);
  for (const std::string_view word : {"true", "t", "yes", "y", "1"}) {
    if (equals_ignoring_case(text, word)) return true;
  }
  for (const std::string_view word : {"false", "f", "no", "n", "0"}) {
    if (equals_ignoring_case(text, word)) return false;
  }
  return std::nullopt;
}

std::optional<std::int32_t> read_date(std::string_view text) {
  Scanner scanner(trim(text));
  const auto day = scan_date(scanner, kDateYearDigitsMax);
  if (!day) return std::nullopt;
  const bool ends = scanner.at_end() || (day->is_whole && (scanner.take('T') || scanner.take(' ')));
  if (!ends) return std::nullopt;
  return day->days;
}

std::optional<std::int64_t> read_timestamp(std::string_view text, const TimeZone& zone) {
  Scanner scanner(trim(text));
  const auto day = scan_date(scanner, kTimestampYearDigitsMax);
  if (!day) return std::nullopt;
  std::optional<std::int64_t> time = 0;
  if (!scanner.at_end()) {
    if (!day->is_whole || (!scanner.take('T') && !scanner.take(' '))) return std::nullopt;
    time = scan_time(scanner);
  }
  if (!time) return std::nullopt;
  const Int128 local_us = Int128{day->days} * kMicrosPerDay + *time;
  if (local_us != static_cast<std::int64_t>(local_us)) return std::nullopt;
  return apply_zone(scanner.rest(), static_cast<std::int64_t>(local_us), zone);
}

}  // namespace millrace::stream
