#include "operators/static_join_operator.hpp"

#include "operators/batch_copy.hpp"
#include "operators/key_hash.hpp"

#include <algorithm>

namespace millrace::operators {

StaticJoinOperator::StaticJoinOperator(const stream::StaticJoinSpec& spec,
                                       std::shared_ptr<const StaticTable> table,
                                       BadRecords& bad_records,
                                       std::shared_ptr<TableVersions> versions, Epoch first_epoch)
    : pool_(spec.output),
      table_(std::move(table)),
      versions_(std::move(versions)),
      epoch_(first_epoch),
      has_version_(versions_ == nullptr),
      stream_columns_(spec.stream_columns),
      table_columns_(spec.table_columns),
      bad_records_(bad_records),
      context_(bad_records.on_error()),
      key_values_(spec.stream_keys.size()) {
  for (const stream::BoundExpr& key : spec.stream_keys) keys_.emplace_back(key);
  for (std::size_t i = 0; i < stream_columns_.size(); ++i) passed_.add(i, stream_columns_[i]);
  stream_rows_.reserve(kBatchRowsMax);
  table_rows_.reserve(kBatchRowsMax);
  hashes_.reserve(kBatchRowsMax);
  positions_.reserve(kBatchRowsMax);
}

Status StaticJoinOperator::on_batch(Port port, Batch&& rows, Emitter& out) {
  if (!has_version_) [[unlikely]] {
    table_ = versions_->version(epoch_);
    has_version_ = true;
  }
  context_.begin(rows.rows());
  hashes_.assign(rows.rows(), 0);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    MILLRACE_ASSIGN(key_values_[i], keys_[i].evaluate(rows, context_));
    mix_hashes(*key_values_[i], hashes_);
  }
  if (context_.has_errors()) [[unlikely]] {
    MILLRACE_TRY(bad_records_.take(rows, context_));
    if (!bad_records_.keeps_rows(stream::BadRecordReason::kExpression)) {
      if (bad_records_.kept().empty()) return {};
      rows.gather(bad_records_.kept());
      return on_batch(port, std::move(rows), out);  // the keys of the rest, none of which fails
    }
  }
  MILLRACE_TRY(find_matches(rows, out));
  return stream_rows_.empty() ? Status() : emit_last(rows, out);
}

Status StaticJoinOperator::on_epoch_end(const EpochInfo& info, Emitter& /*out*/) {
  epoch_ = info.epoch.next();
  has_version_ = versions_ == nullptr;
  return {};
}

/// Leaves the matches of the last output batch in stream_rows_ and table_rows_, and sends on those
/// before them.
Status StaticJoinOperator::find_matches(Batch& rows, Emitter& out) {
  stream_rows_.clear();
  table_rows_.clear();
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    if (has_null_key(row)) continue;
    std::uint32_t match = table_->find(key_values_, row, hashes_[row]);
    for (; match != StaticTable::kNoRow; match = table_->next(match)) {
      if (stream_rows_.size() == kBatchRowsMax) MILLRACE_TRY(emit_part(rows, out));
      stream_rows_.push_back(static_cast<std::uint32_t>(row));
      table_rows_.push_back(match);
    }
  }
  return {};
}

bool StaticJoinOperator::has_null_key(std::size_t row) const {
  return std::ranges::any_of(key_values_, [row](const Column* key) { return key->is_null(row); });
}

/// Sets the table's columns, and the stream's where rows are dropped or repeated.
void StaticJoinOperator::fill(Batch& rows, Batch& result) {
  for (std::size_t i = 0; i < table_columns_.size(); ++i)
    result.column(stream_columns_.size() + i)
        .gather_from(table_->column(table_columns_[i]), table_rows_);
  for (std::size_t i = 0; i < stream_columns_.size(); ++i)
    result.column(i).gather_from(rows.column(stream_columns_[i]), stream_rows_);
  positions_.clear();
  if (!rows.positions().empty())
    for (const std::uint32_t row : stream_rows_) positions_.push_back(rows.positions()[row]);
}

/// A full batch while more matches follow: it cannot take the arena over, so it copies its text.
Status StaticJoinOperator::emit_part(Batch& rows, Emitter& out) {
  Batch result = pool_.take();
  fill(rows, result);
  for (std::size_t i = 0; i < stream_columns_.size(); ++i)
    own_text(result.column(i), result.arena());
  result.set_rows(stream_rows_.size());
  result.set_positions(positions_);
  result.set_origin(rows.origin());
  result.set_ingest(rows.ingest());
  stream_rows_.clear();
  table_rows_.clear();
  return out.emit(Port(0), std::move(result));
}

Status StaticJoinOperator::emit_last(Batch& rows, Emitter& out) {
  Batch result = pool_.take();
  // Ascending and as many as there are rows, from the first to the last: each of them once, unless
  // some are repeated in the place of others.
  bool is_each_once = stream_rows_.size() == rows.rows();
  for (std::size_t i = 0; i < stream_rows_.size() && is_each_once; ++i)
    is_each_once = stream_rows_[i] == i;
  if (is_each_once) {
    for (std::size_t i = 0; i < table_columns_.size(); ++i)
      result.column(stream_columns_.size() + i)
          .gather_from(table_->column(table_columns_[i]), table_rows_);
    passed_.pass(rows, result);
    result.adopt(rows);
  } else {
    fill(rows, result);
    result.adopt(rows);
    result.set_rows(stream_rows_.size());
    result.set_positions(positions_);
  }
  return out.emit(Port(0), std::move(result));
}

}  // namespace millrace::operators
