#pragma once

#include "millrace/arena.hpp"

#include <string_view>

namespace millrace::formats {

/// The bytes as text: themselves when they are UTF-8, else a copy in the arena in which what
/// is none has become U+FFFD.
[[nodiscard]] std::string_view readable_text(std::string_view bytes, Arena& arena);

}  // namespace millrace::formats
