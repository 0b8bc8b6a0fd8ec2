#pragma once

namespace millrace {

/// Prints the condition and its place, then aborts. Called by the assert macros only.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace millrace

/// States what must hold; checked in every build. User data never triggers it.
#define MILLRACE_ASSERT(condition)    \
  ((condition) ? static_cast<void>(0) \
               : ::millrace::assertion_failed(#condition, __FILE__, __LINE__))

/// The same for inner loops: checked in debug and sanitizer builds only.
#ifdef NDEBUG
#define MILLRACE_DEBUG_ASSERT(condition) static_cast<void>(0)
#else
#define MILLRACE_DEBUG_ASSERT(condition) MILLRACE_ASSERT(condition)
#endif
