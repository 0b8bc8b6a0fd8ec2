#include "tests/oracles/oracle.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

// Mathematics against the C library in long double, and rounding against decimal digits.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Long = std::int64_t;
using Maybe = std::optional<double>;
using Wide = long double;

// What differs by a unit of the last place or two is the same.
constexpr double kClose = 1e-15;
// Where the argument is reduced, or two errors meet.
constexpr double kNear = 1e-13;

/// An oracle that computes in long double.
void add(Oracles& oracles, double tolerance, const char* name, Wide (*function)(Wide)) {
  oracles.push_back(about(tolerance, std::string(name) + "(double)", name,
                          [=](double x) { return static_cast<double>(function(x)); }));
}

Wide cot(Wide x) { return 1 / std::tan(x); }
Wide csc(Wide x) { return 1 / std::sin(x); }
Wide sec(Wide x) { return 1 / std::cos(x); }
Wide degrees(Wide x) { return x * 180 / std::numbers::pi_v<Wide>; }
Wide radians(Wide x) { return x * std::numbers::pi_v<Wide> / 180; }
Wide sign(Wide x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

/// Nothing where there is no logarithm.
Maybe log_of(double x, Wide (*function)(Wide), double low = 0) {
  if (x <= low) return std::nullopt;
  return static_cast<double>(function(x));
}

void add_functions(Oracles& oracles) {
  add(oracles, kClose, "acos", std::acos);
  add(oracles, kClose, "asin", std::asin);
  add(oracles, kClose, "atan", std::atan);
  add(oracles, kClose, "cbrt", std::cbrt);
  add(oracles, kClose, "cos", std::cos);
  add(oracles, kClose, "sin", std::sin);
  add(oracles, kClose, "tan", std::tan);
  add(oracles, kClose, "cosh", std::cosh);
  add(oracles, kClose, "sinh", std::sinh);
  add(oracles, kClose, "tanh", std::tanh);
  add(oracles, kClose, "cot", cot);
  add(oracles, kClose, "csc", csc);
  add(oracles, kClose, "sec", sec);
  add(oracles, kClose, "exp", std::exp);
  add(oracles, kClose, "expm1", std::expm1);
  add(oracles, kClose, "degrees", degrees);
  add(oracles, kClose, "radians", radians);
  add(oracles, 0, "sqrt", std::sqrt);
  add(oracles, 0, "sign", sign);
  add(oracles, 0, "rint", std::rint);
  oracles.push_back(
      about(kClose, "ln(double)", "ln", [](double x) { return log_of(x, std::log); }));
  oracles.push_back(
      about(kClose, "log10(double)", "log10", [](double x) { return log_of(x, std::log10); }));
  oracles.push_back(
      about(kClose, "log2(double)", "log2", [](double x) { return log_of(x, std::log2); }));
  oracles.push_back(
      about(kClose, "log1p(double)", "log1p", [](double x) { return log_of(x, std::log1p, -1); }));
  oracles.push_back(about(kNear, "log(double, double)", "log", [](double base, double x) -> Maybe {
    if (base <= 0 || x <= 0) return std::nullopt;
    return std::log(x) / std::log(base);
  }));
  oracles.push_back(about(kClose, "atan2(double, double)", "atan2", [](double y, double x) {
    return static_cast<double>(std::atan2(Wide{y + 0.0}, Wide{x + 0.0}));  // no -0.0
  }));
  oracles.push_back(about(kClose, "hypot(double, double)", "hypot", [](double x, double y) {
    return static_cast<double>(std::hypot(Wide{x}, Wide{y}));
  }));
  oracles.push_back(about(kClose, "pow(double, double)", "pow", [](double x, double y) {
    // Java's is NaN where the exponent is, or where 1 is raised to infinity.
    if (std::isnan(y) || (std::abs(x) == 1 && std::isinf(y)))
      return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(std::pow(Wide{x}, Wide{y}));
  }));
  // By the formulas that Spark has, with what they lose.
  oracles.push_back(about(kNear, "acosh(double)", "acosh",
                          [](double x) { return std::log(x + std::sqrt(x * x - 1)); }));
  oracles.push_back(about(kNear, "asinh(double)", "asinh", [](double x) {
    return std::isinf(x) ? x : std::log(x + std::sqrt(x * x + 1));
  }));
  oracles.push_back(about(kNear, "atanh(double)", "atanh",
                          [](double x) { return 0.5 * (std::log1p(x) - std::log1p(-x)); }));
  oracles.push_back(
      oracle("isnan(double)", "isnan", [](const Maybe& x) { return x && std::isnan(*x); }));
  oracles.push_back(oracle("nanvl(double, double)", "nanvl", [](double x, const Maybe& y) -> Maybe {
    return std::isnan(x) ? y : x;
  }));
}

// --- rounding ------------------------------------------------------------------------------------

enum class Half { kUp, kEven };

/// Rounds the shortest digits of a double as one does on paper.
double on_paper(double value, Int places, Half half) {
  if (!std::isfinite(value) || value == 0) return value + 0.0;
  char buffer[64];
  const char* end =
      std::to_chars(buffer, buffer + sizeof(buffer), std::abs(value), std::chars_format::scientific)
          .ptr;
  const std::string text(static_cast<const char*>(buffer), end);
  const std::size_t mark = text.find('e');
  const int point = std::atoi(text.c_str() + mark + 1) + 1;
  std::string digits;
  std::copy_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(mark),
               std::back_inserter(digits), [](char c) { return c != '.'; });
  const Long kept = Long{point} + places;
  if (kept >= static_cast<Long>(digits.size())) return value;
  if (kept < 0) return 0.0;
  const std::string gone = digits.substr(static_cast<std::size_t>(kept));
  std::string whole = "0" + digits.substr(0, static_cast<std::size_t>(kept));
  const bool is_half = gone.find_first_not_of('0', 1) == std::string::npos && gone[0] == '5';
  const bool goes_up =
      is_half ? half == Half::kUp || (whole.back() - '0') % 2 != 0 : gone[0] >= '5';
  if (goes_up) {
    std::size_t i = whole.size() - 1;
    for (; whole[i] == '9'; --i) whole[i] = '0';
    ++whole[i];
  }
  const double magnitude =
      std::strtod((whole + "e" + std::to_string(point - kept)).c_str(), nullptr);
  return magnitude == 0 ? 0.0 : value < 0 ? -magnitude : magnitude;
}

template <typename T>
T whole_rounded(T value, Int places, Half half) {
  if (places >= 0) return value;
  Int128 unit = 1;
  for (Int i = 0; i < -places && i < 30; ++i) unit *= 10;
  const Int128 magnitude = value < 0 ? -Int128{value} : Int128{value};
  Int128 quotient = magnitude / unit;
  const Int128 twice = 2 * (magnitude % unit);
  if (twice > unit || (twice == unit && (half == Half::kUp || quotient % 2 != 0))) ++quotient;
  const Int128 result = (value < 0 ? -quotient : quotient) * unit;
  if (result < std::numeric_limits<T>::min() || result > std::numeric_limits<T>::max())
    throw Failure();
  return static_cast<T>(result);
}

Build rounded(const char* name, int places) {
  return [=](const std::vector<Expr>& columns) { return call(name, {columns[0], lit(places)}); };
}

void add_rounding(Oracles& oracles, const std::string& name, Half half) {
  const char* function = half == Half::kUp ? "round" : "bround";
  oracles.push_back(oracle(name + "(int)", function, [](Int v) { return v; }));
  oracles.push_back(oracle(name + "(bigint)", function, [](Long v) { return v; }));
  oracles.push_back(
      oracle(name + "(double)", function, [=](double v) { return on_paper(v, 0, half); }));
  for (const int places : {-12, -3, -1, 0, 1, 3}) {
    oracles.push_back(oracle(name + "(double, int)", rounded(function, places),
                             [=](double v) { return on_paper(v, places, half); }));
  }
  oracles.push_back(oracle(name + "(int, int)", function, [=](Int v, Few places) -> Int {
    return whole_rounded<Int>(v, places.value, half);
  }));
  for (const int places : {-1, -5, -18, -19, -20}) {
    oracles.push_back(oracle(name + "(bigint, int)", rounded(function, places),
                             [=](Long v) -> Long { return whole_rounded<Long>(v, places, half); }));
  }
}

Long saturated(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 9223372036854775807.0) return std::numeric_limits<Long>::max();
  if (value <= -9223372036854775808.0) return std::numeric_limits<Long>::min();
  return static_cast<Long>(value);
}

}  // namespace

Oracles math_oracles() {
  Oracles oracles;
  add_functions(oracles);
  add_rounding(oracles, "round", Half::kUp);
  add_rounding(oracles, "bround", Half::kEven);
  for (const char* name : {"floor", "ceil"}) {
    const bool is_floor = *name == 'f';
    oracles.push_back(oracle(std::string(name) + "(bigint)", name, [](Long v) { return v; }));
    oracles.push_back(oracle(std::string(name) + "(double)", name, [=](double v) -> Long {
      return saturated(is_floor ? std::floor(v) : std::ceil(v));
    }));
  }
  return oracles;
}

}  // namespace millrace::property
