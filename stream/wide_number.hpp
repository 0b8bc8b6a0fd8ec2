#pragma once

#include "millrace/data_type.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace millrace::stream {

using UnsignedInt128 = unsigned __int128;

/// A number of 512 bits without a sign: room for any product on the way to a decimal. Slow; for
/// what does not fit 128 bits.
class WideNumber {
 public:
  WideNumber() = default;
  explicit WideNumber(UnsignedInt128 value);

  /// Bits that have no place are lost: the caller knows that there are none.
  void multiply(UnsignedInt128 factor);
  void add(const WideNumber& other);
  /// `other` is not larger.
  void subtract(const WideNumber& other);
  /// Becomes the quotient and gives the remainder. `divisor` is not zero.
  WideNumber divide(const WideNumber& divisor);

  [[nodiscard]] bool is_zero() const;
  [[nodiscard]] bool is_odd() const { return (limbs_[0] & 1U) != 0; }
  [[nodiscard]] bool is_less(const WideNumber& other) const;
  /// Below 2^127, or nothing.
  [[nodiscard]] std::optional<Int128> as_int128() const;

 private:
  static constexpr std::size_t kLimbs = 8;
  void shift_in(bool bit);
  [[nodiscard]] bool bit(std::size_t index) const {
    return ((limbs_[index / 64] >> (index % 64)) & 1U) != 0;
  }

  std::array<std::uint64_t, kLimbs> limbs_{};  ///< least first
};

}  // namespace millrace::stream
