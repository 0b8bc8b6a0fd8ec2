#pragma once

#include "millrace/error.hpp"

#include "formats/json_document.hpp"

#include <string>

namespace millrace::golden {

/// When an error shows.
enum class Moment { kStart, kRun };

/// Says why `error` is not the one that the case expects (its `expect_error`); empty when it is.
/// One table holds which of the engine's errors stands for which of the anchor's conditions.
[[nodiscard]] std::string mismatch_of(const formats::JsonValue& expected, Moment moment,
                                      const Error& error);

}  // namespace millrace::golden
