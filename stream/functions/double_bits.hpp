#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

// The two halves of a double and polynomials, as exact_math's methods take them.

namespace millrace::stream {

/// Sign, exponent and the first 20 digits.
inline std::int32_t high_word(double x) {
  return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(x) >> 32);
}
inline std::uint32_t low_word(double x) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x));
}
inline double of_words(std::int32_t high, std::uint32_t low) {
  return std::bit_cast<double>(std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | low);
}
inline double with_high_word(double x, std::int32_t high) { return of_words(high, low_word(x)); }
/// The number without the digits of its lower half, so that its square is exact.
inline double upper_half(double x) { return of_words(high_word(x), 0); }

/// Horner's scheme, the factor of the lowest power first.
template <std::size_t kCount>
double polynomial(const std::array<double, kCount>& factors, double x) {
  double sum = factors[kCount - 1];
  for (std::size_t i = kCount - 1; i > 0; --i) sum = factors[i - 1] + x * sum;
  return sum;
}

}  // namespace millrace::stream
