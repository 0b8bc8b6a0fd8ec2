#pragma once

#include <functional>
#include <string_view>

namespace millrace {

enum class LogLevel { kInfo, kWarning, kError };

/// Where the library's few words go: it never writes to standard output or error itself. Called on
/// any thread, cold paths only; must not block. A warning says what the operator should do.
using LogFunction = std::function<void(LogLevel, std::string_view)>;

}  // namespace millrace
