#include "operators/batch_copy.hpp"

#include <string_view>

namespace millrace::operators {

void own_text(Column& column, Arena& arena) {
  if (column.kind() == TypeKind::kString || column.kind() == TypeKind::kBytes) {
    const auto views = column.values<std::string_view>();
    for (std::size_t row = 0; row < views.size(); ++row)
      views[row] = column.is_null(row) ? std::string_view() : arena.store(views[row]);
  }
  for (std::size_t number = 0; number < column.child_count(); ++number)
    own_text(column.child(number), arena);
}

void copy_batch(const Batch& source, Batch& target) {
  for (std::size_t number = 0; number < source.column_count(); ++number) {
    target.column(number).copy_from(source.column(number));
    own_text(target.column(number), target.arena());
  }
  target.set_rows(source.rows());
  target.set_positions(source.positions());
  target.set_origin(source.origin());
  target.set_ingest(source.ingest());
}

}  // namespace millrace::operators
