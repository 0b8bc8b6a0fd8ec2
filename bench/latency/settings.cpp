#include "bench/latency/settings.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

namespace millrace::bench {
namespace {

constexpr const char* kHelp =
    R"(usage: millrace_latency --bootstrap-servers HOST:PORT [option value]...

Measures Kafka to Kafka, open loop: a record's latency runs from the moment it was due to be sent
to the moment a reader of the output topic has it. Beside Millrace runs a bare librdkafka
forwarder with the same client settings, which passes on what does not hold a purchase; and that
forwarder again (A/A), which shows what this machine can tell apart.

  --job FILE           the job; it is given by --set: BOOTSTRAP_SERVERS CLICKS ENRICHED USERS
                       CHECKPOINT STARTING_OFFSETS EXACTLY_ONCE TRIGGER (bench/latency/enrich.sql)
                       Its output is audited: every click that it keeps must come out once, as
                       JSON that still holds "seq":N, and nothing else may. A record too few or too
                       many is a line FAULT and exit code 1
  --keeps EVENT[,..]   the events that the job, and the forwarder, pass on  (view,click)
  --millrace PATH[,..] the binary under test, each a row (beside this program)
  --with NAME=VALUE[&NAME=VALUE..][;..]  one more Millrace row for each, its job with those SET
                       before it; of exactly_once and trigger, with that for the job's
                       ${EXACTLY_ONCE}, ${TRIGGER}
  --without-millrace   the forwarder rows only
  --rate N[,N...]      records a second                  (1000)
  --size BYTES         of a record                       (1200)
  --partitions N[,N]   of both topics                    (4; with --backlog and --idle 8)
  --seconds N          measured per run                  (20)
  --warm-up N          seconds before, not counted       (5)
  --repeats N          runs of every row, interleaved    (5)
  --in-flight N[,N]    max.in.flight of the forwarder    (2)
  --bars RATE:P50:P99:CPU[,..]  what Millrace's ratios to the best forwarder may be, from that
                       rate on       (1000:1.10:1.15:1.4,5000:1.15:1.20:1.4)
  --output FILE        everything as JSON too

Other modes, each instead of the latency runs:
  --backlog BYTES      fill the input topic with that much (--record-size, 200), then time the
                       drain: seconds, records a second, longest gap in the output, peak memory
  --idle               CPU and memory of an idle query over --seconds
  --ready              process start to the `ready:` line, --repeats times
)";

using Value = const std::string&;

Result<std::int64_t> parse_number(const std::string& name, Value text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number <= 0) {
    return fail(ErrorCode::kInvalidArgument, name + " takes a positive number: " + text);
  }
  return number;
}

std::vector<std::string> split(Value text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Result<std::vector<int>> parse_numbers(const std::string& name, Value text) {
  std::vector<int> numbers;
  for (const auto& part : split(text, ',')) {
    MILLRACE_ASSIGN(const auto number, parse_number(name, part));
    numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

Result<double> parse_ratio(Value text) {
  double ratio = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), ratio);
  if (problem != std::errc() || end != text.data() + text.size() || !(ratio > 0)) {
    return fail(ErrorCode::kInvalidArgument, "--bars takes ratios above zero: " + text);
  }
  return ratio;
}

Result<std::vector<Bars>> parse_bars(Value text) {
  std::vector<Bars> bars;
  for (const auto& one : split(text, ',')) {
    const auto parts = split(one, ':');
    if (parts.size() != 4)
      return fail(ErrorCode::kInvalidArgument, "--bars takes RATE:P50:P99:CPU: " + one);
    MILLRACE_ASSIGN(const auto rate, parse_number("--bars", parts[0]));
    MILLRACE_ASSIGN(const double p50, parse_ratio(parts[1]));
    MILLRACE_ASSIGN(const double p99, parse_ratio(parts[2]));
    MILLRACE_ASSIGN(const double cpu, parse_ratio(parts[3]));
    bars.push_back({static_cast<int>(rate), p50, p99, cpu});
  }
  std::ranges::sort(bars, {}, &Bars::rate);
  return bars;
}

Result<std::vector<std::string>> parse_job_settings(Value text) {
  auto all = split(text, ';');
  for (const auto& row : all)
    for (const auto& one : split(row, '&'))
      if (const auto equals = one.find('='); equals == 0 || equals == std::string::npos)
        return fail(ErrorCode::kInvalidArgument, "--with takes NAME=VALUE: " + one);
  return all;
}

// What to do with the value of each option.
class OptionTable {
 public:
  explicit OptionTable(Settings& settings) {
    text("--bootstrap-servers", settings.bootstrap_servers);
    text("--job", settings.job);
    text("--keeps", settings.keeps);
    text("--output", settings.output);
    text("--input-topic", settings.input_topic);
    text("--output-topic", settings.output_topic);
    number("--size", settings.size_bytes);
    number("--record-size", settings.size_bytes);
    number("--seconds", settings.seconds);
    number("--warm-up", settings.warm_up_seconds);
    number("--repeats", settings.repeats);
    number("--backlog", settings.backlog_bytes);
    numbers("--partitions", settings.partition_counts);
    numbers("--rate", settings.rates);
    numbers("--in-flight", settings.in_flight);
    options_["--millrace"] = [&settings](Value value) -> Status {
      settings.millrace = split(value, ',');
      return {};
    };
    options_["--with"] = [&settings](Value value) -> Status {
      MILLRACE_ASSIGN(settings.with, parse_job_settings(value));
      return {};
    };
    options_["--bars"] = [&settings](Value value) -> Status {
      MILLRACE_ASSIGN(settings.bars, parse_bars(value));
      return {};
    };
  }

  Status apply(const std::string& name, Value value) const {
    const auto found = options_.find(name);
    if (found == options_.end()) {
      return fail(ErrorCode::kInvalidArgument, "unknown option (see --help): " + name);
    }
    return found->second(value);
  }

 private:
  void text(const char* name, std::string& target) {
    options_[name] = [&target](Value value) -> Status {
      target = value;
      return {};
    };
  }
  template <typename Number>
  void number(const char* name, Number& target) {
    options_[name] = [name, &target](Value value) -> Status {
      MILLRACE_ASSIGN(const auto parsed, parse_number(name, value));
      target = static_cast<Number>(parsed);
      return {};
    };
  }
  void numbers(const char* name, std::vector<int>& target) {
    options_[name] = [name, &target](Value value) -> Status {
      MILLRACE_ASSIGN(target, parse_numbers(name, value));
      return {};
    };
  }

  std::map<std::string, std::function<Status(Value)>> options_;
};

bool apply_flag(Settings& settings, const std::string& name) {
  if (name == "--idle") {
    settings.mode = Mode::kIdle;
  } else if (name == "--ready") {
    settings.mode = Mode::kReady;
  } else if (name == "--forwarder") {
    settings.mode = Mode::kForwarder;
  } else if (name == "--from-start") {
    settings.from_start = true;
  } else if (name == "--without-millrace") {
    settings.without_millrace = true;
  } else {
    return false;
  }
  return true;
}

// Modes have defaults of their own for what was not given.
void fill_in_defaults(Settings& settings, bool has_size, bool has_partitions) {
  if (settings.backlog_bytes > 0) settings.mode = Mode::kBacklog;
  if (settings.mode == Mode::kBacklog && !has_size) settings.size_bytes = 200;
  const bool wide = settings.mode == Mode::kBacklog || settings.mode == Mode::kIdle;
  if (wide && !has_partitions) settings.partition_counts = {8};
  settings.partitions = settings.partition_counts.front();
}

}  // namespace

const Bars& bars_at(const Settings& settings, int rate) {
  const Bars* found = &settings.bars.front();
  for (const auto& bars : settings.bars)
    if (bars.rate <= rate) found = &bars;
  return *found;
}

Result<Settings> parse_settings(const std::vector<std::string>& arguments) {
  Settings settings;
  const OptionTable options(settings);
  bool has_size = false;
  bool has_partitions = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--help" || arguments[i] == "-h") return fail(ErrorCode::kCancelled, kHelp);
    if (apply_flag(settings, arguments[i])) continue;
    const auto equals = arguments[i].find('=');
    const auto name = arguments[i].substr(0, equals);
    if (equals == std::string::npos && i + 1 == arguments.size()) {
      return fail(ErrorCode::kInvalidArgument, "option without a value (see --help): " + name);
    }
    MILLRACE_TRY(options.apply(
        name, equals == std::string::npos ? arguments[++i] : arguments[i].substr(equals + 1)));
    has_size |= name == "--size" || name == "--record-size";
    has_partitions |= name == "--partitions";
  }
  if (settings.bootstrap_servers.empty()) {
    return fail(ErrorCode::kInvalidArgument, "--bootstrap-servers is missing (see --help)");
  }
  fill_in_defaults(settings, has_size, has_partitions);
  return settings;
}

}  // namespace millrace::bench
