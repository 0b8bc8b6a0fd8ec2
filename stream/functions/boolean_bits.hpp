#pragma once

#include "millrace/column.hpp"

#include "stream/functions/call.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

// Truth values as bits, 64 rows a word: how three-valued logic and row sets are computed.

namespace millrace::stream {

/// Bit i of the result is byte i's lowest bit, for up to 64 bytes.
inline std::uint64_t pack_truths(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t word = 0;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes + i, 8);
    word |= (((eight & 0x0101010101010101U) * 0x0102040810204080U) >> 56) << i;
  }
  for (; i < count; ++i) word |= static_cast<std::uint64_t>(bytes[i] & 1U) << i;
  return word;
}

/// The reverse.
inline void unpack_truths(std::uint64_t word, std::uint8_t* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>((word >> i) & 1U);
}

/// How many of a column's rows lie in the given word.
inline std::size_t rows_in_word(std::size_t rows, std::size_t word) {
  return std::min<std::size_t>(64, rows - word * 64);
}

inline std::uint64_t mask_of(std::size_t count) {
  return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// One word of a boolean column: which rows are true and which are false; a null is neither.
struct Truths {
  std::uint64_t is_true;
  std::uint64_t is_false;
};

inline Truths truths_of(const Column& column, std::size_t word) {
  const std::size_t count = rows_in_word(column.size(), word);
  const std::uint64_t bits = pack_truths(column.values<std::uint8_t>().data() + word * 64, count);
  const std::uint64_t present =
      mask_of(count) & (column.may_have_nulls() ? column.validity()[word] : ~std::uint64_t{0});
  return {bits & present, ~bits & present};
}

/// The rows of one word that are present.
inline std::uint64_t present_of(const Column& column, std::size_t word) {
  return mask_of(rows_in_word(column.size(), word)) &
         (column.may_have_nulls() ? column.validity()[word] : ~std::uint64_t{0});
}

}  // namespace millrace::stream
