#include "stream/wide_number.hpp"

#include <algorithm>

namespace millrace::stream {

WideNumber::WideNumber(UnsignedInt128 value) {
  limbs_[0] = static_cast<std::uint64_t>(value);
  limbs_[1] = static_cast<std::uint64_t>(value >> 64);
}

void WideNumber::multiply(UnsignedInt128 factor) {
  const std::array<std::uint64_t, 2> digits{static_cast<std::uint64_t>(factor),
                                            static_cast<std::uint64_t>(factor >> 64)};
  std::array<std::uint64_t, kLimbs> product{};
  for (std::size_t digit = 0; digit < digits.size(); ++digit) {
    UnsignedInt128 carry = 0;
    for (std::size_t i = 0; i + digit < kLimbs; ++i) {
      carry += static_cast<UnsignedInt128>(limbs_[i]) * digits[digit] + product[i + digit];
      product[i + digit] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }
  limbs_ = product;
}

void WideNumber::add(const WideNumber& other) {
  UnsignedInt128 carry = 0;
  for (std::size_t i = 0; i < kLimbs; ++i) {
    carry += static_cast<UnsignedInt128>(limbs_[i]) + other.limbs_[i];
    limbs_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
}

void WideNumber::subtract(const WideNumber& other) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < kLimbs; ++i) {
    const UnsignedInt128 taken = static_cast<UnsignedInt128>(other.limbs_[i]) + borrow;
    borrow = limbs_[i] < taken ? 1 : 0;
    limbs_[i] -= static_cast<std::uint64_t>(taken);
  }
}

WideNumber WideNumber::divide(const WideNumber& divisor) {
  WideNumber remainder;
  WideNumber quotient;
  for (std::size_t i = kLimbs * 64; i-- > 0;) {
    remainder.shift_in(bit(i));
    const bool fits = !remainder.is_less(divisor);
    if (fits) remainder.subtract(divisor);
    quotient.shift_in(fits);
  }
  *this = quotient;
  return remainder;
}

bool WideNumber::is_zero() const {
  return std::ranges::all_of(limbs_, [](std::uint64_t limb) { return limb == 0; });
}

bool WideNumber::is_less(const WideNumber& other) const {
  return std::lexicographical_compare(limbs_.rbegin(), limbs_.rend(), other.limbs_.rbegin(),
                                      other.limbs_.rend());
}

std::optional<Int128> WideNumber::as_int128() const {
  const bool is_small =
      std::all_of(limbs_.begin() + 2, limbs_.end(), [](std::uint64_t limb) { return limb == 0; });
  if (!is_small || (limbs_[1] >> 63) != 0) return std::nullopt;
  return static_cast<Int128>(static_cast<UnsignedInt128>(limbs_[1]) << 64 | limbs_[0]);
}

void WideNumber::shift_in(bool bit) {
  std::uint64_t carry = bit ? 1 : 0;
  for (std::uint64_t& limb : limbs_) {
    const std::uint64_t next = limb >> 63;
    limb = limb << 1 | carry;
    carry = next;
  }
}

}  // namespace millrace::stream
