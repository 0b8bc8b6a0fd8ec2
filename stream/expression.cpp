#include "millrace/expression.hpp"

#include <algorithm>
#include <array>
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
