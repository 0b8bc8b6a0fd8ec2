#include "stream/functions/exact_math.hpp"
#include "stream/functions/row_kernel.hpp"

#include <cmath>
#include <limits>
#include <numbers>

// Functions of doubles. What has no value is NaN, as IEEE 754 has it; logarithms of what has none
// are null, as Spark has it.

namespace millrace::stream {

namespace {

double square_root(double x) { return std::sqrt(x); }
double exponential_minus_one(double x) { return std::expm1(x); }
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
double tangent(double x) { return std::tan(x); }
double cotangent(double x) { return 1 / std::tan(x); }
double secant(double x) { return 1 / std::cos(x); }
double cosecant(double x) { return 1 / std::sin(x); }
double arc_sine(double x) { return exact_asin(x); }
double arc_cosine(double x) { return exact_acos(x); }
double arc_tangent(double x) { return exact_atan(x); }
/// A zero has no sign here: the angle of (-0.0, -1) is that of (0, -1).
double arc_tangent_of_two(double y, double x) { return exact_atan2(y + 0.0, x + 0.0); }
double hyperbolic_sine(double x) { return exact_sinh(x); }
double hyperbolic_cosine(double x) { return exact_cosh(x); }
double hyperbolic_tangent(double x) { return std::tanh(x); }
double area_hyperbolic_sine(double x) {
  return std::isinf(x) ? x : exact_log(x + std::sqrt(x * x + 1));
}
double area_hyperbolic_cosine(double x) { return exact_log(x + std::sqrt(x * x - 1)); }
double area_hyperbolic_tangent(double x) { return 0.5 * (std::log1p(x) - std::log1p(-x)); }
double hypotenuse(double x, double y) { return exact_hypot(x, y); }
double to_degrees(double x) { return x * 57.29577951308232; }
double to_radians(double x) { return x * 0.017453292519943295; }
double pi() { return std::numbers::pi; }
double euler() { return std::numbers::e; }
bool is_nan(double x) { return std::isnan(x); }
double sign_of(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

// --- logarithms
// -----------------------------------------------------------------------------------

/// The logarithm above a limit; null at and below it.
double above(Row& row, double x, double limit, double (*logarithm)(double)) {
  if (!(x <= limit)) return logarithm(x);
  row.set_null();
  return 0;
}

double log2_of(double x) { return exact_log(x) / exact_log(2); }
double log1p_of(double x) { return std::log1p(x); }

double natural_logarithm(Row& row, double x) { return above(row, x, 0, exact_log); }
double decimal_logarithm(Row& row, double x) { return above(row, x, 0, exact_log10); }
double binary_logarithm(Row& row, double x) { return above(row, x, 0, log2_of); }
double logarithm_plus_one(Row& row, double x) { return above(row, x, -1, log1p_of); }

double logarithm_to_base(Row& row, double base, double x) {
  if (!(base <= 0) && !(x <= 0)) return exact_log(x) / exact_log(base);
  row.set_null();
  return 0;
}

// --- tests of NaN
// ---------------------------------------------------------------------------------

/// A null is a number as any other: false.
void test_nan(KernelCall& call) {
  const Column& operand = *call.arguments[0];
  const auto result = call.result.values<std::uint8_t>();
  for (std::size_t row = 0; row < call.rows; ++row)
    result[row] = !operand.is_null(row) && is_nan(operand.value<double>(row)) ? 1 : 0;
}

/// The second argument counts only where the first is NaN.
void choose_number(KernelCall& call) {
  const Column& first = *call.arguments[0];
  const Column& second = *call.arguments[1];
  const auto result = call.result.values<double>();
  for (std::size_t row = 0; row < call.rows; ++row) {
    const bool is_second = !first.is_null(row) && is_nan(first.value<double>(row));
    const Column& chosen = is_second ? second : first;
    result[row] = chosen.value<double>(row);
    if (chosen.is_null(row)) call.result.set_null(row);
  }
}

FunctionOverload of_double(const char* name, Kernel kernel, const char* description) {
  return plain_function(name, {TypeKind::kDouble}, TypeKind::kDouble, kernel, description);
}

FunctionOverload of_doubles(const char* name, Kernel kernel, const char* description) {
  return plain_function(name, {TypeKind::kDouble, TypeKind::kDouble}, TypeKind::kDouble, kernel,
                        description);
}

void add_powers(FunctionRegistry& registry) {
  registry.add(of_double("sqrt", each_row<square_root>, "The square root; NaN below 0."));
  registry.add(of_double("cbrt", each_row<exact_cbrt>, "The cube root."));
  registry.add(
      of_doubles("pow", each_row<exact_pow>, "The first number to the power of the second."));
  registry.add_alias("power", "pow");
  registry.add(of_double("exp", each_row<exact_exp>, "e to the power of the number."));
  registry.add(
      of_double("expm1", each_row<exponential_minus_one>, "exp less 1, exact also near 0."));
  registry.add(of_doubles("hypot", each_row<hypotenuse>,
                          "The square root of the sum of squares, without overflow on the way."));
}

void add_logarithms(FunctionRegistry& registry) {
  constexpr const char* kNulls = "the argument is null, or 0 or less";
  registry.add(
      with_nulls(of_double("ln", each_row<natural_logarithm>, "The natural logarithm."), kNulls));
  registry.add_alias("log", "ln");
  registry.add(
      with_nulls(of_doubles("log", each_row<logarithm_to_base>,
                            "The logarithm of the second number to the base of the first."),
                 "an argument is null, or 0 or less"));
  registry.add(with_nulls(
      of_double("log10", each_row<decimal_logarithm>, "The logarithm to base 10."), kNulls));
  registry.add(with_nulls(of_double("log2", each_row<binary_logarithm>, "The logarithm to base 2."),
                          kNulls));
  registry.add(
      with_nulls(of_double("log1p", each_row<logarithm_plus_one>,
                           "The natural logarithm of 1 and the number, exact also near 0."),
                 "the argument is null, or -1 or less"));
}

void add_angles(FunctionRegistry& registry) {
  registry.add(of_double("sin", each_row<sine>, "Sine, of radians."));
  registry.add(of_double("cos", each_row<cosine>, "Cosine, of radians."));
  registry.add(of_double("tan", each_row<tangent>, "Tangent, of radians."));
  registry.add(of_double("cot", each_row<cotangent>, "Cotangent, of radians."));
  registry.add(of_double("sec", each_row<secant>, "Secant, of radians."));
  registry.add(of_double("csc", each_row<cosecant>, "Cosecant, of radians."));
  registry.add(of_double("asin", each_row<arc_sine>, "The angle of that sine, in radians."));
  registry.add(of_double("acos", each_row<arc_cosine>, "The angle of that cosine, in radians."));
  registry.add(of_double("atan", each_row<arc_tangent>, "The angle of that tangent, in radians."));
  registry.add(of_doubles("atan2", each_row<arc_tangent_of_two>,
                          "The angle of the point (second, first), in radians."));
  registry.add(of_double("sinh", each_row<hyperbolic_sine>, "Hyperbolic sine."));
  registry.add(of_double("cosh", each_row<hyperbolic_cosine>, "Hyperbolic cosine."));
  registry.add(of_double("tanh", each_row<hyperbolic_tangent>, "Hyperbolic tangent."));
  registry.add(of_double("asinh", each_row<area_hyperbolic_sine>, "Inverse of sinh."));
  registry.add(of_double("acosh", each_row<area_hyperbolic_cosine>, "Inverse of cosh."));
  registry.add(of_double("atanh", each_row<area_hyperbolic_tangent>, "Inverse of tanh."));
  registry.add(of_double("degrees", each_row<to_degrees>, "Radians as degrees."));
  registry.add(of_double("radians", each_row<to_radians>, "Degrees as radians."));
}

void add_numbers(FunctionRegistry& registry) {
  using enum TypeKind;
  registry.add(plain_function("pi", {}, kDouble, each_row<pi>, "3.141592653589793."));
  registry.add(plain_function("e", {}, kDouble, each_row<euler>, "2.718281828459045."));
  registry.add(of_double("sign", each_row<sign_of>, "-1.0, 0.0 or 1.0, as the number's sign is."));
  registry.add_alias("signum", "sign");
  FunctionOverload nan = with_nulls(
      plain_function("isnan", {kDouble}, kBoolean, test_nan, "Whether the value is NaN."), "never");
  nan.is_strict = false;
  registry.add(nan);
  FunctionOverload number = with_nulls(
      of_doubles("nanvl", choose_number, "The first value, or the second if the first is NaN."),
      "the value chosen is null");
  number.is_strict = false;
  registry.add(number);
}

}  // namespace

void add_math_functions(FunctionRegistry& registry) {
  add_powers(registry);
  add_logarithms(registry);
  add_angles(registry);
  add_numbers(registry);
}

}  // namespace millrace::stream
