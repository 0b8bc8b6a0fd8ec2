#include "operators/join_residual.hpp"

#include "operators/picked_rows.hpp"

#include <utility>

namespace millrace::operators {

JoinResidual::JoinResidual(const stream::ResidualSpec& spec, stream::StaticJoinKind kind,
                           std::shared_ptr<const StaticTable> table)
    : kind_(kind),
      table_(std::move(table)),
      stream_columns_(spec.stream_columns),
      table_columns_(spec.table_columns),
      pool_(spec.columns),
      predicate_(spec.predicate) {}

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

  std::size_t kept = 0, match = 0;
  for (std::size_t pair = 0; pair < stream_rows.size(); ++pair) {
    const bool is_true = match < matches.size() && matches[match] == pair;
    if (is_true) ++match;
    const bool is_end = table_rows[pair] == kNoRow;
    if (!goes_on(is_true && !is_end, is_end)) continue;
    stream_rows[kept] = stream_rows[pair];
    table_rows[kept++] = table_rows[pair];
  }
  stream_rows.resize(kept);
  table_rows.resize(kept);
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
