#include "sql/expression_builder.hpp"

#include "sql/foreign_forms.hpp"
#include "sql/lambda_node.hpp"
#include "stream/decimal.hpp"
#include "stream/functions/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

namespace millrace::sql {
namespace {

using formats::JsonValue;

// The parser's own names of types, and how people write them.
const std::map<std::string, std::string_view, std::less<>>& type_spellings() {
  static const std::map<std::string, std::string_view, std::less<>> spellings = {
      {"bool", "boolean"}, {"int4", "int"},
      {"int8", "bigint"},  {"int2", "smallint"},
      {"float4", "real"},  {"float8", "double precision"},
      {"varchar", "text"}, {"timestamptz", "timestamp with time zone"},
      {"bpchar", "char"},  {"timetz", "time with time zone"},
  };
  return spellings;
}

// Nodes that SQL knows and we do not, by the name that people know them by.
std::string_view sql_name(const TreeNode& node) {
  static const std::map<std::string_view, std::string_view> names = {
      {"ParamRef", "a parameter ($1)"},
      {"CollateClause", "COLLATE"},
      {"GroupingFunc", "GROUPING"},
      {"SetToDefault", "DEFAULT"},
      {"XmlExpr", "XML"},
      {"CurrentOfExpr", "CURRENT OF"},
  };
  const auto found = names.find(node.kind());
  return found == names.end() ? "this expression" : found->second;
}

std::string value_function_name(const TreeNode& node) {
  std::string name = node.text("op");  // SVFOP_CURRENT_TIMESTAMP
  return name.starts_with("SVFOP_") ? name.substr(6) : name;
}

/// "(10,2)"; empty when there are none.
std::string numeric_sizes(const JsonValue::Array& sizes) {
  std::string text;
  for (const JsonValue& size : sizes) {
    const TreeNode constant(size);
    text += text.empty() ? "(" : ",";
    text += std::to_string(constant.has("ival") ? constant.plain_child("ival").number("ival") : -1);
  }
  return text.empty() ? text : text + ")";
}

/// A number without exponent of up to 38 digits is exact: 0.90 is a decimal(2,2).
std::optional<Value> decimal_literal(std::string_view digits) {
  if (digits.find_first_of("eE") != std::string_view::npos) return std::nullopt;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = std::min(digits.find_first_not_of('0'), point);
  const std::size_t scale = point == digits.size() ? 0 : digits.size() - point - 1;
  const std::size_t precision = std::max<std::size_t>(point - first + scale, 1);
  if (precision > DataType::kPrecisionMax) return std::nullopt;
  const auto value =
      stream::read_decimal(digits, static_cast<int>(precision), static_cast<int>(scale));
  if (!value) return std::nullopt;
  return Value::decimal(value->unscaled, static_cast<int>(precision), static_cast<int>(scale));
}

Expr at(Expr expression, std::int32_t position) {
  ExprNode node = expression.node();
  node.position = position;
  return Expr(std::move(node));
}

/// The text of interval '3' day with its unit, which the parser gives as a bit.
Result<Expr> with_unit(const Expr& argument, const JsonValue::Array& sizes, std::int32_t position) {
  static const std::map<std::int64_t, std::string_view> units = {
      {1 << 1, " months"}, {1 << 2, " years"},    {1 << 3, " days"},
      {1 << 10, " hours"}, {1 << 11, " minutes"}, {1 << 12, " seconds"}};
  const TreeNode first(sizes.front());
  const auto unit = units.find(first.has("ival") ? first.plain_child("ival").number("ival") : 0);
  const auto* number = std::get_if<std::string>(&argument.node().value.data);
  if (unit == units.end() || number == nullptr) {
    return fail(Error{ErrorCode::kNotSupported,
                      "this form of interval is not supported: write interval '1 day 2 hours'",
                      position});
  }
  return lit(*number + std::string(unit->second));
}

tl::unexpected<Error> refuse_sub_query(const TreeNode& link) {
  const std::string kind = link.text("subLinkType");
  const char* name = kind == "EXISTS_SUBLINK" ? "EXISTS" : "IN (SELECT ...)";
  if (kind != "EXISTS_SUBLINK" && kind != "ANY_SUBLINK")
    return not_supported("a sub-query in an expression", link.position());
  const auto& names = link.list("operName");
  if (!names.empty() && last_name(names) != "=")
    return not_supported("a comparison with ANY but =", link.position());
  return fail(Error{ErrorCode::kNotSupported,
                    fmt::format("{} is a condition of its own: it can stand in the WHERE of a "
                                "query, alone or beside AND",
                                name),
                    link.position()});
}

bool is_aggregate(std::string_view name) {
  constexpr auto kAggregates = std::to_array<std::string_view>(
      {"count", "sum", "avg", "min", "max", "stddev", "variance", "array_agg", "string_agg",
       "first_value", "last_value", "row_number", "rank"});
  return std::ranges::find(kAggregates, name) != kAggregates.end();
}

bool takes_lambdas(std::string_view function) {
  return std::ranges::any_of(stream::FunctionRegistry::builtin().overloads(function),
                             [](const auto* overload) { return overload->parameters != nullptr; });
}

}  // namespace

// Neighbours first, so that a list of thousands does not make a tree thousands of levels deep.
Expr ExpressionBuilder::joined(std::vector<Expr> conditions, bool is_and) {
  while (conditions.size() > 1) {
    std::vector<Expr> pairs;
    for (std::size_t i = 0; i + 1 < conditions.size(); i += 2) {
      pairs.push_back(is_and ? conditions[i] && conditions[i + 1]
                             : conditions[i] || conditions[i + 1]);
    }
    if (conditions.size() % 2 == 1) pairs.push_back(conditions.back());
    conditions = std::move(pairs);
  }
  return conditions.front();
}

Result<Expr> ExpressionBuilder::build(const TreeNode& node) const {
  MILLRACE_ASSIGN(Expr expression, build_any(node));
  if (expression.node().position >= 0) return expression;
  return at(std::move(expression), node.position());
}

Result<Expr> ExpressionBuilder::build_any(const TreeNode& node) const {
  if (node.is("ColumnRef")) return column(node);
  if (node.is("A_Const")) return constant(node);
  if (node.is("A_Expr")) return operation(node);
  if (node.is("BoolExpr")) return logical(node);
  if (node.is("NullTest")) return null_test(node);
  if (node.is("BooleanTest")) return boolean_test(node);
  if (node.is("TypeCast")) return cast(node);
  if (node.is("CaseExpr")) return case_of(node);
  if (node.is("FuncCall")) return function(node);
  if (node.is("A_Indirection")) return field_of(node);
  if (node.is("MinMaxExpr")) return extreme(node);
  if (node.is("A_ArrayExpr")) {
    MILLRACE_ASSIGN(std::vector<Expr> elements, build_list(node.list("elements")));
    return call("array", std::move(elements));
  }
  if (node.is("RowExpr")) {
    MILLRACE_ASSIGN(std::vector<Expr> fields, build_list(node.list("args")));
    return call("struct", std::move(fields));
  }
  if (node.is("CoalesceExpr")) {
    MILLRACE_ASSIGN(std::vector<Expr> arguments, build_list(node.list("args")));
    return coalesce(std::move(arguments));
  }
  if (node.is("SQLValueFunction")) {
    const std::string name = value_function_name(node);
    if (name == "USER") {
      return fail(Error{ErrorCode::kNotSupported,
                        "USER is a function of SQL, and not supported yet: to use it as a name, "
                        "write \"user\" in double quotes",
                        node.position()});
    }
    if (name == "CURRENT_TIMESTAMP" || name == "LOCALTIMESTAMP")
      return call("current_timestamp", {});
    if (name == "CURRENT_DATE") return call("current_date", {});
    return not_supported(name, node.position());
  }
  if (node.is("SubLink")) return refuse_sub_query(node);
  return not_supported(sql_name(node), node.position());
}

Result<Expr> ExpressionBuilder::build_all(const std::vector<TreeNode>& nodes) const {
  std::vector<Expr> result;
  for (const TreeNode& node : nodes) {
    MILLRACE_ASSIGN(Expr expression, build(node));
    result.push_back(std::move(expression));
  }
  return joined(std::move(result), true);
}

Result<std::vector<Expr>> ExpressionBuilder::build_list(const JsonValue::Array& nodes) const {
  std::vector<Expr> result;
  for (const JsonValue& node : nodes) {
    MILLRACE_ASSIGN(Expr expression, build(TreeNode(node)));
    result.push_back(std::move(expression));
  }
  return result;
}

Result<Expr> ExpressionBuilder::column(const TreeNode& node) const {
  const JsonValue::Array& fields = node.list("fields");
  if (fields.size() > 2) {
    std::string form = "(";
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const TreeNode part(fields[i]);
      form += fmt::format("{}{}{}", i == 0 ? "" : ".", part.is("A_Star") ? "*" : part.text("sval"),
                          i == 1 ? ")" : "");
    }
    return fail(Error{ErrorCode::kNotSupported,
                      fmt::format("a name has two parts at most, a table and a column: a field of "
                                  "a struct is written {}",
                                  form),
                      node.position()});
  }
  ExprNode result;
  result.kind =
      TreeNode(fields.back()).is("A_Star") ? ExprNode::Kind::kStar : ExprNode::Kind::kColumn;
  result.name = TreeNode(fields.back()).text("sval");
  if (fields.size() == 2) result.qualifier = TreeNode(fields.front()).text("sval");
  result.position = node.position();
  return Expr(std::move(result));
}

// (s).f, (c.s).f.g, a[1], m['k'], a[1].f.
Result<Expr> ExpressionBuilder::field_of(const TreeNode& node) const {
  MILLRACE_ASSIGN(Expr value, build(node.child("arg")));
  for (const JsonValue& step : node.list("indirection")) {
    const TreeNode part(step);
    if (part.is("A_Indices")) {
      MILLRACE_ASSIGN(value, subscript(std::move(value), part, node.position()));
    } else if (part.is("String")) {
      value = at(call("field", {std::move(value), lit(part.text("sval"))}), node.position());
    } else {
      return not_supported("* of a struct (write its fields, (s).a)", node.position());
    }
  }
  return value;
}

// Elements count from 1, as in PostgreSQL and in the standard. Who counts from 0 begins with [0],
// which no array has: that is told before anything runs.
Result<Expr> ExpressionBuilder::subscript(Expr value, const TreeNode& part,
                                          std::int32_t position) const {
  if (part.flag("is_slice")) {
    return not_supported("a slice (write slice(a, 2, 3) for three elements from the second on)",
                         position);
  }
  const TreeNode index = part.child("uidx");
  MILLRACE_ASSIGN(Expr key, build(index));
  const auto* number = std::get_if<std::int32_t>(&key.node().value.data);
  if (key.node().kind == ExprNode::Kind::kLiteral && number != nullptr && *number == 0) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      "a[i] counts from 1, so there is no a[0]: the first element is a[1], or "
                      "get(a, 0), which counts from 0; of a map's key 0 write element_at(m, 0)",
                      position});
  }
  const bool is_text = index.is("A_Const") && index.has("sval");  // a map's key
  return at(call(is_text ? "item" : "element_at", {std::move(value), std::move(key)}), position);
}

Result<Expr> ExpressionBuilder::constant(const TreeNode& node) const {
  if (node.flag("isnull")) return lit(Value::null());
  if (node.has("sval")) return lit(node.plain_child("sval").text("sval"));
  if (node.has("boolval")) return lit(node.plain_child("boolval").flag("boolval"));
  if (node.has("ival")) {
    MILLRACE_ASSIGN(const std::int64_t number,
                    integer(node.plain_child("ival").number("ival"), node.position()));
    if (number < INT32_MIN || number > INT32_MAX) return lit(number);
    return lit(static_cast<int>(number));
  }
  if (node.has("fval")) {
    const std::string digits = node.plain_child("fval").text("fval");
    std::int64_t whole = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), whole);
    if (problem == std::errc() && end == digits.data() + digits.size()) return lit(whole);
    if (auto exact = decimal_literal(digits)) return lit(std::move(*exact));
    const double real = std::strtod(digits.c_str(), nullptr);
    if (!std::isfinite(real)) {
      return fail(
          Error{ErrorCode::kInvalidArgument, "a number is too large for double", node.position()});
    }
    return lit(real);
  }
  return not_supported("a bit string", node.position());
}

Result<std::int64_t> ExpressionBuilder::integer(std::int64_t shown, std::int32_t position) const {
  if (shown != 0) return shown;
  auto at = static_cast<std::size_t>(std::max(position, 0));
  if (at >= text_.size() || text_[at] != '-') return 0;
  do {
    ++at;
  } while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at])) != 0);
  std::int64_t number = 0;
  const auto [end, problem] =
      std::from_chars(text_.data() + at, text_.data() + text_.size(), number);
  if (problem != std::errc()) {
    return fail(
        Error{ErrorCode::kInvalidArgument, "write the number right behind its minus", position});
  }
  return -number;
}

Result<Expr> ExpressionBuilder::logical(const TreeNode& node) const {
  MILLRACE_ASSIGN(std::vector<Expr> arguments, build_list(node.list("args")));
  if (node.text("boolop") == "NOT_EXPR") return !arguments[0];
  return joined(std::move(arguments), node.text("boolop") == "AND_EXPR");
}

Result<Expr> ExpressionBuilder::null_test(const TreeNode& node) const {
  MILLRACE_ASSIGN(const Expr argument, build(node.child("arg")));
  return node.text("nulltesttype") == "IS_NULL" ? argument.is_null() : argument.is_not_null();
}

// IS TRUE and its kin never give null: an unknown counts as not true and as not false.
Result<Expr> ExpressionBuilder::boolean_test(const TreeNode& node) const {
  MILLRACE_ASSIGN(const Expr argument, build(node.child("arg")));
  const std::string test = node.text("booltesttype");
  if (test == "IS_UNKNOWN") return argument.is_null();
  if (test == "IS_NOT_UNKNOWN") return argument.is_not_null();
  const bool is_about_true = test == "IS_TRUE" || test == "IS_NOT_TRUE";
  const Expr result = coalesce({is_about_true ? argument : !argument, lit(false)});
  return test.starts_with("IS_NOT") ? !result : result;
}

Result<Expr> ExpressionBuilder::cast(const TreeNode& node) const {
  MILLRACE_ASSIGN(Expr argument, build(node.child("arg")));
  const TreeNode type_name = node.plain_child("typeName");
  MILLRACE_ASSIGN(DataType type, build_type(type_name));
  const auto& sizes = type_name.list("typmods");
  if (type.is(TypeKind::kInterval) && !sizes.empty()) {
    MILLRACE_ASSIGN(argument, with_unit(argument, sizes, type_name.position()));
  }
  if (is_try_cast(text_, node.position())) return argument.try_cast(std::move(type));
  return argument.cast(std::move(type));
}

Result<DataType> ExpressionBuilder::build_type(const TreeNode& type_name) const {
  auto type = element_type(type_name);
  if (!type) {
    Error error = std::move(type).error();
    if (error.position < 0) error.position = type_name.position();
    return fail(std::move(error));
  }
  for (std::size_t i = 0; i < type_name.list("arrayBounds").size(); ++i)
    *type = DataType::array(std::move(*type));
  return type;
}

// The type without its brackets.
Result<DataType> ExpressionBuilder::element_type(const TreeNode& type_name) const {
  const std::string name = last_name(type_name.list("names"));
  if (const auto own = types_.find(name); own != types_.end()) return own->second;
  const auto known = type_spellings().find(name);
  const std::string spelling = known == type_spellings().end() ? name : std::string(known->second);
  const auto& sizes = type_name.list("typmods");
  if (name == "numeric") return parse_type(spelling + numeric_sizes(sizes));
  if (!sizes.empty() && name != "interval") {
    return not_supported(fmt::format("a length or precision of a type (write {} without it)",
                                     parse_type(spelling) ? spelling : "the type"),
                         type_name.position());
  }
  return parse_type(spelling);
}

Result<Expr> ExpressionBuilder::case_of(const TreeNode& node) const {
  std::optional<Expr> subject;
  if (node.has("arg")) {
    MILLRACE_ASSIGN(subject, build(node.child("arg")));
  }
  std::vector<Expr> arguments;
  for (const JsonValue& branch : node.list("args")) {
    const TreeNode when(branch);
    MILLRACE_ASSIGN(const Expr condition, build(when.child("expr")));
    MILLRACE_ASSIGN(const Expr result, build(when.child("result")));
    arguments.push_back(subject ? *subject == condition : condition);
    arguments.push_back(result);
  }
  if (node.has("defresult")) {
    MILLRACE_ASSIGN(Expr otherwise, build(node.child("defresult")));
    arguments.push_back(std::move(otherwise));
  }
  return case_when(std::move(arguments));
}

Result<Expr> ExpressionBuilder::function(const TreeNode& node) const {
  const std::string name = last_name(node.list("funcname"));
  if (node.has("over")) return not_supported("a window function (OVER)", node.position());
  if (node.flag("agg_star") || node.flag("agg_distinct") || is_aggregate(name)) {
    return not_supported(fmt::format("an aggregate ({})", name), node.position());
  }
  if (node.has("agg_filter")) return not_supported("FILTER", node.position());
  if (!node.list("agg_order").empty()) {
    return not_supported("ORDER BY in a function call", node.position());
  }
  MILLRACE_ASSIGN(std::vector<Expr> arguments, takes_lambdas(name)
                                                   ? build_with_lambdas(node.list("args"))
                                                   : build_list(node.list("args")));
  if (name == "try_cast") return try_cast(node, arguments);
  const bool is_special_form = node.list("funcname").size() == 2;  // of the parser's own schema
  // POSITION(a IN b): the parser turns the two round.
  if (is_special_form && name == "position" && arguments.size() == 2)
    std::swap(arguments[0], arguments[1]);
  // time AT TIME ZONE 'zone': what clocks there show, as the session's zone shows it.
  if (is_special_form && name == "timezone") return call("convert_timezone", std::move(arguments));
  return call(name, std::move(arguments));
}

Result<std::vector<Expr>> ExpressionBuilder::build_with_lambdas(
    const JsonValue::Array& nodes) const {
  std::vector<Expr> arguments;
  for (const JsonValue& node : nodes) {
    const auto lambda = find_lambda(node);
    MILLRACE_ASSIGN(Expr argument, build(TreeNode(lambda ? lambda->body : node)));
    if (!lambda) {
      arguments.push_back(std::move(argument));
      continue;
    }
    if (lambda->parameters.empty()) {
      return fail(Error{ErrorCode::kInvalidArgument,
                        "a lambda begins with names: write x -> ... or (x, i) -> ...",
                        lambda->position});
    }
    arguments.push_back(at(Lambda(lambda->parameters, argument).expression(), lambda->position));
  }
  return arguments;
}

Result<Expr> ExpressionBuilder::try_cast(const TreeNode& node,
                                         const std::vector<Expr>& arguments) const {
  const auto* name =
      arguments.size() == 2 ? std::get_if<std::string>(&arguments[1].node().value.data) : nullptr;
  if (name == nullptr) {
    return fail(
        Error{ErrorCode::kInvalidArgument, "write try_cast(value, 'type')", node.position()});
  }
  const auto own = types_.find(*name);
  auto type = own == types_.end() ? parse_type(*name) : Result<DataType>(own->second);
  if (type) return arguments[0].try_cast(std::move(*type));
  return fail(Error{type.error().code, type.error().message, node.position()});
}

Result<Expr> ExpressionBuilder::extreme(const TreeNode& node) const {
  MILLRACE_ASSIGN(std::vector<Expr> arguments, build_list(node.list("args")));
  return call(node.text("op") == "IS_LEAST" ? "least" : "greatest", std::move(arguments));
}

}  // namespace millrace::sql
