#include "stream/plan/expression_binder.hpp"

#include "millrace/options.hpp"

#include "stream/ascii.hpp"
#include "stream/plan/constant_value.hpp"
#include "stream/plan/expression_rewrite.hpp"
#include "stream/schema_text.hpp"

#include <algorithm>
#include <set>

namespace millrace::stream {

namespace {

constexpr std::size_t kListedColumnsMax = 30;
// Every walk over a bound expression is a recursion; stacks are a few MB.
constexpr std::size_t kDepthMax = 1000;

bool equals(std::string_view left, std::string_view right, bool with_case) {
  if (with_case) return left == right;
  return equals_ignoring_case(left, right);
}

std::string qualified(const std::string& qualifier, const std::string& name) {
  return qualifier.empty() ? name : qualifier + "." + name;
}

/// Numbers of the columns that a name means, on one rung of the ladder that find_column climbs.
std::vector<std::size_t> matches(const std::string& qualifier, const std::string& name,
                                 std::span<const InputField> inputs, bool hidden, bool with_case) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const InputField& input = inputs[i];
    if (input.hidden == hidden && equals(input.name, name, with_case) &&
        (qualifier.empty() || equals(input.qualifier, qualifier, with_case)))
      found.push_back(i);
  }
  return found;
}

/// The names in the list, each once, shortened when there are very many.
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kListedColumnsMax; ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kListedColumnsMax)
    text += " and " + std::to_string(names.size() - kListedColumnsMax) + " more";
  return text;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

Error ambiguous_column(const std::string& qualifier, const std::string& name,
                       std::span<const InputField> inputs, const std::vector<std::size_t>& found) {
  std::vector<std::string> spellings;
  for (const std::size_t i : found)
    add_once(spellings, qualified(inputs[i].qualifier, inputs[i].name));
  std::string message = "column is ambiguous: " + qualified(qualifier, name);
  if (spellings.size() == found.size()) {
    message += "; write " + spellings[0];
    for (std::size_t i = 1; i < spellings.size(); ++i) message += " or " + spellings[i];
  } else {
    message += "; " + std::to_string(found.size()) + " columns have this name: rename all but one";
  }
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

/// Whether the name is that of a column with fields.
bool is_struct(const std::string& name, std::span<const InputField> inputs) {
  return std::ranges::any_of(inputs, [&](const InputField& input) {
    return input.type.is(TypeKind::kStruct) && equals(input.name, name, false);
  });
}

Error column_not_found(const std::string& qualifier, const std::string& name,
                       std::span<const InputField> inputs) {
  std::vector<std::string> tables;
  std::vector<std::string> columns;
  for (const InputField& input : inputs) {
    if (!input.qualifier.empty()) add_once(tables, input.qualifier);
    if (!input.hidden && (qualifier.empty() || equals(input.qualifier, qualifier, false)))
      add_once(columns, input.name);
  }
  const bool knows_table = qualifier.empty() || std::ranges::any_of(tables, [&](const auto& each) {
                             return equals(each, qualifier, false);
                           });
  if (!knows_table) {
    return {ErrorCode::kNotFound,
            "table not found: " + qualifier + " in " + qualified(qualifier, name) +
                (tables.empty() ? "" : "; tables: " + listed(tables)) +
                (is_struct(qualifier, inputs)
                     ? "; for a field of column " + qualifier + " write (" + qualifier + ")." + name
                     : "")};
  }
  const std::vector<std::string_view> candidates(columns.begin(), columns.end());
  const auto nearest = nearest_name(name, candidates);
  return {ErrorCode::kNotFound, "column not found: " + qualified(qualifier, name) +
                                    (nearest ? "; nearest: " + *nearest : "") +
                                    (columns.empty() ? "" : "; columns: " + listed(columns))};
}

BoundExpr literal_of(Value value, std::string text, std::int32_t position = -1) {
  BoundExpr bound;
  bound.kind = BoundExpr::Kind::kLiteral;
  bound.type = value.type;
  bound.literal = std::move(value);
  bound.text = std::move(text);
  bound.position = position;
  return bound;
}

/// A literal where that is possible. A call that fails stays one: its row may never be wanted.
BoundExpr fold(BoundExpr call) {
  if (!is_call_of_literals(call)) return call;
  auto value = constant_value(call);
  if (!value) return call;
  return literal_of(std::move(*value), std::move(call.text), call.position);
}

/// Binds one tree.
class Binder {
 public:
  Binder(std::span<const InputField> inputs, const Dialect& dialect)
      : inputs_(inputs), dialect_(dialect) {}

  Result<BoundExpr> bind_node(const ExprNode& node) const {
    if (depth_ == kDepthMax) {
      return fail(ErrorCode::kInvalidArgument,
                  "an expression is nested deeper than " + std::to_string(kDepthMax) + " levels");
    }
    ++depth_;
    Result<BoundExpr> bound = bind_any(node);
    --depth_;
    if (bound && node.position >= 0) bound->position = node.position;
    return bound;
  }

 private:
  Result<BoundExpr> bind_any(const ExprNode& node) const {
    switch (node.kind) {
      case ExprNode::Kind::kColumn:
        return bind_column(node);
      case ExprNode::Kind::kLiteral:
        return literal_of(node.value, text_of(node));
      case ExprNode::Kind::kCall:
        return bind_call(node);
      case ExprNode::Kind::kCast:
        return bind_written_cast(node, node.type, dialect_.settings.mode());
      case ExprNode::Kind::kTryCast:
        return bind_written_cast(node, node.type, ErrorMode::kNull);
      case ExprNode::Kind::kAlias:
        return bind_node(*node.children[0]);
      case ExprNode::Kind::kLambda:
        return fail(
            ErrorCode::kInvalidArgument,
            "a lambda is an argument of functions such as transform only: " + text_of(node));
      case ExprNode::Kind::kStar:
        break;
    }
    return fail(ErrorCode::kInvalidArgument,
                text_of(node) + " stands for columns only where columns are listed");
  }

  static std::string text_of(const ExprNode& node) { return Expr(node).to_string(); }

  Result<BoundExpr> bind_column(const ExprNode& node) const {
    const std::string& first = node.qualifier.empty() ? node.name : node.qualifier;
    if (const auto variable = find_variable(first)) return bind_variable(node, *variable);
    MILLRACE_ASSIGN(const std::size_t column, find_column(node.qualifier, node.name, inputs_));
    BoundExpr bound;
    bound.kind = BoundExpr::Kind::kColumn;
    bound.column = column;
    bound.type = inputs_[column].type;
    bound.text = text_of(node);
    return bound;
  }

  Result<BoundExpr> bind_call(const ExprNode& node) const {
    const auto base = dialect_.functions.base_of_try_form(node.name);
    if (!base) {
      const auto type = type_called(node);
      if (type) return bind_written_cast(node, *type, dialect_.settings.mode());
    }
    BoundExpr bound;
    bound.kind = BoundExpr::Kind::kCall;
    bound.text = text_of(node);
    bound.mode = base ? ErrorMode::kNull : dialect_.settings.mode();
    bound.settings = dialect_.settings;
    for (const auto& child : node.children) {
      const bool is_lambda = child->kind == ExprNode::Kind::kLambda;
      MILLRACE_ASSIGN(BoundExpr argument,
                      is_lambda ? bind_lambda(*child, node, bound.children) : bind_node(*child));
      bound.children.push_back(std::move(argument));
    }
    const std::vector<Argument> arguments = arguments_of(node, bound.children);
    auto resolution = dialect_.functions.resolve(base.value_or(node.name),
                                                 Arguments(arguments, dialect_.coercion()));
    if (!resolution) {
      if (auto comparisons = as_comparisons(node, bound)) return std::move(*comparisons);
      if (auto missing = missing_field(node, bound.children)) return fail(std::move(*missing));
      if (auto problem = bad_schema(node)) return fail(std::move(*problem));
      return fail(resolution.error().code, resolution.error().message + "; in " + bound.text);
    }
    for (std::size_t i = 0; i < bound.children.size(); ++i) {
      MILLRACE_ASSIGN(bound.children[i],
                      cast_argument(std::move(bound.children[i]), resolution->types.arguments[i]));
    }
    bound.function = resolution->function;
    bound.type = resolution->types.result;
    MILLRACE_TRY(check_literals(bound));
    return fold(std::move(bound));
  }

  /// A call that compares operands of types that no one type serves for, as comparisons of two.
  [[nodiscard]] std::optional<BoundExpr> as_comparisons(const ExprNode& node,
                                                        const BoundExpr& call_of_them) const {
    const std::string name = lower_case(node.name);
    const std::size_t count = call_of_them.children.size();
    if (name != "between" && name != "nullif") return std::nullopt;
    // Operands are columns that are called as they were written; those written alike are one.
    std::vector<InputField> fields;
    std::vector<BoundExpr> operands;
    const auto operand = [&](std::size_t i) {
      const BoundExpr& bound = call_of_them.children[i];
      if (std::ranges::find(operands, bound.text, &BoundExpr::text) == operands.end()) {
        fields.push_back({"", bound.text, bound.type});
        operands.push_back(bound);
      }
      ExprNode column;
      column.kind = ExprNode::Kind::kColumn;
      column.name = bound.text;
      return Expr(std::move(column));
    };
    std::optional<Expr> pattern;
    if (name == "between" && count == 3)
      pattern = operand(0) >= operand(1) && operand(0) <= operand(2);
    if (name == "nullif" && count == 2)
      pattern = case_when({operand(0) == operand(1), lit(Value::null()), operand(0)});
    if (!pattern) return std::nullopt;
    auto combined = stream::bind(*pattern, fields, dialect_);
    if (!combined) return std::nullopt;
    combined = substitute(*combined, operands);
    combined->text = call_of_them.text;
    return std::move(*combined);
  }

  static std::vector<Argument> arguments_of(const ExprNode& call,
                                            const std::vector<BoundExpr>& children) {
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool is_literal = children[i].kind == BoundExpr::Kind::kLiteral;
      arguments.push_back({children[i].type, is_literal,
                           is_literal ? &children[i].literal : nullptr, name_of(*call.children[i]),
                           children[i].parameters.size()});
    }
    return arguments;
  }

  /// Why field(s, 'f') cannot be, when that is for want of the field.
  static std::optional<Error> missing_field(const ExprNode& call,
                                            const std::vector<BoundExpr>& children) {
    if (lower_case(call.name) != "field" || children.size() != 2) return std::nullopt;
    const std::string wanted = literal_text(*call.children[1]);
    const DataType& type = children[0].type;
    if (wanted.empty()) return std::nullopt;
    if (!type.is(TypeKind::kStruct)) {
      return Error{ErrorCode::kInvalidArgument,
                   children[0].text + " is " + type.to_string() + " and has no field " + wanted};
    }
    std::vector<std::string> names;
    for (const Field& field : type.fields()) names.push_back(field.name);
    const auto nearest =
        nearest_name(wanted, std::vector<std::string_view>(names.begin(), names.end()));
    return Error{ErrorCode::kNotFound, "field not found: " + wanted + " in " + children[0].text +
                                           (nearest ? "; nearest: " + *nearest : "") +
                                           "; fields: " + listed(names)};
  }

  /// Why from_json(s, 'schema') cannot be, when the text of the schema is no schema.
  static std::optional<Error> bad_schema(const ExprNode& call) {
    if (lower_case(call.name) != "from_json" || call.children.size() < 2) return std::nullopt;
    const std::string text = literal_text(*call.children[1]);
    if (text.empty()) return std::nullopt;
    auto schema = parse_schema_text(text);
    if (schema) return std::nullopt;
    return Error{schema.error().code, schema.error().message + "; in " + text_of(call)};
  }

  static std::string literal_text(const ExprNode& node) {
    const auto* text = std::get_if<std::string>(&node.value.data);
    return text != nullptr ? *text : std::string();
  }

  /// What a column of the expression would be called; empty if it has no name of its own.
  static std::string name_of(const ExprNode& node) {
    const bool is_field = node.kind == ExprNode::Kind::kCall && node.children.size() == 2 &&
                          lower_case(node.name) == "field";
    if (is_field) return literal_text(*node.children[1]);
    const bool is_named =
        node.kind == ExprNode::Kind::kColumn || node.kind == ExprNode::Kind::kAlias;
    return is_named ? node.name : std::string();
  }

  /// double(x): a cast that is written as a call of the type's name.
  [[nodiscard]] std::optional<DataType> type_called(const ExprNode& node) const {
    if (node.children.size() != 1) return std::nullopt;
    if (!dialect_.functions.overloads(lower_case(node.name)).empty()) return std::nullopt;
    auto type = parse_type(node.name);
    if (!type) return std::nullopt;
    return std::move(*type);
  }

  static Status check_literals(const BoundExpr& call) {
    if (call.function->check_literals == nullptr) return {};
    std::vector<const Value*> literals;
    for (const BoundExpr& child : call.children) {
      const bool is_known = child.kind == BoundExpr::Kind::kLiteral && !child.literal.is_null();
      literals.push_back(is_known ? &child.literal : nullptr);
    }
    const Status status = call.function->check_literals(literals);
    if (status) return {};
    return fail(status.error().code, status.error().message + "; in " + call.text);
  }

  /// Of a lambda the body is cast.
  Result<BoundExpr> cast_argument(BoundExpr argument, const DataType& type) const {
    if (argument.kind == BoundExpr::Kind::kLambda) {
      MILLRACE_ASSIGN(argument.children[0], cast_argument(std::move(argument.children[0]), type));
      argument.type = type;
      return argument;
    }
    MILLRACE_ASSIGN(BoundExpr cast, bind_cast(std::move(argument), type, dialect_));
    return fold(std::move(cast));
  }

  Result<BoundExpr> bind_written_cast(const ExprNode& node, const DataType& type,
                                      ErrorMode mode) const {
    MILLRACE_ASSIGN(BoundExpr operand, bind_node(*node.children[0]));
    const bool is_cast = operand.type != type;
    MILLRACE_ASSIGN(BoundExpr cast, bind_cast(std::move(operand), type, dialect_));
    if (!is_cast) return cast;
    cast.mode = mode;
    cast.text = text_of(node);
    return fold(std::move(cast));
  }

  /// A parameter of a lambda that the node at hand stands in.
  struct Variable {
    std::string name;
    DataType type;
  };

  /// The innermost of that name, first byte for byte, then without regard to case.
  [[nodiscard]] std::optional<std::size_t> find_variable(const std::string& name) const {
    for (const bool with_case : {true, false}) {
      for (std::size_t i = variables_.size(); i-- > 0;) {
        if (equals(variables_[i].name, name, with_case)) return i;
      }
    }
    return std::nullopt;
  }

  /// x, or x.name for a field of x.
  Result<BoundExpr> bind_variable(const ExprNode& node, std::size_t number) const {
    if (!node.qualifier.empty()) {
      MILLRACE_ASSIGN(BoundExpr field,
                      bind_call(call("field", {col(node.qualifier), lit(node.name)}).node()));
      field.text = text_of(node);
      return field;
    }
    BoundExpr bound;
    bound.kind = BoundExpr::Kind::kVariable;
    bound.variable = number;
    bound.type = variables_[number].type;
    bound.text = node.name;
    return bound;
  }

  /// The lambda that comes after these arguments of a call.
  Result<BoundExpr> bind_lambda(const ExprNode& node, const ExprNode& call,
                                const std::vector<BoundExpr>& before) const {
    const std::size_t count = node.parameters.size();
    const std::vector<Argument> arguments = arguments_of(call, before);
    const auto types = dialect_.functions.parameters_of_lambda(
        call.name, Arguments(arguments, dialect_.coercion()), count);
    if (!types) {
      return fail(ErrorCode::kInvalidArgument,
                  "function " + call.name + " does not take a lambda of " + std::to_string(count) +
                      (count == 1 ? " parameter" : " parameters") + " there: " + text_of(node) +
                      taking(call.name));
    }
    if (std::set(node.parameters.begin(), node.parameters.end()).size() != count) {
      return fail(ErrorCode::kInvalidArgument,
                  "two parameters of a lambda have one name: " + text_of(node));
    }
    BoundExpr lambda;
    lambda.kind = BoundExpr::Kind::kLambda;
    lambda.text = text_of(node);
    lambda.variable = variables_.size();
    lambda.parameters = *types;
    for (std::size_t i = 0; i < count; ++i) variables_.push_back({node.parameters[i], (*types)[i]});
    auto body = bind_node(*node.children[0]);
    variables_.resize(lambda.variable);
    if (!body) return body;
    lambda.type = body->type;
    lambda.children.push_back(std::move(*body));
    return lambda;
  }

  [[nodiscard]] std::string taking(std::string_view function) const {
    std::string text;
    for (const FunctionOverload* overload : dialect_.functions.overloads(lower_case(function)))
      text += (text.empty() ? "; it takes: " : ", ") + signature_of(*overload);
    return text;
  }

  std::span<const InputField> inputs_;
  const Dialect& dialect_;
  mutable std::size_t depth_ = 0;
  mutable std::vector<Variable> variables_;  ///< of all lambdas around, from the outermost on
};

}  // namespace

Result<BoundExpr> bind(const Expr& expression, std::span<const InputField> inputs,
                       const Dialect& dialect) {
  return Binder(inputs, dialect).bind_node(expression.node());
}

Result<std::size_t> find_column(const std::string& qualifier, const std::string& name,
                                std::span<const InputField> inputs) {
  for (const bool hidden : {false, true}) {
    for (const bool with_case : {true, false}) {
      const auto found = matches(qualifier, name, inputs, hidden, with_case);
      if (found.size() == 1) return found[0];
      if (found.size() > 1) return fail(ambiguous_column(qualifier, name, inputs, found));
    }
  }
  return fail(column_not_found(qualifier, name, inputs));
}

Result<BoundExpr> bind_cast(BoundExpr expression, const DataType& type, const Dialect& dialect) {
  if (expression.type == type) return expression;
  if (expression.type.is(TypeKind::kNull))
    return literal_of(Value::null(type), std::move(expression.text), expression.position);
  const FunctionOverload* function = dialect.functions.find_cast(expression.type, type);
  if (function == nullptr)
    return fail(ErrorCode::kInvalidArgument, "cannot cast " + expression.type.to_string() + " to " +
                                                 type.to_string() + ": " + expression.text);
  BoundExpr cast;
  cast.kind = BoundExpr::Kind::kCall;
  cast.type = type;
  cast.function = function;
  cast.mode = dialect.settings.mode();
  cast.settings = dialect.settings;
  cast.text = "cast(" + expression.text + " as " + type.to_string() + ")";
  cast.position = expression.position;
  cast.children.push_back(std::move(expression));
  return cast;
}

}  // namespace millrace::stream
