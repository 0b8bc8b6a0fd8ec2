#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Eight decimal digits at a time, in one 64-bit word: numbers in records come in every length, and
// a loop over their digits costs a mispredicted branch each. The first digit is in the lowest byte.

namespace millrace::formats {

static_assert(std::endian::native == std::endian::little);

[[nodiscard]] inline std::uint64_t load_word(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// The `count` (1 to 8) bytes before `end` as a word that begins with as many '0' as are missing.
/// Reads the eight bytes before `end`.
[[nodiscard]] inline std::uint64_t load_digits_before(const char* end, std::size_t count) {
  constexpr std::uint64_t kZeroes = 0x3030303030303030;
  const std::uint64_t word = load_word(end - 8);
  const std::size_t missing_bits = 8 * (8 - count);
  // Two steps, since a shift by all 64 bits is not defined.
  const std::uint64_t kept = (word >> missing_bits) << missing_bits;
  return kept | ((kZeroes >> 4 * count) >> 4 * count);
}

[[nodiscard]] constexpr bool are_digits(std::uint64_t word) {
  // '0'..'9' are 0x30..0x39: the upper half is 3 and stays 3 when 6 is added.
  return ((word & 0xF0F0F0F0F0F0F0F0) == 0x3030303030303030) &&
         (((word + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) == 0x3030303030303030);
}

/// The number that eight digits stand for: pairs, then fours, then all.
[[nodiscard]] constexpr std::uint64_t digits_to_number(std::uint64_t word) {
  word = (word & 0x0F0F0F0F0F0F0F0F) * 2561 >> 8;
  word = (word & 0x00FF00FF00FF00FF) * 6553601 >> 16;
  return (word & 0x0000FFFF0000FFFF) * 42949672960001 >> 32;
}

/// Number of the first byte that is '.', or 8.
[[nodiscard]] constexpr std::size_t find_point(std::uint64_t word) {
  const std::uint64_t difference = word ^ 0x2E2E2E2E2E2E2E2E;
  const std::uint64_t zero_bytes =
      (difference - 0x0101010101010101) & ~difference & 0x8080808080808080;
  return static_cast<std::size_t>(std::countr_zero(zero_bytes)) / 8;
}

/// The word without its byte `at` (0 to 7): those before it move up, a '0' comes in front.
[[nodiscard]] constexpr std::uint64_t drop_byte(std::uint64_t word, std::size_t at) {
  const std::uint64_t below = (std::uint64_t{1} << 8 * at) - 1;
  const std::uint64_t above = ~below << 8;
  return (word & above) | (word & below) << 8 | '0';
}

}  // namespace millrace::formats
