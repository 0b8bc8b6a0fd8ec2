#include "state/plan_record.hpp"

#include "state/record_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::state {
namespace {

using formats::JsonValue;

constexpr std::string_view kKind = "plan";

std::string join_path(const std::string& path, std::string_view member) {
  return path.empty() ? std::string(member) : fmt::format("{}.{}", path, member);
}

std::optional<std::string> difference_at(const std::string& path, const JsonValue& there,
                                         const JsonValue& here);

std::optional<std::string> member_difference(const std::string& path, const JsonValue& there,
                                             const JsonValue& here) {
  for (const auto& [name, value] : there.as_object()) {
    const JsonValue* other = here.find(name);
    if (other == nullptr) return fmt::format("{} is there and not here", join_path(path, name));
    if (auto found = difference_at(join_path(path, name), value, *other)) return found;
  }
  for (const auto& [name, value] : here.as_object()) {
    if (!there.has(name)) return fmt::format("{} is here and not there", join_path(path, name));
  }
  return std::nullopt;
}

std::optional<std::string> element_difference(const std::string& path, const JsonValue& there,
                                              const JsonValue& here) {
  const std::size_t both = std::min(there.size(), here.size());
  for (std::size_t index = 0; index < both; ++index) {
    const std::string place = fmt::format("{}[{}]", path, index);
    if (auto found = difference_at(place, there.as_array()[index], here.as_array()[index])) {
      return found;
    }
  }
  if (there.size() == here.size()) return std::nullopt;
  return fmt::format("{} has {} elements there and {} here", path, there.size(), here.size());
}

std::optional<std::string> difference_at(const std::string& path, const JsonValue& there,
                                         const JsonValue& here) {
  if (there.is_object() && here.is_object()) return member_difference(path, there, here);
  if (there.is_array() && here.is_array()) return element_difference(path, there, here);
  if (there == here) return std::nullopt;
  return fmt::format("{} is {} there and {} here", path, there.dump(), here.dump());
}

}  // namespace

std::string encode(const PlanRecord& record) {
  return encode_record_file(
      kKind, JsonValue::object().set("identity", record.identity).set("details", record.details));
}

Result<PlanRecord> decode_plan(std::string_view bytes) {
  MILLRACE_ASSIGN(const JsonValue document, decode_record_file(kKind, bytes));
  PlanRecord record;
  MILLRACE_ASSIGN(const JsonValue* identity, document.get_object("identity"));
  MILLRACE_ASSIGN(const JsonValue* details, document.get_object("details"));
  record.identity = *identity;
  record.details = *details;
  return record;
}

std::optional<std::string> plan_difference(const JsonValue& there, const JsonValue& here) {
  return difference_at("", there, here);
}

}  // namespace millrace::state
