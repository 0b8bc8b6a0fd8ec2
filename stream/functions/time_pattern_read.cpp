#include "stream/ascii.hpp"
#include "stream/calendar.hpp"
#include "stream/functions/time_names.hpp"
#include "stream/functions/time_pattern.hpp"

#include <algorithm>
#include <cctype>

namespace millrace::stream {

namespace {

using Item = TimePattern::Item;

/// What a text said; parts that it did not mention are empty.
struct ReadParts {
  std::optional<std::int64_t> year;
  bool is_before_christ = false;
  std::optional<std::int64_t> month;
  std::optional<std::int64_t> day;
  std::optional<std::int64_t> day_of_year;
  std::optional<std::int64_t> hour;
  std::optional<std::int64_t> half_day_hour;  ///< 0 to 11
  std::optional<bool> is_afternoon;
  std::int64_t minute = 0;
  std::int64_t second = 0;
  std::int64_t fraction_us = 0;
  std::optional<std::int64_t> offset_us;
  const TimeZone* zone = nullptr;
};

/// Takes what the items ask for off the front of a text.
class TimeReader {
 public:
  TimeReader(std::string_view text, const std::vector<Item>& items) : text_(text), items_(items) {}

  bool read(std::size_t begin, std::size_t end);
  [[nodiscard]] bool at_end() const { return text_.empty(); }
  [[nodiscard]] const ReadParts& parts() const { return parts_; }

 private:
  bool read_item(const Item& item);
  bool literal(std::string_view wanted) {
    if (!starts_ignoring_case(text_, wanted)) return false;
    text_.remove_prefix(wanted.size());
    return true;
  }
  std::optional<std::int64_t> digits(std::size_t least, std::size_t most, std::size_t reserved);
  /// A number of the item's digits: one letter takes any number of them.
  template <typename T>
  bool number(const Item& item, std::int64_t low, std::int64_t high, T& result) {
    constexpr std::size_t kDigitsMax = 18;
    const bool is_open = item.count == 1;
    const std::size_t most = is_open ? kDigitsMax : item.letter == 'D' ? 3 : item.count;
    const auto value = digits(item.count, most, is_open ? item.reserved : 0);
    if (!value || *value < low || *value > high) return false;
    result = *value;
    return true;
  }
  bool year(const Item& item);
  bool month(const Item& item);
  bool era(std::size_t count);
  bool half_of_day();
  bool half_day_hour(const Item& item, std::int64_t low, std::int64_t high);
  bool fraction(std::size_t count);
  bool offset(char letter, std::size_t count);
  bool signed_offset(bool has_colon, bool has_minutes);
  bool zone();

  std::string_view text_;
  const std::vector<Item>& items_;
  ReadParts parts_;
};

bool TimeReader::read(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const Item& item = items_[i];
    if (item.letter == '[') {
      const std::string_view text = text_;
      const ReadParts parts = parts_;
      if (!read(i + 1, item.end)) {
        text_ = text;
        parts_ = parts;
      }
      i = item.end;
    } else if (item.letter != ']' && !read_item(item)) {
      return false;
    }
  }
  return true;
}

std::optional<std::int64_t> TimeReader::digits(std::size_t least, std::size_t most,
                                               std::size_t reserved) {
  const auto is_no_digit = [](char c) { return !is_digit(c); };
  const auto run =
      static_cast<std::size_t>(std::ranges::find_if(text_, is_no_digit) - text_.begin());
  const std::size_t count = std::min(most, run > reserved ? run - reserved : 0);
  if (count < least) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text_.substr(0, count)) value = value * 10 + (c - '0');
  text_.remove_prefix(count);
  return value;
}

/// Two letters are a year of this century; of four and more, longer years have a sign.
bool TimeReader::year(const Item& item) {
  constexpr std::size_t kDigitsMax = 9;
  constexpr std::int64_t kCentury = 2000;
  const bool is_signed = item.count > 3 && literal("+");
  const std::size_t size = text_.size();
  if (item.count == 2) {
    parts_.year = digits(2, 2, 0);
    if (parts_.year) *parts_.year += kCentury;
    return parts_.year.has_value();
  }
  parts_.year = digits(item.count, kDigitsMax, item.reserved);
  const bool is_longer = size - text_.size() > item.count;
  if (item.count > 3 && is_longer != is_signed) return false;
  return parts_.year.has_value() && *parts_.year > 0;
}

bool TimeReader::month(const Item& item) {
  if (item.count <= 2) return number(item, 1, 12, parts_.month);
  for (std::size_t i = 0; i < kMonthNames.size(); ++i) {
    const std::string_view name = kMonthNames[i];
    if (!literal(item.count == 3 ? name.substr(0, kShortNameSize) : name)) continue;
    parts_.month = static_cast<std::int64_t>(i) + 1;
    return true;
  }
  return false;
}

bool TimeReader::era(std::size_t count) {
  parts_.is_before_christ = literal(count == 4 ? "before christ" : "bc");
  return parts_.is_before_christ || literal(count == 4 ? "anno domini" : "ad");
}

bool TimeReader::half_of_day() {
  parts_.is_afternoon = literal("pm");
  return *parts_.is_afternoon || literal("am");
}

bool TimeReader::half_day_hour(const Item& item, std::int64_t low, std::int64_t high) {
  if (!number(item, low, high, parts_.half_day_hour)) return false;
  *parts_.half_day_hour %= 12;
  return true;
}

bool TimeReader::fraction(std::size_t count) {
  std::int64_t place = kMicrosPerSecond / 10;
  std::size_t taken = 0;
  for (; taken < count && !text_.empty() && is_digit(text_.front()); ++taken) {
    parts_.fraction_us += (text_.front() - '0') * place;
    place /= 10;
    text_.remove_prefix(1);
  }
  return taken > 0;
}

bool TimeReader::signed_offset(bool has_colon, bool has_minutes) {
  const bool is_negative = !text_.empty() && text_.front() == '-';
  if (!is_negative && (text_.empty() || text_.front() != '+')) return false;
  text_.remove_prefix(1);
  const auto hours = digits(1, 2, 0);
  if (!hours || *hours > 18) return false;
  std::int64_t offset = *hours * kMicrosPerHour;
  const bool goes_on = has_colon ? literal(":") : !text_.empty() && is_digit(text_.front());
  if (!goes_on && has_minutes) return false;
  if (goes_on) {
    const auto minutes = digits(2, 2, 0);
    if (!minutes || *minutes > 59) return false;
    offset += *minutes * kMicrosPerMinute;
  }
  parts_.offset_us = is_negative ? -offset : offset;
  return true;
}

bool TimeReader::offset(char letter, std::size_t count) {
  const bool is_named = letter == 'O' || (letter == 'Z' && count == 4);
  if (is_named) {
    if (!literal("gmt")) return false;
    const bool is_zero = text_.empty() || (text_.front() != '+' && text_.front() != '-');
    if (!is_zero) return signed_offset(true, count == 4);
    parts_.offset_us = 0;
    return true;
  }
  const bool has_z = letter == 'X' || (letter == 'Z' && count == 5);
  if (has_z && literal("z")) {
    parts_.offset_us = 0;
    return true;
  }
  const bool has_colon = count == 5 || (letter != 'Z' && count == 3);
  return signed_offset(has_colon, letter == 'Z' || count > 1);
}

bool TimeReader::zone() {
  const auto* end = std::ranges::find_if(text_, [](unsigned char c) {
    return std::isalnum(c) == 0 && c != '/' && c != '_' && c != '+' && c != '-' && c != ':';
  });
  const std::string_view name = text_.substr(0, static_cast<std::size_t>(end - text_.begin()));
  const auto found = TimeZone::find(name);
  if (!found) return false;
  parts_.zone = *found;
  text_.remove_prefix(name.size());
  return true;
}

bool TimeReader::read_item(const Item& item) {
  switch (item.letter) {
    case '\'':
      return literal(item.text);
    case 'G':
      return era(item.count);
    case 'y':
      return year(item);
    case 'M':
    case 'L':
      return month(item);
    case 'd':
      return number(item, 1, 31, parts_.day);
    case 'D':
      return number(item, 1, 366, parts_.day_of_year);
    case 'a':
      return half_of_day();
    case 'h':
      return half_day_hour(item, 1, 12);
    case 'K':
      return half_day_hour(item, 0, 11);
    case 'k':
      if (!number(item, 1, 24, parts_.hour)) return false;
      *parts_.hour %= 24;
      return true;
    case 'H':
      return number(item, 0, 23, parts_.hour);
    case 'm':
      return number(item, 0, 59, parts_.minute);
    case 's':
      return number(item, 0, 59, parts_.second);
    case 'S':
      return fraction(item.count);
    case 'V':
    case 'z':
      return zone();
    default:
      return offset(item.letter, item.count);
  }
}

std::optional<std::int64_t> day_of(const ReadParts& parts) {
  constexpr std::int64_t kYear = 1970;
  std::int64_t year = parts.year.value_or(kYear);
  if (parts.is_before_christ) year = 1 - year;
  if (!parts.day_of_year || parts.month || parts.day)
    return checked_day(year, parts.month.value_or(1), parts.day.value_or(1));
  const auto first = checked_day(year, 1, 1);
  if (!first || *parts.day_of_year > 337 + days_in_month(year, 2)) return std::nullopt;
  return *first + *parts.day_of_year - 1;
}

std::int64_t hour_of(const ReadParts& parts) {
  if (parts.hour) return *parts.hour;
  return parts.half_day_hour.value_or(0) + (parts.is_afternoon.value_or(false) ? 12 : 0);
}

}  // namespace

std::optional<std::int64_t> TimePattern::read(std::string_view text, const TimeZone& zone) const {
  TimeReader reader(text, items_);
  if (!reader.read(0, items_.size()) || !reader.at_end()) return std::nullopt;
  const ReadParts& parts = reader.parts();
  const auto day = day_of(parts);
  std::int64_t local = 0;
  if (!day || __builtin_mul_overflow(*day, kMicrosPerDay, &local)) return std::nullopt;
  const std::int64_t of_day = hour_of(parts) * kMicrosPerHour + parts.minute * kMicrosPerMinute +
                              parts.second * kMicrosPerSecond + parts.fraction_us;
  if (__builtin_add_overflow(local, of_day, &local)) return std::nullopt;
  if (parts.offset_us) return local - *parts.offset_us;
  return (parts.zone != nullptr ? *parts.zone : zone).to_utc(local);
}

std::optional<std::int32_t> TimePattern::read_day(std::string_view text) const {
  TimeReader reader(text, items_);
  if (!reader.read(0, items_.size()) || !reader.at_end()) return std::nullopt;
  const auto day = day_of(reader.parts());
  if (!day || *day != static_cast<std::int32_t>(*day)) return std::nullopt;
  return static_cast<std::int32_t>(*day);
}

}  // namespace millrace::stream
