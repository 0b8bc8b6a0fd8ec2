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

using Differences = std::vector<std::string>;

void compare(const std::string& path, const JsonValue& there, const JsonValue& here,
             Differences& found);

void compare_members(const std::string& path, const JsonValue& there, const JsonValue& here,
                     Differences& found) {
  for (const auto& [name, value] : there.as_object()) {
    const JsonValue* other = here.find(name);
    if (other == nullptr)
      found.push_back(fmt::format("{} is there and not here", join_path(path, name)));
    else
      compare(join_path(path, name), value, *other, found);
  }
  for (const auto& [name, value] : here.as_object())
    if (!there.has(name))
      found.push_back(fmt::format("{} is here and not there", join_path(path, name)));
}

void compare_elements(const std::string& path, const JsonValue& there, const JsonValue& here,
                      Differences& found) {
  const std::size_t both = std::min(there.size(), here.size());
  for (std::size_t index = 0; index < both; ++index)
    compare(fmt::format("{}[{}]", path, index), there.as_array()[index], here.as_array()[index],
            found);
  if (there.size() != here.size())
    found.push_back(
        fmt::format("{} has {} elements there and {} here", path, there.size(), here.size()));
}

void compare(const std::string& path, const JsonValue& there, const JsonValue& here,
             Differences& found) {
  if (there.is_object() && here.is_object()) return compare_members(path, there, here, found);
  if (there.is_array() && here.is_array()) return compare_elements(path, there, here, found);
  if (there != here)
    found.push_back(fmt::format("{} is {} there and {} here", path, there.dump(), here.dump()));
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
  std::vector<std::string> found = plan_differences(there, here);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::vector<std::string> plan_differences(const JsonValue& there, const JsonValue& here) {
  Differences found;
  compare("", there, here, found);
  return found;
}

}  // namespace millrace::state
