#pragma once

#include "stream/evaluation_settings.hpp"
#include "stream/functions/registry.hpp"

namespace millrace::stream {

/// What expressions mean in a query: the functions that there are and the settings they run under.
/// A borrow of the registry, which lives for ever.
struct Dialect {
  // NOLINTNEXTLINE(google-explicit-constructor): a registry alone is the default dialect
  Dialect(const FunctionRegistry& registry, EvaluationSettings evaluation_settings = {})
      : functions(registry), settings(evaluation_settings) {}

  /// The rules by which types are settled.
  [[nodiscard]] CoercionPolicy coercion() const {
    return settings.is_ansi ? CoercionPolicy::kAnsi : CoercionPolicy::kLegacy;
  }

  const FunctionRegistry& functions;
  EvaluationSettings settings;
};

}  // namespace millrace::stream
