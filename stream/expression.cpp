#include "millrace/expression.hpp"

#include "stream/ascii.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace millrace {

namespace {

constexpr auto kInfixOperators = std::to_array<std::string_view>(
    {"=", "<>", "<", "<=", ">", ">=", "<=>", "+", "-", "*", "/", "%", "and", "or", "||"});

bool is_infix(const ExprNode& node) {
  return node.children.size() >= 2 && std::find(kInfixOperators.begin(), kInfixOperators.end(),
                                                node.name) != kInfixOperators.end();
}

std::string text_of(const ExprNode& node);

/// A child of an operator: in parentheses when it is itself written with one.
std::string operand_text(const ExprNode& node) {
  const bool is_operator =
      node.kind == ExprNode::Kind::kCall && (is_infix(node) || node.name == "not" ||
                                             node.name == "is_null" || node.name == "is_not_null");
  return is_operator ? "(" + text_of(node) + ")" : text_of(node);
}

std::string joined(const ExprNode& node, std::string_view separator, bool are_operands) {
  std::string text;
  for (const auto& child : node.children) {
    if (!text.empty()) text += separator;
    text += are_operands ? operand_text(*child) : text_of(*child);
  }
  return text;
}

std::string case_text(const ExprNode& node) {
  std::string text = "case";
  std::size_t i = 0;
  for (; i + 1 < node.children.size(); i += 2)
    text += " when " + text_of(*node.children[i]) + " then " + text_of(*node.children[i + 1]);
  if (i < node.children.size()) text += " else " + text_of(*node.children[i]);
  return text + " end";
}

std::string call_text(const ExprNode& node) {
  if (is_infix(node)) return joined(node, " " + node.name + " ", true);
  if (node.name == "case") return case_text(node);
  if (node.children.size() == 1) {
    const ExprNode& child = *node.children[0];
    if (node.name == "not") return "not " + operand_text(child);
    if (node.name == "-") return "-" + operand_text(child);
    if (node.name == "is_null") return operand_text(child) + " is null";
    if (node.name == "is_not_null") return operand_text(child) + " is not null";
  }
  return node.name + "(" + joined(node, ", ", false) + ")";
}

std::string lambda_text(const ExprNode& node) {
  std::string names;
  for (const std::string& name : node.parameters) names += (names.empty() ? "" : ", ") + name;
  return (node.parameters.size() == 1 ? names : "(" + names + ")") + " -> " +
         text_of(*node.children[0]);
}

std::string text_of(const ExprNode& node) {
  const std::string prefix = node.qualifier.empty() ? "" : node.qualifier + ".";
  switch (node.kind) {
    case ExprNode::Kind::kColumn:
      return prefix + node.name;
    case ExprNode::Kind::kStar:
      return prefix + "*";
    case ExprNode::Kind::kLiteral:
      return node.value.to_string();
    case ExprNode::Kind::kCast:
      return "cast(" + text_of(*node.children[0]) + " as " + node.type.to_string() + ")";
    case ExprNode::Kind::kTryCast:
      return "try_cast(" + text_of(*node.children[0]) + " as " + node.type.to_string() + ")";
    case ExprNode::Kind::kAlias:
      return text_of(*node.children[0]) + " as " + node.name;
    case ExprNode::Kind::kCall:
      return call_text(node);
    case ExprNode::Kind::kLambda:
      return lambda_text(node);
  }
  return "";
}

Expr cast_node(ExprNode::Kind kind, const std::shared_ptr<const ExprNode>& operand, DataType type) {
  ExprNode node;
  node.kind = kind;
  node.type = std::move(type);
  node.children = {operand};
  return Expr(std::move(node));
}

}  // namespace

Expr Expr::as(std::string name) const {
  ExprNode node;
  node.kind = ExprNode::Kind::kAlias;
  node.name = std::move(name);
  node.children = {node_};
  return Expr(std::move(node));
}

Expr Expr::cast(DataType type) const {
  return cast_node(ExprNode::Kind::kCast, node_, std::move(type));
}

Expr Expr::try_cast(DataType type) const {
  return cast_node(ExprNode::Kind::kTryCast, node_, std::move(type));
}

Expr Expr::is_null() const { return call("is_null", {*this}); }

Expr Expr::is_not_null() const { return call("is_not_null", {*this}); }

std::string Expr::to_string() const { return text_of(*node_); }

Expr col(const std::string& name) {
  ExprNode node;
  node.kind = ExprNode::Kind::kColumn;
  const std::size_t dot = name.find('.');
  if (dot != std::string::npos) node.qualifier = name.substr(0, dot);
  node.name = dot == std::string::npos ? name : name.substr(dot + 1);
  return Expr(std::move(node));
}

Expr star(std::string qualifier) {
  ExprNode node;
  node.kind = ExprNode::Kind::kStar;
  node.qualifier = std::move(qualifier);
  return Expr(std::move(node));
}

Expr lit(Value value) {
  ExprNode node;
  node.kind = ExprNode::Kind::kLiteral;
  node.type = value.type;
  node.value = std::move(value);
  return Expr(std::move(node));
}

Expr lit(bool value) { return lit(Value::boolean(value)); }
Expr lit(int value) { return lit(Value::int32(value)); }
Expr lit(long value) { return lit(Value::int64(value)); }
Expr lit(long long value) { return lit(Value::int64(value)); }
Expr lit(double value) { return lit(Value::real(value)); }
Expr lit(const char* value) { return lit(Value::string(value)); }
Expr lit(std::string value) { return lit(Value::string(std::move(value))); }

Expr call(std::string function, std::vector<Expr> arguments) {
  ExprNode node;
  node.kind = ExprNode::Kind::kCall;
  node.name = std::move(function);
  for (const Expr& argument : arguments) node.children.push_back(argument.shared());
  return Expr(std::move(node));
}

Expr coalesce(std::vector<Expr> arguments) { return call("coalesce", std::move(arguments)); }
Expr upper(const Expr& text) { return call("upper", {text}); }
Expr lower(const Expr& text) { return call("lower", {text}); }
Expr concat(std::vector<Expr> arguments) { return call("concat", std::move(arguments)); }
Expr case_when(std::vector<Expr> arguments) { return call("case", std::move(arguments)); }

// --- lambdas -------------------------------------------------------------------------------------

namespace {

/// Adds every name that the expression uses, in small letters.
void collect_names(const ExprNode& node, std::set<std::string>& names) {
  names.insert({stream::lower_case(node.name), stream::lower_case(node.qualifier)});
  for (const std::string& name : node.parameters) names.insert(stream::lower_case(name));
  for (const auto& child : node.children) collect_names(*child, names);
}

using Renaming = std::map<std::string, std::string>;

std::shared_ptr<const ExprNode> renamed(const std::shared_ptr<const ExprNode>& node,
                                        const Renaming& names) {
  const auto name = names.find(node->name);
  const bool is_renamed =
      node->kind == ExprNode::Kind::kColumn && node->qualifier.empty() && name != names.end();
  if (!is_renamed && node->children.empty()) return node;
  ExprNode copy = *node;
  if (is_renamed) copy.name = name->second;
  for (auto& child : copy.children) child = renamed(child, names);
  return std::make_shared<const ExprNode>(std::move(copy));
}

/// x, y, z or, where the body has such names already, x1, y1, z1 and so on.
std::vector<std::string> free_names(const ExprNode& body, std::size_t count) {
  std::set<std::string> taken;
  collect_names(body, taken);
  for (std::size_t number = 0;; ++number) {
    std::vector<std::string> names;
    for (const char* letter : {"x", "y", "z"})
      names.push_back(letter + (number == 0 ? "" : std::to_string(number)));
    names.resize(count);
    const bool are_free =
        std::ranges::none_of(names, [&](const auto& name) { return taken.contains(name); });
    if (are_free) return names;
  }
}

Expr lambda_of(std::vector<std::string> parameters, std::shared_ptr<const ExprNode> body) {
  ExprNode node;
  node.kind = ExprNode::Kind::kLambda;
  node.parameters = std::move(parameters);
  node.children = {std::move(body)};
  return Expr(std::move(node));
}

/// Calls the function with columns of names that nobody else has, and names them by what is free.
Expr lambda_of(std::size_t count, const std::function<Expr(const std::vector<Expr>&)>& function) {
  thread_local std::size_t depth = 0;  // of lambdas that are being built
  std::vector<Expr> variables;
  for (std::size_t i = 0; i < count; ++i) {
    ExprNode node;
    node.kind = ExprNode::Kind::kColumn;
    node.name = "(variable " + std::to_string(depth) + ":" + std::to_string(i) + ")";
    variables.emplace_back(std::move(node));
  }
  ++depth;
  const Expr body = function(variables);
  --depth;
  const std::vector<std::string> names = free_names(body.node(), count);
  Renaming renaming;
  for (std::size_t i = 0; i < count; ++i) renaming.emplace(variables[i].node().name, names[i]);
  return lambda_of(names, renamed(body.shared(), renaming));
}

}  // namespace

Lambda::Lambda(std::vector<std::string> parameters, const Expr& body)
    : expression_(lambda_of(std::move(parameters), body.shared())) {}

Lambda::Lambda(std::size_t parameters, const std::function<Expr(const std::vector<Expr>&)>& body)
    : expression_(lambda_of(parameters, body)) {}

Expr transform(const Expr& array, const Lambda& result) {
  return call("transform", {array, result.expression()});
}
Expr filter(const Expr& array, const Lambda& condition) {
  return call("filter", {array, condition.expression()});
}
Expr exists(const Expr& array, const Lambda& condition) {
  return call("exists", {array, condition.expression()});
}
Expr forall(const Expr& array, const Lambda& condition) {
  return call("forall", {array, condition.expression()});
}
Expr aggregate(const Expr& array, const Expr& start, const Lambda& merge) {
  return call("aggregate", {array, start, merge.expression()});
}
Expr aggregate(const Expr& array, const Expr& start, const Lambda& merge, const Lambda& finish) {
  return call("aggregate", {array, start, merge.expression(), finish.expression()});
}
Expr zip_with(const Expr& left, const Expr& right, const Lambda& result) {
  return call("zip_with", {left, right, result.expression()});
}
Expr map_filter(const Expr& map, const Lambda& condition) {
  return call("map_filter", {map, condition.expression()});
}
Expr transform_keys(const Expr& map, const Lambda& key) {
  return call("transform_keys", {map, key.expression()});
}
Expr transform_values(const Expr& map, const Lambda& value) {
  return call("transform_values", {map, value.expression()});
}
Expr map_zip_with(const Expr& left, const Expr& right, const Lambda& value) {
  return call("map_zip_with", {left, right, value.expression()});
}
Expr array_sort(const Expr& array, const Lambda& comparison) {
  return call("array_sort", {array, comparison.expression()});
}

Expr operator+(const Expr& left, const Expr& right) { return call("+", {left, right}); }
Expr operator-(const Expr& left, const Expr& right) { return call("-", {left, right}); }
Expr operator*(const Expr& left, const Expr& right) { return call("*", {left, right}); }
Expr operator/(const Expr& left, const Expr& right) { return call("/", {left, right}); }
Expr operator%(const Expr& left, const Expr& right) { return call("%", {left, right}); }
Expr operator==(const Expr& left, const Expr& right) { return call("=", {left, right}); }
Expr operator!=(const Expr& left, const Expr& right) { return call("<>", {left, right}); }
Expr operator<(const Expr& left, const Expr& right) { return call("<", {left, right}); }
Expr operator<=(const Expr& left, const Expr& right) { return call("<=", {left, right}); }
Expr operator>(const Expr& left, const Expr& right) { return call(">", {left, right}); }
Expr operator>=(const Expr& left, const Expr& right) { return call(">=", {left, right}); }
Expr operator&&(const Expr& left, const Expr& right) { return call("and", {left, right}); }
Expr operator||(const Expr& left, const Expr& right) { return call("or", {left, right}); }
Expr operator!(const Expr& operand) { return call("not", {operand}); }

}  // namespace millrace
