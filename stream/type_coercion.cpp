#include "stream/type_coercion.hpp"

#include "stream/ascii.hpp"

#include <algorithm>

namespace millrace::stream {

namespace {

constexpr int kIntDigits = 10;
constexpr int kBigintDigits = 20;
constexpr int kNullLiteralCost = 1;
constexpr int kDateToTimestampCost = 3;
constexpr int kTextLiteralCost = 10;
constexpr int kTextCost = 20;
constexpr int kNarrowingCost = 30;
constexpr int kTimestampToDateCost = 35;
constexpr int kToTextCost = 50;

/// What becomes of a text and another scalar that come together.
enum class TextRule : std::uint8_t {
  kIsRead,      ///< the text is read as the other
  kIsTakenOn,   ///< the other becomes text
  kMeetsTexts,  ///< nothing
};

bool is_whole(TypeKind kind) { return kind == TypeKind::kInt32 || kind == TypeKind::kInt64; }

/// Types that are neither null nor made of others.
bool is_scalar(const DataType& type) { return !type.is_nested() && !type.is(TypeKind::kNull); }

int numeric_rank(TypeKind kind) {
  switch (kind) {
    case TypeKind::kInt32:
      return 0;
    case TypeKind::kInt64:
      return 1;
    case TypeKind::kDecimal:
      return 2;
    default:
      return 3;
  }
}

int digits_before_point(const DataType& type) {
  return type.is(TypeKind::kInt32)   ? kIntDigits
         : type.is(TypeKind::kInt64) ? kBigintDigits
                                     : type.precision() - type.scale();
}

/// Whether a decimal type has a place for every digit of a whole number's or decimal's type.
bool holds(const DataType& decimal, const DataType& other) {
  return decimal.precision() - decimal.scale() >= digits_before_point(other) &&
         decimal.scale() >= other.scale();
}

std::optional<int> numeric_cost(const Argument& argument, const DataType& to) {
  const DataType& from = argument.type;
  const int step = numeric_rank(to.kind()) - numeric_rank(from.kind());
  if (to.is(TypeKind::kDecimal) && !from.is(TypeKind::kDouble)) {
    return holds(to, *as_decimal(argument)) ? step : kNarrowingCost;
  }
  return step >= 0 ? step : kNarrowingCost - step;
}

bool have_same_fields(const DataType& left, const DataType& right) {
  return std::ranges::equal(left.fields(), right.fields(), [](const Field& a, const Field& b) {
    return equals_ignoring_case(a.name, b.name);
  });
}

/// Nested types of one shape: what is inside can be compared one by one.
bool have_same_shape(const DataType& left, const DataType& right) {
  if (left.kind() != right.kind() || !left.is_nested()) return false;
  return !left.is(TypeKind::kStruct) || have_same_fields(left, right);
}

std::optional<int> nested_cost(const DataType& from, const DataType& to, CoercionPolicy policy) {
  if (!have_same_shape(from, to)) return std::nullopt;
  int sum = 0;
  for (std::size_t i = 0; i < from.fields().size(); ++i) {
    const auto cost =
        implicit_cast_cost(Argument{from.fields()[i].type}, to.fields()[i].type, policy);
    if (!cost) return std::nullopt;
    sum += *cost;
  }
  return sum;
}

/// A text that is a number goes as a double sooner than as a bigint, and as that sooner than as an
/// int. By kAnsi "text + int" is cheapest with both as bigint, by kLegacy with both as double.
std::optional<int> text_cost(const Argument& argument, const DataType& wanted,
                             CoercionPolicy policy) {
  const bool is_legacy = policy == CoercionPolicy::kLegacy;
  const int base = argument.is_literal ? kTextLiteralCost : kTextCost;
  switch (wanted.kind()) {
    case TypeKind::kDouble:
      return base + 1;
    case TypeKind::kInt64:
      return base + (is_legacy ? 6 : 2);
    case TypeKind::kDecimal:
    case TypeKind::kInt32:
      return base + (is_legacy ? 7 : 5);
    case TypeKind::kBytes:
      if (!argument.is_literal && !is_legacy) return std::nullopt;
      return base;
    default:
      return base;
  }
}

std::optional<DataType> wider_number(const DataType& left, const DataType& right) {
  if (left.is(TypeKind::kDouble) || right.is(TypeKind::kDouble)) return TypeKind::kDouble;
  if (is_whole(left.kind()) && is_whole(right.kind())) return TypeKind::kInt64;
  const int scale = std::max(left.scale(), right.scale());
  const int whole = std::max(digits_before_point(left), digits_before_point(right));
  return bounded_decimal(whole + scale, scale);
}

bool is_time(const DataType& type) {
  return type.is(TypeKind::kDate) || type.is(TypeKind::kTimestamp);
}

std::optional<DataType> wider_with_text(const DataType& other, TextRule rule) {
  if (!is_scalar(other) || other.is(TypeKind::kInterval) || rule == TextRule::kMeetsTexts)
    return std::nullopt;
  if (rule == TextRule::kIsTakenOn) {
    if (is_numeric(other.kind()) || is_time(other)) return TypeKind::kString;
    return std::nullopt;
  }
  if (is_whole(other.kind())) return TypeKind::kInt64;
  if (is_numeric(other.kind())) return TypeKind::kDouble;
  return other;
}

std::optional<DataType> wider(const DataType& left, const DataType& right, TextRule rule);

std::optional<DataType> wider_nested(const DataType& left, const DataType& right, TextRule rule) {
  if (!have_same_shape(left, right)) return std::nullopt;
  std::vector<Field> fields;
  for (std::size_t i = 0; i < left.fields().size(); ++i) {
    auto type = wider(left.fields()[i].type, right.fields()[i].type, rule);
    if (!type) return std::nullopt;
    fields.push_back({left.fields()[i].name, std::move(*type)});
  }
  if (left.is(TypeKind::kArray)) return DataType::array(std::move(fields[0].type));
  if (left.is(TypeKind::kMap))
    return DataType::map(std::move(fields[0].type), std::move(fields[1].type));
  return DataType::structure(std::move(fields));
}

std::optional<DataType> wider(const DataType& left, const DataType& right, TextRule rule) {
  if (left == right || right.is(TypeKind::kNull)) return left;
  if (left.is(TypeKind::kNull)) return right;
  if (is_numeric(left.kind()) && is_numeric(right.kind())) return wider_number(left, right);
  if (left.is(TypeKind::kString)) return wider_with_text(right, rule);
  if (right.is(TypeKind::kString)) return wider_with_text(left, rule);
  if (is_time(left) && is_time(right)) return TypeKind::kTimestamp;
  return wider_nested(left, right, rule);
}

/// A text, or an array with texts at its bottom.
bool has_text(const DataType& type) {
  return type.is(TypeKind::kString) ||
         (type.is(TypeKind::kArray) && has_text(type.fields()[0].type));
}

std::optional<DataType> widest(const Arguments& arguments, TextRule rule) {
  if (arguments.empty()) return std::nullopt;
  std::vector<DataType> types;
  for (const Argument& argument : arguments) types.push_back(argument.type);
  // Text takes everything on only where it comes first: an int and a date alone do not meet.
  if (rule == TextRule::kIsTakenOn) std::ranges::stable_partition(types, has_text);
  DataType common;
  for (const DataType& type : types) {
    auto both = wider(common, type, rule);
    if (!both) return std::nullopt;
    common = std::move(*both);
  }
  return common;
}

TextRule rule_of_values(CoercionPolicy policy) {
  return policy == CoercionPolicy::kLegacy ? TextRule::kIsTakenOn : TextRule::kIsRead;
}
TextRule rule_of_likes(CoercionPolicy policy) {
  return policy == CoercionPolicy::kLegacy ? TextRule::kMeetsTexts : TextRule::kIsRead;
}

/// What a text is read as beside an operand of the other type.
std::optional<DataType> read_beside(const DataType& other) {
  if (!is_scalar(other) || other.is(TypeKind::kInterval)) return std::nullopt;
  if (other.is(TypeKind::kDecimal)) return TypeKind::kDouble;
  return other;
}

int digits_of(Int128 value) {
  int digits = 1;
  for (value /= 10; value != 0; value /= 10) ++digits;
  return digits;
}

}  // namespace

std::optional<int> implicit_cast_cost(const Argument& argument, const DataType& wanted,
                                      CoercionPolicy policy) {
  const DataType& from = argument.type;
  if (from == wanted) return 0;
  if (from.is(TypeKind::kNull)) return kNullLiteralCost;
  if (from.is_nested() || wanted.is_nested()) return nested_cost(from, wanted, policy);
  if (is_numeric(from.kind()) && is_numeric(wanted.kind())) return numeric_cost(argument, wanted);
  if (from.is(TypeKind::kDate) && wanted.is(TypeKind::kTimestamp)) return kDateToTimestampCost;
  if (from.is(TypeKind::kTimestamp) && wanted.is(TypeKind::kDate)) return kTimestampToDateCost;
  if (from.is(TypeKind::kString) && is_scalar(wanted)) return text_cost(argument, wanted, policy);
  const bool is_readable = !from.is(TypeKind::kBytes) || policy == CoercionPolicy::kLegacy;
  if (wanted.is(TypeKind::kString) && is_readable) return kToTextCost;
  return std::nullopt;
}

bool is_lossless(const DataType& from, const DataType& to) {
  if (from == to || from.is(TypeKind::kNull)) return true;
  if (from.is_nested()) {
    if (!have_same_shape(from, to)) return false;
    for (std::size_t i = 0; i < from.fields().size(); ++i) {
      if (!is_lossless(from.fields()[i].type, to.fields()[i].type)) return false;
    }
    return true;
  }
  if (from.is(TypeKind::kDate)) return to.is(TypeKind::kTimestamp);
  if (to.is(TypeKind::kDecimal))
    return (is_whole(from.kind()) || from.is(TypeKind::kDecimal)) && holds(to, from);
  return is_whole(from.kind()) && is_numeric(to.kind()) &&
         numeric_rank(from.kind()) < numeric_rank(to.kind());
}

std::optional<DataType> wider_type(const DataType& left, const DataType& right,
                                   CoercionPolicy policy) {
  return wider(left, right, rule_of_values(policy));
}

std::optional<DataType> common_type(const Arguments& arguments) {
  return widest(arguments, rule_of_values(arguments.policy()));
}

std::optional<DataType> wider_type_of_likes(const DataType& left, const DataType& right,
                                            CoercionPolicy policy) {
  return wider(left, right, rule_of_likes(policy));
}

std::optional<DataType> common_type_of_likes(const Arguments& arguments) {
  return widest(arguments, rule_of_likes(arguments.policy()));
}

std::optional<DataType> compared_type(const DataType& left, const DataType& right,
                                      CoercionPolicy policy) {
  if (policy == CoercionPolicy::kLegacy && left != right) {
    const bool is_null = left.is(TypeKind::kNull) || right.is(TypeKind::kNull);
    if (left.is(TypeKind::kString) && !is_null) return read_beside(right);
    if (right.is(TypeKind::kString) && !is_null) return read_beside(left);
  }
  return wider(left, right, rule_of_likes(policy));
}

std::optional<DataType> as_decimal(const Argument& argument) {
  if (argument.type.is(TypeKind::kDecimal)) return argument.type;
  if (argument.literal != nullptr && is_whole(argument.type.kind())) {
    if (const auto* value = std::get_if<std::int32_t>(&argument.literal->data))
      return DataType::decimal(digits_of(*value), 0);
    if (const auto* value = std::get_if<std::int64_t>(&argument.literal->data))
      return DataType::decimal(digits_of(*value), 0);
  }
  if (is_whole(argument.type.kind()))
    return DataType::decimal(digits_before_point(argument.type), 0);
  return std::nullopt;
}

DataType bounded_decimal(int precision, int scale) {
  const int excess = std::max(0, precision - DataType::kPrecisionMax);
  return DataType::decimal(precision - excess, std::max(0, scale - excess));
}

}  // namespace millrace::stream
