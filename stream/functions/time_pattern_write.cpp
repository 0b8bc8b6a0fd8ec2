#include "stream/calendar.hpp"
#include "stream/functions/time_names.hpp"
#include "stream/functions/time_pattern.hpp"
#include "stream/scalar_text.hpp"

#include <array>
#include <cstdlib>
#include <cstring>

namespace millrace::stream {

namespace {

/// A time taken apart, and where its text goes.
class TimeWriter {
 public:
  TimeWriter(std::int64_t utc_us, const TimeZone& zone, char* out)
      : zone_(zone), utc_us_(utc_us), end_(out) {
    const std::int64_t local = zone.to_local(utc_us);
    offset_us_ = zone.offset_at(utc_us);
    days_ = divide_down(local, kMicrosPerDay);
    of_day_ = rest_of(local, kMicrosPerDay);
    date_ = calendar_date(days_);
  }

  void write(const TimePattern::Item& item);
  [[nodiscard]] char* end() const { return end_; }

 private:
  void text(std::string_view words) {
    if (!words.empty()) std::memcpy(end_, words.data(), words.size());
    end_ += words.size();
  }
  void number(std::int64_t value, std::size_t digits) {
    char buffer[kScalarTextMax];
    const std::size_t size = write_int64(value, buffer);
    for (std::size_t i = size; i < digits; ++i) *end_++ = '0';
    text({buffer, size});
  }
  void year(std::size_t count);
  void month(std::size_t count);
  void quarter(std::size_t count);
  void fraction(std::size_t count);
  void offset(bool has_colon, bool has_seconds);
  void short_offset(std::size_t count);
  void zone_offset(char letter, std::size_t count);
  void offset_from_greenwich(bool is_full);
  [[nodiscard]] std::int64_t hour() const { return of_day_ / kMicrosPerHour; }
  [[nodiscard]] std::int64_t offset_minutes() const {
    return std::abs(offset_us_) / kMicrosPerMinute;
  }

  const TimeZone& zone_;
  std::int64_t utc_us_;
  char* end_;
  std::int64_t offset_us_ = 0;
  std::int64_t days_ = 0;
  std::int64_t of_day_ = 0;
  CalendarDate date_;
};

void TimeWriter::year(std::size_t count) {
  const std::int64_t of_era = date_.year > 0 ? date_.year : 1 - date_.year;
  if (count == 2) return number(of_era % 100, 2);
  constexpr std::int64_t kFourDigitsMax = 9'999;
  if (count == 4 && of_era > kFourDigitsMax) *end_++ = '+';
  number(of_era, count);
}

void TimeWriter::month(std::size_t count) {
  const std::string_view name = kMonthNames[static_cast<std::size_t>(date_.month - 1)];
  if (count <= 2) return number(date_.month, count);
  text(count == 3 ? name.substr(0, kShortNameSize) : name);
}

void TimeWriter::quarter(std::size_t count) {
  constexpr std::array<std::string_view, 4> kNames = {"1st quarter", "2nd quarter", "3rd quarter",
                                                      "4th quarter"};
  const std::int64_t quarter = (date_.month + 2) / 3;
  if (count <= 2) return number(quarter, count);
  if (count == 4) return text(kNames[static_cast<std::size_t>(quarter - 1)]);
  text("Q");
  number(quarter, 1);
}

void TimeWriter::fraction(std::size_t count) {
  constexpr std::size_t kDigits = 6;
  char* const begin = end_;
  number(of_day_ % kMicrosPerSecond, kDigits);
  for (std::size_t i = kDigits; i < count; ++i) *end_++ = '0';
  end_ = begin + count;
}

void TimeWriter::offset(bool has_colon, bool has_seconds) {
  *end_++ = offset_us_ < 0 ? '-' : '+';
  number(offset_minutes() / 60, 2);
  if (has_colon) text(":");
  number(offset_minutes() % 60, 2);
  const std::int64_t seconds = std::abs(offset_us_) % kMicrosPerMinute / kMicrosPerSecond;
  if (!has_seconds || seconds == 0) return;
  if (has_colon) text(":");
  number(seconds, 2);
}

/// X and x: one letter leaves minutes out that are zero.
void TimeWriter::short_offset(std::size_t count) {
  if (count > 1 || offset_minutes() % 60 != 0) return offset(count == 3 || count == 5, count > 3);
  *end_++ = offset_us_ < 0 ? '-' : '+';
  number(offset_minutes() / 60, 2);
}

void TimeWriter::offset_from_greenwich(bool is_full) {
  text("GMT");
  if (offset_us_ == 0) return;
  if (is_full) return offset(true, true);
  *end_++ = offset_us_ < 0 ? '-' : '+';
  number(offset_minutes() / 60, 1);
  if (offset_minutes() % 60 == 0) return;
  text(":");
  number(offset_minutes() % 60, 2);
}

void TimeWriter::zone_offset(char letter, std::size_t count) {
  if (letter == 'O') return offset_from_greenwich(count == 4);
  if (letter == 'Z' && count == 4) return offset_from_greenwich(true);
  const bool has_z = letter == 'X' || (letter == 'Z' && count == 5);
  if (has_z && offset_us_ == 0) return text("Z");
  if (letter == 'Z') return offset(count == 5, count == 5);
  short_offset(count);
}

void TimeWriter::write(const TimePattern::Item& item) {
  constexpr std::int64_t kHalfDay = 12;
  const std::string_view day_name = kDayNames[static_cast<std::size_t>(weekday_of(days_))];
  switch (item.letter) {
    case '\'':
      return text(item.text);
    case 'G':
      if (item.count == 4) return text(date_.year > 0 ? "Anno Domini" : "Before Christ");
      return text(date_.year > 0 ? "AD" : "BC");
    case 'y':
      return year(item.count);
    case 'M':
    case 'L':
      return month(item.count);
    case 'd':
      return number(date_.day, item.count);
    case 'D':
      return number(day_of_year(days_), item.count);
    case 'Q':
    case 'q':
      return quarter(item.count);
    case 'E':
      return text(item.count == 4 ? day_name : day_name.substr(0, kShortNameSize));
    case 'F':
      return number((date_.day - 1) % 7 + 1, 1);
    case 'a':
      return text(hour() < kHalfDay ? "AM" : "PM");
    case 'h':
      return number((hour() + kHalfDay - 1) % kHalfDay + 1, item.count);
    case 'K':
      return number(hour() % kHalfDay, item.count);
    case 'k':
      return number(hour() == 0 ? 2 * kHalfDay : hour(), item.count);
    case 'H':
      return number(hour(), item.count);
    case 'm':
      return number(of_day_ / kMicrosPerMinute % 60, item.count);
    case 's':
      return number(of_day_ / kMicrosPerSecond % 60, item.count);
    case 'S':
      return fraction(item.count);
    case 'V':
      return text(zone_.name());
    case 'z':
      return text(zone_.abbreviation_at(utc_us_));
    case 'O':
    case 'X':
    case 'x':
    case 'Z':
      return zone_offset(item.letter, item.count);
    default:
      return;  // a bracket
  }
}

}  // namespace

std::size_t TimePattern::write(std::int64_t utc_us, const TimeZone& zone, char* out) const {
  TimeWriter writer(utc_us, zone, out);
  for (const Item& item : items_) writer.write(item);
  return static_cast<std::size_t>(writer.end() - out);
}

}  // namespace millrace::stream
