#pragma once

#include "millrace/column.hpp"

#include <string_view>

namespace millrace::formats {

/// Sets one row of a column to the value that a text stands for, as a cast from text reads it; a
/// string must be UTF-8, bytes are those of the text. A string_view set is the one given. False,
/// and the row as it was, when the text is no value of the column's type.
[[nodiscard]] bool set_from_text(Column& column, std::size_t row, std::string_view text);

/// Whether columns of this type can be read from a single text at all (arrays cannot).
[[nodiscard]] bool reads_from_text(TypeKind kind);

}  // namespace millrace::formats
