#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace millrace::sql {

/// Forms of other engines that PostgreSQL's grammar has not, and that have one of the same length:
/// `name` is "name", array(1, 2) is ARRAY[1, 2], current_timestamp() has no parentheses, try_cast(x AS type) is a cast that the
/// text says more of (is_try_cast), and an option 'name' = 'value' is "name" = 'value'.
///
/// Looks whether the parser stopped at one of them, at byte `position`, and writes it over. False
/// when it did not. Places in the text stay what they were.
[[nodiscard]] bool mend_foreign_form(std::string& text, std::size_t position);

/// Whether the CAST that stands at this byte of the text as written is a try_cast.
[[nodiscard]] bool is_try_cast(const std::string& text, std::int32_t position);

}  // namespace millrace::sql
