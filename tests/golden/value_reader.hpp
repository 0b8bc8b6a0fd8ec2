#pragma once

#include "millrace/error.hpp"
#include "millrace/memory.hpp"
#include "millrace/value.hpp"

#include "formats/json_document.hpp"

#include <string_view>
#include <vector>

namespace millrace::golden {

/// A type as the cases spell it ("int", "array<struct<a:int,b:string>>", "void"). kNotSupported
/// when the engine has none of that name.
[[nodiscard]] Result<DataType> read_type(std::string_view text);

/// A value as the cases write it. kInvalidArgument when the text is no value of the type.
[[nodiscard]] Result<Value> read_value(const formats::JsonValue& json, const DataType& type);

/// A list of [name, type].
[[nodiscard]] Result<std::vector<Field>> read_schema(const formats::JsonValue& json);

/// A list of rows, each an array in the order of the columns. kInvalidArgument when one is longer
/// or shorter.
[[nodiscard]] Result<std::vector<Row>> read_rows(const formats::JsonValue& json,
                                                 const std::vector<Field>& columns);

/// A value as the cases would write it, such that two values are the same exactly when their texts
/// are: doubles by their bits (all NaN are one), maps without order.
[[nodiscard]] std::string golden_text(const Value& value);
[[nodiscard]] std::string golden_text(const Row& row);

}  // namespace millrace::golden
