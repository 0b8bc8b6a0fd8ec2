#include "stream/decimal.hpp"

#include "stream/functions/registry.hpp"

#include <algorithm>
#include <limits>

// Arithmetic of decimals, and of decimals with whole numbers. A result's type has room for every
// result where 38 digits are enough; where they are not, digits behind the point are given up first
// (six stay), and what does not fit then is an error, or null with ansi = 'false'.

namespace millrace::stream {

namespace {

constexpr int kScaleKept = 6;  // that many digits behind the point are not given up

/// A type of so many digits, cut to 38: whole digits go before those behind the point.
DataType adjusted(int precision, int scale) {
  if (precision <= DataType::kPrecisionMax) return DataType::decimal(precision, scale);
  const int whole = precision - scale;
  const int least = std::min(scale, kScaleKept);
  return DataType::decimal(DataType::kPrecisionMax,
                           std::max(DataType::kPrecisionMax - whole, least));
}

DataType sum_type(const DataType& left, const DataType& right) {
  const int scale = std::max(left.scale(), right.scale());
  const int whole = std::max(left.precision() - left.scale(), right.precision() - right.scale());
  return adjusted(whole + scale + 1, scale);
}

DataType product_type(const DataType& left, const DataType& right) {
  return adjusted(left.precision() + right.precision() + 1, left.scale() + right.scale());
}

DataType quotient_type(const DataType& left, const DataType& right) {
  const int whole = left.precision() - left.scale() + right.scale();
  const int scale = std::max(kScaleKept, left.scale() + right.precision() + 1);
  return adjusted(whole + scale, scale);
}

DataType remainder_type(const DataType& left, const DataType& right) {
  const int scale = std::max(left.scale(), right.scale());
  const int whole = std::min(left.precision() - left.scale(), right.precision() - right.scale());
  return adjusted(whole + scale, scale);
}

DataType bigint_type(const DataType&, const DataType&) { return TypeKind::kInt64; }

using ResultType = DataType (*)(const DataType&, const DataType&);

/// Two operands of which one is a decimal and the other too, a whole number or a null literal.
template <ResultType kResult>
std::optional<SettledTypes> binary_types(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const auto is_decimal = [](const Argument& each) { return each.type.is(TypeKind::kDecimal); };
  if (std::ranges::none_of(arguments, is_decimal)) return std::nullopt;
  const auto own = [](const Argument& each, const Argument& other) {
    return as_decimal(each.type.is(TypeKind::kNull) ? other : each);
  };
  const auto left = own(arguments[0], arguments[1]);
  const auto right = own(arguments[1], arguments[0]);
  if (!left || !right) return std::nullopt;
  return SettledTypes{{*left, *right}, kResult(*left, *right)};
}

/// The operands of one row.
class Operands {
 public:
  explicit Operands(KernelCall& call)
      : left_(call.arguments[0]->values<Decimal>().data()),
        right_(call.arguments[1]->values<Decimal>().data()),
        left_scale_(call.arguments[0]->type().scale()),
        right_scale_(call.arguments[1]->type().scale()) {}

  [[nodiscard]] ScaledDecimal left(std::size_t row) const { return {left_[row], left_scale_}; }
  [[nodiscard]] ScaledDecimal right(std::size_t row) const { return {right_[row], right_scale_}; }
  [[nodiscard]] bool divides_by_zero(std::size_t row) const { return right_[row].unscaled == 0; }

 private:
  const Decimal* left_;
  const Decimal* right_;
  int left_scale_;
  int right_scale_;
};

std::string text_of(ScaledDecimal value) { return decimal_text(value.value, value.scale); }

void raise_overflow(KernelCall& call, std::size_t row, const Operands& operands,
                    const char* symbol) {
  call.errors.raise(row, [&] {
    return call.result.type().to_string() + " overflow: " + text_of(operands.left(row)) + " " +
           symbol + " " + text_of(operands.right(row));
  });
}

using Operation = std::optional<Decimal> (*)(ScaledDecimal, ScaledDecimal, const DataType&);

struct Plus {
  static constexpr const char* kSymbol = "+";
  static constexpr Operation kCompute = add;
};
struct Minus {
  static constexpr const char* kSymbol = "-";
  static constexpr Operation kCompute = subtract;
};
struct Times {
  static constexpr const char* kSymbol = "*";
  static constexpr Operation kCompute = multiply;
};

template <typename Symbol>
void compute(KernelCall& call) {
  const Operands operands(call);
  const DataType& type = call.result.type();
  Decimal* result = call.result.values<Decimal>().data();
  for (std::size_t row = 0; row < call.rows; ++row) {
    const auto value = Symbol::kCompute(operands.left(row), operands.right(row), type);
    result[row] = value.value_or(Decimal{});
    if (!value) [[unlikely]]
      raise_overflow(call, row, operands, Symbol::kSymbol);
  }
}

std::optional<Decimal> quotient(ScaledDecimal left, ScaledDecimal right, const DataType& type) {
  return divide(left, right, type);
}

/// The remainder, moved by the divisor if it is negative.
std::optional<Decimal> positive_remainder(ScaledDecimal left, ScaledDecimal right,
                                          const DataType& type) {
  const auto rest = remainder(left, right, type);
  if (!rest || rest->unscaled >= 0) return rest;
  const DataType wide = DataType::decimal(DataType::kPrecisionMax, type.scale());
  const auto moved = add({*rest, type.scale()}, right, wide);
  if (!moved) return std::nullopt;
  return remainder({*moved, type.scale()}, right, type);
}

struct Over {
  static constexpr const char* kSymbol = "/";
  static constexpr Operation kCompute = quotient;
};
struct Modulo {
  static constexpr const char* kSymbol = "%";
  static constexpr Operation kCompute = remainder;
};
struct PositiveModulo {
  static constexpr const char* kSymbol = "pmod";
  static constexpr Operation kCompute = positive_remainder;
};

template <typename Symbol>
void compute_by_divisor(KernelCall& call) {
  const Operands operands(call);
  const DataType& type = call.result.type();
  Decimal* result = call.result.values<Decimal>().data();
  for (std::size_t row = 0; row < call.rows; ++row) {
    result[row] = {};
    if (operands.divides_by_zero(row)) [[unlikely]] {
      call.errors.raise(row, "division by zero");
      continue;
    }
    const auto value = Symbol::kCompute(operands.left(row), operands.right(row), type);
    result[row] = value.value_or(Decimal{});
    if (!value) [[unlikely]]
      raise_overflow(call, row, operands, Symbol::kSymbol);
  }
}

void divide_whole(KernelCall& call) {
  const Operands operands(call);
  const DataType type = DataType::decimal(DataType::kPrecisionMax, 0);
  std::int64_t* result = call.result.values<std::int64_t>().data();
  for (std::size_t row = 0; row < call.rows; ++row) {
    result[row] = 0;
    if (operands.divides_by_zero(row)) [[unlikely]] {
      call.errors.raise(row, "division by zero");
      continue;
    }
    const auto value = divide(operands.left(row), operands.right(row), type, Rounding::kDown);
    if (value) result[row] = static_cast<std::int64_t>(value->unscaled);
    if (!value || value->unscaled != result[row]) [[unlikely]]
      raise_overflow(call, row, operands, "div");
  }
}

// --- of one decimal ------------------------------------------------------------------------------

bool takes_one_decimal(const Arguments& arguments) {
  return arguments.size() == 1 && arguments[0].type.is(TypeKind::kDecimal);
}

std::optional<SettledTypes> same_type(const Arguments& arguments) {
  if (!takes_one_decimal(arguments)) return std::nullopt;
  return SettledTypes{{arguments[0].type}, arguments[0].type};
}

std::optional<SettledTypes> whole_type(const Arguments& arguments) {
  if (!takes_one_decimal(arguments)) return std::nullopt;
  const DataType& type = arguments[0].type;
  return SettledTypes{{type}, bounded_decimal(type.precision() - type.scale() + 1, 0)};
}

template <Int128 (*kCompute)(Int128)>
void compute_each(KernelCall& call) {
  const Decimal* operand = call.arguments[0]->values<Decimal>().data();
  Decimal* result = call.result.values<Decimal>().data();
  for (std::size_t row = 0; row < call.rows; ++row)
    result[row].unscaled = kCompute(operand[row].unscaled);
}

Int128 negated(Int128 value) { return -value; }
Int128 absolute(Int128 value) { return value < 0 ? -value : value; }
Int128 same(Int128 value) { return value; }

/// Where rounding to places before the point leaves the decimal, and the type that holds it.
std::optional<SettledTypes> rounded_types(const Arguments& arguments) {
  if (arguments.empty() || arguments.size() > 2 || !arguments[0].type.is(TypeKind::kDecimal))
    return std::nullopt;
  int places = 0;
  if (arguments.size() == 2) {
    if (arguments[1].literal == nullptr) return std::nullopt;
    const auto* number = std::get_if<std::int32_t>(&arguments[1].literal->data);
    if (number == nullptr) return std::nullopt;
    places = std::clamp(*number, -DataType::kPrecisionMax, DataType::kPrecisionMax);
  }
  const DataType& type = arguments[0].type;
  const int whole = type.precision() - type.scale() + 1;
  const int scale = std::clamp(places, 0, type.scale());
  SettledTypes settled{{type}, bounded_decimal(std::max(whole, 1 - places) + scale, scale)};
  if (arguments.size() == 2) settled.arguments.push_back(TypeKind::kInt32);
  return settled;
}

std::optional<Decimal> rounded(ScaledDecimal value, int places, const DataType& type,
                               Rounding rounding) {
  if (places >= 0) return rescale(value, type, rounding);
  const auto multiple = round_to_places(value.value.unscaled, value.scale - places, rounding);
  if (!multiple) return std::nullopt;
  return rescale({Decimal{*multiple}, value.scale}, type);
}

template <Rounding kRounding>
void round_each(KernelCall& call) {
  const Decimal* operand = call.arguments[0]->values<Decimal>().data();
  const int scale = call.arguments[0]->type().scale();
  Decimal* result = call.result.values<Decimal>().data();
  for (std::size_t row = 0; row < call.rows; ++row) {
    const std::int32_t asked =
        call.arguments.size() == 1 ? 0 : call.arguments[1]->value<std::int32_t>(row);
    const int places = std::clamp(asked, -DataType::kPrecisionMax, DataType::kPrecisionMax);
    const auto value = rounded({operand[row], scale}, places, call.result.type(), kRounding);
    result[row] = value.value_or(Decimal{});
    if (!value) [[unlikely]]
      call.errors.raise(row, [&] {
        return call.result.type().to_string() + " overflow: rounding " +
               decimal_text(operand[row], scale);
      });
  }
}

// --- registration --------------------------------------------------------------------------------

FunctionOverload decimal_overload(const char* name, const char* signature,
                                  FunctionOverload::TypeRule rule, Kernel kernel,
                                  const char* description, const char* errors) {
  FunctionOverload overload;
  overload.name = name;
  overload.signature = signature;
  overload.rule = rule;
  overload.kernel = kernel;
  overload.description = description;
  overload.errors = errors;
  overload.can_fail = !overload.errors.empty();
  return overload;
}

void add_operators(FunctionRegistry& registry) {
  constexpr const char* kOverflow = "the result has more digits than its type";
  constexpr const char* kZero = "the divisor is 0, or the result has more digits than its type";
  registry.add(decimal_overload("+", "decimal + decimal", binary_types<sum_type>, compute<Plus>,
                                "Sum.", kOverflow));
  registry.add(decimal_overload("-", "decimal - decimal", binary_types<sum_type>, compute<Minus>,
                                "Difference.", kOverflow));
  registry.add(decimal_overload("*", "decimal * decimal", binary_types<product_type>,
                                compute<Times>, "Product.", kOverflow));
  registry.add(decimal_overload("/", "decimal / decimal", binary_types<quotient_type>,
                                compute_by_divisor<Over>, "Quotient.", kZero));
  registry.add(decimal_overload("%", "decimal % decimal", binary_types<remainder_type>,
                                compute_by_divisor<Modulo>,
                                "Remainder, with the sign of the left side.", kZero));
  registry.add(decimal_overload("pmod", "pmod(decimal, decimal)", binary_types<remainder_type>,
                                compute_by_divisor<PositiveModulo>,
                                "The remainder; where it is negative, the divisor is added once.",
                                kZero));
  registry.add(decimal_overload("div", "decimal div decimal", binary_types<bigint_type>,
                                divide_whole, "The quotient without its fraction.",
                                "the divisor is 0, or the result is out of bigint's range"));
}

void add_rounding(FunctionRegistry& registry) {
  constexpr const char* kOverflow = "the result has more digits than its type";
  registry.add(decimal_overload(
      "round", "round(decimal[, places])", rounded_types, round_each<Rounding::kHalfUp>,
      "The number rounded to so many places behind the point (none if not given, tens and "
      "hundreds if negative; a literal); halves away from zero.",
      kOverflow));
  registry.add(decimal_overload("bround", "bround(decimal[, places])", rounded_types,
                                round_each<Rounding::kHalfEven>,
                                "The same, halves to the even neighbour.", kOverflow));
  registry.add(decimal_overload("floor", "floor(decimal)", whole_type, round_each<Rounding::kFloor>,
                                "The largest whole number that is not above.", ""));
  registry.add(decimal_overload("ceil", "ceil(decimal)", whole_type, round_each<Rounding::kCeiling>,
                                "The smallest whole number that is not below.", ""));
}

}  // namespace

void add_decimal_functions(FunctionRegistry& registry) {
  add_operators(registry);
  add_rounding(registry);
  constexpr const char* kNegative = "The number with its sign changed.";
  registry.add(decimal_overload("-", "-decimal", same_type, compute_each<negated>, kNegative, ""));
  registry.add(decimal_overload("negative", "negative(decimal)", same_type, compute_each<negated>,
                                kNegative, ""));
  registry.add(decimal_overload("abs", "abs(decimal)", same_type, compute_each<absolute>,
                                "The number without its sign.", ""));
  registry.add(decimal_overload("positive", "positive(decimal)", same_type, compute_each<same>,
                                "The number itself.", ""));
}

}  // namespace millrace::stream
