#pragma once

#include <compare>
#include <cstdint>

namespace millrace {

/// A number with a meaning of its own, so that an epoch is never passed where a task is wanted.
template <typename Tag, typename Number>
struct Strong {
  Number value{};

  constexpr Strong() = default;
  constexpr explicit Strong(Number number) : value(number) {}
  friend constexpr auto operator<=>(const Strong&, const Strong&) = default;

  /// The number after this one.
  [[nodiscard]] constexpr Strong next() const { return Strong(static_cast<Number>(value + 1)); }
  /// The number before this one.
  [[nodiscard]] constexpr Strong previous() const { return Strong(static_cast<Number>(value - 1)); }
};

/// The span of input between two barriers, numbered from 0; the unit of commit.
using Epoch = Strong<struct EpochTag, std::int64_t>;
/// One parallel piece of a query; numbered from 0 within the query.
using TaskId = Strong<struct TaskTag, std::int32_t>;
/// An input or output of an operator; 0 is the main one.
using Port = Strong<struct PortTag, std::int32_t>;
/// Raised, durably, whenever the history of a checkpoint forks.
using Generation = Strong<struct GenerationTag, std::int64_t>;
/// Microseconds since 1970-01-01 UTC, as the rows say.
using EventTime = Strong<struct EventTimeTag, std::int64_t>;
/// Microseconds since 1970-01-01 UTC, as the clock says.
using WallTime = Strong<struct WallTimeTag, std::int64_t>;
/// Nanoseconds of a clock that never steps back; only differences mean anything.
using SteadyTime = Strong<struct SteadyTimeTag, std::int64_t>;

}  // namespace millrace
