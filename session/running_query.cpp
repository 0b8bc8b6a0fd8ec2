#include "session/running_query.hpp"

#include "millrace/assert.hpp"

#include <utility>

namespace millrace::session {

ActorQuery::ActorQuery(BuiltQuery built, QuerySettings settings, QueryEnvironment environment)
    : settings_(std::move(settings)),
      environment_(std::move(environment)),
      summary_(std::move(built.summary)),
      ids_{built.labels.id, built.labels.run_id},
      newest_committed_(built.durable),
      metrics_(std::move(built.metrics)),
      reloader_(std::move(built.reloader)),
      late_tasks_(std::move(built.late_tasks)) {
  actors::RuntimeEvents events;
  events.committed = [this](const actors::ClosedEpoch& closed) { on_committed(closed); };
  events.warned = [this](const std::string& sentence) {
    if (environment_.log) environment_.log(LogLevel::kWarning, settings_.name + ": " + sentence);
  };
  events.idle = environment_.idle;
  events.ended = [this](std::optional<Error> cause) { on_ended(std::move(cause)); };
  actors::RuntimeOptions options;
  options.task_threads = settings_.task_threads;
  options.wait_policy = actors::wait_policy_named(settings_.wait_policy);
  options.thread_name = settings_.task_thread_name;
  options.cores = settings_.task_cores;
  runtime_ = std::make_unique<actors::ActorRuntime>(std::move(built.parts), std::move(options),
                                                    std::move(events));
  probe_ = std::make_unique<ProgressProbe>(std::move(built.labels), *environment_.clock,
                                           runtime_->parts(), metrics_);
}

ActorQuery::~ActorQuery() { abort(); }

void ActorQuery::start() {
  {
    const std::lock_guard lock(mutex_);
    state_ = QueryState::kRunning;
  }
  runtime_->start();
  watch_ = std::make_unique<PartitionWatch>(
      std::move(late_tasks_), [this](BuiltTask built) { add(std::move(built)); },
      [this](Error cause) { runtime_->post(actors::QueryFailed{std::move(cause)}); });
}

// On the watch's thread.
void ActorQuery::add(BuiltTask built) {
  metrics_.push_back(std::move(built.metrics));
  probe_->add(*metrics_.back());
  runtime_->add_task(std::move(built.task));
}

Status ActorQuery::stop() {
  {
    std::unique_lock lock(mutex_);
    if (state_ == QueryState::kRunning) {
      state_ = QueryState::kStopping;
      runtime_->post(actors::StopRequested{});
    }
    const bool has_ended = changed_.wait_for(
        lock, std::chrono::milliseconds(settings_.stop_timeout_ms),
        [this] { return state_ == QueryState::kStopped || state_ == QueryState::kFailed; });
    if (!has_ended) {
      end(QueryState::kFailed,
          Error{ErrorCode::kUnavailable, "stop took longer than stop_timeout (" +
                                             std::to_string(settings_.stop_timeout_ms) +
                                             " ms): the open epoch runs again at the next start"});
    }
  }
  release();
  const std::lock_guard lock(mutex_);
  if (failure_) return fail(*failure_);
  return {};
}

void ActorQuery::abort() {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != QueryState::kStopped && state_ != QueryState::kFailed)
      end(QueryState::kFailed, Error{ErrorCode::kCancelled, "aborted"});
  }
  release();
}

bool ActorQuery::await(std::optional<std::chrono::milliseconds> limit) {
  {
    std::unique_lock lock(mutex_);
    const auto has_ended = [this] {
      return state_ == QueryState::kStopped || state_ == QueryState::kFailed;
    };
    if (!limit)
      changed_.wait(lock, has_ended);
    else if (!changed_.wait_for(lock, *limit, has_ended))
      return false;
  }
  release();
  return true;
}

std::optional<Error> ActorQuery::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

QueryState ActorQuery::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

QueryProgress ActorQuery::progress() const {
  QueryProgress progress = probe_->totals();
  const std::lock_guard lock(mutex_);
  if (has_committed_) progress.epoch = newest_committed_;
  return progress;
}

Result<Epoch> ActorQuery::close_epoch() {
  // The answer may come after this call has given up, hence shared.
  struct Answer {
    std::optional<Epoch> epoch;
  };
  const auto answer = std::make_shared<Answer>();
  runtime_->post(actors::CloseRequested{[this, answer](Epoch epoch) {
    const std::lock_guard lock(mutex_);
    answer->epoch = epoch;
    changed_.notify_all();
  }});
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return failure_ || state_ == QueryState::kStopped ||
           (answer->epoch && newest_committed_ >= *answer->epoch);
  });
  if (failure_) return fail(*failure_);
  if (!answer->epoch) return fail(ErrorCode::kCancelled, "the query was stopped");
  return *answer->epoch;
}

void ActorQuery::on_committed(const actors::ClosedEpoch& closed) {
  {
    const std::lock_guard lock(parts_mutex_);
    if (has_parts_) runtime_->parts().tell_committed(closed);
  }
  if (environment_.progress) environment_.progress(probe_->of_epoch(closed));
  const std::lock_guard lock(mutex_);
  newest_committed_ = closed.epoch;
  has_committed_ = true;
  changed_.notify_all();
}

void ActorQuery::on_ended(std::optional<Error> cause) {
  const std::lock_guard lock(mutex_);
  if (state_ == QueryState::kStopped || state_ == QueryState::kFailed) return;
  end(cause ? QueryState::kFailed : QueryState::kStopped, std::move(cause));
}

// Under the lock, once.
void ActorQuery::end(QueryState state, std::optional<Error> cause) {
  state_ = state;
  failure_ = cause;
  changed_.notify_all();
  if (environment_.ended) environment_.ended(std::move(cause));
}

void ActorQuery::release() {
  const std::lock_guard lock(release_mutex_);
  if (watch_) watch_->stop();
  late_tasks_.reset();
  if (probe_) probe_->detach();
  reloader_.reset();
  {
    const std::lock_guard parts_lock(parts_mutex_);
    has_parts_ = false;
  }
  runtime_->shut_down();
}

}  // namespace millrace::session
