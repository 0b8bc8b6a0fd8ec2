#pragma once

#include <cstdint>

namespace millrace {

/// How often this thread has asked the system for memory, in a program that links
/// allocation_counter.cpp (which replaces the global operator new).
[[nodiscard]] std::int64_t allocation_count();

}  // namespace millrace
