#include "sql/expression_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

// The operators of the grammar: signs, LIKE, IN, BETWEEN and their kin.

namespace millrace::sql {
namespace {

using formats::JsonValue;

/// `==` or `<=>`, which other engines have and PostgreSQL's grammar reads as signs of nobody's.
bool is_foreign_equality(const TreeNode& node) {
  if (!node.is("A_Expr") || node.text("kind") != "AEXPR_OP") return false;
  const std::string name = last_name(node.list("name"));
  return name == "==" || name == "<=>";
}

// A sign of nobody's binds as closely as ||: a == b || c is read as (a == b) || c.
Status check_binding(const TreeNode& node, const std::string& name) {
  const auto is_close = [](std::string_view sign) {
    constexpr auto kSigns =
        std::to_array<std::string_view>({"||", "&", "|", "#", "<<", ">>", "~", "!~", "==", "<=>"});
    return std::ranges::find(kSigns, sign) != kSigns.end();
  };
  if (!is_close(name) || !node.has("lexpr")) return {};
  const TreeNode left = node.child("lexpr");
  if (!is_foreign_equality(left)) return {};
  return fail(Error{ErrorCode::kInvalidArgument,
                    fmt::format("{0} beside {1} is read as (a {0} b) {1} c: write = for ==, and "
                                "a IS NOT DISTINCT FROM b for a <=> b",
                                last_name(left.list("name")), name),
                    node.position()});
}

bool are_rows(const TreeNode& left, const TreeNode& right) {
  return left.is("RowExpr") && right.is("RowExpr") && !left.list("args").empty() &&
         left.list("args").size() == right.list("args").size();
}

/// What to write for signs that other engines have; empty: nothing is known of it.
std::string_view instead_of(std::string_view sign) {
  static const std::map<std::string_view, std::string_view> forms = {
      {"^", "pow(a, b) for the power, a # b for the bits"},
      {"&&", "a AND b"},
      {"!", "NOT a"},
      {"!=-", "a <> -b"},
      {"->",
       "get_json_object(text, '$.name') for a field of a JSON text; x -> ... is a lambda, an "
       "argument of functions such as transform"},
      {"->>", "get_json_object(text, '$.name')"},
      {"#>", "get_json_object(text, '$.a.b')"},
      {"#>>", "get_json_object(text, '$.a.b')"},
      {"@>", "array_contains(array, value)"},
      {"<@", "array_contains(array, value)"},
      {"?", "map_contains_key(map, key)"},
      {"~*", "regexp_like(text, '(?i)pattern')"},
      {"!~*", "NOT regexp_like(text, '(?i)pattern')"},
      {"**", "pow(a, b)"},
      {"`", "\"name\": a name is quoted with double quotes"},
  };
  const auto found = forms.find(sign);
  return found == forms.end() ? std::string_view() : found->second;
}

tl::unexpected<Error> refuse_operator(const TreeNode& node, const std::string& name) {
  const std::string_view instead = instead_of(name);
  if (instead.empty()) return not_supported(fmt::format("operator {}", name), node.position());
  return not_supported(fmt::format("operator {} (write {})", name, instead), node.position());
}

}  // namespace

Result<Expr> ExpressionBuilder::distinct_test(const TreeNode& node, bool is_negated) const {
  MILLRACE_ASSIGN(Expr left, build(node.child("lexpr")));
  MILLRACE_ASSIGN(Expr right, build(node.child("rexpr")));
  const Expr same = call("<=>", {std::move(left), std::move(right)});
  return is_negated ? same : !same;
}

Result<Expr> ExpressionBuilder::operation(const TreeNode& node) const {
  const std::string kind = node.text("kind");
  if (kind == "AEXPR_OP") return plain_operation(node);
  if (kind == "AEXPR_IN") return in_list(node);
  if (kind == "AEXPR_BETWEEN") return between(node, false);
  if (kind == "AEXPR_NOT_BETWEEN") return between(node, true);
  if (kind == "AEXPR_DISTINCT") return distinct_test(node, false);
  if (kind == "AEXPR_NOT_DISTINCT") return distinct_test(node, true);
  if (kind == "AEXPR_LIKE") return like(node, "like");
  if (kind == "AEXPR_ILIKE") return like(node, "ilike");
  if (kind == "AEXPR_NULLIF") {
    MILLRACE_ASSIGN(const Expr left, build(node.child("lexpr")));
    MILLRACE_ASSIGN(const Expr right, build(node.child("rexpr")));
    return case_when({left == right, lit(Value::null()), left});
  }
  if (kind == "AEXPR_OP_ANY" || kind == "AEXPR_OP_ALL")
    return any_of_array(node, kind == "AEXPR_OP_ALL");
  static const std::map<std::string, std::string_view, std::less<>> names = {
      {"AEXPR_SIMILAR", "SIMILAR TO"},
      {"AEXPR_BETWEEN_SYM", "BETWEEN SYMMETRIC"},
      {"AEXPR_NOT_BETWEEN_SYM", "NOT BETWEEN SYMMETRIC"},
  };
  const auto found = names.find(kind);
  return not_supported(found == names.end() ? "this operator" : found->second, node.position());
}

Result<Expr> ExpressionBuilder::plain_operation(const TreeNode& node) const {
  constexpr auto kOperators = std::to_array<std::string_view>(
      {"=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "||"});
  const std::string name = last_name(node.list("name"));
  MILLRACE_TRY(check_binding(node, name));
  const bool is_equality = name == "=" || name == "==" || name == "<>";
  if (is_equality && node.has("lexpr") && are_rows(node.child("lexpr"), node.child("rexpr"))) {
    MILLRACE_ASSIGN(const Expr same, equality_of_rows(node.child("lexpr"), node.child("rexpr")));
    return name == "<>" ? !same : same;
  }
  const bool is_known = std::ranges::find(kOperators, name) != kOperators.end();
  if (!is_known) return named_operation(node, name);
  if (!node.has("rexpr")) {
    return not_supported(fmt::format("operator {}", name), node.position());
  }
  MILLRACE_ASSIGN(Expr right, build(node.child("rexpr")));
  if (node.has("lexpr")) {
    MILLRACE_ASSIGN(Expr left, build(node.child("lexpr")));
    return call(name, {std::move(left), std::move(right)});
  }
  if (name == "+") return right;
  if (name == "-") return call(name, {std::move(right)});
  return not_supported(fmt::format("operator {} with one side", name), node.position());
}

// Operators that are functions here: bits, and PostgreSQL's signs for regular expressions.
Result<Expr> ExpressionBuilder::named_operation(const TreeNode& node,
                                                const std::string& name) const {
  static const std::map<std::string, std::string_view, std::less<>> functions = {
      {"&", "&"},
      {"|", "|"},
      {"#", "^"},
      {"<<", "shiftleft"},
      {">>", "shiftright"},
      {"~", "regexp_like"},
      {"!~", "regexp_like"},
      {"<=>", "<=>"},
      {"==", "="}};
  const auto found = functions.find(name);
  if (found == functions.end() || !node.has("rexpr")) return refuse_operator(node, name);
  MILLRACE_ASSIGN(Expr right, build(node.child("rexpr")));
  if (!node.has("lexpr")) {
    if (name == "~") return call("~", {std::move(right)});
    return not_supported(fmt::format("operator {} with one side", name), node.position());
  }
  MILLRACE_ASSIGN(Expr left, build(node.child("lexpr")));
  const Expr result = call(std::string(found->second), {std::move(left), std::move(right)});
  return name == "!~" ? !result : result;
}

// LIKE and NOT LIKE; an ESCAPE wraps the pattern in a call of like_escape.
Result<Expr> ExpressionBuilder::like(const TreeNode& node, const char* function) const {
  MILLRACE_ASSIGN(Expr text, build(node.child("lexpr")));
  const TreeNode pattern = node.child("rexpr");
  std::vector<Expr> arguments{std::move(text)};
  const bool has_escape =
      pattern.is("FuncCall") && last_name(pattern.list("funcname")) == "like_escape";
  if (has_escape) {
    MILLRACE_ASSIGN(const std::vector<Expr> parts, build_list(pattern.list("args")));
    arguments.insert(arguments.end(), parts.begin(), parts.end());
  } else {
    MILLRACE_ASSIGN(Expr built, build(pattern));
    arguments.push_back(std::move(built));
  }
  const Expr result = call(function, std::move(arguments));
  return last_name(node.list("name")).starts_with('!') ? !result : result;
}

// (a, b) = (1, 2): part by part.
Result<Expr> ExpressionBuilder::equality_of_rows(const TreeNode& left,
                                                 const TreeNode& right) const {
  MILLRACE_ASSIGN(const std::vector<Expr> lefts, build_list(left.list("args")));
  MILLRACE_ASSIGN(const std::vector<Expr> rights, build_list(right.list("args")));
  std::vector<Expr> parts;
  for (std::size_t i = 0; i < lefts.size(); ++i) parts.push_back(lefts[i] == rights[i]);
  return joined(std::move(parts), true);
}

// x = ANY (array) and x <> ALL (array).
Result<Expr> ExpressionBuilder::any_of_array(const TreeNode& node, bool is_all) const {
  const std::string name = last_name(node.list("name"));
  if (name != (is_all ? "<>" : "=")) {
    return not_supported(fmt::format("{} {} of an array (write \"exists\"(array, v -> x {} v) or "
                                     "forall(array, v -> x {} v))",
                                     name, is_all ? "ALL" : "ANY", name, name),
                         node.position());
  }
  MILLRACE_ASSIGN(Expr value, build(node.child("lexpr")));
  MILLRACE_ASSIGN(Expr array, build(node.child("rexpr")));
  const Expr found = call("array_contains", {std::move(array), std::move(value)});
  return is_all ? !found : found;
}

Result<Expr> ExpressionBuilder::in_list(const TreeNode& node) const {
  const TreeNode left = node.child("lexpr");
  MILLRACE_ASSIGN(const Expr subject, build(left));
  std::vector<Expr> equalities;
  for (const JsonValue& item : node.child("rexpr").list("items")) {
    const TreeNode right(item);
    if (are_rows(left, right)) {
      MILLRACE_ASSIGN(Expr same, equality_of_rows(left, right));
      equalities.push_back(std::move(same));
    } else {
      MILLRACE_ASSIGN(const Expr value, build(right));
      equalities.push_back(subject == value);
    }
  }
  const Expr result = joined(std::move(equalities), false);
  return last_name(node.list("name")) == "<>" ? !result : result;
}

Result<Expr> ExpressionBuilder::between(const TreeNode& node, bool is_negated) const {
  MILLRACE_ASSIGN(const Expr subject, build(node.child("lexpr")));
  MILLRACE_ASSIGN(const std::vector<Expr> limits, build_list(node.child("rexpr").list("items")));
  const Expr result = subject >= limits[0] && subject <= limits[1];
  return is_negated ? !result : result;
}

}  // namespace millrace::sql
