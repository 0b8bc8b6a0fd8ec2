#include "millrace/arena.hpp"

#include "millrace/assert.hpp"

#include <algorithm>
#include <cstring>

namespace millrace {

void Arena::shrink_last(char* allocation, std::size_t used) {
  MILLRACE_DEBUG_ASSERT(current_ < blocks_.size());
  char* const end = blocks_[current_].bytes.get() + offset_;
  MILLRACE_DEBUG_ASSERT(allocation + used <= end);
  const auto unused = static_cast<std::size_t>(end - allocation) - used;
  offset_ -= unused;
  used_ -= unused;
}

std::string_view Arena::store(std::string_view bytes) {
  if (bytes.empty()) return {};
  char* copy = allocate(bytes.size());
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

void Arena::reset() {
  current_ = 0;
  offset_ = 0;
  used_ = 0;
}

std::size_t Arena::capacity() const {
  std::size_t total = 0;
  for (const Block& block : blocks_) total += block.size;
  return total;
}

char* Arena::allocate_in_next_block(std::size_t size) {
  if (blocks_.empty()) reset();  // also the state of an arena that was moved from
  const std::size_t needed = size + kPadding;
  std::size_t next = blocks_.empty() ? 0 : current_ + 1;
  while (next < blocks_.size() && blocks_[next].size < needed) ++next;
  if (next == blocks_.size()) {
    const std::size_t grown = blocks_.empty()       ? kFirstBlock
                              : blocks_.size() == 1 ? kSecondBlock
                                                    : blocks_.back().size * 2;
    const std::size_t block_size = std::max(grown, needed);
    blocks_.push_back({std::make_unique_for_overwrite<char[]>(block_size), block_size});
  }
  current_ = next;
  offset_ = size;
  used_ += size;
  return blocks_[next].bytes.get();
}

}  // namespace millrace
