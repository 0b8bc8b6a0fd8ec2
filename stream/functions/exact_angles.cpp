#include "stream/functions/double_bits.hpp"
#include "stream/functions/exact_math.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

// Inverse trigonometric and hyperbolic functions, and the hypotenuse; see exact_math.hpp.

namespace millrace::stream {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.14159265358979311600e+00;
constexpr double kPiLow = 1.2246467991473531772e-16;
constexpr double kHalfPi = 1.57079632679489655800e+00;
constexpr double kHalfPiLow = 6.12323399573676603587e-17;
constexpr double kQuarterPi = 7.85398163397448278999e-01;

/// (asin(x) - x) / x, of x² = z up to a quarter.
double arc_sine_rest(double z) {
  constexpr std::array<double, 6> kAbove = {1.66666666666666657415e-01, -3.25565818622400915405e-01,
                                            2.01212532134862925881e-01, -4.00555345006794114027e-02,
                                            7.91534994289814532176e-04, 3.47933107596021167570e-05};
  constexpr std::array<double, 5> kBelow = {1.0, -2.40339491173441421878e+00,
                                            2.02094576023350569471e+00, -6.88283971605453293030e-01,
                                            7.70381505559019352791e-02};
  return z * polynomial(kAbove, z) / polynomial(kBelow, z);
}

/// The root of z, and what is missing in its upper half.
struct Root {
  double whole;
  double high;
  double low;
};

Root root_of(double z) {
  const double whole = std::sqrt(z);
  const double high = upper_half(whole);
  return {whole, high, (z - high * high) / (whole + high)};
}

}  // namespace

double exact_asin(double x) {
  const double size = std::fabs(x);
  if (size == 1) return x * kHalfPi + x * kHalfPiLow;
  if (!(size < 1)) return kNan;
  if (size < 0.5) return high_word(size) < 0x3E400000 ? x : x + x * arc_sine_rest(x * x);
  const double z = (1 - size) * 0.5;
  const double rest = arc_sine_rest(z);
  const Root root = root_of(z);
  if (high_word(size) >= 0x3FEF3333)
    return std::copysign(kHalfPi - (2.0 * (root.whole + root.whole * rest) - kHalfPiLow), x);
  const double p = 2.0 * root.whole * rest - (kHalfPiLow - 2.0 * root.low);
  const double q = kQuarterPi - 2.0 * root.high;
  return std::copysign(kQuarterPi - (p - q), x);
}

double exact_acos(double x) {
  const double size = std::fabs(x);
  if (size == 1) return x > 0 ? 0.0 : kPi + 2.0 * kHalfPiLow;
  if (!(size < 1)) return kNan;
  if (size < 0.5) {
    if (high_word(size) <= 0x3C600000) return kHalfPi + kHalfPiLow;
    return kHalfPi - (x - (kHalfPiLow - x * arc_sine_rest(x * x)));
  }
  const double z = (1 - size) * 0.5;
  const double rest = arc_sine_rest(z);
  const Root root = root_of(z);
  if (x < 0) return kPi - 2.0 * (root.whole + (rest * root.whole - kHalfPiLow));
  return 2.0 * (root.high + (rest * root.whole + root.low));
}

double exact_atan(double x) {
  constexpr std::array<double, 6> kOdd = {3.33333333333329318027e-01, 1.42857142725034663711e-01,
                                          9.09088713343650656196e-02, 6.66107313738753120669e-02,
                                          4.97687799461593236017e-02, 1.62858201153657823623e-02};
  constexpr std::array<double, 5> kEven = {-1.99999999998764832476e-01, -1.11111104054623557880e-01,
                                           -7.69187620504482999495e-02, -5.83357013379057348645e-02,
                                           -3.65315727442169155270e-02};
  // The angles of 1/2, 1, 3/2 and infinity: near them the tangent of the difference is small.
  constexpr std::array<double, 4> kAngles = {4.63647609000806093515e-01, kQuarterPi,
                                             9.82793723247329054082e-01, kHalfPi};
  constexpr std::array<double, 4> kAnglesLow = {2.26987774529616870924e-17,
                                                3.06161699786838301793e-17,
                                                1.39033110312309984516e-17, kHalfPiLow};
  if (std::isnan(x)) return x;
  const double size = std::fabs(x);
  const std::int32_t word = high_word(size);
  if (word >= 0x44100000) return std::copysign(kHalfPi + kHalfPiLow, x);
  if (word < 0x3E200000) return x;
  const bool is_small = word < 0x3FDC0000;
  const std::size_t near = word < 0x3FE60000   ? 0
                           : word < 0x3FF30000 ? 1
                           : word < 0x40038000 ? 2
                                               : 3;
  double t = x;
  if (!is_small) {
    t = near == 0   ? (2.0 * size - 1.0) / (2.0 + size)
        : near == 1 ? (size - 1.0) / (size + 1.0)
        : near == 2 ? (size - 1.5) / (1.0 + 1.5 * size)
                    : -1.0 / size;
  }
  const double z = t * t;
  const double w = z * z;
  const double sum = z * polynomial(kOdd, w) + w * polynomial(kEven, w);
  if (is_small) return t - t * sum;
  return std::copysign(kAngles[near] - ((t * sum - kAnglesLow[near]) - t), x);
}

double exact_atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return kNan;
  if (x == 1) return exact_atan(y);
  const bool is_left = std::signbit(x);
  if (y == 0) return is_left ? std::copysign(kPi, y) : y;
  if (x == 0) return std::copysign(kHalfPi, y);
  if (std::isinf(x)) {
    const double angle =
        std::isinf(y) ? (is_left ? 3.0 * kQuarterPi : kQuarterPi) : (is_left ? kPi : 0.0);
    return std::copysign(angle, y);
  }
  if (std::isinf(y)) return std::copysign(kHalfPi, y);
  const std::int32_t exponents = (high_word(std::fabs(y)) - high_word(std::fabs(x))) >> 20;
  double angle = 0;
  if (exponents > 60)
    angle = kHalfPi + 0.5 * kPiLow;
  else if (!is_left || exponents >= -60)
    angle = exact_atan(std::fabs(y / x));
  if (is_left) angle = kPi - (angle - kPiLow);
  return std::copysign(angle, y);
}

double exact_sinh(double x) {
  const double size = std::fabs(x);
  if (!std::isfinite(x) || high_word(size) < 0x3E300000) return x;
  const double half = std::copysign(0.5, x);
  if (size < 22) {
    const double t = std::expm1(size);
    return size < 1 ? half * (2.0 * t - t * t / (t + 1)) : half * (t + t / (t + 1));
  }
  if (high_word(size) < 0x40862E42) return half * exact_exp(size);
  if (size > 7.10475860073943943e+02) return std::copysign(kInfinity, x);
  const double root = exact_exp(0.5 * size);
  return half * root * root;
}

double exact_cosh(double x) {
  const double size = std::fabs(x);
  if (!std::isfinite(x)) return size;
  if (high_word(size) < 0x3FD62E43) {
    const double t = std::expm1(size);
    const double w = 1 + t;
    return high_word(size) < 0x3C800000 ? w : 1 + (t * t) / (w + w);
  }
  if (size < 22) {
    const double t = exact_exp(size);
    return 0.5 * t + 0.5 / t;
  }
  if (high_word(size) < 0x40862E42) return 0.5 * exact_exp(size);
  if (size > 7.10475860073943943e+02) return kInfinity;
  const double root = exact_exp(0.5 * size);
  return 0.5 * root * root;
}

double exact_hypot(double x, double y) {
  if (std::isinf(x) || std::isinf(y)) return kInfinity;
  if (std::isnan(x) || std::isnan(y)) return kNan;
  double a = std::fabs(x);
  double b = std::fabs(y);
  if (a < b) std::swap(a, b);
  if (high_word(a) - high_word(b) > 0x3C00000) return a + b;
  int exponent = 0;
  const auto scale = [&](int by) {
    a = std::scalbn(a, by);
    b = std::scalbn(b, by);
    exponent -= by;
  };
  if (high_word(a) > 0x5F300000) scale(-600);
  if (high_word(b) < 0x20B00000) {
    if (b == 0) return a;
    scale(high_word(b) < 0x00100000 ? 1022 : 600);
  }
  const double difference = a - b;
  double root = 0;
  if (difference > b) {
    const double high = upper_half(a);
    root = std::sqrt(high * high - (b * (-b) - (a - high) * (a + high)));
  } else {
    const double twice = a + a;
    const double twice_high = upper_half(twice);
    const double b_high = upper_half(b);
    root =
        std::sqrt(twice_high * b_high - (difference * (-difference) -
                                         (twice_high * (b - b_high) + (twice - twice_high) * b)));
  }
  return exponent == 0 ? root : std::scalbn(root, exponent);
}

}  // namespace millrace::stream
