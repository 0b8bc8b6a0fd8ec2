#include "stream/functions/exact_math.hpp"
#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace millrace::stream {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInfinity = std::numeric_limits<double>::infinity();

Value real(double value) { return Value::real(value); }

TEST(Powers, AreSparksToTheLastDigit) {
  ExpressionCase rows(
      {{"x", TypeKind::kDouble}},
      {{real(4.0)}, {real(-4.0)}, {real(0.0)}, {real(1.0)}, {Value::null()}, {real(kNan)}});
  const auto of = [&](const char* name) { return rows.values(call(name, {col("x")})); };
  EXPECT_EQ(of("sqrt"), (Texts{"2.0", "NaN", "0.0", "1.0", "null", "NaN"}));
  EXPECT_EQ(rows.values(call("pow", {col("x"), lit(2)})),
            (Texts{"16.0", "16.0", "0.0", "1.0", "null", "NaN"}));
  EXPECT_EQ(of("exp"), (Texts{"54.598150033144236", "0.01831563888873418", "1.0",
                              "2.7182818284590455", "null", "NaN"}));
  EXPECT_EQ(of("ln"), (Texts{"1.3862943611198906", "null", "null", "0.0", "null", "NaN"}));
  EXPECT_EQ(of("log10"), (Texts{"0.6020599913279624", "null", "null", "0.0", "null", "NaN"}));
  EXPECT_EQ(of("log2"), (Texts{"2.0", "null", "null", "0.0", "null", "NaN"}));
  EXPECT_EQ(of("cbrt"),
            (Texts{"1.5874010519681996", "-1.5874010519681996", "0.0", "1.0", "null", "NaN"}));
}

// Computed by StrictMath of Java 17.
TEST(ExactMath, HasTheBitsOfStrictMath) {
  EXPECT_EQ(exact_exp(0.5), 1.6487212707001282);
  EXPECT_EQ(exact_exp(-700.25), 7.678723813110872E-305);
  EXPECT_EQ(exact_exp(-740.0), 4.2E-322);
  EXPECT_EQ(exact_exp(709.7), 1.6549840276802644E308);
  EXPECT_EQ(exact_exp(710.0), kInfinity);
  EXPECT_EQ(exact_exp(-kInfinity), 0.0);
  EXPECT_EQ(exact_log(10.0), 2.302585092994046);
  EXPECT_EQ(exact_log(4.9E-324), -744.4400719213812);
  EXPECT_EQ(exact_log(1.0000001), 9.999999505838704E-8);
  EXPECT_EQ(exact_log10(1000.0), 3.0);
  EXPECT_EQ(exact_log10(0.001), -3.0);
  EXPECT_EQ(exact_cbrt(-27.0), -3.0);
  EXPECT_EQ(exact_cbrt(4.9E-324), 1.7031839360032603E-108);
  EXPECT_EQ(exact_pow(2.5, -3.5), 0.040477154050155256);
  EXPECT_EQ(exact_pow(-2.0, 3.0), -8.0);
  EXPECT_EQ(exact_pow(1.1, 1000.0), 2.469932918006026E41);
  EXPECT_EQ(exact_pow(10.0, -320.0), 9.99989E-321);
  EXPECT_EQ(exact_pow(1.0000000001, 3.0E12), 1.9424745818267119E130);
  EXPECT_EQ(exact_atan2(1.0, -2.0), 2.677945044588987);
  EXPECT_EQ(exact_hypot(3.0E300, 4.0E300), 5.0E300);
}

TEST(ExactMath, FollowsJavaWhereItIsNotTheCLibrarys) {
  EXPECT_NE(exact_pow(1.0, kInfinity), exact_pow(1.0, kInfinity));
  EXPECT_NE(exact_pow(1.0, kNan), exact_pow(1.0, kNan));
  EXPECT_NE(exact_pow(-1.0, -kInfinity), exact_pow(-1.0, -kInfinity));
  EXPECT_EQ(exact_pow(kNan, 0.0), 1.0);
  EXPECT_EQ(exact_pow(-0.0, -3.0), -kInfinity);
  EXPECT_EQ(exact_pow(-0.0, -2.0), kInfinity);
  EXPECT_EQ(exact_pow(0.5, kInfinity), 0.0);
  EXPECT_NE(exact_pow(-8.0, 1.0 / 3), exact_pow(-8.0, 1.0 / 3));
}

TEST(Logarithms, AreNullWhereThereIsNone) {
  EXPECT_EQ(result_of("log", {lit(10), lit(100)}), "2.0");
  EXPECT_EQ(result_of("log", {lit(0), lit(100)}), "null");
  EXPECT_EQ(result_of("log", {lit(10), lit(-1)}), "null");
  EXPECT_EQ(result_of("log", {lit(1)}), "0.0");
  EXPECT_EQ(result_of("log1p", {lit(0)}), "0.0");
  EXPECT_EQ(result_of("log1p", {lit(-1)}), "null");
  EXPECT_EQ(result_of("expm1", {lit(0)}), "0.0");
}

TEST(Angles, AreInRadians) {
  EXPECT_EQ(result_of("sin", {lit(0)}), "0.0");
  EXPECT_EQ(result_of("cos", {call("pi", {})}), "-1.0");
  EXPECT_EQ(result_of("tan", {lit(0)}), "0.0");
  EXPECT_EQ(result_of("cot", {lit(1)}), "0.6420926159343306");
  EXPECT_EQ(result_of("asin", {lit(2)}), "NaN");
  EXPECT_EQ(result_of("acos", {lit(1)}), "0.0");
  EXPECT_EQ(result_of("atan", {lit(1)}), "0.7853981633974483");
  EXPECT_EQ(result_of("atan2", {lit(-0.0), lit(-1)}), "3.141592653589793");
  EXPECT_EQ(result_of("degrees", {call("pi", {})}), "180.0");
  EXPECT_EQ(result_of("radians", {lit(180)}), "3.141592653589793");
  EXPECT_EQ(result_of("sinh", {lit(0)}), "0.0");
  EXPECT_EQ(result_of("cosh", {lit(0)}), "1.0");
  EXPECT_EQ(result_of("tanh", {lit(0)}), "0.0");
  EXPECT_EQ(result_of("asinh", {lit(0)}), "0.0");
  EXPECT_EQ(result_of("acosh", {lit(0)}), "NaN");
  EXPECT_EQ(result_of("atanh", {lit(2)}), "NaN");
  EXPECT_EQ(result_of("hypot", {lit(3), lit(4)}), "5.0");
}

TEST(Numbers, HaveASignOrAreNone) {
  EXPECT_EQ(result_of("sign", {lit(-2.5)}), "-1.0");
  EXPECT_EQ(result_of("signum", {lit(0)}), "0.0");
  EXPECT_EQ(result_of("sign", {lit(kNan)}), "NaN");
  EXPECT_EQ(result_of("isnan", {lit(kNan)}), "true");
  EXPECT_EQ(result_of("isnan", {lit(Value::null(TypeKind::kDouble))}), "false");
  EXPECT_EQ(result_of("nanvl", {lit(kNan), lit(123)}), "123.0");
  EXPECT_EQ(result_of("nanvl", {lit(1.5), lit(Value::null(TypeKind::kDouble))}), "1.5");
  EXPECT_EQ(result_of("nanvl", {lit(Value::null(TypeKind::kDouble)), lit(1.5)}), "null");
  EXPECT_EQ(result_of("pi", {}), "3.141592653589793");
  EXPECT_EQ(result_of("e", {}), "2.718281828459045");
}

}  // namespace
}  // namespace millrace::stream
