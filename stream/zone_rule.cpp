#include "stream/zone_rule.hpp"

#include "stream/ascii.hpp"
#include "stream/calendar.hpp"

#include <algorithm>

namespace millrace::stream {

namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;
constexpr std::int64_t kSecondsPerHour = 3'600;
constexpr std::int64_t kHoursMax = 167;  // a change can be told by another day's clock

}  // namespace

/// Takes the parts of a rule off the front of a text. Owned by `ZoneRule::parse`.
class ZoneRuleReader {
 public:
  explicit ZoneRuleReader(std::string_view text) : text_(text) {}

  bool read(ZoneRule& rule);

 private:
  bool take(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool number(std::int64_t low, std::int64_t high, std::int64_t& result);
  bool name(std::string& result);
  bool duration(std::int64_t& seconds);
  bool moment(ZoneRule::Moment& result);

  std::string_view text_;
};

bool ZoneRuleReader::number(std::int64_t low, std::int64_t high, std::int64_t& result) {
  if (text_.empty() || !is_digit(text_.front())) return false;
  result = 0;
  for (; !text_.empty() && is_digit(text_.front()) && result <= high; text_.remove_prefix(1))
    result = result * 10 + (text_.front() - '0');
  return result >= low && result <= high;
}

/// Letters, or anything between < and >.
bool ZoneRuleReader::name(std::string& result) {
  const bool is_quoted = take('<');
  const auto* const end =
      std::ranges::find_if(text_, [&](char c) { return is_quoted ? c == '>' : !is_letter(c); });
  const auto size = static_cast<std::size_t>(end - text_.begin());
  result = text_.substr(0, size);
  text_.remove_prefix(size);
  return !result.empty() && (!is_quoted || take('>'));
}

/// [+-]hours[:minutes[:seconds]]
bool ZoneRuleReader::duration(std::int64_t& seconds) {
  const bool is_negative = take('-');
  if (!is_negative) (void)take('+');
  std::int64_t part = 0;
  if (!number(0, kHoursMax, part)) return false;
  seconds = part * kSecondsPerHour;
  for (std::int64_t unit = 60; unit != 0 && take(':'); unit /= 60) {
    if (!number(0, 59, part)) return false;
    seconds += part * unit;
  }
  if (is_negative) seconds = -seconds;
  return true;
}

bool ZoneRuleReader::moment(ZoneRule::Moment& result) {
  using Kind = ZoneRule::Moment::Kind;
  if (!take(',')) return false;
  bool is_day = false;
  if (take('M')) {
    is_day = number(1, 12, result.month) && take('.') && number(1, 5, result.week) && take('.') &&
             number(0, 6, result.weekday);
  } else if (take('J')) {
    result.kind = Kind::kDayNoLeaps;
    is_day = number(1, 365, result.day);
  } else {
    result.kind = Kind::kDay;
    is_day = number(0, 365, result.day);
  }
  return is_day && (!take('/') || duration(result.time_seconds));
}

bool ZoneRuleReader::read(ZoneRule& rule) {
  // POSIX counts what is missing to UTC: east of Greenwich is below 0.
  if (!name(rule.standard_.abbreviation) || !duration(rule.standard_.offset_seconds)) return false;
  rule.standard_.offset_seconds = -rule.standard_.offset_seconds;
  if (text_.empty()) return true;
  rule.has_changes_ = true;
  rule.daylight_.offset_seconds = rule.standard_.offset_seconds + kSecondsPerHour;
  if (!name(rule.daylight_.abbreviation)) return false;
  if (!text_.empty() && text_.front() != ',') {
    if (!duration(rule.daylight_.offset_seconds)) return false;
    rule.daylight_.offset_seconds = -rule.daylight_.offset_seconds;
  }
  return moment(rule.daylight_begin_) && moment(rule.daylight_end_) && text_.empty();
}

std::optional<ZoneRule> ZoneRule::parse(std::string_view text) {
  ZoneRule rule;
  if (!ZoneRuleReader(text).read(rule)) return std::nullopt;
  return rule;
}

std::int64_t ZoneRule::Moment::local_seconds(std::int64_t year) const {
  const std::int64_t first = days_since_epoch({year, 1, 1});
  std::int64_t date = first + day;
  if (kind == Kind::kDayNoLeaps) {
    constexpr std::int64_t kLastBeforeLeapDay = 59;
    const bool is_behind_leap_day = day > kLastBeforeLeapDay && days_in_month(year, 2) == 29;
    date = first + day - 1 + (is_behind_leap_day ? 1 : 0);
  } else if (kind == Kind::kWeekday) {
    const std::int64_t begin = days_since_epoch({year, month, 1});
    const std::int64_t from_monday = (weekday + 6) % 7;
    date = begin + rest_of(from_monday - weekday_of(begin), 7) + 7 * (week - 1);
    if (date >= begin + days_in_month(year, month)) date -= 7;
  }
  return date * kSecondsPerDay + time_seconds;
}

void ZoneRule::add_changes(std::int64_t year, std::vector<ZoneChange>& changes) const {
  if (!has_changes_) return;
  ZoneChange begin = daylight_;
  begin.at_seconds = daylight_begin_.local_seconds(year) - standard_.offset_seconds;
  ZoneChange end = standard_;
  end.at_seconds = daylight_end_.local_seconds(year) - daylight_.offset_seconds;
  const bool is_begin_first = begin.at_seconds < end.at_seconds;
  changes.push_back(is_begin_first ? begin : end);
  changes.push_back(is_begin_first ? end : begin);
}

}  // namespace millrace::stream
