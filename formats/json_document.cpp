#include "formats/json_document.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace millrace::formats {

namespace {

using ThirdParty = nlohmann::ordered_json;

/// Builds our tree from the parser's events. `open_` is the way from the root to the value being
/// filled; its pointers stay valid because a container grows only while it is the innermost one.
class TreeBuilder final : public nlohmann::json_sax<ThirdParty> {
 public:
  bool null() override { return add(JsonValue()); }
  bool boolean(bool value) override { return add(JsonValue(value)); }
  bool number_integer(std::int64_t value) override {
    return add(JsonValue(static_cast<long long>(value)));
  }
  bool number_unsigned(std::uint64_t value) override {
    if (value > static_cast<std::uint64_t>(INT64_MAX))
      return add(JsonValue(static_cast<double>(value)));
    return add(JsonValue(static_cast<long long>(value)));
  }
  bool number_float(double value, const std::string&) override { return add(JsonValue(value)); }
  bool string(std::string& value) override { return add(JsonValue(std::move(value))); }
  bool binary(ThirdParty::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonValue::object()); }
  bool start_array(std::size_t) override { return open(JsonValue::array()); }
  bool key(std::string& name) override {
    key_ = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& problem) override {
    problem_ = problem.what();
    return false;
  }

  [[nodiscard]] JsonValue take() { return std::move(root_); }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  JsonValue* place(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    JsonValue& parent = *open_.back();
    if (parent.is_array()) {
      parent.append(std::move(value));
      return &parent.as_array().back();
    }
    parent.set(key_, std::move(value));
    return const_cast<JsonValue*>(parent.find(key_));
  }
  bool add(JsonValue value) {
    place(std::move(value));
    return true;
  }
  bool open(JsonValue container) {
    if (open_.size() == JsonValue::kDepthMax) {
      problem_ = fmt::format("nested deeper than {} levels", JsonValue::kDepthMax);
      return false;
    }
    open_.push_back(place(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  JsonValue root_;
  std::vector<JsonValue*> open_;
  std::string key_;
  std::string problem_;
};

ThirdParty convert(const JsonValue& value) {
  if (value.is_boolean()) return value.as_boolean();
  if (value.is_integer()) return value.as_integer();
  if (value.is_number()) return value.as_number();
  if (value.is_string()) return value.as_string();
  if (value.is_array()) {
    ThirdParty result = ThirdParty::array();
    for (const JsonValue& element : value.as_array()) result.push_back(convert(element));
    return result;
  }
  if (value.is_object()) {
    // Pushed to the back directly: names in a JsonValue object are distinct already.
    ThirdParty::object_t result;
    for (const auto& [name, member] : value.as_object()) result.emplace_back(name, convert(member));
    return result;
  }
  return nullptr;
}

/// The parser's message without its own error number: "[json.exception.parse_error.101] parse
/// error at line 1, column 3: ..." keeps what follows "parse error ".
std::string readable(const std::string& problem) {
  const std::size_t number_end = problem.find("] ");
  std::string result = number_end == std::string::npos ? problem : problem.substr(number_end + 2);
  constexpr std::string_view kLead = "parse error ";
  if (result.compare(0, kLead.size(), kLead) == 0) result.erase(0, kLead.size());
  return result;
}

template <typename T>
Result<T> wrong_member(std::string_view name, const JsonValue* found, std::string_view expected) {
  if (found == nullptr)
    return fail(ErrorCode::kCorrupt, fmt::format("member \"{}\" is missing", name));
  return fail(ErrorCode::kCorrupt,
              fmt::format("member \"{}\" is not {}: {}", name, expected, found->dump()));
}

}  // namespace

Result<JsonValue> JsonValue::parse(std::string_view text) {
  TreeBuilder builder;
  try {
    if (ThirdParty::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
  } catch (const std::exception& problem) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("not valid JSON: {}", problem.what()));
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("not valid JSON: {}", readable(builder.problem())));
}

std::string JsonValue::dump() const {
  return convert(*this).dump(-1, ' ', false, ThirdParty::error_handler_t::replace);
}

std::string JsonValue::dump_pretty() const {
  return convert(*this).dump(2, ' ', false, ThirdParty::error_handler_t::replace);
}

double JsonValue::as_number() const {
  if (is_integer()) return static_cast<double>(as_integer());
  return as<double>();
}

const JsonValue* JsonValue::find(std::string_view name) const {
  if (!is_object()) return nullptr;
  for (const auto& [member_name, member] : as_object())
    if (member_name == name) return &member;
  return nullptr;
}

Result<bool> JsonValue::get_boolean(std::string_view name) const {
  const JsonValue* found = find(name);
  if (found == nullptr || !found->is_boolean())
    return wrong_member<bool>(name, found, "true or false");
  return found->as_boolean();
}

Result<std::int64_t> JsonValue::get_integer(std::string_view name) const {
  const JsonValue* found = find(name);
  if (found == nullptr || !found->is_integer())
    return wrong_member<std::int64_t>(name, found, "an integer");
  return found->as_integer();
}

Result<double> JsonValue::get_number(std::string_view name) const {
  const JsonValue* found = find(name);
  if (found == nullptr || !found->is_number()) return wrong_member<double>(name, found, "a number");
  return found->as_number();
}

Result<std::string> JsonValue::get_string(std::string_view name) const {
  const JsonValue* found = find(name);
  if (found == nullptr || !found->is_string())
    return wrong_member<std::string>(name, found, "a string");
  return found->as_string();
}

Result<const JsonValue::Array*> JsonValue::get_array(std::string_view name) const {
  const JsonValue* found = find(name);
  if (found == nullptr || !found->is_array())
    return wrong_member<const Array*>(name, found, "an array");
  return &found->as_array();
}

Result<const JsonValue*> JsonValue::get_object(std::string_view name) const {
  const JsonValue* found = find(name);
  if (found == nullptr || !found->is_object())
    return wrong_member<const JsonValue*>(name, found, "an object");
  return found;
}

JsonValue& JsonValue::set(std::string_view name, JsonValue value) {
  if (is_null()) data_ = Object{};
  MILLRACE_ASSERT(is_object());
  Object& members = as_object();
  const auto place = std::find_if(members.begin(), members.end(),
                                  [name](const auto& member) { return member.first == name; });
  if (place != members.end())
    place->second = std::move(value);
  else
    members.emplace_back(std::string(name), std::move(value));
  return *this;
}

JsonValue& JsonValue::append(JsonValue value) {
  if (is_null()) data_ = Array{};
  as_array().push_back(std::move(value));
  return *this;
}

std::size_t JsonValue::size() const {
  if (is_array()) return as_array().size();
  return is_object() ? as_object().size() : 0;
}

}  // namespace millrace::formats
