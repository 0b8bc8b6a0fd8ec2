#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "operators/bad_record_log.hpp"
#include "operators/dead_letters.hpp"
#include "operators/stage_metrics.hpp"
#include "stream/expression_evaluator.hpp"
#include "stream/plan/physical_plan.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::operators {

struct ChainContext;

/// The desk of one task where its operators bring the rows that something is wrong with: decides by
/// the source's policy, counts by reason, tells the log, passes dead letters on. Owned by the
/// chain; called on the task's thread. Costs nothing while records are good.
///
/// Where the policy is to stop, steps see faults batch by batch, one step after the other. So that
/// the record named is the first bad one however rows are cut into batches, those before it go on
/// to the end of the chain, where one of them may yet turn out to be bad, and then the query stops.
class BadRecords {
 public:
  /// Takes the policy and the source's name from the context, and opens the writer of dead letters
  /// if there are to be any.
  [[nodiscard]] static Result<std::unique_ptr<BadRecords>> make(const ChainContext& context);

  /// What evaluation contexts of this task are made with.
  [[nodiscard]] stream::EvaluationContext::OnError on_error() const;
  /// Whether a row with such a fault goes on, with nulls in it; else it is dropped.
  [[nodiscard]] bool keeps_rows(stream::BadRecordReason reason) const {
    return policy_.choice(reason) == stream::OnBadRecord::kNull;
  }

  /// Rows come from the source: the records that any fault on the way will be about.
  void begin(const Batch& input) {
    if (letters_) letters_->keep(input);
  }
  /// One row is bad. When the policy is to stop, flush() gives the query's cause; what cannot
  /// be written is met at the end of the chain and gives it at once.
  [[nodiscard]] Status take(const Batch& rows, std::size_t row, stream::BadRecordReason reason,
                            std::string_view detail);
  /// The same for all rows that an operator's expressions failed on; afterwards `kept` names the
  /// others, which are all that go on unless keeps_rows(kExpression).
  [[nodiscard]] Status take(const Batch& rows, const stream::EvaluationContext& failures);
  [[nodiscard]] std::span<const std::uint32_t> kept() const { return kept_; }
  /// How many of these rows lie before the record that stops the query; all when none does.
  [[nodiscard]] std::size_t rows_to_go_on(const Batch& rows) const;
  /// Takes the others out of `numbers`, which ascend.
  void keep_before_cause(const Batch& rows, std::vector<std::uint32_t>& numbers) const;
  /// The whole chain has seen the rows: what was gathered goes out. kBadRecord when one of them
  /// stops the query.
  [[nodiscard]] Status flush() { return letters_ || cause_ ? finish() : Status(); }
  /// Rows of this epoch come next.
  void begin_epoch(Epoch epoch) {
    if (letters_) letters_->begin_epoch(epoch);
  }

 private:
  BadRecords(const ChainContext& context, std::unique_ptr<DeadLetters> letters);
  [[nodiscard]] Status finish();
  [[nodiscard]] std::string fate(stream::OnBadRecord choice) const;

  const stream::BadRecordPolicy policy_;
  const std::string source_;
  StageMetrics& metrics_;
  const std::shared_ptr<BadRecordLog> log_;  ///< may be null
  std::unique_ptr<DeadLetters> letters_;
  std::vector<std::uint32_t> kept_;
  std::optional<Error> cause_;       ///< why the query stops
  std::int64_t cause_position_ = 0;  ///< of the record; none before it is known to be bad
};

}  // namespace millrace::operators
