#include "connectors/kafka_settings.hpp"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <array>
#include <optional>
#include <string_view>

namespace millrace::connectors {
namespace {

using Setting = std::pair<std::string_view, std::string_view>;

// For both roles. Nagle's algorithm is on by default in the client we build against and costs
// milliseconds; a broker that comes back is found within a second.
constexpr std::array kCommonDefaults = {
    Setting{"client.id", "millrace"},      Setting{"socket.nagle.disable", "true"},
    Setting{"reconnect.backoff.ms", "50"}, Setting{"reconnect.backoff.max.ms", "1000"},
    Setting{"retry.backoff.ms", "10"},     Setting{"topic.metadata.refresh.fast.interval.ms", "50"},
};

// The wait of an idle fetch bounds how long a partition that joins waits for its first fetch (there
// is one request at a time per broker); data is answered at once all the same. The two queue limits
// hold for each partition: a message costs some 300 bytes besides its own.
constexpr std::array kSourceDefaults = {
    Setting{"fetch.wait.max.ms", "100"},
    Setting{"fetch.error.backoff.ms", "5"},
    Setting{"queued.min.messages", "20000"},
    Setting{"queued.max.messages.kbytes", "8192"},
};

// Positions are the checkpoint's: nothing is stored in a consumer group, and a position that is no
// longer there is an error, never a silent jump.
constexpr std::array kSourceOwned = {
    Setting{"enable.auto.commit", "false"},
    Setting{"enable.auto.offset.store", "false"},
    Setting{"enable.partition.eof", "true"},
    Setting{"auto.offset.reset", "error"},
};

// Batches are clocked by acknowledgements: a request goes out at once, and while it is out the next
// records gather. Fast when there is little, efficient when there is much.
constexpr std::array kSinkDefaults = {
    Setting{"linger.ms", "0"},
    Setting{"max.in.flight", "2"},
    Setting{"partitioner", "murmur2_random"},
};

// No record is given up, doubled or overtaken by another of its partition. The sink itself bounds
// what is in flight, so the client's own queue must never be the one to refuse.
constexpr std::array kSinkOwned = {
    Setting{"enable.idempotence", "true"},
    Setting{"acks", "all"},
    Setting{"message.timeout.ms", "0"},
    Setting{"queue.buffering.max.messages", "0"},
    Setting{"queue.buffering.max.kbytes", "2147483647"},
};

// What the user may not set, by any of its names, and why.
struct Owned {
  std::string_view name;
  std::string_view reason;
};
constexpr std::string_view kPositions = "positions are kept in the checkpoint";
constexpr std::string_view kBytes = "keys and values are read as bytes; use the option format";
constexpr std::string_view kIdempotent = "every Kafka sink is idempotent";
constexpr std::string_view kBounded = "the sink itself bounds what is in flight";
constexpr std::string_view kServed = "the engine serves the client itself";
constexpr std::array kForbidden = {
    Owned{"group.id", kPositions},
    Owned{"group.instance.id", kPositions},
    Owned{"auto.offset.reset", "use the option starting_offsets"},
    Owned{"enable.auto.commit", kPositions},
    Owned{"enable.auto.offset.store", kPositions},
    Owned{"auto.commit.enable", kPositions},
    Owned{"enable.partition.eof", kServed},
    Owned{"key.deserializer", kBytes},
    Owned{"value.deserializer", kBytes},
    Owned{"key.serializer", kBytes},
    Owned{"value.serializer", kBytes},
    Owned{"interceptor.classes", "there are no interceptors"},
    Owned{"plugin.library.paths", "there are no plugins"},
    Owned{"enable.idempotence", kIdempotent},
    Owned{"acks", kIdempotent},
    Owned{"request.required.acks", kIdempotent},
    Owned{"message.timeout.ms", "a record waits for its broker for as long as it takes"},
    Owned{"delivery.timeout.ms", "a record waits for its broker for as long as it takes"},
    Owned{"transactional.id", "use the option exactly_once"},
    Owned{"queue.buffering.max.messages", kBounded},
    Owned{"queue.buffering.max.kbytes", kBounded},
    Owned{"log.queue", kServed},
    Owned{"statistics.interval.ms", kServed},
};

// Every setting that the client knows, for the nearest to a slip. It does not list the second
// names that it takes; these are the ones that people write.
std::vector<std::string> known_settings() {
  std::vector<std::string> names = {"bootstrap.servers", "linger.ms",        "max.in.flight",
                                    "retries",           "compression.type", "sasl.mechanism"};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  std::size_t count = 0;
  const char** dump = rd_kafka_conf_dump(conf, &count);
  for (std::size_t i = 0; i + 1 < count; i += 2) names.emplace_back(dump[i]);
  rd_kafka_conf_dump_free(dump, count);
  rd_kafka_conf_destroy(conf);
  return names;
}

std::string nearest_hint(std::string_view name) {
  const auto names = known_settings();
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto nearest = nearest_name(name, views);
  return nearest ? fmt::format("; the nearest is kafka.{}", *nearest) : "";
}

Status set(rd_kafka_conf_t* conf, const std::string& name, const std::string& value) {
  std::array<char, 512> reason{};
  switch (rd_kafka_conf_set(conf, name.c_str(), value.c_str(), reason.data(), reason.size())) {
    case RD_KAFKA_CONF_OK:
      return {};
    case RD_KAFKA_CONF_UNKNOWN:
      return fail(ErrorCode::kInvalidArgument, fmt::format("the Kafka client has no setting {}: "
                                                           "option kafka.{}{}",
                                                           name, name, nearest_hint(name)));
    default:
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("option kafka.{} is not accepted: {}", name, reason.data()));
  }
}

Status check_allowed(std::string_view name) {
  for (const auto& owned : kForbidden) {
    if (owned.name == name) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("option kafka.{} cannot be set: {}", name, owned.reason));
    }
  }
  return {};
}

template <typename Settings>
void add(KafkaSettings& to, const Settings& settings) {
  for (const auto& [name, value] : settings) to.emplace_back(name, value);
}

// Clients since 2.2 look at a full queue again after this long; older ones refuse the name.
void add_queue_backoff(KafkaSettings& to) {
  if (rd_kafka_version() >= 0x02020000) to.emplace_back("fetch.queue.backoff.ms", "5");
}

std::string bootstrap_of(const Options& options) {
  if (const auto servers = options.get("bootstrap_servers")) return *servers;
  return options.get_or("kafka.bootstrap.servers", "");
}

Status check_in_flight(const KafkaSettings& settings) {
  for (const char* name : {"max.in.flight", "max.in.flight.requests.per.connection"}) {
    const auto text = setting_of(settings, name);
    if (!text.empty() && std::atoi(text.c_str()) > 5) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("option kafka.{} is not accepted: at most 5 requests may be in flight "
                      "when no record may be doubled, not {}",
                      name, text));
    }
  }
  return {};
}

}  // namespace

void KafkaConfDeleter::operator()(rd_kafka_conf_s* conf) const { rd_kafka_conf_destroy(conf); }

Result<KafkaSettings> kafka_settings(const Options& options, KafkaRole role) {
  const auto bootstrap = bootstrap_of(options);
  if (bootstrap.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "a kafka table needs the option bootstrap_servers (\"host:port,host:port\")");
  }
  KafkaSettings settings;
  settings.emplace_back("bootstrap.servers", bootstrap);
  add(settings, kCommonDefaults);
  if (role == KafkaRole::kSource) {
    add(settings, kSourceDefaults);
    add_queue_backoff(settings);
  } else {
    add(settings, kSinkDefaults);
  }
  constexpr std::string_view kPrefix = "kafka.";
  for (const auto& entry : options.entries()) {
    if (!entry.canonical.starts_with(kPrefix)) continue;
    const auto name = entry.canonical.substr(kPrefix.size());
    MILLRACE_TRY(check_allowed(name));
    settings.emplace_back(name, entry.value);
  }
  MILLRACE_TRY(check_in_flight(settings));
  if (role == KafkaRole::kSource) add(settings, kSourceOwned);
  if (role == KafkaRole::kSink) add(settings, kSinkOwned);
  MILLRACE_TRY(kafka_conf(settings));
  return settings;
}

Result<KafkaConf> kafka_conf(const KafkaSettings& settings) {
  KafkaConf conf(rd_kafka_conf_new());
  for (const auto& [name, value] : settings) MILLRACE_TRY(set(conf.get(), name, value));
  return conf;
}

std::string setting_of(const KafkaSettings& settings, std::string_view name) {
  std::string value;
  for (const auto& [known, set_value] : settings) {
    if (known == name) value = set_value;
  }
  return value;
}

}  // namespace millrace::connectors
