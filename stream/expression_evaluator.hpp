#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"

#include "stream/bound_expression.hpp"
#include "stream/functions/call.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace millrace::stream {

/// A row that an expression failed on.
struct RowError {
  std::size_t row = 0;
  std::string message;  ///< "division by zero in price / qty"
};

/// Collects the rows that the expressions of one step fail on, over one batch. Owned by the step;
/// its memory is kept. Not thread-safe.
class EvaluationContext {
 public:
  enum class OnError {
    kFail,     ///< evaluate fails, naming the lowest failing row
    kCollect,  ///< the row's result is null and the row is in `failed_rows`
    kNull,     ///< the same, and a condition counts the row by what it gives with that null
  };
  /// At most this many messages are kept per batch; the bitmap has every row.
  static constexpr std::size_t kMessagesMax = 64;

  explicit EvaluationContext(OnError on_error = OnError::kFail) : on_error_(on_error) {}

  [[nodiscard]] OnError on_error() const { return on_error_; }
  /// Forgets everything: call it once per batch, before the first evaluate.
  void begin(std::size_t rows);
  [[nodiscard]] bool has_errors() const { return has_errors_; }
  /// Valid when has_errors().
  [[nodiscard]] const RowSet& failed_rows() const { return failed_rows_; }
  /// The first message of each failing row, in the order met.
  [[nodiscard]] std::span<const RowError> errors() const { return errors_; }
  /// Of a failing row, where it was kept; else words that fit any.
  [[nodiscard]] std::string_view message_of(std::size_t row) const;

  /// Notes a failing row (called by RowErrors).
  void note(std::size_t row, std::string message);

 private:
  OnError on_error_;
  bool has_errors_ = false;
  std::size_t rows_ = 0;
  RowSet failed_rows_;
  std::vector<RowError> errors_;
};

class EvaluationNode;

/// Runs one bound expression over batches, a column at a time. Every node owns its result column,
/// so that nothing is allocated once warm. Owned by an operator; not thread-safe.
class ExpressionEvaluator {
 public:
  explicit ExpressionEvaluator(BoundExpr expression);
  ExpressionEvaluator(ExpressionEvaluator&&) noexcept;
  ExpressionEvaluator& operator=(ExpressionEvaluator&&) noexcept;
  ~ExpressionEvaluator();

  [[nodiscard]] const BoundExpr& expression() const { return *expression_; }
  [[nodiscard]] const DataType& type() const { return expression_->type; }

  /// Gives the result column, of batch.rows() rows: the batch's own column when the expression is
  /// one, else a column of this evaluator, valid until its next call. New strings are in the
  /// batch's arena, literals' in this evaluator. Fails with kBadRecord, naming the place of the
  /// row, if a row fails and the context says so.
  [[nodiscard]] Result<const Column*> evaluate(Batch& batch, EvaluationContext& context);
  /// The same into a column of the same type.
  [[nodiscard]] Status evaluate_into(Column& target, Batch& batch, EvaluationContext& context);
  /// For a boolean expression: the rows, ascending, for which it is true (not false, not null, not
  /// failed). Valid until the next call.
  [[nodiscard]] Result<std::span<const std::uint32_t>> evaluate_predicate(
      Batch& batch, EvaluationContext& context);

 private:
  std::unique_ptr<const BoundExpr> expression_;  ///< nodes borrow from it
  std::unique_ptr<EvaluationNode> root_;
  std::vector<std::uint32_t> selected_;
};

/// "topic clicks, partition 3, offset 17" when the batch knows it, else "row 5".
[[nodiscard]] std::string place_of(const Batch& batch, std::size_t row);

}  // namespace millrace::stream
