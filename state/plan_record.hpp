#pragma once

#include "millrace/error.hpp"

#include "formats/json_document.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::state {

/// plan.json: whose checkpoint this is. A plain value.
struct PlanRecord {
  formats::JsonValue identity;  ///< must stay the same from start to start
  formats::JsonValue details;   ///< for readers; may change

  friend bool operator==(const PlanRecord&, const PlanRecord&) = default;
};

[[nodiscard]] std::string encode(const PlanRecord& record);
/// kCorrupt, with the reason only, for any file that is not exactly what was written.
[[nodiscard]] Result<PlanRecord> decode_plan(std::string_view bytes);

/// The first difference between two identities as a clause, none when they are equal; the order of
/// members does not count:
///   sources.clicks.topic is "clicks" there and "trades" here
///   sources.orders is there and not here
[[nodiscard]] std::optional<std::string> plan_difference(const formats::JsonValue& there,
                                                         const formats::JsonValue& here);
/// All of them, in the order of the members.
[[nodiscard]] std::vector<std::string> plan_differences(const formats::JsonValue& there,
                                                        const formats::JsonValue& here);

}  // namespace millrace::state
