#include "session/query_notices.hpp"

#include <exception>
#include <utility>

namespace millrace::session {

QueryNotices::QueryNotices(std::string name, std::size_t recent, const QueryEnvironment& session,
                           std::shared_ptr<ListenerBus> bus)
    : name_(std::move(name)),
      clock_(*session.clock),
      log_(session.log),
      function_(session.progress),
      bus_(std::move(bus)),
      history_(recent) {}

QueryEnvironment QueryNotices::environment_of(const std::shared_ptr<QueryNotices>& notices,
                                              QueryEnvironment session) {
  session.progress = [notices](const QueryProgress& progress) { notices->progress(progress); };
  session.idle = [notices] { notices->idle(); };
  session.restarting = [notices](const Error& cause, std::int64_t delay_ms) {
    notices->restarting(cause, delay_ms);
  };
  session.started_again = [notices](QueryIds ids) { notices->started_again(std::move(ids)); };
  session.ended = [notices](std::optional<Error> cause) { notices->ended(std::move(cause)); };
  return session;
}

void QueryNotices::started(QueryIds ids) {
  {
    const std::lock_guard lock(mutex_);
    ids_ = std::move(ids);
  }
  bus_->call([query = notice()](QueryListener& listener) { listener.on_started(query); });
}

void QueryNotices::restarting(const Error& cause, std::int64_t delay_ms) {
  bus_->post([query = notice(), cause, delay_ms](
                 QueryListener& listener) { listener.on_restarting(query, cause, delay_ms); },
             false);
}

void QueryNotices::started_again(QueryIds ids) {
  {
    const std::lock_guard lock(mutex_);
    ids_ = std::move(ids);
    ++restarts_;
  }
  bus_->post([query = notice()](QueryListener& listener) { listener.on_started(query); }, false);
}

void QueryNotices::progress(const QueryProgress& of_run) {
  QueryProgress progress = of_run;
  {
    const std::lock_guard lock(mutex_);
    progress.restarts = restarts_;
  }
  history_.add(progress);
  bus_->post([progress](QueryListener& listener) { listener.on_progress(progress); }, true);
  if (!function_) return;
  try {
    function_(progress);
  } catch (const std::exception& thrown) {
    log_(LogLevel::kWarning, name_ + ": the progress function threw: " + thrown.what());
  } catch (...) {
    log_(LogLevel::kWarning, name_ + ": the progress function threw");
  }
}

void QueryNotices::idle() {
  bus_->post([query = notice()](QueryListener& listener) { listener.on_idle(query); }, true);
}

void QueryNotices::ended(std::optional<Error> cause) {
  bus_->post([query = notice(), cause = std::move(cause)](
                 QueryListener& listener) { listener.on_terminated(query, cause); },
             false);
}

QueryNotice QueryNotices::notice() const {
  const std::lock_guard lock(mutex_);
  return {ids_.id, ids_.run_id, name_, clock_.wall()};
}

}  // namespace millrace::session
