#pragma once

#include "millrace/error.hpp"
#include "millrace/options.hpp"
#include "millrace/strong.hpp"

#include "stream/source.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace millrace::triggers {

/// The options of a source that parse_read_limit reads.
inline constexpr std::array<std::string_view, 3> kReadLimitKeys = {
    "max_offsets_per_trigger", "min_offsets_per_trigger", "max_trigger_delay"};

/// Reads them. kInvalidArgument for a number that is not above zero, a minimum above the maximum,
/// and a delay without a minimum.
[[nodiscard]] Result<stream::ReadLimit> parse_read_limit(const Options& options);

/// Cuts what an epoch of the planned drive reads of one source down to its limit, and says whether
/// it is worth an epoch at all: the anchor's maxOffsetsPerTrigger, minOffsetsPerTrigger and
/// maxTriggerDelay (K-9, K-10). One per source; called on one thread.
class ReadLimiter {
 public:
  explicit ReadLimiter(stream::ReadLimit limit) : limit_(limit) {}

  /// Where the epoch ends that begins at `from`, when the source's ends are `ends`: `from` itself
  /// when it shall wait for more. Partitions are those of `from`; one that `ends` does not name, or
  /// names below `from`, gives nothing.
  [[nodiscard]] stream::Positions plan(const stream::Positions& from, const stream::Positions& ends,
                                       SteadyTime now);
  /// The same without regard to the minimum: for a query that reads what is there and ends.
  [[nodiscard]] stream::Positions plan_without_waiting(const stream::Positions& from,
                                                       const stream::Positions& ends) const;

 private:
  stream::ReadLimit limit_;
  std::optional<SteadyTime> last_;  ///< when it last did not wait; none: never
};

/// Spreads `total` positions over the partitions in proportion to what each has: the share of one
/// is rounded down, but up when it is below one, so that no partition starves; hence the sum may
/// pass `total`. K-9.
[[nodiscard]] stream::Positions spread(const stream::Positions& from, const stream::Positions& ends,
                                       std::int64_t total);

}  // namespace millrace::triggers
