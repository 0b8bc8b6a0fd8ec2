#include "stream/arena_text.hpp"

namespace millrace::stream {

void ArenaText::grow(std::size_t size) {
  const std::size_t used = this->size();
  const std::size_t capacity = 2 * static_cast<std::size_t>(end_ - begin_) + size;
  // The bytes given back stay as they are until they are written again, which only we do: the new
  // room begins at the same byte, or lies in another block.
  arena_.shrink_last(begin_, 0);
  char* const grown = arena_.allocate(capacity);
  if (grown != begin_) std::memcpy(grown, begin_, used);
  begin_ = grown;
  at_ = grown + used;
  end_ = grown + capacity;
}

}  // namespace millrace::stream
