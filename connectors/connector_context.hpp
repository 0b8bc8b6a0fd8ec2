#pragma once

#include "millrace/clock.hpp"
#include "millrace/log.hpp"

#include <memory>
#include <stop_token>

namespace millrace::connectors {

class KafkaTransactions;

/// What connectors of one query have in common.
struct SharedClients {
  std::shared_ptr<KafkaTransactions> transactions;  ///< null until a sink makes them
};

/// What every connector is given. The clock outlives the connector; `log` may be empty.
struct ConnectorContext {
  const Clock& clock;
  LogFunction log;
  /// A start that waits for a broker gives up with kCancelled when this is asked for.
  std::stop_token cancelled = {};
  std::shared_ptr<SharedClients> shared = std::make_shared<SharedClients>();

  /// Says a sentence where the query's words go.
  void say(LogLevel level, std::string_view text) const {
    if (log) log(level, text);
  }
};

}  // namespace millrace::connectors
