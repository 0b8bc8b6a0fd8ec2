#include "connectors/kafka_settings.hpp"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>

namespace millrace::connectors {
namespace {

using Setting = std::pair<std::string_view, std::string_view>;

// For both roles. Nagle's algorithm is on by default in the client we build against and costs
// milliseconds; a broker that comes back is found within a second, a new partition within five.
constexpr std::array kCommonDefaults = {
    Setting{"client.id", "millrace"},
    Setting{"socket.nagle.disable", "true"},
    Setting{"reconnect.backoff.ms", "50"},
    Setting{"reconnect.backoff.max.ms", "1000"},
    Setting{"retry.backoff.ms", "10"},
    Setting{"topic.metadata.refresh.fast.interval.ms", "50"},
    Setting{"topic.metadata.refresh.interval.ms", "5000"},
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
    Setting{"message.max.bytes", "1000000000"},  // the topic's own limit counts
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
constexpr std::string_view kPatient = "a record waits for its broker for as long as it takes";
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
    Owned{"offset.store.method", kPositions},
    Owned{"offset.store.path", kPositions},
    Owned{"metadata.broker.list", "use the option bootstrap_servers"},
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
    Owned{"message.timeout.ms", kPatient},
    Owned{"delivery.timeout.ms", kPatient},
    Owned{"transactional.id", "use the option exactly_once"},
    Owned{"retries", kPatient},
    Owned{"message.send.max.retries", kPatient},
    Owned{"queue.buffering.max.messages", kBounded},
    Owned{"queue.buffering.max.kbytes", kBounded},
    Owned{"log.queue", kServed},
    Owned{"statistics.interval.ms", kServed},
};

struct KnownSetting {
  std::string name;
  bool is_for_source = false;
  bool is_for_sink = false;
};

// Every setting that the client knows, by all of its names. Its own table says for whom each is:
// "linger.ms | P | 0 .. 900000 | ...".
std::vector<KnownSetting> read_known_settings() {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* file = open_memstream(&text, &size);
  if (file == nullptr) return {};
  rd_kafka_conf_properties_show(file);
  std::fclose(file);
  std::vector<KnownSetting> known;
  std::istringstream lines(std::string(text, size));
  std::free(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    std::string bar;
    std::string role;
    words >> name >> bar >> role;
    if (bar != "|" || (role != "*" && role != "C" && role != "P")) continue;
    known.push_back({name, role != "P", role != "C"});
  }
  return known;
}

const std::vector<KnownSetting>& known_settings() {
  static const std::vector<KnownSetting> known = read_known_settings();
  return known;
}

// Some names stand in the table twice, for both kinds of settings.
Status check_role(std::string_view name, KafkaRole role) {
  const auto is_named = [&](const KnownSetting& known) { return known.name == name; };
  const auto serves = [&](const KnownSetting& known) {
    return is_named(known) &&
           (role == KafkaRole::kSource ? known.is_for_source : known.is_for_sink);
  };
  const auto& known = known_settings();
  if (std::ranges::none_of(known, is_named) || std::ranges::any_of(known, serves)) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("option kafka.{} is for a {} and does nothing in a {}", name,
                          role == KafkaRole::kSource ? "sink" : "source",
                          role == KafkaRole::kSource ? "source" : "sink"));
}

std::string nearest_hint(std::string_view name) {
  std::vector<std::string_view> names;
  for (const KnownSetting& known : known_settings()) names.push_back(known.name);
  const auto nearest = nearest_name(name, names);
  return nearest ? fmt::format("; the nearest is kafka.{}", *nearest) : "";
}

std::string_view one_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
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
      return fail(ErrorCode::kInvalidArgument, fmt::format("option kafka.{} is not accepted: {}",
                                                           name, one_line(reason.data())));
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
  if (options.has("bootstrap_servers") && options.has("kafka.bootstrap.servers")) {
    return fail(ErrorCode::kInvalidArgument,
                "options bootstrap_servers and kafka.bootstrap.servers are the same: give one");
  }
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
    MILLRACE_TRY(check_role(name, role));
    settings.emplace_back(name, entry.value);
  }
  MILLRACE_TRY(check_in_flight(settings));
  if (role == KafkaRole::kSource) add(settings, kSourceOwned);
  if (role == KafkaRole::kSink) add(settings, kSinkOwned);
  MILLRACE_TRY(kafka_conf(settings));
  return settings;
}

Options kafka_options_for(const Options& options, KafkaRole role) {
  constexpr std::string_view kPrefix = "kafka.";
  Options result;
  for (const auto& entry : options.entries()) {
    const bool is_setting = entry.canonical.starts_with(kPrefix);
    if (is_setting && !check_role(entry.canonical.substr(kPrefix.size()), role)) continue;
    if (is_setting || entry.canonical == canonical_option_key("bootstrap_servers"))
      result.set(entry.key, entry.value);
  }
  return result;
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
