#include "tests/golden/query_host.hpp"

#include "tests/golden/case_json.hpp"
#include "tests/golden/value_reader.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace millrace::golden {

namespace {

using formats::JsonValue;

test::TestBedConfig bed_config(const JsonValue& golden, const RunSettings& settings) {
  test::TestBedConfig config;
  config.batch_rows = settings.batch_rows;
  config.start = WallTime(1'700'000'000'000'000);
  if (golden.has("clock_ms")) config.start = WallTime(integer_in(golden, "clock_ms") * 1000);
  return config;
}

/// As the case says; else as soon as there are rows.
std::string trigger_of(const JsonValue& golden, const RunSettings& settings) {
  if (settings.drive == "open") return "real_time 5 seconds";
  const JsonValue* const trigger = golden.find("trigger");
  if (trigger == nullptr) return "processing_time";
  return "processing_time " + std::to_string(integer_in(*trigger, "interval_ms")) + " ms";
}

std::string text_of(const JsonValue& value) {
  return value.is_string() ? value.as_string() : value.dump();
}

/// The engine's settings for the neutral words of the cases.
const std::map<std::string, std::string>& engine_settings() {
  static const std::map<std::string, std::string> settings = {
      {"ansi", "ansi"},
      {"time_zone", "time_zone"},
  };
  return settings;
}

}  // namespace

QueryHost::QueryHost(const JsonValue& golden, const RunSettings& settings)
    : golden_(golden), settings_(settings), bed_(bed_config(golden, settings)) {}

Status QueryHost::start(const JsonValue& query) {
  if (!std::exchange(is_prepared_, true)) {
    MILLRACE_TRY(apply_settings());
    MILLRACE_TRY(create_tables());
  }
  MILLRACE_ASSIGN(const DataFrame frame, build_frame(bed_.session(), tables_, query));
  MILLRACE_ASSIGN(query_, frame.write_stream()
                              .to(sink_)
                              .query_name("golden")
                              .trigger(trigger_of(golden_, settings_))
                              .start());
  // It has looked around once before the case goes on.
  return bed_.run();
}

Status QueryHost::apply_settings() {
  const JsonValue* const conf = golden_.find("conf");
  if (conf == nullptr) return {};
  for (const auto& [name, value] : object_in(*conf)) {
    const auto setting = engine_settings().find(name);
    const bool is_set = setting != engine_settings().end() &&
                        bed_.session().set(setting->second, text_of(value)).has_value();
    if (!is_set) return fail(ErrorCode::kNotSupported, "setting " + name + " is not built");
  }
  return {};
}

Status QueryHost::create_tables() {
  for (const auto& [name, source] : object_in(member_of(golden_, "sources"))) {
    MILLRACE_ASSIGN(std::vector<Field> columns, read_schema(member_of(source, "schema")));
    const auto partitions = static_cast<std::int32_t>(settings_.parallelism);
    tables_.streams.try_emplace(name, name, std::move(columns), partitions);
  }
  const JsonValue* const statics = golden_.find("statics");
  if (statics == nullptr) return {};
  for (const auto& [name, table] : object_in(*statics)) {
    MILLRACE_ASSIGN(std::vector<Field> columns, read_schema(member_of(table, "schema")));
    MILLRACE_ASSIGN(const std::vector<Row> rows, read_rows(member_of(table, "rows"), columns));
    const auto made = tables_.statics.try_emplace(name, name, std::move(columns)).first;
    MILLRACE_TRY(made->second.add_rows(rows));
  }
  return {};
}

Status QueryHost::stop() {
  const bool was_running = is_running();
  const std::optional<Query> ended = std::exchange(query_, std::nullopt);
  return was_running ? ended->stop() : Status();
}

Status QueryHost::add(const std::string& source, const JsonValue& rows) {
  if (!tables_.streams.contains(source)) throw MalformedCase("no source is called " + source);
  MILLRACE_ASSIGN(
      const std::vector<Field> columns,
      read_schema(member_of(member_of(member_of(golden_, "sources"), source), "schema")));
  MILLRACE_ASSIGN(const std::vector<Row> values, read_rows(rows, columns));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto partition = static_cast<std::int32_t>(i % settings_.parallelism);
    MILLRACE_TRY(tables_.streams.at(source).add(values[i], partition));
  }
  return {};
}

Status QueryHost::run_epoch() {
  MILLRACE_TRY(bed_.run());
  if (!is_running()) return {};
  const auto closed = query_->close_epoch();
  if (!closed && !failure()) return fail(closed.error());
  return {};
}

Status QueryHost::run_until(std::int64_t clock_ms) {
  const std::int64_t now_ms = bed_.clock().wall().value / 1000;
  return bed_.advance(std::chrono::milliseconds(std::max<std::int64_t>(clock_ms - now_ms, 0)));
}

bool QueryHost::is_running() const { return query_ && query_->status() == QueryState::kRunning; }

std::optional<Error> QueryHost::failure() const {
  return query_ ? query_->exception() : std::nullopt;
}

}  // namespace millrace::golden
