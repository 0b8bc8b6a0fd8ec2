#pragma once

#include "formats/arena_text.hpp"

#include <string_view>

namespace millrace::formats {

/// Puts a JSON string with its quotes: escapes what RFC 8259 demands and no more, and writes U+FFFD
/// for every byte that is no part of valid UTF-8.
void put_json_string(std::string_view text, ArenaText& out);

/// Puts a double as shortest text; NaN and the infinities in quotes.
void put_json_double(double value, ArenaText& out);

/// Puts "2026-01-31T10:20:30.123Z" in quotes, with six digits when µs are not whole ms.
void put_json_timestamp(std::int64_t us, ArenaText& out);

}  // namespace millrace::formats
