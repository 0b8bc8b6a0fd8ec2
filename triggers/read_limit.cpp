#include "triggers/read_limit.hpp"

#include <algorithm>
#include <cmath>

namespace millrace::triggers {
namespace {

using stream::Positions;

std::int64_t available(const Positions& ends, const std::string& partition, std::int64_t from) {
  const auto end = ends.find(partition);
  return end == ends.end() ? 0 : std::max<std::int64_t>(end->second - from, 0);
}

double total_of(const Positions& from, const Positions& ends) {
  double total = 0;
  for (const auto& [partition, position] : from)
    total += static_cast<double>(available(ends, partition, position));
  return total;
}

Result<std::optional<std::int64_t>> parse_count(const Options& options, std::string_view key) {
  if (!options.has(key)) return std::nullopt;
  MILLRACE_ASSIGN(const std::int64_t count, options.get_int(key, 0));
  if (count > 0) return count;
  return fail(
      ErrorCode::kInvalidArgument,
      "option " + std::string(key) + " is a number above zero, not " + std::to_string(count));
}

}  // namespace

Result<stream::ReadLimit> parse_read_limit(const Options& options) {
  stream::ReadLimit limit;
  MILLRACE_ASSIGN(limit.offsets_max, parse_count(options, "max_offsets_per_trigger"));
  MILLRACE_ASSIGN(limit.offsets_min, parse_count(options, "min_offsets_per_trigger"));
  if (limit.offsets_max && limit.offsets_min && *limit.offsets_min > *limit.offsets_max) {
    return fail(ErrorCode::kInvalidArgument,
                "option min_offsets_per_trigger, " + std::to_string(*limit.offsets_min) +
                    ", is above max_offsets_per_trigger, " + std::to_string(*limit.offsets_max));
  }
  if (!options.has("max_trigger_delay")) return limit;
  if (!limit.offsets_min) {
    return fail(ErrorCode::kInvalidArgument,
                "option max_trigger_delay says how long an epoch waits for "
                "min_offsets_per_trigger, and none is given");
  }
  MILLRACE_ASSIGN(const std::int64_t delay_ms, options.get_duration_ms("max_trigger_delay", 0));
  limit.delay_max = std::chrono::milliseconds(delay_ms);
  return limit;
}

Positions spread(const Positions& from, const Positions& ends, std::int64_t total) {
  const double all = total_of(from, ends);
  Positions to = from;
  if (all == 0) return to;
  for (auto& [partition, position] : to) {
    const std::int64_t size = available(ends, partition, position);
    const double share = static_cast<double>(total) * (static_cast<double>(size) / all);
    const double rounded = share < 1 ? std::ceil(share) : std::floor(share);
    // Compared as doubles: a share beyond 64 bits is more than there is.
    position += rounded < static_cast<double>(size) ? static_cast<std::int64_t>(rounded) : size;
  }
  return to;
}

Positions ReadLimiter::plan(const Positions& from, const Positions& ends, SteadyTime now) {
  if (limit_.offsets_min) {
    const std::int64_t delay_ns = std::chrono::nanoseconds(limit_.delay_max).count();
    const bool is_due = !last_ || now.value - last_->value >= delay_ns;
    if (!is_due && total_of(from, ends) < static_cast<double>(*limit_.offsets_min)) return from;
    last_ = now;
  }
  return plan_without_waiting(from, ends);
}

Positions ReadLimiter::plan_without_waiting(const Positions& from, const Positions& ends) const {
  return spread(from, ends, limit_.offsets_max.value_or(INT64_MAX));
}

}  // namespace millrace::triggers
