#pragma once

#include "bench/latency/settings.hpp"

namespace millrace::bench {

/// The yardstick: a plain librdkafka consumer and producer in one loop. Reads in batches, drops the
/// purchases, writes the rest in batches to the partition they came from, with the engine's client
/// settings. Prints `ready:` on standard error and runs until SIGTERM.
Status run_kafka_forwarder(const Settings& settings);

}  // namespace millrace::bench
