#include "sql/tree_node.hpp"

#include "millrace/assert.hpp"

#include <fmt/format.h>

namespace millrace::sql {
namespace {

using formats::JsonValue;

const JsonValue& empty_object() {
  static const JsonValue value = JsonValue::object();
  return value;
}

const JsonValue::Array& empty_array() {
  static const JsonValue::Array value;
  return value;
}

std::int32_t first_position(const JsonValue& value) {
  if (value.is_array()) {
    for (const JsonValue& element : value.as_array()) {
      const std::int32_t position = first_position(element);
      if (position >= 0) return position;
    }
  }
  if (!value.is_object()) return -1;
  const JsonValue* own = value.find("location");
  if (own != nullptr && own->is_integer() && own->as_integer() >= 0) {
    return static_cast<std::int32_t>(own->as_integer());
  }
  for (const auto& [name, member] : value.as_object()) {
    const std::int32_t position = first_position(member);
    if (position >= 0) return position;
  }
  return -1;
}

}  // namespace

TreeNode::TreeNode(const JsonValue& wrapped) : body_(&empty_object()) {
  if (!wrapped.is_object() || wrapped.as_object().empty()) return;
  kind_ = wrapped.as_object().front().first;
  body_ = &wrapped.as_object().front().second;
}

std::string TreeNode::text(std::string_view member) const {
  const JsonValue* value = body_->find(member);
  return value != nullptr && value->is_string() ? value->as_string() : "";
}

bool TreeNode::flag(std::string_view member) const {
  const JsonValue* value = body_->find(member);
  return value != nullptr && value->is_boolean() && value->as_boolean();
}

std::int64_t TreeNode::number(std::string_view member) const {
  const JsonValue* value = body_->find(member);
  return value != nullptr && value->is_integer() ? value->as_integer() : 0;
}

TreeNode TreeNode::child(std::string_view member) const {
  const JsonValue* value = body_->find(member);
  MILLRACE_ASSERT(value != nullptr);
  return TreeNode(*value);
}

TreeNode TreeNode::plain_child(std::string_view member) const {
  const JsonValue* value = body_->find(member);
  return {member, value == nullptr ? empty_object() : *value};
}

const JsonValue::Array& TreeNode::list(std::string_view member) const {
  const JsonValue* value = body_->find(member);
  return value != nullptr && value->is_array() ? value->as_array() : empty_array();
}

std::int32_t TreeNode::position() const { return first_position(*body_); }

std::int32_t TreeNode::position(std::string_view member) const {
  const JsonValue* value = body_->find(member);
  return value == nullptr ? -1 : first_position(*value);
}

std::string last_name(const JsonValue::Array& names) {
  return names.empty() ? "" : TreeNode(names.back()).text("sval");
}

tl::unexpected<Error> not_supported(std::string_view what, std::int32_t position) {
  return fail(
      Error{ErrorCode::kNotSupported, fmt::format("{} is not supported yet", what), position});
}

}  // namespace millrace::sql
