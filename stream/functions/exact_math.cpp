#include "stream/functions/exact_math.hpp"

#include "stream/functions/double_bits.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace millrace::stream {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTwo54 = 18014398509481984.0;

// ln 2 and its like in two parts: the first has zeros at the end, so that a multiple of it is
// exact.
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kPerLn2 = 1.44269504088896338700e+00;

/// x times a power of two that leads to no subnormal.
double scaled(double x, int exponent) { return with_high_word(x, high_word(x) + (exponent << 20)); }

/// r (exp(r) + 1) / (exp(r) - 1) = 2 + r²·this: the even part of the exponential.
constexpr std::array<double, 5> kExpFactors = {
    1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
    -1.65339022054652515390e-06, 4.13813679705723846039e-08};

double without_even_part(double r) {
  const double square = r * r;
  return r - square * polynomial(kExpFactors, square);
}

/// The odd powers of the logarithm's series, taken in two sums.
constexpr std::array<double, 4> kLogOdd = {6.666666666666735130e-01, 2.857142874366239149e-01,
                                           1.818357216161805012e-01, 1.479819860511658591e-01};
constexpr std::array<double, 3> kLogEven = {3.999999999940941908e-01, 2.222219843214978396e-01,
                                            1.531383769920937332e-01};

/// A positive number as 2^exponent times a fraction near one (0.7 to 1.4).
struct Split {
  int exponent;
  double fraction;
  std::int32_t high;  ///< the fraction's digits in the high word
};

Split split(double x) {
  int exponent = 0;
  if (high_word(x) < 0x00100000) {
    exponent = -54;
    x *= kTwo54;
  }
  const std::int32_t word = high_word(x);
  exponent += (word >> 20) - 1023;
  const std::int32_t digits = word & 0x000FFFFF;
  const std::int32_t above = (digits + 0x95F64) & 0x100000;
  return {exponent + (above >> 20), with_high_word(x, digits | (above ^ 0x3FF00000)), digits};
}

}  // namespace

double exact_exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 7.09782712893383973096e+02) return kInfinity;
  if (x < -7.45133219101941108420e+02) return 0;
  const std::int32_t size = high_word(x) & 0x7FFFFFFF;
  if (size < 0x3E300000) return 1 + x;
  int exponent = 0;
  double high = x;
  double low = 0;
  if (size > 0x3FD62E42) {  // more than half of ln 2: take multiples of it away
    const double sign = x < 0 ? -1.0 : 1.0;
    exponent =
        size < 0x3FF0A2B2 ? static_cast<int>(sign) : static_cast<int>(kPerLn2 * x + sign * 0.5);
    high = x - exponent * kLn2High;
    low = exponent * kLn2Low;
  }
  const double r = high - low;
  const double c = without_even_part(r);
  if (exponent == 0) return 1 - ((r * c) / (c - 2) - r);
  const double y = 1 - ((low - (r * c) / (2 - c)) - high);
  if (exponent >= -1021) return scaled(y, exponent);
  return scaled(y, exponent + 1000) * 9.33263618503218878990e-302;
}

double exact_log(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (x == 0) return -kInfinity;
  if (x < 0) return kNan;
  const Split parts = split(x);
  const double f = parts.fraction - 1;
  const double k = parts.exponent;
  if ((0x000FFFFF & (2 + parts.high)) < 3) {  // f is below 2^-20
    if (f == 0) return k * kLn2High + k * kLn2Low;
    const double rest = f * f * (0.5 - 0.33333333333333333 * f);
    return parts.exponent == 0 ? f - rest : k * kLn2High - ((rest - k * kLn2Low) - f);
  }
  const double s = f / (2 + f);
  const double z = s * s;
  const double w = z * z;
  const double rest = z * polynomial(kLogOdd, w) + w * polynomial(kLogEven, w);
  if (((parts.high - 0x6147A) | (0x6B851 - parts.high)) > 0) {
    const double half = 0.5 * f * f;
    if (parts.exponent == 0) return f - (half - s * (half + rest));
    return k * kLn2High - ((half - (s * (half + rest) + k * kLn2Low)) - f);
  }
  if (parts.exponent == 0) return f - s * (f - rest);
  return k * kLn2High - ((s * (f - rest) - k * kLn2Low) - f);
}

double exact_log10(double x) {
  constexpr double kPerLn10 = 4.34294481903251816668e-01;
  constexpr double kLog2High = 3.01029995663611771306e-01;
  constexpr double kLog2Low = 3.69423907715893078616e-13;
  if (!(x > 0) || x == kInfinity) return exact_log(x);
  int exponent = 0;
  if (high_word(x) < 0x00100000) {
    exponent = -54;
    x *= kTwo54;
  }
  exponent += (high_word(x) >> 20) - 1023;
  const int below_one = exponent < 0 ? 1 : 0;
  const double fraction =
      with_high_word(x, (high_word(x) & 0x000FFFFF) | ((0x3FF - below_one) << 20));
  const double k = exponent + below_one;
  const double rest = k * kLog2Low + kPerLn10 * exact_log(fraction);
  return rest + k * kLog2High;
}

double exact_cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const double size = std::fabs(x);
  // A third of the exponent; then one step of a rational approximation to 23 bits.
  double t = high_word(size) < 0x00100000
                 ? with_high_word(0, high_word(size * kTwo54) / 3 + 696219795)
                 : with_high_word(0, high_word(size) / 3 + 715094163);
  double r = t * t / size;
  const double s = 5.42857142857142815906e-01 + r * t;
  t *= 3.57142857142857150787e-01 + 1.60714285714285720630e+00 / (s + 1.41428571428571436819e+00 +
                                                                  -7.05306122448979611050e-01 / s);
  // Cut to 20 bits and a little larger, so that its square is exact; then one step of Newton's.
  t = with_high_word(0, high_word(t) + 1);
  r = size / (t * t);
  r = (r - t) / (t + t + r);
  return std::copysign(t + t * r, x);
}

}  // namespace millrace::stream
