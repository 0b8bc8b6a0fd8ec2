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

void own_text(Column& column, Arena& arena) {
  if (column.kind() == TypeKind::kString || column.kind() == TypeKind::kBytes) {
    const auto views = column.values<std::string_view>();
    for (std::size_t row = 0; row < views.size(); ++row)
      views[row] = column.is_null(row) ? std::string_view() : arena.store(views[row]);
  }
  for (std::size_t number = 0; number < column.child_count(); ++number)
    own_text(column.child(number), arena);
}

}  // namespace millrace::stream
