#pragma once

#include "stream/arena_text.hpp"

namespace millrace::formats {

using stream::ArenaText;

}  // namespace millrace::formats
