#pragma once

#include "millrace/clock.hpp"
#include "millrace/log.hpp"

#include <stop_token>

namespace millrace::connectors {

/// What every connector is given. The clock outlives the connector; `log` may be empty.
struct ConnectorContext {
  const Clock& clock;
  LogFunction log;
  /// A start that waits for a broker gives up with kCancelled when this is asked for.
  std::stop_token cancelled = {};

  /// Says a sentence where the query's words go.
  void say(LogLevel level, std::string_view text) const {
    if (log) log(level, text);
  }
};

}  // namespace millrace::connectors
