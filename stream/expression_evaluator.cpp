#include "stream/expression_evaluator.hpp"

#include "stream/functions/registry.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace millrace::stream {

namespace {

constexpr std::size_t kShownExpressionMax = 200;

}  // namespace

class LambdaInputs;

/// What one evaluation works on, and where errors go: the rows of a batch, or the elements that a
/// lambda is evaluated for, which belong to rows of another frame.
class EvaluationFrame {
 public:
  EvaluationFrame(Batch& frame_batch, EvaluationContext& frame_context)
      : batch(frame_batch), context(frame_context), rows(frame_batch.rows()) {}
  EvaluationFrame(EvaluationFrame& outer, RowErrors& errors, LambdaInputs& inputs);

  [[nodiscard]] const Column& column(std::size_t number) const;
  [[nodiscard]] const Column& variable(std::size_t number) const;
  [[nodiscard]] RowErrors errors_of(const BoundExpr& call, Column& result, const RowSet* active);

  Batch& batch;
  EvaluationContext& context;
  std::size_t rows;

 private:
  const EvaluationFrame* outer_ = nullptr;
  RowErrors* errors_ = nullptr;
  LambdaInputs* inputs_ = nullptr;
};

/// What the body of a lambda reads: its parameters, and the columns and variables from around it,
/// which are gathered for the elements when first asked for. Owned by the lambda's node.
class LambdaInputs {
 public:
  explicit LambdaInputs(const BoundExpr& lambda) : lambda_(lambda) {
    own_.emplace_back(lambda.variable, lambda.parameters.size());
    collect(lambda.children[0]);
  }

  /// Begins with other elements: element i belongs to row rows[i] of the frame around.
  void begin(std::span<const std::uint32_t> rows, std::span<const Column* const> parameters) {
    MILLRACE_DEBUG_ASSERT(parameters.size() >= lambda_.parameters.size());
    rows_ = rows;
    parameters_.assign(parameters.begin(), parameters.end());
    for (Captured& each : captured_) each.is_gathered = false;
  }
  [[nodiscard]] std::span<const std::uint32_t> rows() const { return rows_; }

  const Column& column(std::size_t number, const EvaluationFrame& outer) {
    Captured& captured = find(BoundExpr::Kind::kColumn, number);
    return captured.is_gathered ? captured.values : gather(captured, outer.column(number));
  }
  const Column& variable(std::size_t number, const EvaluationFrame& outer) {
    if (number - lambda_.variable < lambda_.parameters.size())
      return *parameters_[number - lambda_.variable];
    Captured& captured = find(BoundExpr::Kind::kVariable, number);
    return captured.is_gathered ? captured.values : gather(captured, outer.variable(number));
  }

 private:
  /// A column or a variable from around the lambda.
  struct Captured {
    BoundExpr::Kind kind;
    std::size_t number;
    Column values;
    bool is_gathered = false;
  };

  void collect(const BoundExpr& expression);
  [[nodiscard]] bool is_own(std::size_t variable) const {
    return std::ranges::any_of(own_, [variable](const auto& range) {
      return variable - range.first < range.second;  // below the first it wraps
    });
  }
  Captured* search(BoundExpr::Kind kind, std::size_t number) {
    const auto found = std::ranges::find_if(captured_, [&](const Captured& each) {
      return each.kind == kind && each.number == number;
    });
    return found == captured_.end() ? nullptr : &*found;
  }
  Captured& find(BoundExpr::Kind kind, std::size_t number) {
    Captured* captured = search(kind, number);
    MILLRACE_ASSERT(captured != nullptr);
    return *captured;
  }
  const Column& gather(Captured& captured, const Column& source) {
    captured.values.gather_from(source, rows_);
    captured.is_gathered = true;
    return captured.values;
  }

  const BoundExpr& lambda_;
  /// First number and count of the parameters of this lambda, and of those in it at hand.
  std::vector<std::pair<std::size_t, std::size_t>> own_;
  std::vector<Captured> captured_;
  std::span<const std::uint32_t> rows_;
  std::vector<const Column*> parameters_;
};

void LambdaInputs::collect(const BoundExpr& expression) {
  const bool is_lambda = expression.kind == BoundExpr::Kind::kLambda;
  const bool is_captured =
      expression.is_column() ||
      (expression.kind == BoundExpr::Kind::kVariable && !is_own(expression.variable));
  const std::size_t number = expression.is_column() ? expression.column : expression.variable;
  if (is_captured && search(expression.kind, number) == nullptr)
    captured_.push_back({expression.kind, number, Column(expression.type)});
  if (is_lambda) own_.emplace_back(expression.variable, expression.parameters.size());
  for (const BoundExpr& child : expression.children) collect(child);
  if (is_lambda) own_.pop_back();
}

EvaluationFrame::EvaluationFrame(EvaluationFrame& outer, RowErrors& errors, LambdaInputs& inputs)
    : batch(outer.batch),
      context(outer.context),
      rows(inputs.rows().size()),
      outer_(&outer),
      errors_(&errors),
      inputs_(&inputs) {}

const Column& EvaluationFrame::column(std::size_t number) const {
  return outer_ == nullptr ? batch.column(number) : inputs_->column(number, *outer_);
}

const Column& EvaluationFrame::variable(std::size_t number) const {
  MILLRACE_ASSERT(outer_ != nullptr);  // the binder sees to it that variables stand in lambdas
  return inputs_->variable(number, *outer_);
}

RowErrors EvaluationFrame::errors_of(const BoundExpr& call, Column& result, const RowSet* active) {
  if (outer_ == nullptr) return {context, result, active, call.text, call.mode};
  return {*errors_, inputs_->rows(), result, active, call.text, call.mode};
}

/// One node of the tree that runs: owns its result column and its children.
class EvaluationNode {
 public:
  explicit EvaluationNode(const BoundExpr& expression);

  /// Computes every row; errors count in `active` only (null: every row).
  const Column& evaluate(EvaluationFrame& frame, const RowSet* active) {
    switch (expression_.kind) {
      case BoundExpr::Kind::kColumn:
        return frame.column(expression_.column);
      case BoundExpr::Kind::kVariable:
        return frame.variable(expression_.variable);
      case BoundExpr::Kind::kLiteral:
        return literal(frame.rows);
      case BoundExpr::Kind::kCall:
      case BoundExpr::Kind::kLambda:
        break;
    }
    MILLRACE_DEBUG_ASSERT(expression_.kind == BoundExpr::Kind::kCall);
    call(frame, active, result_);
    return result_;
  }
  /// The same into a column that somebody else owns.
  void evaluate_into(Column& target, EvaluationFrame& frame, const RowSet* active);

 private:
  friend class LazyCall;

  const Column& literal(std::size_t rows);
  void fill_literal(std::size_t rows);
  void settle();
  void call(EvaluationFrame& frame, const RowSet* active, Column& result);
  void call_kernel(EvaluationFrame& frame, const RowSet* active, Column& result);
  static void merge_nulls(const Column& argument, Column& result);

  const BoundExpr& expression_;
  Column result_;
  std::vector<std::unique_ptr<EvaluationNode>> children_;
  std::vector<const Column*> arguments_;
  bool can_fail_ = false;
  std::size_t filled_rows_ = 0;  ///< of a literal's column
  std::array<RowSet, 3> scratch_;
  CallMemory state_;
  std::unique_ptr<LambdaInputs> inputs_;  ///< of a lambda
};

EvaluationNode::EvaluationNode(const BoundExpr& expression)
    : expression_(expression), result_(expression.type) {
  for (const BoundExpr& child : expression.children) {
    children_.push_back(std::make_unique<EvaluationNode>(child));
    can_fail_ = can_fail_ || children_.back()->can_fail_;
  }
  arguments_.resize(children_.size());
  if (expression.kind == BoundExpr::Kind::kLambda)
    inputs_ = std::make_unique<LambdaInputs>(expression);
  if (expression.kind != BoundExpr::Kind::kCall) return;
  can_fail_ = can_fail_ || (expression.function->can_fail && expression.mode == ErrorMode::kFail);
  if (expression.function->settle != nullptr) settle();
}

void EvaluationNode::settle() {
  std::vector<const Value*> literals;
  std::vector<DataType> types;
  for (const BoundExpr& child : expression_.children) {
    literals.push_back(child.kind == BoundExpr::Kind::kLiteral ? &child.literal : nullptr);
    types.push_back(child.type);
  }
  expression_.function->settle({literals, types, expression_.type}, state_);
}

void EvaluationNode::evaluate_into(Column& target, EvaluationFrame& frame, const RowSet* active) {
  if (expression_.kind == BoundExpr::Kind::kCall) {
    call(frame, active, target);
  } else {
    target.copy_from(evaluate(frame, active));
  }
}

const Column& EvaluationNode::literal(std::size_t rows) {
  if (rows > filled_rows_) [[unlikely]]
    fill_literal(std::max(rows, std::min(filled_rows_ * 2 + 1, std::max(rows, kBatchRowsMax))));
  result_.restore(rows);
  return result_;
}

void EvaluationNode::fill_literal(std::size_t rows) {
  result_.resize(0);
  for (std::size_t row = 0; row < rows; ++row) append_value(result_, expression_.literal);
  filled_rows_ = rows;
}

void EvaluationNode::call(EvaluationFrame& frame, const RowSet* active, Column& result) {
  if (expression_.function->lazy == nullptr) return call_kernel(frame, active, result);
  result.resize(frame.rows);
  LazyCall lazy(*this, result, frame, active, frame.errors_of(expression_, result, active));
  expression_.function->lazy(lazy);
}

void EvaluationNode::call_kernel(EvaluationFrame& frame, const RowSet* active, Column& result) {
  for (std::size_t i = 0; i < children_.size(); ++i)
    arguments_[i] = &children_[i]->evaluate(frame, active);
  result.resize(frame.rows);
  if (expression_.function->is_strict) {
    for (const Column* argument : arguments_) {
      if (argument->may_have_nulls()) merge_nulls(*argument, result);
    }
  }
  RowErrors errors = frame.errors_of(expression_, result, active);
  KernelCall kernel_call{
      arguments_,           result, frame.rows,          frame.batch.arena(), errors,
      expression_.settings, state_, frame.batch.ingest()};
  expression_.function->kernel(kernel_call);
}

void EvaluationNode::merge_nulls(const Column& argument, Column& result) {
  if (!result.may_have_nulls()) return result.copy_validity(argument);
  const auto target = result.mutable_validity();
  const auto source = argument.validity();
  const std::size_t words = (result.size() + 63) / 64;
  for (std::size_t i = 0; i < words; ++i) target[i] &= source[i];
}

void RowErrors::fail(std::size_t row, const std::string& message) {
  if (expression_ == nullptr) return parent_->raise(parent_row(row), message);
  const bool is_long = expression_->size() > kShownExpressionMax;
  note(row,
       message + " in " + expression_->substr(0, kShownExpressionMax) + (is_long ? "..." : ""));
}

/// Brings the failure of an element up to the row of the batch.
void RowErrors::note(std::size_t row, std::string message) {
  if (parent_ == nullptr) return context_->note(row, std::move(message));
  const std::size_t outer = parent_row(row);
  parent_->result_.set_null(outer);
  parent_->note(outer, std::move(message));
}

std::size_t LazyCall::argument_count() const { return node_.children_.size(); }
std::size_t LazyCall::rows() const { return frame_.rows; }
Column& LazyCall::result() { return result_; }
const RowSet* LazyCall::active() const { return active_; }
bool LazyCall::can_fail(std::size_t argument) const { return node_.children_[argument]->can_fail_; }
const Column& LazyCall::evaluate(std::size_t argument, const RowSet* active) {
  return node_.children_[argument]->evaluate(frame_, active);
}
RowSet& LazyCall::scratch(std::size_t index) { return node_.scratch_[index]; }
CallMemory& LazyCall::memory() { return node_.state_; }
std::size_t LazyCall::parameter_count(std::size_t argument) const {
  return node_.expression_.children[argument].parameters.size();
}

const Column& LazyCall::evaluate_lambda(std::size_t argument, std::span<const std::uint32_t> rows,
                                        std::initializer_list<const Column*> parameters) {
  EvaluationNode& lambda = *node_.children_[argument];
  lambda.inputs_->begin(rows, {parameters.begin(), parameters.size()});
  EvaluationFrame elements(frame_, errors_, *lambda.inputs_);
  return lambda.children_[0]->evaluate(elements, nullptr);
}

void LazyCall::evaluate_lambda_into(Column& target, std::size_t argument,
                                    std::span<const std::uint32_t> rows,
                                    std::initializer_list<const Column*> parameters) {
  EvaluationNode& lambda = *node_.children_[argument];
  lambda.inputs_->begin(rows, {parameters.begin(), parameters.size()});
  EvaluationFrame elements(frame_, errors_, *lambda.inputs_);
  lambda.children_[0]->evaluate_into(target, elements, nullptr);
}

void EvaluationContext::begin(std::size_t rows) {
  rows_ = rows;
  has_errors_ = false;
  errors_.clear();
}

void EvaluationContext::note(std::size_t row, std::string message) {
  MILLRACE_ASSERT(row < rows_);  // begin() was called for this batch
  if (!has_errors_) {
    has_errors_ = true;
    failed_rows_.clear_to(rows_);
  }
  if (failed_rows_.contains(row)) return;
  failed_rows_.insert(row);
  if (errors_.size() < kMessagesMax) {
    errors_.push_back({row, std::move(message)});
  } else if (row < errors_.back().row) {
    errors_.back() = {row, std::move(message)};
  }
}

std::string_view EvaluationContext::message_of(std::size_t row) const {
  const auto known = std::ranges::find(errors_, row, &RowError::row);
  return known == errors_.end() ? "an expression fails on it" : std::string_view(known->message);
}

std::string place_of(const Batch& batch, std::size_t row) {
  if (batch.origin() == nullptr || batch.positions().size() <= row)
    return "row " + std::to_string(row);
  return batch.origin()->label + ", offset " + std::to_string(batch.positions()[row]);
}

namespace {

/// Success, or the lowest failing row as the query's cause.
Status verdict(const Batch& batch, const EvaluationContext& context) {
  if (!context.has_errors() || context.on_error() != EvaluationContext::OnError::kFail) [[likely]]
    return {};
  const auto errors = context.errors();
  const auto lowest = std::ranges::min_element(errors, {}, &RowError::row);
  return fail(ErrorCode::kBadRecord, place_of(batch, lowest->row) + ": " + lowest->message);
}

}  // namespace

ExpressionEvaluator::ExpressionEvaluator(BoundExpr expression)
    : expression_(std::make_unique<const BoundExpr>(std::move(expression))),
      root_(std::make_unique<EvaluationNode>(*expression_)) {}

ExpressionEvaluator::ExpressionEvaluator(ExpressionEvaluator&&) noexcept = default;
ExpressionEvaluator& ExpressionEvaluator::operator=(ExpressionEvaluator&&) noexcept = default;
ExpressionEvaluator::~ExpressionEvaluator() = default;

Result<const Column*> ExpressionEvaluator::evaluate(Batch& batch, EvaluationContext& context) {
  EvaluationFrame frame(batch, context);
  const Column& result = root_->evaluate(frame, nullptr);
  MILLRACE_TRY(verdict(batch, context));
  return &result;
}

Status ExpressionEvaluator::evaluate_into(Column& target, Batch& batch,
                                          EvaluationContext& context) {
  MILLRACE_DEBUG_ASSERT(target.type() == type());
  EvaluationFrame frame(batch, context);
  root_->evaluate_into(target, frame, nullptr);
  return verdict(batch, context);
}

Result<std::span<const std::uint32_t>> ExpressionEvaluator::evaluate_predicate(
    Batch& batch, EvaluationContext& context) {
  MILLRACE_DEBUG_ASSERT(type().is(TypeKind::kBoolean));
  EvaluationFrame frame(batch, context);
  const Column& result = root_->evaluate(frame, nullptr);
  MILLRACE_TRY(verdict(batch, context));

  const std::size_t rows = frame.rows;
  if (selected_.size() < rows) selected_.resize(std::max(rows, rows > 64 ? kBatchRowsMax : 64));
  const auto truths = result.values<std::uint8_t>();
  std::uint32_t* out = selected_.data();
  std::size_t count = 0;
  if (!result.may_have_nulls()) {
    for (std::size_t row = 0; row < rows; ++row) {
      out[count] = static_cast<std::uint32_t>(row);
      count += truths[row];
    }
  } else {
    const auto validity = result.validity();
    for (std::size_t row = 0; row < rows; ++row) {
      out[count] = static_cast<std::uint32_t>(row);
      count += truths[row] & ((validity[row / 64] >> (row % 64)) & 1U);
    }
  }
  if (context.has_errors() && context.on_error() == EvaluationContext::OnError::kCollect) {
    const auto* end = std::remove_if(
        out, out + count, [&](std::uint32_t row) { return context.failed_rows().contains(row); });
    count = static_cast<std::size_t>(end - out);
  }
  return std::span<const std::uint32_t>(out, count);
}

}  // namespace millrace::stream
