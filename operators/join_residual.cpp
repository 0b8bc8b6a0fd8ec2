#include "operators/join_residual.hpp"

#include "operators/picked_rows.hpp"

#include <utility>

namespace millrace::operators {

JoinResidual::JoinResidual(const stream::ResidualSpec& spec, stream::StaticJoinKind kind,
                           std::shared_ptr<const StaticTable> table, BadRecords& bad_records)
    : kind_(kind),
      table_(std::move(table)),
      stream_columns_(spec.stream_columns),
      table_columns_(spec.table_columns),
      pool_(spec.columns),
      predicate_(spec.predicate),
      bad_records_(bad_records),
      context_(bad_records.on_error()) {}

Status JoinResidual::settle(const Batch& rows, std::vector<std::uint32_t>& stream_rows,
                            std::vector<std::uint32_t>& table_rows) {
  Batch pairs = pool_.take();
  for (std::size_t i = 0; i < stream_columns_.size(); ++i)
    pairs.column(i).gather_from(rows.column(stream_columns_[i]), stream_rows);
  for (std::size_t i = 0; i < table_columns_.size(); ++i)
    pick_values(pairs.column(stream_columns_.size() + i), table_->column(table_columns_[i]),
                table_rows);
  pairs.set_rows(stream_rows.size());
  pairs.set_ingest(rows.ingest());
  context_.begin(stream_rows.size());
  MILLRACE_ASSIGN(const auto matches, predicate_.evaluate_predicate(pairs, context_));
  if (context_.has_errors()) [[unlikely]]
    MILLRACE_TRY(take_failures(rows, stream_rows, table_rows));
  const std::size_t rows_to_go_on = bad_records_.rows_to_go_on(rows);

  std::size_t kept = 0, match = 0;
  for (std::size_t pair = 0; pair < stream_rows.size(); ++pair) {
    const bool is_true = match < matches.size() && matches[match] == pair;
    if (is_true) ++match;
    const bool is_end = table_rows[pair] == kNoRow;
    if (!goes_on(is_true && !is_end, is_end)) continue;
    if (stream_rows[pair] >= rows_to_go_on) continue;
    if (has_bad_rows_ && bad_rows_.contains(stream_rows[pair])) continue;
    stream_rows[kept] = stream_rows[pair];
    table_rows[kept++] = table_rows[pair];
  }
  stream_rows.resize(kept);
  table_rows.resize(kept);
  return {};
}

// kNoRow is no pair: what the condition would make of nulls is nobody's business.
Status JoinResidual::take_failures(const Batch& rows, std::span<const std::uint32_t> stream_rows,
                                   std::span<const std::uint32_t> table_rows) {
  if (!has_bad_rows_) bad_rows_.clear_to(rows.rows());
  has_bad_rows_ = true;
  for (std::size_t pair = 0; pair < stream_rows.size(); ++pair) {
    if (table_rows[pair] == kNoRow || !context_.failed_rows().contains(pair)) continue;
    if (bad_rows_.contains(stream_rows[pair])) continue;
    MILLRACE_TRY(bad_records_.take(rows, stream_rows[pair], stream::BadRecordReason::kExpression,
                                   context_.message_of(pair)));
    if (!bad_records_.keeps_rows(stream::BadRecordReason::kExpression))
      bad_rows_.insert(stream_rows[pair]);
  }
  return {};
}

bool JoinResidual::goes_on(bool is_match, bool is_end) {
  const bool had_matched = has_matched_;
  has_matched_ = !is_end && (has_matched_ || is_match);
  switch (kind_) {
    case stream::StaticJoinKind::kLeft:
      return is_match || (is_end && !had_matched);
    case stream::StaticJoinKind::kSemi:
      return is_match && !had_matched;
    case stream::StaticJoinKind::kAnti:
      return is_end && !had_matched;
    case stream::StaticJoinKind::kInner:
      break;
  }
  return is_match;
}

}  // namespace millrace::operators
