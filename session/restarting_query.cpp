#include "session/restarting_query.hpp"

#include <fmt/format.h>

#include <utility>

namespace millrace::session {
namespace {

std::string described(std::int64_t ms) {
  return ms % 1000 == 0 ? fmt::format("{} s", ms / 1000) : fmt::format("{} ms", ms);
}

}  // namespace

Result<std::unique_ptr<RunningQuery>> RestartingQuery::open(QuerySettings settings,
                                                            QueryEnvironment environment,
                                                            Launch launch, Wait wait) {
  std::unique_ptr<RestartingQuery> query(new RestartingQuery(
      std::move(settings), std::move(environment), std::move(launch), std::move(wait)));
  MILLRACE_ASSIGN(query->run_, query->launch_(query->environment_of_run()));
  query->ids_ = query->run_->ids();
  query->summary_ = query->run_->summary();
  return query;
}

RestartingQuery::RestartingQuery(QuerySettings settings, QueryEnvironment environment,
                                 Launch launch, Wait wait)
    : settings_(std::move(settings)),
      environment_(std::move(environment)),
      launch_(std::move(launch)),
      wait_(std::move(wait)),
      policy_(settings_.restart) {
  session_ends_.emplace(environment_.cancelled, [this] { called_off_.request_stop(); });
}

// The end of one run is not the query's.
QueryEnvironment RestartingQuery::environment_of_run() const {
  QueryEnvironment environment = environment_;
  environment.ended = nullptr;
  environment.cancelled = called_off_.get_token();
  return environment;
}

bool RestartingQuery::wait_in_real_time(std::int64_t ms, const std::stop_token& called_off) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, called_off, std::chrono::milliseconds(ms), [] { return false; });
  return !called_off.stop_requested();
}

void RestartingQuery::start() {
  borrow()->start();
  policy_.note_start(environment_.clock->steady());
  thread_ = std::thread([this] { look_after(); });
}

void RestartingQuery::look_after() {
  for (;;) {
    std::optional<Error> cause = await_run();
    if (!cause) return finish(QueryState::kStopped, std::nullopt);
    if (!start_again(std::move(*cause))) return;
  }
}

std::optional<Error> RestartingQuery::await_run() {
  const std::shared_ptr<RunningQuery> run = borrow();
  run->await(std::nullopt);
  return run->failure();
}

/// False when the query stays down, which has been told.
bool RestartingQuery::start_again(Error cause) {
  for (;;) {
    const auto delay_ms = policy_.delay_ms(cause, environment_.clock->steady());
    if (is_stopping() || !delay_ms) {
      if (!is_stopping())
        environment_.log(LogLevel::kInfo,
                         fmt::format("query {} is not started again: a failure of kind {} does not "
                                     "pass by itself",
                                     settings_.name, to_string(cause.code)));
      finish(QueryState::kFailed, std::move(cause));
      return false;
    }
    retire();
    environment_.log(LogLevel::kWarning,
                     fmt::format("query {} failed and starts again in {}: {}", settings_.name,
                                 described(*delay_ms), cause.message));
    if (environment_.restarting) environment_.restarting(cause, *delay_ms);
    const bool has_waited = wait_(*delay_ms, called_off_.get_token());
    if (!has_waited || is_stopping()) {
      finish(QueryState::kFailed, std::move(cause));
      return false;
    }
    Result<std::unique_ptr<RunningQuery>> launched = launch_(environment_of_run());
    if (!launched) {
      // A launch that was called off failed for no reason of its own.
      if (launched.error().code != ErrorCode::kCancelled) cause = launched.error();
      if (launched.error().code != ErrorCode::kCancelled || !is_stopping()) continue;
      finish(QueryState::kFailed, std::move(cause));
      return false;
    }
    if (environment_.started_again) environment_.started_again((*launched)->ids());
    (*launched)->start();
    policy_.note_start(environment_.clock->steady());
    if (adopt(*launched)) return true;
    (*launched)->abort();
    finish(QueryState::kFailed, std::move(cause));
    return false;
  }
}

/// False when the query is to stop.
bool RestartingQuery::adopt(std::unique_ptr<RunningQuery>& run) {
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_) return false;
    run_ = std::move(run);
    ids_ = run_->ids();
  }
  environment_.log(LogLevel::kInfo,
                   fmt::format("query {} runs again: {}", settings_.name, borrow()->summary()));
  return true;
}

// It holds the checkpoint until nobody holds it.
void RestartingQuery::retire() {
  std::unique_lock lock(mutex_);
  if (!run_) return;
  totals_ = run_->progress();
  const std::shared_ptr<RunningQuery> run = std::exchange(run_, nullptr);
  changed_.wait(lock, [&run] { return run.use_count() == 1; });
  lock.unlock();
}

void RestartingQuery::finish(QueryState state, std::optional<Error> cause) {
  if (environment_.ended) environment_.ended(cause);
  const std::lock_guard lock(mutex_);
  outcome_ = state;
  failure_ = std::move(cause);
  changed_.notify_all();
}

std::shared_ptr<RunningQuery> RestartingQuery::borrow() const {
  const std::lock_guard lock(mutex_);
  if (!run_) return nullptr;
  // Whoever gives it back says so: `retire` may be waiting for that.
  std::shared_ptr<RunningQuery> lent = run_;
  RunningQuery* const raw = lent.get();
  return {raw, [this, lent = std::move(lent)](RunningQuery*) mutable {
            {
              const std::lock_guard returning(mutex_);
              lent.reset();
            }
            changed_.notify_all();
          }};
}

bool RestartingQuery::is_stopping() const {
  const std::lock_guard lock(mutex_);
  return is_stopping_;
}

Status RestartingQuery::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    if (!run_) called_off_.request_stop();
  }
  if (const std::shared_ptr<RunningQuery> run = borrow()) {
    if (Status stopped = run->stop(); !stopped) return stopped;
  }
  if (!await(std::chrono::milliseconds(settings_.stop_timeout_ms))) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("query {} was just being started again, and its stop took longer than "
                            "stop_timeout ({} ms)",
                            settings_.name, settings_.stop_timeout_ms));
  }
  if (auto cause = failure()) return fail(*std::move(cause));
  return {};
}

void RestartingQuery::abort() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  called_off_.request_stop();
  if (const std::shared_ptr<RunningQuery> run = borrow()) run->abort();
  if (thread_.joinable()) thread_.join();
}

bool RestartingQuery::await(std::optional<std::chrono::milliseconds> limit) {
  std::unique_lock lock(mutex_);
  const auto has_ended = [this] { return outcome_.has_value(); };
  if (limit) return changed_.wait_for(lock, *limit, has_ended);
  changed_.wait(lock, has_ended);
  return true;
}

std::optional<Error> RestartingQuery::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

QueryState RestartingQuery::state() const {
  {
    const std::lock_guard lock(mutex_);
    if (outcome_) return *outcome_;
    if (!run_) return QueryState::kRestarting;
  }
  const std::shared_ptr<RunningQuery> run = borrow();
  const QueryState state = run ? run->state() : QueryState::kFailed;
  if (state == QueryState::kFailed) return QueryState::kRestarting;
  return state == QueryState::kStopped ? QueryState::kStopping : state;
}

QueryProgress RestartingQuery::progress() const {
  if (const std::shared_ptr<RunningQuery> run = borrow()) return run->progress();
  const std::lock_guard lock(mutex_);
  return totals_;
}

Result<Epoch> RestartingQuery::close_epoch() {
  if (const std::shared_ptr<RunningQuery> run = borrow()) return run->close_epoch();
  if (auto cause = failure()) return fail(*std::move(cause));
  return fail(ErrorCode::kUnavailable,
              fmt::format("query {} failed and waits for its next start", settings_.name));
}

QueryIds RestartingQuery::ids() const {
  const std::lock_guard lock(mutex_);
  return ids_;
}

}  // namespace millrace::session
