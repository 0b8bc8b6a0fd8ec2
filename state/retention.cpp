#include "state/retention.hpp"

#include "millrace/assert.hpp"

#include <algorithm>
#include <set>

namespace millrace::state {
namespace {

constexpr std::int64_t kMinuteUs = 60'000'000;

/// Minutes since 1970, rounded down also before it.
std::int64_t minute_of(WallTime time) {
  const std::int64_t minute = time.value / kMinuteUs;
  return time.value % kMinuteUs < 0 ? minute - 1 : minute;
}

/// A difference of times that cannot overflow, whatever a damaged clock said.
bool is_older_than(WallTime time, WallTime now, std::int64_t age_ms) {
  std::int64_t age_us = 0;
  if (__builtin_sub_overflow(now.value, time.value, &age_us)) return now > time;
  return age_us / 1000 > age_ms;
}

}  // namespace

std::vector<Epoch> epochs_to_remove(std::span<const RetainedEpoch> committed, WallTime now,
                                    const RetentionOptions& options) {
  MILLRACE_ASSERT(options.keep_newest >= 1 && options.retain_for_ms >= 0);
  const auto total = static_cast<std::int64_t>(committed.size());
  const auto older = committed.first(
      static_cast<std::size_t>(std::max<std::int64_t>(total - options.keep_newest, 0)));

  std::vector<Epoch> removed;
  std::vector<Epoch> kept;
  std::set<std::int64_t> minutes;
  for (const RetainedEpoch& entry : older) {
    const bool expired = is_older_than(entry.time, now, options.retain_for_ms);
    const bool first_of_minute = !expired && minutes.insert(minute_of(entry.time)).second;
    (first_of_minute ? kept : removed).push_back(entry.epoch);
  }

  // A clock that was far ahead for a while left epochs that will not expire: the bound holds.
  const std::size_t kept_max = static_cast<std::size_t>(options.retain_for_ms / 60'000 + 1);
  if (kept.size() > kept_max) {
    removed.insert(removed.end(), kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(kept_max));
    std::sort(removed.begin(), removed.end());
  }
  return removed;
}

}  // namespace millrace::state
