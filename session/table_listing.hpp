#pragma once

#include "session/session_shared.hpp"

#include <string>

namespace millrace::session {

/// The tables and views of the session for people, a line each in the order of their names: what
/// they are, what queries can do with them, their columns. Option values are not shown. Ends with a
/// line break; one line says so when there are none.
[[nodiscard]] std::string list_tables(SessionShared& session);

}  // namespace millrace::session
