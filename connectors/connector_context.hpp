#pragma once

#include "millrace/clock.hpp"
#include "millrace/log.hpp"

namespace millrace::connectors {

/// What every connector is given. The clock outlives the connector; `log` may be empty.
struct ConnectorContext {
  const Clock& clock;
  LogFunction log;

  /// Says a sentence where the query's words go.
  void say(LogLevel level, std::string_view text) const {
    if (log) log(level, text);
  }
};

}  // namespace millrace::connectors
