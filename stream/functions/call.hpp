#pragma once

#include "millrace/arena.hpp"
#include "millrace/clock.hpp"
#include "millrace/column.hpp"
#include "millrace/value.hpp"

#include "stream/evaluation_settings.hpp"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
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

/// Where a kernel reports rows that it cannot compute. A report counts only in an active row (one
/// whose value somebody wants) that is not null already; what becomes of the row then is the mode's
/// business.
class RowErrors {
 public:
  RowErrors(EvaluationContext& context, Column& result, const RowSet* active,
            const std::string& expression, ErrorMode mode)
      : context_(&context),
        result_(result),
        active_(active),
        expression_(&expression),
        mode_(mode) {}
  /// For a column of elements inside of what `parent` is about: `rows[i]` is the row that element i
  /// belongs to; empty: element i is in row i (the fields of a struct). An element fails its row;
  /// in the other modes the element itself is null.
  RowErrors(RowErrors& parent, Column& result, std::span<const std::uint32_t> rows)
      : parent_(&parent), result_(result), rows_(rows), mode_(parent.mode_) {}
  /// For a call inside of a lambda: element i belongs to row rows[i] of the call that the lambda is
  /// an argument of, which `parent` is about. An element that fails takes that row along.
  RowErrors(RowErrors& parent, std::span<const std::uint32_t> rows, Column& result,
            const RowSet* active, const std::string& expression, ErrorMode mode)
      : parent_(&parent),
        result_(result),
        active_(active),
        rows_(rows),
        expression_(&expression),
        mode_(mode) {}

  [[nodiscard]] ErrorMode mode() const { return mode_; }
  /// Whether a report of this row would count.
  [[nodiscard]] bool counts(std::size_t row) const {
    if (result_.is_null(row)) return false;
    if (active_ != nullptr && !active_->contains(row)) return false;
    return parent_ == nullptr || parent_->counts(parent_row(row));
  }
  /// Reports one row: "division by zero", or a callable that gives the text, called only if it is
  /// wanted. The row becomes null; the evaluator adds the place and the expression.
  template <typename Message>
  void raise(std::size_t row, Message&& message) {
    if (!counts(row)) return;
    result_.set_null(row);
    if (mode_ != ErrorMode::kFail) return;
    if constexpr (std::is_invocable_v<Message>)
      fail(row, message());
    else
      fail(row, std::string(std::forward<Message>(message)));
  }
  /// The same of a result that is out of range where kLegacy keeps the one that is there: wrapped
  /// or cut to the range.
  template <typename Message>
  void overflow(std::size_t row, Message&& message) {
    if (mode_ != ErrorMode::kLegacy) raise(row, std::forward<Message>(message));
  }

 private:
  [[nodiscard]] std::size_t parent_row(std::size_t row) const {
    return rows_.empty() ? row : rows_[row];
  }
  void fail(std::size_t row, const std::string& message);
  void note(std::size_t row, std::string message);

  EvaluationContext* context_ = nullptr;
  RowErrors* parent_ = nullptr;
  Column& result_;
  const RowSet* active_ = nullptr;  ///< null: every row
  std::span<const std::uint32_t> rows_;
  const std::string* expression_ = nullptr;  ///< null: the parent's
  ErrorMode mode_;
};

/// Base of what a call keeps between rows and batches: a compiled pattern, a generator.
struct CallState {
  CallState() = default;
  CallState(const CallState&) = delete;
  CallState& operator=(const CallState&) = delete;
  virtual ~CallState() = default;
};

/// The place of a call's state, made when first asked for: by the function's `settle`, else by its
/// kernel. Owned by the call's node in the evaluator, so that one thread sees it. A function always
/// asks for the same State.
class CallMemory {
 public:
  template <std::derived_from<CallState> State>
  [[nodiscard]] State& get() {
    if (state_ == nullptr) [[unlikely]]
      state_ = std::make_unique<State>();
    return static_cast<State&>(*state_);
  }

 private:
  std::unique_ptr<CallState> state_;
};

/// What is known of a call before its first batch.
struct PlannedCall {
  std::span<const Value* const> literals;  ///< by argument; null pointers for those that are none
  std::span<const DataType> arguments;
  const DataType& result;
};

/// Makes the state of a call out of its literals when the plan is built, so that no batch, empty or
/// not, decides what they are. Literals have been checked; one can be a null.
using Settle = void (*)(const PlannedCall&, CallMemory&);

/// One call of a kernel: a whole column at a time, every row, active or not.
struct KernelCall {
  std::span<const Column* const> arguments;
  /// Has `rows` rows; for a strict function the nulls of the arguments are set already. Its type
  /// and those of the arguments say what the call settled on (a decimal's scale, an array's
  /// element).
  Column& result;
  std::size_t rows;
  Arena& arena;  ///< the batch's; strings made go here
  RowErrors& errors;
  const EvaluationSettings& settings;
  CallMemory& state;
  SteadyTime ingest{};  ///< when the batch came in; 0 for one that no source made
};

/// Computes `result` from `arguments`. Must not fail otherwise than by RowErrors, must not allocate
/// once warm, and must bear any value under a null.
using Kernel = void (*)(KernelCall&);

/// One call of a function that decides itself for which rows each argument counts (and, or, case,
/// coalesce), or that takes lambdas. Implemented by the evaluator.
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
  /// Where the call reports rows of its own; a lambda's failures are reported already.
  [[nodiscard]] RowErrors& errors() { return errors_; }
  /// What the call keeps between batches.
  template <std::derived_from<CallState> State>
  [[nodiscard]] State& state() {
    return memory().get<State>();
  }

  /// How many parameters the lambda at this place has.
  [[nodiscard]] std::size_t parameter_count(std::size_t argument) const;
  /// Evaluates a lambda for elements that lie one after the other in the columns of its parameters:
  /// element i belongs to row rows[i]. Where an element fails, its row of the result becomes null.
  /// Valid until the lambda's next evaluation; it can be a column of `parameters`.
  const Column& evaluate_lambda(std::size_t argument, std::span<const std::uint32_t> rows,
                                std::initializer_list<const Column*> parameters);
  /// The same into a column that nothing else refers to.
  void evaluate_lambda_into(Column& target, std::size_t argument,
                            std::span<const std::uint32_t> rows,
                            std::initializer_list<const Column*> parameters);

 private:
  friend class EvaluationNode;
  LazyCall(class EvaluationNode& node, Column& result, class EvaluationFrame& frame,
           const RowSet* active, RowErrors errors)
      : node_(node), result_(result), frame_(frame), active_(active), errors_(errors) {}
  [[nodiscard]] CallMemory& memory();

  EvaluationNode& node_;
  Column& result_;
  EvaluationFrame& frame_;
  const RowSet* active_;
  RowErrors errors_;
};

using LazyKernel = void (*)(LazyCall&);

}  // namespace millrace::stream
