#include "sql/lambda_node.hpp"

#include "sql/tree_node.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace millrace::sql {
namespace {

using formats::JsonValue;

bool is_arrow(const TreeNode& node) {
  const auto& name = node.list("name");
  return node.text("kind") == "AEXPR_OP" && name.size() == 1 &&
         TreeNode(name.front()).text("sval") == "->" && node.has("lexpr") && node.has("rexpr");
}

JsonValue* member_of(JsonValue& body, std::string_view name) {
  return const_cast<JsonValue*>(std::as_const(body).find(name));
}

/// What the node has at its left end; null: no node.
JsonValue* left_end(JsonValue& wrapped) {
  constexpr auto kOneArgument =
      std::to_array<std::string_view>({"NullTest", "BooleanTest", "CollateClause"});
  auto& [kind, body] = wrapped.as_object().front();
  if (kind == "A_Expr") return member_of(body, "lexpr");
  if (std::ranges::find(kOneArgument, kind) != kOneArgument.end()) return member_of(body, "arg");
  const bool is_joined = kind == "BoolExpr" && TreeNode(kind, body).text("boolop") != "NOT_EXPR";
  JsonValue* arguments = is_joined ? member_of(body, "args") : nullptr;
  return arguments == nullptr ? nullptr : &arguments->as_array().front();
}

JsonValue* find_arrow(JsonValue& wrapped) {
  for (JsonValue* node = &wrapped; node != nullptr; node = left_end(*node)) {
    if (!node->is_object() || node->as_object().empty()) return nullptr;
    const TreeNode tree(*node);
    if (tree.is("A_Expr") && is_arrow(tree)) return node;
  }
  return nullptr;
}

/// The name that a node is; empty: none.
std::string name_of(const JsonValue& wrapped) {
  const TreeNode node(wrapped);
  const auto& fields = node.list("fields");
  return node.is("ColumnRef") && fields.size() == 1 ? TreeNode(fields.front()).text("sval") : "";
}

std::vector<std::string> names_of(const JsonValue& wrapped) {
  const TreeNode node(wrapped);
  std::vector<std::string> names;
  if (node.is("RowExpr")) {
    for (const JsonValue& each : node.list("args")) names.push_back(name_of(each));
  } else {
    names.push_back(name_of(wrapped));
  }
  if (std::ranges::find(names, "") != names.end()) return {};
  return names;
}

}  // namespace

std::optional<LambdaNode> find_lambda(const JsonValue& argument) {
  LambdaNode lambda;
  lambda.body = argument;
  JsonValue* arrow = find_arrow(lambda.body);
  if (arrow == nullptr) return std::nullopt;
  JsonValue& sides = arrow->as_object().front().second;
  lambda.position = TreeNode("A_Expr", sides).position();
  lambda.parameters = names_of(*sides.find("lexpr"));
  JsonValue right = *sides.find("rexpr");
  *arrow = std::move(right);
  return lambda;
}

}  // namespace millrace::sql
