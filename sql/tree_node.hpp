#pragma once

#include "millrace/error.hpp"

#include "formats/json_document.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::sql {

/// A node of the parse tree: its kind ("SelectStmt") and its body. A borrow of the tree. The tree
/// leaves out members that are zero, false or empty, so every reader here has a default.
class TreeNode {
 public:
  /// From a wrapped node, {"Kind": {...}}.
  explicit TreeNode(const formats::JsonValue& wrapped);
  TreeNode(std::string_view kind, const formats::JsonValue& body) : kind_(kind), body_(&body) {}

  [[nodiscard]] std::string_view kind() const { return kind_; }
  [[nodiscard]] bool is(std::string_view kind) const { return kind_ == kind; }

  [[nodiscard]] bool has(std::string_view member) const { return body_->has(member); }
  [[nodiscard]] std::string text(std::string_view member) const;
  [[nodiscard]] bool flag(std::string_view member) const;
  [[nodiscard]] std::int64_t number(std::string_view member) const;
  /// A member that is a wrapped node; it is there (see `has`).
  [[nodiscard]] TreeNode child(std::string_view member) const;
  /// A member that is a node of a known kind, not wrapped.
  [[nodiscard]] TreeNode plain_child(std::string_view member) const;
  /// The elements of an array member; empty when it is absent.
  [[nodiscard]] const formats::JsonValue::Array& list(std::string_view member) const;

  /// Byte in the SQL text: its own, or else the first one found below it; -1 when there is none.
  [[nodiscard]] std::int32_t position() const;
  /// The same of a member.
  [[nodiscard]] std::int32_t position(std::string_view member) const;

 private:
  std::string_view kind_;
  const formats::JsonValue* body_;
};

/// The last of a list of names: what a name with a schema before it says; empty of an empty list.
[[nodiscard]] std::string last_name(const formats::JsonValue::Array& names);

/// "X is not supported yet", at a place.
[[nodiscard]] tl::unexpected<Error> not_supported(std::string_view what, std::int32_t position);

}  // namespace millrace::sql
