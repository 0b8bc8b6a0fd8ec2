#include "operators/static_join_operator.hpp"

namespace millrace::operators {

namespace {

CandidateMode mode_of(const stream::StaticJoinSpec& spec) {
  using stream::StaticJoinKind;
  if (spec.residual) return CandidateMode::kAllAndEnd;
  switch (spec.kind) {
    case StaticJoinKind::kLeft:
      return CandidateMode::kAllOrNone;
    case StaticJoinKind::kSemi:
      return CandidateMode::kFirst;
    case StaticJoinKind::kAnti:
      return CandidateMode::kNone;
    case StaticJoinKind::kInner:
      break;
  }
  return CandidateMode::kAll;
}

}  // namespace

StaticJoinOperator::StaticJoinOperator(const stream::StaticJoinSpec& spec,
                                       std::shared_ptr<const StaticTable> table,
                                       BadRecords& bad_records,
                                       std::shared_ptr<TableVersions> versions, Epoch first_epoch)
    : pool_(spec.output),
      table_(std::move(table)),
      versions_(std::move(versions)),
      epoch_(first_epoch),
      has_version_(versions_ == nullptr),
      bad_records_(bad_records),
      candidates_(spec, table_, mode_of(spec), bad_records.on_error()),
      passed_columns_(spec.stream_columns.size()),
      table_columns_(spec.table_columns),
      picked_(spec.stream_columns) {
  if (spec.residual) residual_.emplace(*spec.residual, spec.kind, table_, bad_records);
  stream_rows_.reserve(kBatchRowsMax);
  table_rows_.reserve(kBatchRowsMax);
}

Status StaticJoinOperator::on_batch(Port port, Batch&& rows, Emitter& out) {
  if (!has_version_) [[unlikely]]
    settle_version();
  MILLRACE_TRY(candidates_.begin(rows));
  if (candidates_.failures().has_errors()) [[unlikely]] {
    MILLRACE_TRY(bad_records_.take(rows, candidates_.failures()));
    if (!bad_records_.keeps_rows(stream::BadRecordReason::kExpression)) {
      if (bad_records_.kept().empty()) return {};
      rows.gather(bad_records_.kept());
      return on_batch(port, std::move(rows), out);  // the keys of the rest, none of which fails
    }
  }
  if (residual_) residual_->begin();
  for (bool has_more = true; has_more;) {
    has_more = candidates_.fill(stream_rows_, table_rows_);
    if (residual_) MILLRACE_TRY(residual_->settle(rows, stream_rows_, table_rows_));
    if (!stream_rows_.empty()) MILLRACE_TRY(emit(rows, !has_more, out));
  }
  return {};
}

Status StaticJoinOperator::on_epoch_end(const EpochInfo& info, Emitter& /*out*/) {
  epoch_ = info.epoch.next();
  has_version_ = versions_ == nullptr;
  return {};
}

void StaticJoinOperator::settle_version() {
  table_ = versions_->version(epoch_);
  candidates_.set_table(table_);
  if (residual_) residual_->set_table(table_);
  has_version_ = true;
}

Status StaticJoinOperator::emit(Batch& rows, bool is_last, Emitter& out) {
  Batch result = pool_.take();
  fill_table_columns(result);
  if (is_last)
    picked_.finish_last(rows, stream_rows_, result);
  else
    picked_.finish_part(rows, stream_rows_, result);
  return out.emit(Port(0), std::move(result));
}

void StaticJoinOperator::fill_table_columns(Batch& result) {
  for (std::size_t i = 0; i < table_columns_.size(); ++i)
    pick_values(result.column(passed_columns_ + i), table_->column(table_columns_[i]), table_rows_);
}

}  // namespace millrace::operators
