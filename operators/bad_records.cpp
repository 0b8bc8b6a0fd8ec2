#include "operators/bad_records.hpp"

#include "millrace/assert.hpp"

#include "operators/chain_context.hpp"

#include <algorithm>

namespace millrace::operators {

using stream::BadRecordReason;
using stream::EvaluationContext;
using stream::OnBadRecord;

Result<std::unique_ptr<BadRecords>> BadRecords::make(const ChainContext& context) {
  std::unique_ptr<DeadLetters> letters;
  if (const auto& spec = context.bad_record_spec.dead_letter) {
    MILLRACE_ASSIGN(auto writer, context.open_writer(spec->sink));
    letters = std::make_unique<DeadLetters>(*spec, std::move(writer), context.first_epoch);
  }
  return std::unique_ptr<BadRecords>(new BadRecords(context, std::move(letters)));
}

BadRecords::BadRecords(const ChainContext& context, std::unique_ptr<DeadLetters> letters)
    : policy_(context.bad_record_spec.policy),
      source_(context.source),
      metrics_(*context.metrics),
      log_(context.bad_record_log),
      letters_(std::move(letters)) {
  MILLRACE_ASSERT(policy_.has_dead_letters() == (letters_ != nullptr));
}

EvaluationContext::OnError BadRecords::on_error() const {
  switch (policy_.on_row) {
    case OnBadRecord::kNull:
      return EvaluationContext::OnError::kNull;
    default:
      return EvaluationContext::OnError::kCollect;
  }
}

Status BadRecords::take(const Batch& rows, std::size_t row, BadRecordReason reason,
                        std::string_view detail) {
  const OnBadRecord choice = policy_.choice(reason);
  const std::string place = stream::place_of(rows, row);
  if (choice == OnBadRecord::kDeadLetter) {
    const DeadLetters::Outcome outcome = letters_->add(rows, row, reason, detail);
    // A record that several rows were made from is one letter.
    if (outcome == DeadLetters::Outcome::kKnown) return {};
    if (outcome == DeadLetters::Outcome::kGone)
      return fail(ErrorCode::kBadRecord,
                  place + ": " + std::string(detail) + " (its bytes are no longer at hand)");
  }
  metrics_.count_bad(reason);
  if (choice == OnBadRecord::kFail) {
    Error cause{ErrorCode::kBadRecord, place + ": " + std::string(detail)};
    if (reason == BadRecordReason::kOversized)
      cause.message +=
          ". Raise that limit, leave such records out, or set on_bad_record = 'skip' or "
          "'dead_letter' at their source";
    if (reason == BadRecordReason::kOversized || reason == BadRecordReason::kUnwritable)
      return fail(std::move(cause));
    const std::int64_t position = row < rows.positions().size() ? rows.positions()[row] : 0;
    if (!cause_ || position < cause_position_) {
      cause_ = std::move(cause);
      cause_position_ = position;
    }
    return {};
  }
  if (log_ != nullptr) log_->note(source_, place, detail, fate(choice));
  return {};
}

Status BadRecords::take(const Batch& rows, const EvaluationContext& failures) {
  kept_.clear();
  for (std::uint32_t row = 0; row < rows.rows(); ++row) {
    if (!failures.failed_rows().contains(row)) {
      kept_.push_back(row);
      continue;
    }
    MILLRACE_TRY(take(rows, row, BadRecordReason::kExpression, failures.message_of(row)));
  }
  keep_before_cause(rows, kept_);
  return {};
}

void BadRecords::keep_before_cause(const Batch& rows, std::vector<std::uint32_t>& numbers) const {
  numbers.erase(std::ranges::lower_bound(numbers, rows_to_go_on(rows)), numbers.end());
}

std::size_t BadRecords::rows_to_go_on(const Batch& rows) const {
  if (!cause_) return rows.rows();
  const auto positions = rows.positions();
  return static_cast<std::size_t>(std::ranges::lower_bound(positions, cause_position_) -
                                  positions.begin());
}

Status BadRecords::finish() {
  if (letters_) MILLRACE_TRY(letters_->flush());
  if (cause_) [[unlikely]]
    return fail(*cause_);
  return {};
}

std::string BadRecords::fate(OnBadRecord choice) const {
  switch (choice) {
    case OnBadRecord::kNull:
      return "goes on with nulls";
    case OnBadRecord::kDeadLetter:
      return "written to " + letters_->target();
    default:
      return "skipped";
  }
}

}  // namespace millrace::operators
