#include "state/json_map.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace millrace::state {

Result<std::int32_t> get_int32(const formats::JsonValue& object, std::string_view name) {
  MILLRACE_ASSIGN(const std::int64_t value, object.get_integer(name));
  if (value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max()) {
    return fail(ErrorCode::kCorrupt, fmt::format("member \"{}\" is out of range: {}", name, value));
  }
  return static_cast<std::int32_t>(value);
}

Result<std::map<std::string, std::int64_t>> get_integer_map(const formats::JsonValue& object,
                                                            std::string_view name) {
  MILLRACE_ASSIGN(const formats::JsonValue* members, object.get_object(name));
  std::map<std::string, std::int64_t> values;
  for (const auto& [key, value] : members->as_object()) {
    MILLRACE_ASSIGN(values[key], members->get_integer(key));
  }
  return values;
}

Result<std::map<std::int32_t, std::int64_t>> get_partition_map(const formats::JsonValue& object,
                                                               std::string_view name) {
  using NamedValues = std::map<std::string, std::int64_t>;
  MILLRACE_ASSIGN(const NamedValues named, get_integer_map(object, name));
  std::map<std::int32_t, std::int64_t> values;
  for (const auto& [key, value] : named) {
    std::int32_t partition = 0;
    const char* end = key.data() + key.size();
    const auto parsed = std::from_chars(key.data(), end, partition);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
      return fail(ErrorCode::kCorrupt,
                  fmt::format("member \"{}\" names no partition: {}", name, key));
    }
    values.emplace(partition, value);
  }
  return values;
}

}  // namespace millrace::state
