#pragma once

#include "millrace/error.hpp"

#include "formats/json_document.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace millrace::state {

// Typed members that several checkpoint files share. Each answers kCorrupt, with the reason only,
// when the member is missing or of another kind.

/// A member that is a 32-bit integer.
[[nodiscard]] Result<std::int32_t> get_int32(const formats::JsonValue& object,
                                             std::string_view name);
/// A member that is an object of integers: {"clicks-0": 12}.
[[nodiscard]] Result<std::map<std::string, std::int64_t>> get_integer_map(
    const formats::JsonValue& object, std::string_view name);
/// The same with partition numbers for names: {"0": 12}.
[[nodiscard]] Result<std::map<std::int32_t, std::int64_t>> get_partition_map(
    const formats::JsonValue& object, std::string_view name);

}  // namespace millrace::state
