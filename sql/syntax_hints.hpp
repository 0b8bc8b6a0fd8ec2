#pragma once

#include "millrace/error.hpp"

#include <string>

namespace millrace::sql {

/// Adds to a syntax error of the parser what it is likely to be about, and the form that is read:
/// words of other engines, words that SQL reserves, a comma too many. May move it to the place that
/// is meant. The error has a position in `text`.
[[nodiscard]] Error with_syntax_hint(Error error, const std::string& text);

/// The same for a name that nobody knows: a text in double quotes, for instance. An error without a
/// position in `text`, or about something else, stays as it is.
[[nodiscard]] Error with_name_hint(Error error, const std::string& text);

}  // namespace millrace::sql
