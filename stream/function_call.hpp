#pragma once

#include "millrace/arena.hpp"
#include "millrace/column.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// What a function sees of its caller while it runs over the rows of one batch.

namespace millrace::stream {

class EvaluationContext;

/// A set of row numbers of one batch, as a bitmap. Keeps its memory over `clear_to`. Bits past the
/// number of rows are never set.
class RowSet {
 public:
  /// Becomes the empty set over `rows` rows.
  void clear_to(std::size_t rows);
  /// Becomes the set of all of `rows` rows.
  void fill_to(std::size_t rows);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] bool contains(std::size_t row) const {
    return ((words_[row / 64] >> (row % 64)) & 1U) != 0;
  }
  void insert(std::size_t row) { words_[row / 64] |= std::uint64_t{1} << (row % 64); }
  [[nodiscard]] bool is_empty() const;
  [[nodiscard]] std::span<std::uint64_t> words() { return {words_.data(), (rows_ + 63) / 64}; }
  [[nodiscard]] std::span<const std::uint64_t> words() const {
    return {words_.data(), (rows_ + 63) / 64};
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t rows_ = 0;
};

/// Where a kernel reports rows that it cannot compute. An error counts only in an active row (one
/// whose value somebody wants) that is not null already; the row's result becomes null.
class RowErrors {
 public:
  RowErrors(EvaluationContext& context, Column& result, const RowSet* active,
            const std::string& expression)
      : context_(context), result_(result), active_(active), expression_(expression) {}

  /// Whether an error in this row would count: ask before building a message.
  [[nodiscard]] bool counts(std::size_t row) const {
    return (active_ == nullptr || active_->contains(row)) && !result_.is_null(row);
  }
  /// Reports one row: "division by zero". The evaluator adds the place and the expression.
  void raise(std::size_t row, const std::string& message);

 private:
  EvaluationContext& context_;
  Column& result_;
  const RowSet* active_;  ///< null: every row
  const std::string& expression_;
};

/// One call of a kernel: a whole column at a time, every row, active or not.
struct KernelCall {
  std::span<const Column* const> arguments;
  /// Has `rows` rows; for a strict function the nulls of the arguments are set already.
  Column& result;
  std::size_t rows;
  Arena& arena;  ///< the batch's; strings made go here
  RowErrors& errors;
};

/// Computes `result` from `arguments`. Must not fail otherwise than by RowErrors, must not allocate
/// once warm, and must bear any value under a null.
using Kernel = void (*)(KernelCall&);

/// One call of a function that decides itself for which rows each argument counts (and, or, case,
/// coalesce). Implemented by the evaluator.
class LazyCall {
 public:
  [[nodiscard]] std::size_t argument_count() const;
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] Column& result();
  /// The rows whose result somebody wants; null: every row.
  [[nodiscard]] const RowSet* active() const;
  /// Whether the argument's evaluation can report errors at all.
  [[nodiscard]] bool can_fail(std::size_t argument) const;
  /// Evaluates an argument over every row; errors count in `active` only (null: every row).
  const Column& evaluate(std::size_t argument, const RowSet* active);
  /// One of three sets that the call may use for itself; their memory is kept.
  [[nodiscard]] RowSet& scratch(std::size_t index);

 private:
  friend class EvaluationNode;
  LazyCall(class EvaluationNode& node, Column& result, class EvaluationFrame& frame,
           const RowSet* active)
      : node_(node), result_(result), frame_(frame), active_(active) {}

  EvaluationNode& node_;
  Column& result_;
  EvaluationFrame& frame_;
  const RowSet* active_;
};

using LazyKernel = void (*)(LazyCall&);

}  // namespace millrace::stream
