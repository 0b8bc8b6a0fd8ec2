#pragma once

#include "millrace/clock.hpp"
#include "millrace/log.hpp"
#include "millrace/session.hpp"

#include "session/listener_bus.hpp"
#include "session/progress_history.hpp"
#include "session/query_launcher.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace millrace::session {

/// Tells of one query's life: its history, the session's listeners and its progress function.
/// Shared by the handle and by what runs the query; thread-safe. The clock is a borrow that
/// outlives it.
class QueryNotices {
 public:
  QueryNotices(std::string name, std::size_t recent, const QueryEnvironment& session,
               std::shared_ptr<ListenerBus> bus);

  /// The session's environment, with what tells these notices.
  [[nodiscard]] static QueryEnvironment environment_of(const std::shared_ptr<QueryNotices>& notices,
                                                       QueryEnvironment session);

  /// The query is about to run, as this start. On the starting thread.
  void started(QueryIds ids);
  void progress(const QueryProgress& progress);
  void idle();
  void restarting(const Error& cause, std::int64_t delay_ms);
  void started_again(QueryIds ids);
  void ended(std::optional<Error> cause);
  [[nodiscard]] const ProgressHistory& history() const { return history_; }

 private:
  [[nodiscard]] QueryNotice notice() const;

  const std::string name_;
  const Clock& clock_;
  const LogFunction log_;
  const ProgressFunction function_;  ///< the session's; may be empty
  const std::shared_ptr<ListenerBus> bus_;
  ProgressHistory history_;
  mutable std::mutex mutex_;
  QueryIds ids_;
  std::int64_t restarts_ = 0;
};

}  // namespace millrace::session
