#pragma once

#include "formats/json_document.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace millrace::sql {

/// A lambda as people write it: x -> ..., (x, i) -> ... The grammar reads the arrow as an operator.
struct LambdaNode {
  std::vector<std::string> parameters;  ///< empty: what stands before the arrow is no list of names
  formats::JsonValue body;              ///< a wrapped node
  std::int32_t position = -1;           ///< of the arrow
};

/// Reads an argument of a call as a lambda; nothing if there is no arrow. The arrow binds tighter
/// than comparisons and AND, so in x -> x > 1 the tree has it below the comparison: all that the
/// arrow is the left end of belongs to the body.
[[nodiscard]] std::optional<LambdaNode> find_lambda(const formats::JsonValue& argument);

}  // namespace millrace::sql
