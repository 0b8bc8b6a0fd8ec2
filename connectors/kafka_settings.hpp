#pragma once

#include "millrace/error.hpp"
#include "millrace/options.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

struct rd_kafka_conf_s;

namespace millrace::connectors {

enum class KafkaRole { kSource, kSink };

/// Client settings in the order they are applied: our defaults for low latency, then the user's
/// `kafka.*` options, then what the engine rests on. A plain value.
using KafkaSettings = std::vector<std::pair<std::string, std::string>>;

struct KafkaConfDeleter {
  void operator()(rd_kafka_conf_s* conf) const;
};
using KafkaConf = std::unique_ptr<rd_kafka_conf_s, KafkaConfDeleter>;

/// Collects the client settings of a table. Missing bootstrap servers, a setting that the engine
/// must own (group.id, acks, ...), an unknown one or one with a bad value is refused, naming the
/// option and, where there is one, the nearest.
[[nodiscard]] Result<KafkaSettings> kafka_settings(const Options& options, KafkaRole role);

/// Those of a table's options that say how to reach the cluster, as a table of the other role takes
/// them: without settings that do nothing there.
[[nodiscard]] Options kafka_options_for(const Options& options, KafkaRole role);

/// Builds the client's configuration object from settings that kafka_settings() accepted.
[[nodiscard]] Result<KafkaConf> kafka_conf(const KafkaSettings& settings);

/// The value of one setting, or nothing.
[[nodiscard]] std::string setting_of(const KafkaSettings& settings, std::string_view name);

}  // namespace millrace::connectors
