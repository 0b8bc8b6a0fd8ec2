#pragma once

// Elementary functions with the same last bit on every machine, and the same as Spark's: the
// methods are those of Sun's fdlibm, which Java's StrictMath prescribes. The C library's are as
// good, but differ in the last digit of one value in ten.

namespace millrace::stream {

[[nodiscard]] double exact_exp(double x);
/// The natural logarithm; NaN below 0.
[[nodiscard]] double exact_log(double x);
[[nodiscard]] double exact_log10(double x);
[[nodiscard]] double exact_cbrt(double x);
[[nodiscard]] double exact_pow(double base, double exponent);
[[nodiscard]] double exact_asin(double x);
[[nodiscard]] double exact_acos(double x);
[[nodiscard]] double exact_atan(double x);
[[nodiscard]] double exact_atan2(double y, double x);
[[nodiscard]] double exact_sinh(double x);
[[nodiscard]] double exact_cosh(double x);
[[nodiscard]] double exact_hypot(double x, double y);

}  // namespace millrace::stream
