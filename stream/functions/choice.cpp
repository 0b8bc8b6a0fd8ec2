#include "stream/functions/registry.hpp"
#include "stream/value_order.hpp"

// Choosing among values by comparing them: greatest, least, between, in, nullif.

namespace millrace::stream {

namespace {

enum class Truth : std::uint8_t { kFalse, kTrue, kUnknown };

Truth both(Truth left, Truth right) {
  if (left == Truth::kFalse || right == Truth::kFalse) return Truth::kFalse;
  return left == Truth::kTrue ? right : left;
}

void set(Column& result, std::size_t row, Truth truth) {
  result.values<std::uint8_t>()[row] = truth == Truth::kTrue ? 1 : 0;
  if (truth == Truth::kUnknown) result.set_null(row);
}

/// Whether left <= right.
Truth is_ordered(const Column& left, const Column& right, std::size_t row) {
  if (left.is_null(row) || right.is_null(row)) return Truth::kUnknown;
  return compare_values(left, row, right, row) <= 0 ? Truth::kTrue : Truth::kFalse;
}

void is_between(KernelCall& call) {
  const Column& value = *call.arguments[0];
  for (std::size_t row = 0; row < call.rows; ++row)
    set(call.result, row,
        both(is_ordered(*call.arguments[1], value, row),
             is_ordered(value, *call.arguments[2], row)));
}

Truth is_among(std::span<const Column* const> arguments, std::size_t row) {
  const Column& value = *arguments[0];
  if (value.is_null(row)) return Truth::kUnknown;
  Truth truth = Truth::kFalse;
  for (const Column* candidate : arguments.subspan(1)) {
    if (candidate->is_null(row))
      truth = Truth::kUnknown;
    else if (compare_values(value, row, *candidate, row) == 0)
      return Truth::kTrue;
  }
  return truth;
}

void is_in(KernelCall& call) {
  for (std::size_t row = 0; row < call.rows; ++row)
    set(call.result, row, is_among(call.arguments, row));
}

/// The argument that stands last in the order, or first; nulls do not take part.
template <bool kIsLast>
void choose_extreme(KernelCall& call) {
  for (std::size_t row = 0; row < call.rows; ++row) {
    const Column* best = nullptr;
    for (const Column* candidate : call.arguments) {
      if (candidate->is_null(row)) continue;
      if (best == nullptr) {
        best = candidate;
        continue;
      }
      const auto order = compare_values(*candidate, row, *best, row);
      if (kIsLast ? order > 0 : order < 0) best = candidate;
    }
    if (best == nullptr)
      call.result.set_null(row);
    else
      call.result.assign(row, *best, row);
  }
}

void null_if_equal(KernelCall& call) {
  const Column& value = *call.arguments[0];
  const Column& other = *call.arguments[1];
  for (std::size_t row = 0; row < call.rows; ++row) {
    const bool are_equal =
        !value.is_null(row) && !other.is_null(row) && compare_values(value, row, other, row) == 0;
    if (are_equal)
      call.result.set_null(row);
    else
      call.result.assign(row, value, row);
  }
}

std::optional<SettledTypes> extreme_types(const Arguments& arguments) {
  if (arguments.size() < 2) return std::nullopt;
  const auto type = common_type_of_likes(arguments);
  if (!type || !has_order(*type)) return std::nullopt;
  return SettledTypes{std::vector<DataType>(arguments.size(), *type), *type};
}

/// By kLegacy both comparisons must be of one type; of two, the binder makes them two.
std::optional<SettledTypes> between_types(const Arguments& arguments) {
  if (arguments.size() != 3) return std::nullopt;
  auto type = common_type_of_likes(arguments);
  if (arguments.is_legacy()) {
    type = compared_type(arguments[0].type, arguments[1].type, arguments.policy());
    if (type != compared_type(arguments[0].type, arguments[2].type, arguments.policy()))
      return std::nullopt;
  }
  if (!type || !has_order(*type)) return std::nullopt;
  return SettledTypes{std::vector<DataType>(3, *type), TypeKind::kBoolean};
}

std::optional<SettledTypes> in_types(const Arguments& arguments) {
  if (arguments.size() < 2) return std::nullopt;
  const auto type = common_type(arguments);
  if (!type || !has_equality(*type)) return std::nullopt;
  return SettledTypes{std::vector<DataType>(arguments.size(), *type), TypeKind::kBoolean};
}

/// The result is of the first one's type: where the two are compared as another, the binder makes
/// a condition of it.
std::optional<SettledTypes> nullif_types(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const DataType& first = arguments[0].type;
  const auto type = compared_type(first, arguments[1].type, arguments.policy());
  if (!type || !has_equality(*type)) return std::nullopt;
  if (*type != first && !first.is(TypeKind::kNull)) return std::nullopt;
  return SettledTypes{{*type, *type}, *type};
}

FunctionOverload choice(const char* name, const char* signature, FunctionOverload::TypeRule rule,
                        Kernel kernel) {
  FunctionOverload overload;
  overload.name = name;
  overload.signature = signature;
  overload.rule = rule;
  overload.kernel = kernel;
  overload.is_strict = false;
  return overload;
}

}  // namespace

void add_choice_functions(FunctionRegistry& registry) {
  FunctionOverload greatest =
      choice("greatest", "greatest(value, value, ...)", extreme_types, choose_extreme<true>);
  greatest.description = "The largest of the values; NaN is above all other doubles.";
  greatest.nulls = "every argument is null";
  registry.add(greatest);

  FunctionOverload least =
      choice("least", "least(value, value, ...)", extreme_types, choose_extreme<false>);
  least.description = "The smallest of the values; NaN is above all other doubles.";
  least.nulls = "every argument is null";
  registry.add(least);

  FunctionOverload between =
      choice("between", "between(value, low, high)", between_types, is_between);
  between.description = "True if the value is not below low and not above high.";
  between.nulls = "a null decides: neither comparison is false and one of them is null";
  registry.add(between);

  FunctionOverload in = choice("in", "in(value, candidate, ...)", in_types, is_in);
  in.description = "True if the value equals one of the candidates.";
  in.nulls = "the value is null, or no candidate is equal and one is null";
  registry.add(in);

  FunctionOverload nullif = choice("nullif", "nullif(value, other)", nullif_types, null_if_equal);
  nullif.description = "The value, or null if it equals the other; of the value's own type.";
  nullif.nulls = "the value is null or equals the other";
  registry.add(nullif);
}

}  // namespace millrace::stream
