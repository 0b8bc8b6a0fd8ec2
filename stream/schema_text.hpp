#pragma once

#include "millrace/data_type.hpp"
#include "millrace/error.hpp"

#include <string_view>

namespace millrace::stream {

/// Reads the schema of from_json: an array, map or struct as parse_type reads it ("array<int>"), or
/// the fields of a struct alone ("a int, b string"). NOT NULL, COMMENT '...' and the length of a
/// varchar or char may stand there and say nothing: a value that does not fit is null all the same.
[[nodiscard]] Result<DataType> parse_schema_text(std::string_view text);

}  // namespace millrace::stream
