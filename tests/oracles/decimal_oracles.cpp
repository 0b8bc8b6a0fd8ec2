#include "tests/oracles/oracle.hpp"

// Decimals as whole numbers of their last places, in 128 bits: the types are small enough for that.

namespace millrace::property {
namespace {

using A = Money<9, 2>;
using B = Money<7, 4>;

constexpr Int128 kHundred = 100;

Int128 power_of_ten(int exponent) {
  Int128 power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

Int128 absolute(Int128 value) { return value < 0 ? -value : value; }

enum class Half { kUp, kEven };

/// value / unit to the nearest whole number.
Int128 nearest(Int128 value, Int128 unit, Half half = Half::kUp) {
  const Int128 quotient = value / unit;
  const Int128 twice = 2 * absolute(value % unit);
  const bool is_odd = quotient % 2 != 0;
  const bool goes_away =
      twice > absolute(unit) || (twice == absolute(unit) && (half == Half::kUp || is_odd));
  if (!goes_away) return quotient;
  return quotient + ((value < 0) == (unit < 0) ? 1 : -1);
}

Int128 floor_of(Int128 value, Int128 unit) { return value / unit - (value % unit < 0 ? 1 : 0); }

/// As many digits as the type has.
template <int kPrecision, int kScale>
Money<kPrecision, kScale> checked(Int128 unscaled) {
  if (absolute(unscaled) >= power_of_ten(kPrecision)) throw Failure();
  return {unscaled};
}

Int128 wide(A value) { return value.unscaled * kHundred; }

Int128 rest(Int128 left, Int128 right) {
  if (right == 0) throw Failure();
  return left % right;
}

void add_operators(Oracles& oracles) {
  oracles.push_back(oracle("decimal + decimal", "+", [](A left, B right) {
    return checked<12, 4>(wide(left) + right.unscaled);
  }));
  oracles.push_back(oracle("decimal - decimal", "-", [](A left, B right) {
    return checked<12, 4>(wide(left) - right.unscaled);
  }));
  oracles.push_back(oracle("decimal * decimal", "*", [](A left, B right) {
    return checked<17, 6>(left.unscaled * right.unscaled);
  }));
  oracles.push_back(oracle("decimal / decimal", "/", [](A left, B right) {
    if (right.unscaled == 0) throw Failure();
    return checked<21, 10>(nearest(left.unscaled * power_of_ten(12), right.unscaled));
  }));
  oracles.push_back(oracle("decimal % decimal", "%", [](A left, B right) {
    return checked<7, 4>(rest(wide(left), right.unscaled));
  }));
  oracles.push_back(oracle("pmod(decimal, decimal)", "pmod", [](A left, B right) {
    const Int128 first = rest(wide(left), right.unscaled);
    return checked<7, 4>(first < 0 ? (first + right.unscaled) % right.unscaled : first);
  }));
  oracles.push_back(oracle("decimal div decimal", "div", [](A left, B right) -> std::int64_t {
    if (right.unscaled == 0) throw Failure();
    return static_cast<std::int64_t>(wide(left) / right.unscaled);
  }));
  // One digit more than 38: a place behind the point goes.
  oracles.push_back(oracle("decimal + decimal", "+", [](Money<38, 10> left, Money<20, 2> right) {
    const Int128 sum = left.unscaled + right.unscaled * power_of_ten(8);
    return checked<38, 9>(nearest(sum, 10));
  }));
  // With a whole number, which is a decimal of 10 digits.
  oracles.push_back(oracle("decimal + decimal", "+", [](A left, std::int32_t right) {
    return checked<13, 2>(left.unscaled + right * kHundred);
  }));
}

void add_rounding(Oracles& oracles, const char* name, Half half) {
  const std::string signature = std::string(name) + "(decimal[, places])";
  const auto rounded = [name](int places) {
    return [name, places](const std::vector<Expr>& columns) {
      return call(name, {columns[0], lit(places)});
    };
  };
  oracles.push_back(oracle(signature, name, [half](A value) {
    return Money<8, 0>{nearest(value.unscaled, kHundred, half)};
  }));
  oracles.push_back(oracle(signature, rounded(1), [half](A value) {
    return Money<9, 1>{nearest(value.unscaled, 10, half)};
  }));
  oracles.push_back(
      oracle(signature, rounded(7), [](A value) { return Money<10, 2>{value.unscaled}; }));
  oracles.push_back(oracle(signature, rounded(-3), [half](A value) {
    return Money<8, 0>{nearest(value.unscaled, kHundred * 1'000, half) * 1'000};
  }));
}

}  // namespace

Oracles decimal_oracles() {
  Oracles oracles;
  add_operators(oracles);
  add_rounding(oracles, "round", Half::kUp);
  add_rounding(oracles, "bround", Half::kEven);
  oracles.push_back(oracle("floor(decimal)", "floor", [](A value) {
    return Money<8, 0>{floor_of(value.unscaled, kHundred)};
  }));
  oracles.push_back(oracle("ceil(decimal)", "ceil", [](A value) {
    return Money<8, 0>{-floor_of(-value.unscaled, kHundred)};
  }));
  for (const char* signature : {"-decimal", "negative(decimal)"}) {
    oracles.push_back(oracle(signature, *signature == '-' ? "-" : "negative",
                             [](A value) { return A{-value.unscaled}; }));
  }
  oracles.push_back(
      oracle("abs(decimal)", "abs", [](A value) { return A{absolute(value.unscaled)}; }));
  oracles.push_back(oracle("positive(decimal)", "positive", [](A value) { return value; }));
  return oracles;
}

}  // namespace millrace::property
