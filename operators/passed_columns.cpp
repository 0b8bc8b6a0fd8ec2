#include "operators/passed_columns.hpp"

#include <algorithm>

namespace millrace::operators {

void PassedColumns::add(std::size_t target, std::size_t source) {
  const bool is_used =
      std::ranges::any_of(moved_, [source](const Passed& moved) { return moved.source == source; });
  (is_used ? copied_ : moved_).push_back({target, source});
}

void PassedColumns::pass(Batch& from, Batch& to) const {
  for (const Passed& copied : copied_)
    to.column(copied.target).copy_from(from.column(copied.source));
  for (const Passed& moved : moved_) to.swap_column(moved.target, from, moved.source);
}

}  // namespace millrace::operators
