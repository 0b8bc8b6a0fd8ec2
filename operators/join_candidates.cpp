#include "operators/join_candidates.hpp"

#include "operators/key_hash.hpp"
#include "operators/picked_rows.hpp"

namespace millrace::operators {

JoinCandidates::JoinCandidates(const stream::StaticJoinSpec& spec,
                               std::shared_ptr<const StaticTable> table, CandidateMode mode,
                               stream::EvaluationContext::OnError on_error)
    : table_(std::move(table)),
      mode_(mode),
      context_(on_error),
      key_values_(spec.stream_keys.size()) {
  for (const stream::BoundExpr& key : spec.stream_keys) {
    is_null_safe_.push_back(spec.null_safe_keys.contains(keys_.size()));
    keys_.emplace_back(key);
  }
  hashes_.reserve(kBatchRowsMax);
}

Status JoinCandidates::begin(Batch& rows) {
  rows_ = rows.rows();
  row_ = 0;
  context_.begin(rows_);
  hashes_.assign(rows_, 0);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    MILLRACE_ASSIGN(key_values_[i], keys_[i].evaluate(rows, context_));
    mix_hashes(*key_values_[i], hashes_);
    if (is_null_safe_[i]) level_null_hashes(*key_values_[i], hashes_);
  }
  enter_row();
  return {};
}

bool JoinCandidates::fill(std::vector<std::uint32_t>& stream_rows,
                          std::vector<std::uint32_t>& table_rows) {
  stream_rows.clear();
  table_rows.clear();
  while (row_ < rows_) {
    if (stream_rows.size() == kBatchRowsMax) return true;
    stream_rows.push_back(static_cast<std::uint32_t>(row_));
    table_rows.push_back(candidate_);
    advance();
  }
  return false;
}

/// Finds the first pair of the row at hand, or of the next one that has any.
void JoinCandidates::enter_row() {
  for (; row_ < rows_; ++row_) {
    candidate_ = first_candidate(row_);
    const bool has_candidate = candidate_ != kNoRow;
    switch (mode_) {
      case CandidateMode::kAll:
      case CandidateMode::kFirst:
        if (has_candidate) return;
        break;
      case CandidateMode::kAllOrNone:
      case CandidateMode::kAllAndEnd:
        return;
      case CandidateMode::kNone:
        if (!has_candidate) return;
    }
  }
}

void JoinCandidates::advance() {
  const bool is_one = mode_ == CandidateMode::kFirst || mode_ == CandidateMode::kNone;
  if (!is_one && candidate_ != kNoRow) {
    candidate_ = next_candidate(candidate_);
    if (candidate_ != kNoRow || mode_ == CandidateMode::kAllAndEnd) return;
  }
  ++row_;
  enter_row();
}

std::uint32_t JoinCandidates::first_candidate(std::size_t row) const {
  if (keys_.empty()) return table_->rows() == 0 ? kNoRow : 0;
  return has_null_key(row) ? kNoRow : table_->find(key_values_, row, hashes_[row]);
}

std::uint32_t JoinCandidates::next_candidate(std::uint32_t candidate) const {
  if (!keys_.empty()) return table_->next(candidate);
  return candidate + 1 == table_->rows() ? kNoRow : candidate + 1;
}

bool JoinCandidates::has_null_key(std::size_t row) const {
  for (std::size_t i = 0; i < key_values_.size(); ++i)
    if (!is_null_safe_[i] && key_values_[i]->is_null(row)) return true;
  return false;
}

}  // namespace millrace::operators
