#include "stream/time_zone.hpp"

#include "stream/calendar.hpp"

#include <date/tz.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

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

std::int64_t to_us(date::sys_seconds time) {
  const std::int64_t seconds = time.time_since_epoch().count();
  std::int64_t us = 0;
  if (__builtin_mul_overflow(seconds, kMicrosPerSecond, &us))
    return seconds < 0 ? kMinimum : kMaximum;
  return us;
}

/// Every period of the zone, the first from the beginning and the last to the end of time.
std::vector<TimeZone::Period> periods_of(const date::time_zone& zone) {
  std::vector<TimeZone::Period> periods;
  date::sys_seconds at = date::sys_days{date::year{1800} / 1 / 1};
  for (;;) {
    const date::sys_info info = zone.get_info(at);
    periods.push_back({periods.empty() ? kMinimum : to_us(info.begin), to_us(info.end),
                       info.offset.count() * kMicrosPerSecond});
    if (info.end <= at || info.end >= date::sys_days{date::year{10'000} / 1 / 1}) break;
    at = info.end;
  }
  periods.back().end_us = kMaximum;
  return periods;
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
  std::int64_t offset_us = 0;
  if (read_fixed_offset(name, offset_us))
    return new TimeZone(name, {{kMinimum, kMaximum, offset_us}});
  try {
    return new TimeZone(name, periods_of(*date::locate_zone(name)));
  } catch (const std::exception&) {
    return fail(ErrorCode::kInvalidArgument,
                "unknown time zone: " + name +
                    "; accepted: names like Europe/Berlin, UTC, offsets like +02:00");
  }
}

const TimeZone& TimeZone::utc() {
  static const auto* const zone = new TimeZone("UTC", {{kMinimum, kMaximum, 0}});
  return *zone;
}

const TimeZone::Period& TimeZone::period_at(std::int64_t utc_us) const {
  const auto next = std::upper_bound(
      periods_.begin() + 1, periods_.end(), utc_us,
      [](std::int64_t time, const Period& period) { return time < period.begin_us; });
  return *(next - 1);
}

std::int64_t TimeZone::to_local(std::int64_t utc_us) const {
  return saturated_add(utc_us, period_at(utc_us).offset_us);
}

std::int64_t TimeZone::to_utc(std::int64_t local_us) const {
  // The first period that, by its own clock, ends after this time.
  const auto period =
      std::partition_point(periods_.begin(), periods_.end() - 1, [local_us](const Period& each) {
        return saturated_add(each.end_us, each.offset_us) <= local_us;
      });
  const bool is_in_gap =
      period != periods_.begin() && local_us < saturated_add(period->begin_us, period->offset_us);
  return saturated_add(local_us, -(is_in_gap ? period - 1 : period)->offset_us);
}

}  // namespace millrace::stream
