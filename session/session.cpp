#include "millrace/session.hpp"

#include "millrace/host_table.hpp"

#include "session/catalog.hpp"
#include "session/query_settings.hpp"
#include "session/session_shared.hpp"
#include "stream/host_table.hpp"

#include <thread>
#include <vector>

namespace millrace {
namespace {

stream::TableDefinition definition_of(const HostTable& table) {
  const std::shared_ptr<stream::HostTable>& host = table.host();
  return {host->name(), std::string(host->connector()), host->columns(), {}, host};
}

DataFrame scan_of(const std::shared_ptr<SessionShared>& session, const HostTable& table,
                  stream::Reading reading) {
  stream::ScanNode scan;
  scan.table = table.name();
  scan.definition = definition_of(table);
  scan.reading = reading;
  return {session,
          std::make_shared<const FrameNode>(FrameNode{stream::make_plan(std::move(scan))})};
}

}  // namespace

Session::Session() : Session(SessionConfig{}) {}

Session::Session(SessionConfig config) : shared_(std::make_shared<SessionShared>()) {
  shared_->settings = std::move(config.settings);
  session::QueryEnvironment& environment = shared_->environment;
  environment.clock = config.clock != nullptr ? config.clock : &shared_->system_clock;
  environment.log = config.log ? std::move(config.log) : [](LogLevel, std::string_view) {};
  environment.progress = std::move(config.progress);
  shared_->listeners = std::make_shared<session::ListenerBus>(environment.log);
  environment.cancelled = shared_->cancellation.get_token();
}

Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Session::~Session() {
  if (shared_ == nullptr) return;
  shared_->cancellation.request_stop();
  for (const Query& query : queries()) query.abort();
  shared_->listeners->stop();
}

Status Session::set(std::string_view name, std::string_view value) {
  MILLRACE_TRY(session::check_setting(name, value));
  const std::lock_guard lock(shared_->mutex);
  shared_->settings.set(name, value);
  return {};
}

Status Session::create_table(std::string name, std::string connector, std::vector<Field> columns,
                             Options options) {
  return session::SessionCatalog(*shared_).add(stream::TableDefinition{
      std::move(name), std::move(connector), std::move(columns), std::move(options)});
}

Status Session::create_table(const HostTable& table) {
  return session::SessionCatalog(*shared_).add(definition_of(table));
}

DataFrame Session::table(std::string name) const {
  stream::ScanNode scan;
  scan.table = std::move(name);
  return DataFrame(
      shared_, std::make_shared<const FrameNode>(FrameNode{stream::make_plan(std::move(scan))}));
}

TableReader Session::read_stream(std::string_view format) const {
  TableReader reader(shared_, true);
  if (!format.empty()) reader.format(format);
  return reader;
}

TableReader Session::read(std::string_view format) const {
  TableReader reader(shared_, false);
  if (!format.empty()) reader.format(format);
  return reader;
}

DataFrame Session::read_stream(const HostTable& table) const {
  return scan_of(shared_, table, stream::Reading::kStream);
}

DataFrame Session::read(const HostTable& table) const {
  return scan_of(shared_, table, stream::Reading::kStatic);
}

std::vector<Query> Session::queries() const {
  const std::lock_guard lock(shared_->mutex);
  std::vector<Query> result;
  for (const auto& query : shared_->queries) result.emplace_back(query);
  return result;
}

Status Session::stop_all() {
  shared_->cancellation.request_stop();
  // All at once: each may take its whole stop_timeout, and the last must not read on meanwhile.
  const std::vector<Query> running = queries();
  std::vector<Status> outcomes(running.size());
  {
    std::vector<std::jthread> stops;
    for (std::size_t number = 0; number < running.size(); ++number) {
      if (running[number].status() == QueryState::kFailed) continue;  // its cause has been told
      stops.emplace_back([&, number] { outcomes[number] = running[number].stop(); });
    }
  }
  for (Status& outcome : outcomes)
    if (!outcome) return outcome;
  return {};
}

void Session::add_listener(std::shared_ptr<QueryListener> listener) {
  shared_->listeners->add(std::move(listener));
}

void Session::remove_listener(const std::shared_ptr<QueryListener>& listener) {
  shared_->listeners->remove(listener);
}

}  // namespace millrace
