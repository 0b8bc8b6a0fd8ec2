#pragma once

#include "stream/functions/registry.hpp"

#include <string>

namespace millrace::stream {

/// The page docs/functions.md: every function of the registry by family, in Markdown.
[[nodiscard]] std::string function_reference(const FunctionRegistry& registry);

}  // namespace millrace::stream
