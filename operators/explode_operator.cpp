#include "operators/explode_operator.hpp"

namespace millrace::operators {

ExplodeOperator::ExplodeOperator(const stream::ExplodeSpec& spec, BadRecords& bad_records)
    : pool_(spec.output),
      list_(spec.list),
      bad_records_(bad_records),
      context_(bad_records.on_error()),
      keeps_empty_(spec.keeps_empty),
      has_position_(spec.has_position),
      passed_columns_(spec.passed_columns.size()),
      made_columns_(spec.made_columns),
      picked_(spec.passed_columns) {
  input_rows_.reserve(kBatchRowsMax);
  elements_.reserve(kBatchRowsMax);
  places_.reserve(kBatchRowsMax);
}

Status ExplodeOperator::on_batch(Port port, Batch&& rows, Emitter& out) {
  context_.begin(rows.rows());
  MILLRACE_ASSIGN(const Column* list, list_.evaluate(rows, context_));
  if (context_.has_errors()) [[unlikely]] {
    MILLRACE_TRY(bad_records_.take(rows, context_));
    if (!bad_records_.keeps_rows(stream::BadRecordReason::kExpression)) {
      if (bad_records_.kept().empty()) return {};
      rows.gather(bad_records_.kept());
      return on_batch(port, std::move(rows), out);  // the lists of the rest, none of which fails
    }
  }
  input_rows_.clear();
  elements_.clear();
  places_.clear();
  for (std::size_t row = 0; row < rows.rows(); ++row) MILLRACE_TRY(add_row(*list, row, rows, out));
  if (input_rows_.empty()) return {};
  Batch result = make_result(*list);
  picked_.finish_last(rows, input_rows_, result);
  return out.emit(Port(0), std::move(result));
}

Status ExplodeOperator::add_row(const Column& list, std::size_t row, Batch& rows, Emitter& out) {
  const ListEntry entry = list.is_null(row) ? ListEntry{} : list.value<ListEntry>(row);
  if (entry.length == 0 && keeps_empty_) return add(row, kNoRow, kNoRow, list, rows, out);
  for (std::uint32_t place = 0; place < entry.length; ++place)
    MILLRACE_TRY(add(row, entry.offset + place, place, list, rows, out));
  return {};
}

Status ExplodeOperator::add(std::size_t row, std::uint32_t element, std::uint32_t place,
                            const Column& list, Batch& rows, Emitter& out) {
  if (input_rows_.size() == kBatchRowsMax) {
    Batch part = make_result(list);
    picked_.finish_part(rows, input_rows_, part);
    input_rows_.clear();
    elements_.clear();
    places_.clear();
    MILLRACE_TRY(out.emit(Port(0), std::move(part)));
  }
  input_rows_.push_back(static_cast<std::uint32_t>(row));
  elements_.push_back(element);
  places_.push_back(place);
  return {};
}

/// A batch with the columns made from the list; those passed on are still to be filled.
Batch ExplodeOperator::make_result(const Column& list) {
  Batch result = pool_.take();
  for (std::size_t i = 0; i < made_columns_.size(); ++i) {
    Column& column = result.column(passed_columns_ + i);
    const std::size_t made = made_columns_[i];
    if (has_position_ && made == 0)
      fill_places(column);
    else
      pick_values(column, list.child(made - (has_position_ ? 1 : 0)), elements_);
  }
  return result;
}

void ExplodeOperator::fill_places(Column& column) const {
  column.resize(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    column.values<std::int32_t>()[i] = static_cast<std::int32_t>(places_[i]);
    if (places_[i] == kNoRow) column.set_null(i);
  }
}

}  // namespace millrace::operators
