#include "stream/time_zone.hpp"

#include "stream/calendar.hpp"
#include "stream/zone_file.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <mutex>

namespace millrace::stream {

namespace {

constexpr std::int64_t kMinimum = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kOffsetMaxSeconds = 18 * 3600;

std::int64_t saturated_add(std::int64_t left, std::int64_t right) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(left, right, &sum)) return right < 0 ? kMinimum : kMaximum;
  return sum;
}

std::int64_t to_us(std::int64_t seconds) {
  std::int64_t us = 0;
  if (__builtin_mul_overflow(seconds, kMicrosPerSecond, &us))
    return seconds < 0 ? kMinimum : kMaximum;
  return us;
}

// The calendar comes again after so many years, weekdays and all.
constexpr std::int64_t kCycleYears = 400;
constexpr std::int64_t kCycleUs = 146'097 * kMicrosPerDay;

std::int64_t begin_of_year(std::int64_t year) {
  return days_since_epoch({year, 1, 1}) * kMicrosPerDay;
}

/// The year after that of the last change that the file itself knows.
std::int64_t first_year_of_rule(const ZoneFile& file) {
  if (file.changes.empty()) return 1970;
  const std::int64_t last_day = divide_down(to_us(file.changes.back().at_seconds), kMicrosPerDay);
  return std::max<std::int64_t>(calendar_date(last_day).year + 1, 1970);
}

/// The changes that the file has, and those by its rule for a cycle from `first_year` on; a year
/// around it, so that no offset leads out of them.
std::vector<ZoneChange> all_changes(const ZoneFile& file, std::int64_t first_year) {
  std::vector<ZoneChange> changes = file.changes;
  if (!file.rule) return changes;
  std::vector<ZoneChange> by_rule;
  if (!file.rule->has_changes()) {
    if (changes.empty()) by_rule.push_back(file.rule->standard());
  } else {
    for (std::int64_t year = first_year - 1; year <= first_year + kCycleYears + 1; ++year)
      file.rule->add_changes(year, by_rule);
  }
  for (const ZoneChange& change : by_rule) {
    if (changes.empty() || change.at_seconds > changes.back().at_seconds) changes.push_back(change);
  }
  return changes;
}

std::vector<TimeZone::Period> periods_of(const ZoneChange& first,
                                         const std::vector<ZoneChange>& changes) {
  const auto offset_of = [](const ZoneChange& change) { return to_us(change.offset_seconds); };
  std::vector<TimeZone::Period> periods = {
      {kMinimum, kMaximum, offset_of(first), first.abbreviation}};
  for (const ZoneChange& change : changes) {
    periods.back().end_us = to_us(change.at_seconds);
    periods.push_back({to_us(change.at_seconds), kMaximum, offset_of(change), change.abbreviation});
  }
  return periods;
}

/// A three-letter name as Java knows it, and the zone that it stands for.
struct ShortName {
  std::string_view name;
  std::string_view zone;
};

constexpr auto kShortNames = std::to_array<ShortName>({
    {"ACT", "Australia/Darwin"},
    {"AET", "Australia/Sydney"},
    {"AGT", "America/Argentina/Buenos_Aires"},
    {"ART", "Africa/Cairo"},
    {"AST", "America/Anchorage"},
    {"BET", "America/Sao_Paulo"},
    {"BST", "Asia/Dhaka"},
    {"CAT", "Africa/Harare"},
    {"CNT", "America/St_Johns"},
    {"CST", "America/Chicago"},
    {"CTT", "Asia/Shanghai"},
    {"EAT", "Africa/Addis_Ababa"},
    {"ECT", "Europe/Paris"},
    {"EST", "-05:00"},
    {"HST", "-10:00"},
    {"IET", "America/Indiana/Indianapolis"},
    {"IST", "Asia/Kolkata"},
    {"JST", "Asia/Tokyo"},
    {"MIT", "Pacific/Apia"},
    {"MST", "-07:00"},
    {"NET", "Asia/Yerevan"},
    {"NST", "Pacific/Auckland"},
    {"PLT", "Asia/Karachi"},
    {"PNT", "America/Phoenix"},
    {"PRT", "America/Puerto_Rico"},
    {"PST", "America/Los_Angeles"},
    {"SST", "Pacific/Guadalcanal"},
    {"VST", "Asia/Ho_Chi_Minh"},
});

std::string_view without_short_name(std::string_view name) {
  const auto* const found = std::ranges::find(kShortNames, name, &ShortName::name);
  return found == kShortNames.end() ? name : found->zone;
}

/// The one or two digits, or the two of "0530", that a part of an offset has.
bool take_part(std::string_view& text, std::size_t digits_max, std::int64_t& value) {
  std::size_t digits = 0;
  value = 0;
  while (digits < digits_max && !text.empty() && text.front() >= '0' && text.front() <= '9') {
    value = value * 10 + (text.front() - '0');
    text.remove_prefix(1);
    ++digits;
  }
  return digits != 0;
}

/// "", "+02:00" behind UTC, GMT or UT.
std::string_view without_prefix(std::string_view name) {
  for (const std::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

bool read_fixed_offset(std::string_view name, std::int64_t& offset_us) {
  const std::string_view rest = without_prefix(name);
  offset_us = 0;
  return (rest.empty() && !name.empty()) || read_zone_offset(rest, offset_us);
}

}  // namespace

bool read_zone_offset(std::string_view text, std::int64_t& offset_us) {
  offset_us = 0;
  if (text == "Z") return true;
  if (!text.starts_with('+') && !text.starts_with('-')) return false;
  const bool is_negative = text.front() == '-';
  text.remove_prefix(1);
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  std::int64_t seconds = 0;
  if (!take_part(text, 2, hours)) return false;
  const bool has_colons = text.starts_with(':');
  for (std::int64_t* part : {&minutes, &seconds}) {
    if (text.empty()) break;
    if (has_colons && !text.starts_with(':')) return false;
    if (has_colons) text.remove_prefix(1);
    if (!take_part(text, 2, *part) || *part > 59) return false;
  }
  const std::int64_t total = hours * 3600 + minutes * 60 + seconds;
  if (!text.empty() || total > kOffsetMaxSeconds) return false;
  offset_us = (is_negative ? -total : total) * kMicrosPerSecond;
  return true;
}

Result<const TimeZone*> TimeZone::find(std::string_view name) {
  static std::mutex mutex;
  static auto* const zones = new std::map<std::string, const TimeZone*, std::less<>>;
  const std::lock_guard lock(mutex);
  if (const auto known = zones->find(name); known != zones->end()) return known->second;
  MILLRACE_ASSIGN(const TimeZone* zone, load(std::string(name)));
  zones->emplace(name, zone);
  return zone;
}

Result<const TimeZone*> TimeZone::load(const std::string& name) {
  const std::string full_name(without_short_name(name));
  std::int64_t offset_us = 0;
  if (read_fixed_offset(full_name, offset_us)) return make_fixed(full_name, offset_us);
  const auto file = ZoneFile::load(full_name);
  if (!file) {
    return fail(ErrorCode::kInvalidArgument,
                "unknown time zone: " + name +
                    "; accepted: names like Europe/Berlin, UTC, PST, offsets like +02:00");
  }
  const bool goes_on = file->rule && file->rule->has_changes();
  const std::int64_t first_year = first_year_of_rule(*file);
  return new TimeZone(full_name, periods_of(file->first, all_changes(*file, first_year)),
                      goes_on ? begin_of_year(first_year) : kMaximum);
}

const TimeZone* TimeZone::make_fixed(const std::string& name, std::int64_t offset_us) {
  return new TimeZone(name, {{kMinimum, kMaximum, offset_us, name}}, kMaximum);
}

const TimeZone& TimeZone::utc() {
  static const auto* const zone = make_fixed("UTC", 0);
  return *zone;
}

std::int64_t TimeZone::behind_first_cycle(std::int64_t time_us) const {
  if (time_us < cycle_begin_us_) [[likely]]
    return 0;
  return (time_us - cycle_begin_us_) / kCycleUs * kCycleUs;
}

const TimeZone::Period& TimeZone::period_at(std::int64_t utc_us) const {
  const auto next = std::upper_bound(
      periods_.begin() + 1, periods_.end(), utc_us - behind_first_cycle(utc_us),
      [](std::int64_t time, const Period& period) { return time < period.begin_us; });
  return *(next - 1);
}

std::int64_t TimeZone::to_local(std::int64_t utc_us) const {
  return saturated_add(utc_us, period_at(utc_us).offset_us);
}

std::int64_t TimeZone::to_utc(std::int64_t local_us) const {
  const std::int64_t first_local_us = local_us - behind_first_cycle(local_us);
  // The first period that, by its own clock, ends after this time.
  const auto period = std::partition_point(
      periods_.begin(), periods_.end() - 1, [first_local_us](const Period& each) {
        return saturated_add(each.end_us, each.offset_us) <= first_local_us;
      });
  const bool is_in_gap = period != periods_.begin() &&
                         first_local_us < saturated_add(period->begin_us, period->offset_us);
  return saturated_add(local_us, -(is_in_gap ? period - 1 : period)->offset_us);
}

}  // namespace millrace::stream
