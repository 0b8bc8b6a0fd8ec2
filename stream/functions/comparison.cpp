#include "stream/functions/registry.hpp"
#include "stream/value_order.hpp"

#include <cstring>

// =, <>, <, <=, >, >=, <=> over every type that has an order (value_order.hpp) or at least
// equality. Numbers meet in the wider type; decimals are compared exactly whatever their scales.

namespace millrace::stream {

namespace {

std::uint8_t flag(bool condition) { return condition ? 1 : 0; }

// Written with & and | on integers, without branches, so that the loop over doubles is vectorised.

struct Equal {
  template <typename T>
  static std::uint8_t holds(const T& left, const T& right) {
    if constexpr (std::is_same_v<T, double>)
      return flag(left == right) | (flag(left != left) & flag(right != right));
    else if constexpr (std::is_same_v<T, std::string_view>)
      return flag(left.size() == right.size() &&
                  (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0));
    else
      return flag(left == right);
  }
  static std::uint8_t holds(std::weak_ordering order) { return flag(order == 0); }
};

struct Less {
  template <typename T>
  static std::uint8_t holds(const T& left, const T& right) {
    if constexpr (std::is_same_v<T, double>)
      return flag(!(left >= right)) & flag(left == left);
    else
      return flag(left < right);
  }
  static std::uint8_t holds(std::weak_ordering order) { return flag(order < 0); }
};

template <typename Base>
struct Not {
  template <typename T>
  static std::uint8_t holds(const T& left, const T& right) {
    return Base::template holds<T>(left, right) ^ 1U;
  }
  static std::uint8_t holds(std::weak_ordering order) { return Base::holds(order) ^ 1U; }
};

template <typename Base>
struct Swapped {
  template <typename T>
  static std::uint8_t holds(const T& left, const T& right) {
    return Base::template holds<T>(right, left);
  }
  static std::uint8_t holds(std::weak_ordering order) { return Base::holds(0 <=> order); }
};

template <typename T, typename Comparison>
void compare(KernelCall& call) {
  const T* __restrict left = call.arguments[0]->values<T>().data();
  const T* __restrict right = call.arguments[1]->values<T>().data();
  std::uint8_t* __restrict result = call.result.values<std::uint8_t>().data();
  const std::size_t rows = call.rows;
  for (std::size_t row = 0; row < rows; ++row)
    result[row] = Comparison::template holds<T>(left[row], right[row]);
}

/// Row by row, for types whose comparison is a call anyway.
template <typename Comparison>
void compare_rows(KernelCall& call) {
  const Column& left = *call.arguments[0];
  const Column& right = *call.arguments[1];
  std::uint8_t* result = call.result.values<std::uint8_t>().data();
  for (std::size_t row = 0; row < call.rows; ++row)
    result[row] = Comparison::holds(compare_values(left, row, right, row));
}

template <typename Comparison>
void compare_decimals(KernelCall& call) {
  if (call.arguments[0]->type().scale() == call.arguments[1]->type().scale())
    return compare<Decimal, Comparison>(call);
  compare_rows<Comparison>(call);
}

template <typename Comparison>
Kernel kernel_for(TypeKind kind) {
  switch (kind) {
    case TypeKind::kNull:
    case TypeKind::kBoolean:
      return compare<std::uint8_t, Comparison>;
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return compare<std::int32_t, Comparison>;
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return compare<std::int64_t, Comparison>;
    case TypeKind::kDouble:
      return compare<double, Comparison>;
    case TypeKind::kString:
    case TypeKind::kBytes:
      return compare<std::string_view, Comparison>;
    case TypeKind::kDecimal:
      return compare_decimals<Comparison>;
    default:
      return compare_rows<Comparison>;
  }
}

/// `left <=> right` from `left = right`: two nulls are the same, a null and a value are not.
void settle_nulls(KernelCall& call) {
  const Column& left = *call.arguments[0];
  const Column& right = *call.arguments[1];
  if (!left.may_have_nulls() && !right.may_have_nulls()) return;
  const auto result = call.result.values<std::uint8_t>();
  for (std::size_t row = 0; row < call.rows; ++row) {
    const bool left_is_null = left.is_null(row);
    const bool right_is_null = right.is_null(row);
    if (left_is_null || right_is_null) result[row] = flag(left_is_null && right_is_null);
  }
}

template <TypeKind kKind>
void compare_with_nulls(KernelCall& call) {
  kernel_for<Equal>(kKind)(call);
  settle_nulls(call);
}

/// What two operands are compared as: decimals, also with whole numbers, as they are.
std::optional<SettledTypes> operands_of(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const auto type = compared_type(arguments[0].type, arguments[1].type, arguments.policy());
  if (!type) return std::nullopt;
  if (!type->is(TypeKind::kDecimal)) return SettledTypes{{*type, *type}, TypeKind::kBoolean};
  const auto own = [&](const Argument& each) { return as_decimal(each).value_or(*type); };
  return SettledTypes{{own(arguments[0]), own(arguments[1])}, TypeKind::kBoolean};
}

/// By kLegacy a truth equals a number: true is 1, false 0.
std::optional<SettledTypes> truth_and_number(const Arguments& arguments) {
  if (arguments.size() != 2 || !arguments.is_legacy()) return std::nullopt;
  for (const std::size_t truth : {0U, 1U}) {
    const DataType& number = arguments[1 - truth].type;
    if (!arguments[truth].type.is(TypeKind::kBoolean) || !is_numeric(number.kind())) continue;
    return SettledTypes{{number, number}, TypeKind::kBoolean, true};
  }
  return std::nullopt;
}

/// Takes operands whose common type is of the kind and passes `holds`.
template <TypeKind kKind, bool (*kHolds)(const DataType&)>
std::optional<SettledTypes> operands_of_kind(const Arguments& arguments) {
  auto settled = operands_of(arguments);
  if (!settled && kHolds == has_equality) settled = truth_and_number(arguments);
  if (!settled || !settled->arguments[0].is(kKind) || !kHolds(settled->arguments[0]))
    return std::nullopt;
  // Two null literals: something has to stand for them.
  if (kKind == TypeKind::kNull) settled->arguments.assign(2, TypeKind::kBoolean);
  return settled;
}

std::string_view name_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::kDecimal:
      return "decimal";
    case TypeKind::kArray:
      return "array";
    case TypeKind::kStruct:
      return "struct";
    default:
      return "";
  }
}

FunctionOverload overload_of(const char* name, TypeKind kind, FunctionOverload::TypeRule rule,
                             const char* description) {
  const std::string type =
      name_of(kind).empty() ? DataType(kind).to_string() : std::string(name_of(kind));
  FunctionOverload overload;
  overload.name = name;
  overload.rule = rule;
  overload.signature = type + " " + name + " " + type;
  overload.description = description;
  return overload;
}

template <typename Comparison, bool (*kHolds)(const DataType&), TypeKind... kKinds>
void add_comparison_of(FunctionRegistry& registry, const char* name, const char* description) {
  (
      [&] {
        auto overload = overload_of(name, kKinds, operands_of_kind<kKinds, kHolds>, description);
        overload.kernel = kernel_for<Comparison>(kKinds);
        registry.add(std::move(overload));
      }(),
      ...);
}

template <typename Comparison>
void add_order(FunctionRegistry& registry, const char* name, const char* description) {
  using enum TypeKind;
  add_comparison_of<Comparison, has_order, kInt32, kInt64, kDouble, kDecimal, kString, kBytes,
                    kBoolean, kDate, kTimestamp, kInterval, kArray, kStruct, kNull>(registry, name,
                                                                                    description);
}

template <typename Comparison>
void add_equality(FunctionRegistry& registry, const char* name, const char* description) {
  using enum TypeKind;
  add_comparison_of<Comparison, has_equality, kInt32, kInt64, kDouble, kDecimal, kString, kBytes,
                    kBoolean, kDate, kTimestamp, kInterval, kArray, kStruct, kNull>(registry, name,
                                                                                    description);
}

template <TypeKind... kKinds>
void add_null_safe_equality(FunctionRegistry& registry) {
  (
      [&] {
        auto overload = overload_of("<=>", kKinds, operands_of_kind<kKinds, has_equality>,
                                    "True if both sides are equal or both are null; never null.");
        overload.kernel = compare_with_nulls<kKinds>;
        overload.is_strict = false;
        overload.nulls = "never";
        registry.add(std::move(overload));
      }(),
      ...);
}

}  // namespace

void add_comparison_functions(FunctionRegistry& registry) {
  using enum TypeKind;
  for (const char* name : {"=", "=="})
    add_equality<Equal>(registry, name,
                        "True if both sides are equal; NaN equals NaN, a day 24 hours and a month "
                        "30 days.");
  for (const char* name : {"<>", "!="})
    add_equality<Not<Equal>>(registry, name, "True if the sides differ.");
  add_order<Less>(registry, "<", "True if the left side is below the right.");
  add_order<Not<Swapped<Less>>>(registry, "<=", "True if the left side is not above.");
  add_order<Swapped<Less>>(registry, ">", "True if the left side is above the right.");
  add_order<Not<Less>>(registry, ">=", "True if the left side is not below.");
  add_null_safe_equality<kInt32, kInt64, kDouble, kDecimal, kString, kBytes, kBoolean, kDate,
                         kTimestamp, kInterval, kArray, kStruct, kNull>(registry);
}

}  // namespace millrace::stream
