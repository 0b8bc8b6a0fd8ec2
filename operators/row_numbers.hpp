#pragma once

#include "millrace/assert.hpp"
#include "millrace/batch.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace millrace::operators {

/// The numbers 0 .. count-1, for "every row of the batch". `count` is at most kBatchRowsMax.
inline std::span<const std::uint32_t> all_rows(std::size_t count) {
  static constexpr auto kNumbers = [] {
    std::array<std::uint32_t, kBatchRowsMax> numbers{};
    for (std::uint32_t number = 0; number < kBatchRowsMax; ++number) numbers[number] = number;
    return numbers;
  }();
  MILLRACE_ASSERT(count <= kBatchRowsMax);
  return {kNumbers.data(), count};
}

}  // namespace millrace::operators
