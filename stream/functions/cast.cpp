#include "stream/functions/cast_values.hpp"
#include "stream/functions/registry.hpp"
#include "stream/functions/value_text.hpp"
#include "stream/utf8_repair.hpp"

#include <algorithm>

// Casts between every pair of scalar types that has a meaning, and of anything to text. What cannot
// be represented is an error that shows the value: text that is no number, numbers out of range.
// Doubles and decimals are cut off towards zero. Numbers and timestamps meet in seconds since
// 1970-01-01 UTC; dates, texts and timestamps meet in the session's time zone.

namespace millrace::stream {

namespace {

constexpr std::size_t kShownTextMax = 64;
constexpr std::size_t kTextSizeGuess = 64;

/// A value as an error shows it: texts in quotes, long ones cut.
std::string shown(const Column& column, std::size_t row, const TimeZone& zone) {
  if (column.kind() == TypeKind::kString) {
    const std::string_view text = column.text(row);
    const bool is_long = text.size() > kShownTextMax;
    return "'" + std::string(text.substr(0, kShownTextMax)) + (is_long ? "...'" : "'");
  }
  Arena arena;
  ArenaText text(arena, kTextSizeGuess);
  put_value_text(column, row, zone, text);
  return std::string(text.finish());
}

void report(KernelCall& call, std::size_t row, CastResult outcome) {
  const auto message = [&] {
    return "cannot cast " + shown(*call.arguments[0], row, *call.settings.zone) + " to " +
           call.result.type().to_string();
  };
  if (outcome == CastResult::kOutOfRange)
    call.errors.overflow(row, message);
  else
    call.errors.raise(row, message);
}

template <TypeKind kFrom, TypeKind kTo>
void cast_to_fixed(KernelCall& call) {
  const auto* values = call.arguments[0]->values<StoredAs<kFrom>>().data();
  auto* result = call.result.values<StoredAs<kTo>>().data();
  const CastTypes types{call.arguments[0]->type(), call.result.type(), *call.settings.zone,
                        call.errors.mode()};
  for (std::size_t row = 0; row < call.rows; ++row) {
    const CastResult outcome = cast_value<kFrom, kTo>(values[row], types, result[row]);
    if (outcome == CastResult::kDone) [[likely]]
      continue;
    if (outcome == CastResult::kImpossible) result[row] = {};
    report(call, row, outcome);
  }
}

void cast_to_text(KernelCall& call) {
  const Column& values = *call.arguments[0];
  const auto result = call.result.values<std::string_view>();
  for (std::size_t row = 0; row < call.rows; ++row) {
    result[row] = {};
    if (call.result.is_null(row)) continue;
    ArenaText text(call.arena, kTextSizeGuess);
    put_value_text(values, row, *call.settings.zone, text);
    result[row] = text.finish();
  }
}

void copy_views(KernelCall& call) {
  const auto views = call.arguments[0]->values<std::string_view>();
  std::copy(views.begin(), views.end(), call.result.values<std::string_view>().begin());
}

FunctionOverload cast_overload(std::string from, std::string to, Kernel kernel, bool can_fail) {
  FunctionOverload overload;
  overload.name = "cast";
  overload.signature = "cast(" + from + " as " + to + ")";
  overload.kernel = kernel;
  overload.can_fail = can_fail;
  overload.description = "The value as another type.";
  if (can_fail) overload.errors = "the value cannot be represented in the type";
  return overload;
}

std::string shown_kind(TypeKind kind) {
  switch (kind) {
    case TypeKind::kDecimal:
      return "decimal";
    case TypeKind::kArray:
      return "array";
    case TypeKind::kStruct:
      return "struct";
    case TypeKind::kMap:
      return "map";
    default:
      return DataType(kind).to_string();
  }
}

void add_cast(FunctionRegistry& registry, TypeKind from, TypeKind to, Kernel kernel) {
  registry.add_cast(
      from, to, cast_overload(shown_kind(from), shown_kind(to), kernel, cast_can_fail(from, to)));
}

template <TypeKind kFrom, TypeKind... kTo>
void add_casts(FunctionRegistry& registry) {
  (add_cast(registry, kFrom, kTo, cast_to_fixed<kFrom, kTo>), ...);
}

}  // namespace

void add_cast_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  add_casts<kBoolean, kInt32, kInt64, kDouble, kDecimal>(registry);
  add_casts<kInt32, kBoolean, kInt64, kDouble, kDecimal, kTimestamp>(registry);
  add_casts<kInt64, kBoolean, kInt32, kDouble, kDecimal, kTimestamp>(registry);
  add_casts<kDouble, kBoolean, kInt32, kInt64, kDecimal, kTimestamp>(registry);
  add_casts<kDecimal, kBoolean, kInt32, kInt64, kDouble, kDecimal, kTimestamp>(registry);
  add_casts<kDate, kTimestamp>(registry);
  add_casts<kTimestamp, kInt32, kInt64, kDouble, kDecimal, kDate>(registry);
  add_casts<kString, kBoolean, kInt32, kInt64, kDouble, kDecimal, kDate, kTimestamp, kInterval>(
      registry);
  add_cast(registry, kString, kBytes, copy_views);
  for (const TypeKind from : {kBoolean, kInt32, kInt64, kDouble, kDecimal, kBytes, kDate,
                              kTimestamp, kInterval, kArray, kStruct, kMap})
    add_cast(registry, from, kString, cast_to_text);
  add_nested_casts(registry);
}

}  // namespace millrace::stream
