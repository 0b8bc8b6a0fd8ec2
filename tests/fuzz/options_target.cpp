#include "millrace/options.hpp"

#include "connectors/kafka_settings.hpp"
#include "formats/csv_reader.hpp"
#include "session/query_settings.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "triggers/trigger.hpp"

#include <algorithm>

namespace millrace::fuzz {
namespace {

void check_key(const std::string& key) {
  const std::string canonical = canonical_option_key(key);
  require(canonical_option_key(canonical) == canonical, "a canonical key stays as it is");
}

void check_value(const std::string& key, const std::string& value) {
  if (const auto duration_ms = parse_duration_ms(value)) {
    require(*duration_ms >= 0, "a duration is not below zero");
    require(parse_duration_ms(std::to_string(*duration_ms)) == *duration_ms,
            "in ms it is the same");
  } else {
    require_readable(duration_ms.error());
  }
  if (const auto trigger = triggers::parse_trigger(value))
    require(triggers::parse_trigger(triggers::to_string(*trigger)) == *trigger,
            "a trigger reads back as it was");
  if (const Status setting = session::check_setting(key, value); !setting)
    require_readable(setting.error());
}

void check_options(const Options& options) {
  for (const Options::Entry& entry : options.entries()) {
    require(options.get(entry.key) == entry.value, "an option is found under its key");
    require(options.get(entry.canonical) == entry.value, "and under its canonical one");
    if (const auto number = options.get_int(entry.key, 0))
      require(std::to_string(*number).size() <= entry.value.size() + 1, "a number is what it says");
    static_cast<void>(options.get_bool(entry.key, false));
  }
  for (const auto role : {connectors::KafkaRole::kSource, connectors::KafkaRole::kSink})
    if (const auto settings = connectors::kafka_settings(options, role))
      require(connectors::kafka_conf(*settings).has_value(), "accepted settings make a client");
    else
      require_readable(settings.error());
  static_cast<void>(formats::CsvOptions::parse(options));
}

}  // namespace

// Lines of key=value.
void run_options(std::string_view input) {
  Options options;
  while (!input.empty()) {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
    const std::string key(line.substr(0, line.find('=')));
    const std::string value(line.substr(std::min(key.size() + 1, line.size())));
    check_key(key);
    check_value(key, value);
    options.set(key, value);
  }
  check_options(options);
}

}  // namespace millrace::fuzz
