#include "stream/functions/double_bits.hpp"
#include "stream/functions/exact_math.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

// base^exponent = 2^(exponent·log2(base)): the logarithm and the product in two parts each, of
// which the first is exact, and then the exponential of what is left behind the point.

namespace millrace::stream {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A number in two parts: `high` has no digits in its lower half.
struct Pair {
  double high;
  double low;
};

/// log2 of a number within 2^-20 of one, for exponents beyond 2^31.
Pair log2_near_one(double base) {
  constexpr double kHigh = 1.44269502162933349609e+00;
  constexpr double kLow = 1.92596299112661746887e-08;
  constexpr double kWhole = 1.44269504088896338700e+00;
  const double t = base - 1;
  const double w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25));
  const double u = kHigh * t;
  const double v = t * kLow - w * kWhole;
  const double high = upper_half(u + v);
  return {high, v - (high - u)};
}

/// log2 of a positive, finite number.
Pair log2_of(double base) {
  constexpr std::array<double, 6> kFactors = {
      5.99999999999994648725e-01, 4.28571428578550184252e-01, 3.33333329818377432918e-01,
      2.72728123808534006489e-01, 2.30660745775561754067e-01, 2.06975017800338417784e-01};
  constexpr Pair kTwoThirdsPerLn2 = {9.61796700954437255859e-01, -7.02846165095275826516e-09};
  constexpr double kWhole = 9.61796693925975554329e-01;
  // The fraction is measured against 1 or 3/2, whichever is nearer; the latter's log2 is here.
  constexpr Pair kLog2OfThreeHalves = {5.84962487220764160156e-01, 1.35003920212974897128e-08};

  int exponent = 0;
  if (high_word(base) < 0x00100000) {
    base *= 9007199254740992.0;  // 2^53
    exponent = -53;
  }
  exponent += (high_word(base) >> 20) - 0x3FF;
  const std::int32_t digits = high_word(base) & 0x000FFFFF;
  std::int32_t word = digits | 0x3FF00000;
  const bool is_near_three_halves = digits > 0x3988E && digits < 0xBB67A;
  if (digits >= 0xBB67A) {
    ++exponent;
    word -= 0x00100000;
  }
  const double x = of_words(word, low_word(base));
  const double middle = is_near_three_halves ? 1.5 : 1.0;

  // s = (x - middle) / (x + middle), in two parts
  const double u = x - middle;
  const double v = 1 / (x + middle);
  const double s = u * v;
  const double s_high = upper_half(s);
  const double sum_high =
      of_words(((word >> 1) | 0x20000000) + 0x00080000 + (is_near_three_halves ? 1 << 18 : 0), 0);
  const double sum_low = x - (sum_high - middle);
  const double s_low = v * ((u - s_high * sum_high) - s_high * sum_low);

  // the logarithm of x / middle, times 3/2, as s·(3 + s² + ...)
  const double square = s * s;
  double rest = square * square * polynomial(kFactors, square);
  rest += s_low * (s_high + s);
  const double square_high = s_high * s_high;
  const double three_high = upper_half(3.0 + square_high + rest);
  const double three_low = rest - ((three_high - 3.0) - square_high);
  const double a = s_high * three_high;
  const double b = s_low * three_high + three_low * s;
  const double p_high = upper_half(a + b);
  const double p_low = b - (p_high - a);
  const double z_high = kTwoThirdsPerLn2.high * p_high;
  const double z_low = kTwoThirdsPerLn2.low * p_high + p_low * kWhole +
                       (is_near_three_halves ? kLog2OfThreeHalves.low : 0.0);
  const double middle_high = is_near_three_halves ? kLog2OfThreeHalves.high : 0.0;
  const double k = exponent;
  const double high = upper_half(((z_high + z_low) + middle_high) + k);
  return {high, z_low - (((high - k) - middle_high) - z_high)};
}

/// 2 to the power of the pair's sum, which is within the exponents that there are.
double exp2_of(double high, double low, std::int32_t word) {
  constexpr double kLn2 = 6.93147180559945286227e-01;
  constexpr double kLn2High = 6.93147182464599609375e-01;
  constexpr double kLn2Low = -1.90465429995776804525e-09;
  constexpr std::array<double, 5> kFactors = {
      1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
      -1.65339022054652515390e-06, 4.13813679705723846039e-08};
  const std::int32_t size = word & 0x7FFFFFFF;
  std::int32_t whole = 0;
  if (size > 0x3FE00000) {  // above a half: the nearest whole number is taken away
    const std::int32_t rounded = word + (0x00100000 >> ((size >> 20) - 0x3FF + 1));
    const std::int32_t bits = ((rounded & 0x7FFFFFFF) >> 20) - 0x3FF;
    high -= of_words(rounded & ~(0x000FFFFF >> bits), 0);
    whole = ((rounded & 0x000FFFFF) | 0x00100000) >> (20 - bits);
    if (word < 0) whole = -whole;
  }
  const double t = upper_half(low + high);
  const double u = t * kLn2High;
  const double v = (low - (t - high)) * kLn2 + t * kLn2Low;
  const double z = u + v;
  const double w = v - (z - u);
  const double square = z * z;
  const double c = z - square * polynomial(kFactors, square);
  const double result = 1 - (((z * c) / (c - 2) - (w + z * w)) - z);
  const std::int32_t exponent = (high_word(result) >> 20) + whole;
  if (exponent <= 0) return std::scalbn(result, whole);
  return of_words(high_word(result) + (whole << 20), low_word(result));
}

enum class Parity { kNoInteger, kOdd, kEven };

Parity parity_of(double exponent) {
  if (std::trunc(exponent) != exponent) return Parity::kNoInteger;
  return std::fmod(exponent, 2.0) == 0 ? Parity::kEven : Parity::kOdd;
}

/// 0, infinity and 1, of either sign.
double power_of_limit(double base, double exponent, Parity parity) {
  const double size = std::fabs(base);
  const double power = exponent < 0 ? 1 / size : size;
  if (!std::signbit(base)) return power;
  if (size == 1 && parity == Parity::kNoInteger) return kNan;
  return parity == Parity::kOdd ? -power : power;
}

double power_of_infinity(double base, double exponent) {
  const double size = std::fabs(base);
  if (size == 1) return kNan;
  return (size > 1) == (exponent > 0) ? kInfinity : 0.0;
}

/// Exponents so large that any base but those nearest to one leads out of range. Whether so.
bool is_out_of_range(double size, double exponent) {
  constexpr double kTwo31 = 2147483648.0;
  if (std::fabs(exponent) <= kTwo31) return false;
  const std::int32_t word = high_word(size);
  return word < 0x3FEFFFFF || word > 0x3FF00000;
}

}  // namespace

double exact_pow(double base, double exponent) {
  if (exponent == 0) return 1;
  if (std::isnan(base) || std::isnan(exponent)) return kNan;
  if (std::isinf(exponent)) return power_of_infinity(base, exponent);
  if (exponent == 1) return base;
  if (exponent == 2) return base * base;
  if (exponent == 0.5 && !std::signbit(base)) return std::sqrt(base);
  if (exponent == -1) return 1 / base;
  const double size = std::fabs(base);
  const Parity parity = parity_of(exponent);
  if (size == 0 || std::isinf(size) || size == 1) return power_of_limit(base, exponent, parity);
  if (base < 0 && parity == Parity::kNoInteger) return kNan;
  const double sign = base < 0 && parity == Parity::kOdd ? -1.0 : 1.0;
  if (is_out_of_range(size, exponent))
    return sign * ((size > 1) == (exponent > 0) ? kInfinity : 0.0);

  const bool is_huge = std::fabs(exponent) > 2147483648.0;
  const Pair log2 = is_huge ? log2_near_one(size) : log2_of(size);
  const double exponent_high = upper_half(exponent);
  const double low = (exponent - exponent_high) * log2.high + exponent * log2.low;
  const double high = exponent_high * log2.high;
  const double sum = low + high;
  constexpr double kRoundsToOverflow = 8.0085662595372944372e-17;
  if (sum > 1024 || (sum == 1024 && low + kRoundsToOverflow > sum - high)) return sign * kInfinity;
  if (sum < -1075 || (sum == -1075 && low <= sum - high)) return sign * 0.0;
  return sign * exp2_of(high, low, high_word(sum));
}

}  // namespace millrace::stream
