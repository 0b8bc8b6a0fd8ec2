#pragma once

#include "stream/calendar.hpp"
#include "stream/decimal.hpp"
#include "stream/evaluation_settings.hpp"
#include "stream/interval_text.hpp"
#include "stream/kind_storage.hpp"
#include "stream/scalar_text.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

// Casts of single values between types of fixed width, and from text to them. What a cast makes of
// a value that has no place in the target is told apart: out of range with the nearest thing that
// ansi = 'false' takes for it (wrapped, or cut to the range), or none at all.

namespace millrace::stream {

enum class CastResult : std::uint8_t { kDone, kOutOfRange, kImpossible };

/// What a cast knows beside the value.
struct CastTypes {
  const DataType& from;
  const DataType& to;
  const TimeZone& zone;
  ErrorMode mode;
};

constexpr bool is_whole_kind(TypeKind kind) {
  return kind == TypeKind::kInt32 || kind == TypeKind::kInt64;
}

/// Cuts off what is behind the point; out of range the nearest end of it, 0 for NaN.
template <typename T>
CastResult truncate(double value, T& result) {
  constexpr double kLimit = std::is_same_v<T, std::int32_t> ? 2147483648.0 : 9223372036854775808.0;
  const double whole = std::trunc(value);
  if (whole >= -kLimit && whole < kLimit) [[likely]] {
    result = static_cast<T>(whole);
    return CastResult::kDone;
  }
  result = std::isnan(value) ? T{0}
           : value < 0       ? std::numeric_limits<T>::min()
                             : std::numeric_limits<T>::max();
  return CastResult::kOutOfRange;
}

inline CastResult assign(const std::optional<Decimal>& value, Decimal& result) {
  result = value.value_or(Decimal{});
  return value ? CastResult::kDone : CastResult::kImpossible;
}

// --- from text -----------------------------------------------------------------------------------

template <TypeKind kTo>
std::optional<StoredAs<kTo>> read_text(std::string_view text, const CastTypes& types) {
  if constexpr (kTo == TypeKind::kBoolean) {
    const auto truth = read_boolean(text);
    if (!truth) return std::nullopt;
    return static_cast<std::uint8_t>(*truth);
  } else if constexpr (is_whole_kind(kTo)) {
    const auto wide =
        types.mode == ErrorMode::kLegacy ? read_int64_leniently(text) : read_int64(text);
    if (!wide || *wide != static_cast<StoredAs<kTo>>(*wide)) return std::nullopt;
    return static_cast<StoredAs<kTo>>(*wide);
  } else if constexpr (kTo == TypeKind::kDouble) {
    return read_double(text);
  } else if constexpr (kTo == TypeKind::kDate) {
    return read_date(text);
  } else if constexpr (kTo == TypeKind::kTimestamp) {
    return read_timestamp(text, types.zone);
  } else if constexpr (kTo == TypeKind::kDecimal) {
    return read_decimal(text, types.to.precision(), types.to.scale());
  } else {
    return read_interval(text);
  }
}

// --- from and to decimals ------------------------------------------------------------------------

template <TypeKind kFrom>
CastResult to_decimal(StoredAs<kFrom> value, const CastTypes& types, Decimal& result) {
  if constexpr (kFrom == TypeKind::kDouble) {
    return assign(from_double(value, types.to.precision(), types.to.scale()), result);
  } else if constexpr (kFrom == TypeKind::kDecimal) {
    return assign(rescale({value, types.from.scale()}, types.to), result);
  } else if constexpr (kFrom == TypeKind::kTimestamp) {
    return assign(rescale({Decimal{value}, 6}, types.to), result);
  } else {
    return assign(rescale({Decimal{value}, 0}, types.to), result);
  }
}

template <TypeKind kTo>
CastResult from_decimal(Decimal value, const CastTypes& types, StoredAs<kTo>& result) {
  const int scale = types.from.scale();
  if constexpr (kTo == TypeKind::kBoolean) {
    result = value.unscaled != 0 ? 1 : 0;
    return CastResult::kDone;
  } else if constexpr (kTo == TypeKind::kDouble) {
    result = to_double({value, scale});
    return CastResult::kDone;
  } else {
    // A timestamp counts millionths.
    constexpr int kPlaces = kTo == TypeKind::kTimestamp ? 6 : 0;
    const auto whole = rescale({value, scale}, DataType::decimal(DataType::kPrecisionMax, kPlaces),
                               Rounding::kDown);
    result = static_cast<StoredAs<kTo>>(whole ? whole->unscaled : 0);
    if (whole && whole->unscaled == result) return CastResult::kDone;
    return kTo == TypeKind::kTimestamp ? CastResult::kImpossible : CastResult::kOutOfRange;
  }
}

// --- times ---------------------------------------------------------------------------------------

template <TypeKind kFrom>
CastResult to_timestamp(StoredAs<kFrom> value, const CastTypes& types, std::int64_t& result) {
  if constexpr (kFrom == TypeKind::kDouble) {
    // What is out of range has no time.
    return truncate(value * static_cast<double>(kMicrosPerSecond), result) == CastResult::kDone
               ? CastResult::kDone
               : CastResult::kImpossible;
  } else {
    constexpr std::int64_t kUnit = kFrom == TypeKind::kDate ? kMicrosPerDay : kMicrosPerSecond;
    if (__builtin_mul_overflow(static_cast<std::int64_t>(value), kUnit, &result))
      return CastResult::kImpossible;
    if constexpr (kFrom == TypeKind::kDate) result = types.zone.to_utc(result);
    return CastResult::kDone;
  }
}

template <TypeKind kTo>
CastResult from_timestamp(std::int64_t value, const CastTypes& types, StoredAs<kTo>& result) {
  if constexpr (kTo == TypeKind::kDouble) {
    result = static_cast<double>(value) / static_cast<double>(kMicrosPerSecond);
    return CastResult::kDone;
  } else {
    const std::int64_t whole = kTo == TypeKind::kDate
                                   ? divide_down(types.zone.to_local(value), kMicrosPerDay)
                                   : divide_down(value, kMicrosPerSecond);
    result = static_cast<StoredAs<kTo>>(whole);
    return result == whole ? CastResult::kDone : CastResult::kOutOfRange;
  }
}

/// Casts one value; `result` is set in any case but kImpossible.
template <TypeKind kFrom, TypeKind kTo>
CastResult cast_value(StoredAs<kFrom> value, const CastTypes& types, StoredAs<kTo>& result) {
  if constexpr (kFrom == TypeKind::kString) {
    const auto read = read_text<kTo>(value, types);
    if (read) result = *read;
    return read ? CastResult::kDone : CastResult::kImpossible;
  } else if constexpr (kTo == TypeKind::kDecimal) {
    return to_decimal<kFrom>(value, types, result);
  } else if constexpr (kFrom == TypeKind::kDecimal) {
    return from_decimal<kTo>(value, types, result);
  } else if constexpr (kTo == TypeKind::kBoolean) {
    result = value != 0 ? 1 : 0;
    return CastResult::kDone;
  } else if constexpr (kTo == TypeKind::kTimestamp) {
    return to_timestamp<kFrom>(value, types, result);
  } else if constexpr (kFrom == TypeKind::kTimestamp) {
    return from_timestamp<kTo>(value, types, result);
  } else if constexpr (kFrom == TypeKind::kDouble) {
    return truncate(value, result);
  } else {
    result = static_cast<StoredAs<kTo>>(value);
    if constexpr (kTo == TypeKind::kInt32 && kFrom == TypeKind::kInt64)
      return result == value ? CastResult::kDone : CastResult::kOutOfRange;
    return CastResult::kDone;
  }
}

/// Whether any value of the one kind lacks a place in the other.
constexpr bool cast_can_fail(TypeKind from, TypeKind to) {
  if (from == TypeKind::kString) return to != TypeKind::kBytes;
  if (to == TypeKind::kDecimal) return true;
  if (to == TypeKind::kInt32)
    return from == TypeKind::kInt64 || from == TypeKind::kDouble || from == TypeKind::kTimestamp ||
           from == TypeKind::kDecimal;
  if (to == TypeKind::kInt64) return from == TypeKind::kDouble || from == TypeKind::kDecimal;
  if (to == TypeKind::kTimestamp) return from != TypeKind::kInt32;
  return false;
}

}  // namespace millrace::stream
