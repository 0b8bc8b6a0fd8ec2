#include "session/plan_identity.hpp"

#include "formats/json_document.hpp"
#include "stream/plan/explain.hpp"

#include <utility>
#include <variant>

namespace millrace::session {

std::string identity_of(const stream::PhysicalPlan& plan) {
  formats::JsonValue sources = formats::JsonValue::object();
  for (const stream::ChainSpec& chain : plan.chains) {
    const stream::TableDefinition& table = chain.source.table;
    formats::JsonValue source = formats::JsonValue::object();
    source.set("connector", table.connector);
    for (const char* option : {"topic", "subscribe", "subscribe_pattern", "assign"})
      if (const auto value = table.options.get(option)) source.set(option, *value);
    sources.set(table.name, std::move(source));
  }
  formats::JsonValue identity = formats::JsonValue::object();
  identity.set("sources", std::move(sources));
  return identity.dump();
}

std::string details_of(const stream::PhysicalPlan& plan) {
  formats::JsonValue chains = formats::JsonValue::array();
  formats::JsonValue sinks = formats::JsonValue::object();
  const auto add_sink = [&](const stream::TableDefinition& table) {
    formats::JsonValue sink = formats::JsonValue::object();
    sink.set("connector", table.connector);
    for (const char* option : {"topic", "path"})
      if (const auto value = table.options.get(option)) sink.set(option, *value);
    sinks.set(table.name, std::move(sink));
  };
  for (const stream::ChainSpec& chain : plan.chains) {
    formats::JsonValue steps = formats::JsonValue::array();
    for (std::string& step : stream::explain_steps(chain)) steps.append(std::move(step));
    chains.append(std::move(steps));
    if (chain.bad_records.dead_letter) add_sink(chain.bad_records.dead_letter->sink.table);
    for (const stream::ChainNode& node : chain.nodes)
      if (const auto* sink = std::get_if<stream::SinkSpec>(&node.spec)) add_sink(sink->table);
  }
  formats::JsonValue details = formats::JsonValue::object();
  details.set("millrace", MILLRACE_VERSION);
  details.set("sinks", std::move(sinks));
  details.set("chains", std::move(chains));
  return details.dump();
}

}  // namespace millrace::session
