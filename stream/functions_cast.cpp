#include "stream/function_registry.hpp"
#include "stream/scalar_text.hpp"
#include "stream/utf8.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

// Casts between every pair of scalar types that has a meaning. What cannot be represented is an
// error that shows the value: text that is no number, numbers out of range. Doubles are cut off
// towards zero. Numbers and timestamps meet in seconds since 1970-01-01 UTC.

namespace millrace::stream {

namespace {

constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;
constexpr std::int64_t kMicrosecondsPerDay = 86'400 * kMicrosecondsPerSecond;
constexpr std::size_t kShownTextMax = 64;

/// What holds a value of a kind in a column.
template <TypeKind kKind>
struct Storage;
template <>
struct Storage<TypeKind::kBoolean> {
  using Type = std::uint8_t;
};
template <>
struct Storage<TypeKind::kInt32> {
  using Type = std::int32_t;
};
template <>
struct Storage<TypeKind::kInt64> {
  using Type = std::int64_t;
};
template <>
struct Storage<TypeKind::kDouble> {
  using Type = double;
};
template <>
struct Storage<TypeKind::kString> {
  using Type = std::string_view;
};
template <>
struct Storage<TypeKind::kBytes> {
  using Type = std::string_view;
};
template <>
struct Storage<TypeKind::kDate> {
  using Type = std::int32_t;
};
template <>
struct Storage<TypeKind::kTimestamp> {
  using Type = std::int64_t;
};

std::int64_t floor_divide(std::int64_t value, std::int64_t divisor) {
  const std::int64_t quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

/// Cuts off towards zero; false if the whole part is out of range or there is none.
template <typename T>
bool truncate(double value, T& result) {
  constexpr double kLimit = std::is_same_v<T, std::int32_t> ? 2147483648.0 : 9223372036854775808.0;
  const double whole = std::trunc(value);
  if (!(whole >= -kLimit && whole < kLimit)) return false;
  result = static_cast<T>(whole);
  return true;
}

template <TypeKind kTo>
std::optional<typename Storage<kTo>::Type> read_text(std::string_view text) {
  if constexpr (kTo == TypeKind::kBoolean) {
    return read_boolean(text);
  } else if constexpr (kTo == TypeKind::kInt32) {
    const auto wide = read_int64(text);
    if (!wide || *wide != static_cast<std::int32_t>(*wide)) return std::nullopt;
    return static_cast<std::int32_t>(*wide);
  } else if constexpr (kTo == TypeKind::kInt64) {
    return read_int64(text);
  } else if constexpr (kTo == TypeKind::kDouble) {
    return read_double(text);
  } else if constexpr (kTo == TypeKind::kDate) {
    return read_date(text);
  } else {
    return read_timestamp(text);
  }
}

/// Casts one value to a type of fixed width; false if it cannot be represented there.
template <TypeKind kFrom, TypeKind kTo>
bool cast_value(typename Storage<kFrom>::Type value, typename Storage<kTo>::Type& result) {
  using To = typename Storage<kTo>::Type;
  if constexpr (kFrom == TypeKind::kString) {
    const auto read = read_text<kTo>(value);
    if (read) result = static_cast<To>(*read);
    return read.has_value();
  } else if constexpr (kTo == TypeKind::kBoolean) {
    result = value != 0 ? 1 : 0;
    return true;
  } else if constexpr (kTo == TypeKind::kTimestamp) {
    if constexpr (kFrom == TypeKind::kDouble)
      return truncate(value * static_cast<double>(kMicrosecondsPerSecond), result);
    else
      return !__builtin_mul_overflow(
          static_cast<std::int64_t>(value),
          kFrom == TypeKind::kDate ? kMicrosecondsPerDay : kMicrosecondsPerSecond, &result);
  } else if constexpr (kFrom == TypeKind::kTimestamp && kTo == TypeKind::kDouble) {
    result = static_cast<double>(value) / static_cast<double>(kMicrosecondsPerSecond);
    return true;
  } else if constexpr (kFrom == TypeKind::kTimestamp) {
    const std::int64_t whole =
        floor_divide(value, kTo == TypeKind::kDate ? kMicrosecondsPerDay : kMicrosecondsPerSecond);
    result = static_cast<To>(whole);
    return result == whole;
  } else if constexpr (kFrom == TypeKind::kDouble) {
    return truncate(value, result);
  } else {
    result = static_cast<To>(value);
    if constexpr (kTo == TypeKind::kInt32 && kFrom == TypeKind::kInt64) return result == value;
    return true;
  }
}

/// Whether any value of the one type lacks a place in the other.
constexpr bool cast_can_fail(TypeKind from, TypeKind to) {
  if (from == TypeKind::kString) return to != TypeKind::kBytes;
  if (from == TypeKind::kBytes) return true;
  if (to == TypeKind::kInt32)
    return from == TypeKind::kInt64 || from == TypeKind::kDouble || from == TypeKind::kTimestamp;
  if (to == TypeKind::kInt64) return from == TypeKind::kDouble;
  if (to == TypeKind::kTimestamp) return from != TypeKind::kInt32;
  return false;
}

template <TypeKind kFrom>
std::size_t write_text(typename Storage<kFrom>::Type value, char* out) {
  if constexpr (kFrom == TypeKind::kBoolean) {
    const std::string_view word = value != 0 ? "true" : "false";
    word.copy(out, word.size());
    return word.size();
  } else if constexpr (kFrom == TypeKind::kDouble) {
    return write_double(value, out);
  } else if constexpr (kFrom == TypeKind::kDate) {
    return write_date(value, out);
  } else if constexpr (kFrom == TypeKind::kTimestamp) {
    return write_timestamp(value, out);
  } else {
    return write_int64(value, out);
  }
}

/// A value as an error shows it: texts in quotes, long ones cut.
template <TypeKind kFrom>
std::string shown(typename Storage<kFrom>::Type value) {
  if constexpr (kFrom == TypeKind::kString) {
    const bool is_long = value.size() > kShownTextMax;
    return "'" + std::string(value.substr(0, kShownTextMax)) + (is_long ? "...'" : "'");
  } else {
    char buffer[kScalarTextMax];
    return std::string(buffer, write_text<kFrom>(value, buffer));
  }
}

template <TypeKind kFrom, TypeKind kTo>
void cast_to_fixed(KernelCall& call) {
  const auto* values = call.arguments[0]->values<typename Storage<kFrom>::Type>().data();
  auto* result = call.result.values<typename Storage<kTo>::Type>().data();
  for (std::size_t row = 0; row < call.rows; ++row) {
    if (cast_value<kFrom, kTo>(values[row], result[row])) [[likely]]
      continue;
    result[row] = {};
    if (call.errors.counts(row))
      call.errors.raise(row, "cannot cast " + shown<kFrom>(values[row]) + " to " +
                                 call.result.type().to_string());
  }
}

template <TypeKind kFrom>
void cast_to_text(KernelCall& call) {
  const auto* values = call.arguments[0]->values<typename Storage<kFrom>::Type>().data();
  const auto result = call.result.values<std::string_view>();
  char* const texts = call.arena.allocate(call.rows * kScalarTextMax);
  char* end = texts;
  for (std::size_t row = 0; row < call.rows; ++row) {
    const std::size_t size = write_text<kFrom>(values[row], end);
    result[row] = {end, size};
    end += size;
  }
  call.arena.shrink_last(texts, static_cast<std::size_t>(end - texts));
}

void copy_views(KernelCall& call) {
  const auto views = call.arguments[0]->values<std::string_view>();
  std::copy(views.begin(), views.end(), call.result.values<std::string_view>().begin());
}

void check_views(KernelCall& call) {
  copy_views(call);
  const auto views = call.result.values<std::string_view>();
  for (std::size_t row = 0; row < call.rows; ++row) {
    if (is_utf8(views[row])) [[likely]]
      continue;
    if (call.errors.counts(row))
      call.errors.raise(row, "cannot cast " + std::to_string(views[row].size()) +
                                 " bytes to string: they are not UTF-8");
    else
      views[row] = {};
  }
}

void add_cast(FunctionRegistry& registry, TypeKind from, TypeKind to, Kernel kernel) {
  FunctionOverload overload;
  overload.name = "cast";
  overload.arguments = {from};
  overload.result = to;
  overload.signature =
      "cast(" + DataType(from).to_string() + " as " + DataType(to).to_string() + ")";
  overload.kernel = kernel;
  overload.can_fail = cast_can_fail(from, to);
  overload.description = "The value as another type.";
  if (overload.can_fail) overload.errors = "the value cannot be represented in the type";
  registry.add_cast(std::move(overload));
}

template <TypeKind kFrom, TypeKind... kTo>
void add_casts(FunctionRegistry& registry) {
  (add_cast(registry, kFrom, kTo, cast_to_fixed<kFrom, kTo>), ...);
  if constexpr (kFrom != TypeKind::kString)
    add_cast(registry, kFrom, TypeKind::kString, cast_to_text<kFrom>);
}

}  // namespace

void add_cast_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_casts<kBoolean, kInt32, kInt64, kDouble>(registry);
  add_casts<kInt32, kBoolean, kInt64, kDouble, kTimestamp>(registry);
  add_casts<kInt64, kBoolean, kInt32, kDouble, kTimestamp>(registry);
  add_casts<kDouble, kBoolean, kInt32, kInt64, kTimestamp>(registry);
  add_casts<kDate, kTimestamp>(registry);
  add_casts<kTimestamp, kInt32, kInt64, kDouble, kDate>(registry);
  add_casts<kString, kBoolean, kInt32, kInt64, kDouble, kDate, kTimestamp>(registry);
  add_cast(registry, kString, kBytes, copy_views);
  add_cast(registry, kBytes, kString, check_views);
}

}  // namespace millrace::stream
