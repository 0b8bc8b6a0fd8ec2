#pragma once

#include "millrace/error.hpp"
#include "millrace/expression.hpp"

#include "formats/json_document.hpp"

#include <set>
#include <string>

namespace millrace::golden {

/// Reads an expression of a case. `qualifiers` are the names of the frames that columns can be
/// taken from by `field`. kNotSupported says what the engine has not got.
[[nodiscard]] Result<Expr> read_expression(const formats::JsonValue& json,
                                           const std::set<std::string>& qualifiers);

}  // namespace millrace::golden
