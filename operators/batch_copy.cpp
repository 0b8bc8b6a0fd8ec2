#include "operators/batch_copy.hpp"

#include "stream/arena_text.hpp"

namespace millrace::operators {

void copy_batch(const Batch& source, Batch& target) {
  for (std::size_t number = 0; number < source.column_count(); ++number) {
    target.column(number).copy_from(source.column(number));
    stream::own_text(target.column(number), target.arena());
  }
  target.set_rows(source.rows());
  target.set_positions(source.positions());
  target.set_origin(source.origin());
  target.set_ingest(source.ingest());
}

}  // namespace millrace::operators
