#include "millrace/query.hpp"

#include "session/session_shared.hpp"

namespace millrace {

const char* to_string(QueryState state) {
  switch (state) {
    case QueryState::kStarting:
      return "starting";
    case QueryState::kRunning:
      return "running";
    case QueryState::kStopping:
      return "stopping";
    case QueryState::kStopped:
      return "stopped";
    case QueryState::kFailed:
      return "failed";
    case QueryState::kRestarting:
      return "restarting";
  }
  return "unknown";
}

Status Query::await_termination() const {
  shared_->running->await(std::nullopt);
  if (auto cause = exception()) return fail(std::move(*cause));
  return {};
}

Result<bool> Query::await_termination(std::chrono::milliseconds limit) const {
  if (!shared_->running->await(limit)) return false;
  if (auto cause = exception()) return fail(std::move(*cause));
  return true;
}

Status Query::stop() const {
  if (status() == QueryState::kFailed) return await_termination();
  return shared_->running->stop();
}

void Query::abort() const { shared_->running->abort(); }

std::optional<Error> Query::exception() const { return shared_->running->failure(); }

QueryState Query::status() const { return shared_->running->state(); }

const std::string& Query::name() const { return shared_->name; }

QueryProgress Query::progress() const { return shared_->running->progress(); }

std::optional<QueryProgress> Query::last_progress() const {
  return shared_->notices->history().last();
}

std::vector<QueryProgress> Query::recent_progress() const {
  return shared_->notices->history().recent();
}

const std::string& Query::explain() const { return shared_->explanation; }

Result<Epoch> Query::close_epoch() const { return shared_->running->close_epoch(); }

}  // namespace millrace
