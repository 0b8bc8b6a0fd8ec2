#include "operators/typed_operator.hpp"

#include "stream/arena_text.hpp"

#include <exception>
#include <string>

namespace millrace::operators {

TypedOperator::TypedOperator(const stream::TypedSpec& spec)
    : function_(spec.function), step_(function_->make_step()), pool_(spec.output) {}

Status TypedOperator::on_batch(Port /*port*/, Batch&& rows, Emitter& out) {
  input_ = &rows;
  out_ = &out;
  try {
    return step_->run(rows, *this);
  } catch (const std::exception& exception) {
    return threw(exception.what());
  } catch (...) {
    return threw("something that is no std::exception");
  }
}

Batch& TypedOperator::begin() {
  result_ = pool_.take();
  return result_;
}

Status TypedOperator::send_mapped() {
  result_.adopt(*input_);
  return out_->emit(Port(0), std::move(result_));
}

// While more batches follow, the input's arena stays with the input: the text comes along as a
// copy.
Status TypedOperator::send_part(std::span<const std::uint32_t> made_from) {
  for (std::size_t column = 0; column < result_.column_count(); ++column)
    stream::own_text(result_.column(column), result_.arena());
  set_positions(made_from);
  result_.set_origin(input_->origin());
  result_.set_ingest(input_->ingest());
  return out_->emit(Port(0), std::move(result_));
}

Status TypedOperator::send_last(std::span<const std::uint32_t> made_from) {
  if (result_.rows() == 0) {
    result_ = Batch();
    return {};
  }
  const std::size_t count = result_.rows();
  set_positions(made_from);
  const auto positions = std::span<const std::int64_t>(positions_);
  result_.adopt(*input_);
  result_.set_rows(count);
  result_.set_positions(positions);
  return out_->emit(Port(0), std::move(result_));
}

Status TypedOperator::keep(std::span<const std::uint32_t> rows) {
  if (rows.empty()) return {};
  if (rows.size() < input_->rows()) input_->gather(rows);
  return out_->emit(Port(0), std::move(*input_));
}

void TypedOperator::set_positions(std::span<const std::uint32_t> made_from) {
  positions_.clear();
  if (!input_->positions().empty())
    for (const std::uint32_t row : made_from) positions_.push_back(input_->positions()[row]);
  result_.set_positions(positions_);
}

Status TypedOperator::threw(const char* what) const {
  return fail(ErrorCode::kBadRecord,
              function_->verb + " over " + function_->row_name + " threw: " + std::string(what));
}

}  // namespace millrace::operators
