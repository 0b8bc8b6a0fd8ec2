#include "session/inline_query.hpp"

#include <utility>

namespace millrace::session {

InlineQuery::InlineQuery(stream::PhysicalPlan plan, QuerySettings settings,
                         QueryEnvironment environment, OpeningPlace place,
                         std::function<Status()> run_all, std::function<void(InlineQuery*)> on_end)
    : plan_(std::move(plan)),
      settings_(std::move(settings)),
      environment_(std::move(environment)),
      place_(place),
      run_all_(std::move(run_all)),
      on_end_(std::move(on_end)) {}

InlineQuery::~InlineQuery() {
  crash();
  on_end_(this);
}

Status InlineQuery::open() {
  ++place_.seed;  // another attempt, other ids
  MILLRACE_ASSIGN(BuiltQuery built, open_query(plan_, settings_, environment_, place_));
  summary_ = std::move(built.summary);
  durable_ = built.durable;
  ids_ = {built.labels.id, built.labels.run_id};
  metrics_ = std::move(built.metrics);
  actors::RuntimeEvents events;
  events.committed = [this](const actors::ClosedEpoch& closed) { on_committed(closed); };
  events.warned = [this](const std::string& sentence) {
    if (environment_.log) environment_.log(LogLevel::kWarning, settings_.name + ": " + sentence);
  };
  events.idle = environment_.idle;
  events.ended = [this](std::optional<Error> cause) { on_ended(std::move(cause)); };
  runtime_ = std::make_unique<actors::InlineRuntime>(std::move(built.parts), place_.seed,
                                                     std::move(events));
  probe_ = std::make_unique<ProgressProbe>(std::move(built.labels), *environment_.clock,
                                           runtime_->parts(), metrics_);
  return {};
}

void InlineQuery::crash() {
  if (probe_) probe_->detach();
  runtime_.reset();
}

bool InlineQuery::step() {
  if (!runtime_ || state_ == QueryState::kStarting) return false;
  if (runtime_->step()) return true;
  // The runtime goes once it has ended: connectors and the checkpoint's lock with it.
  if (runtime_->has_ended()) crash();
  return false;
}

void InlineQuery::tick() {
  if (runtime_ && state_ != QueryState::kStarting) runtime_->tick();
}

Status InlineQuery::stop() {
  // Rows that are there already are still written.
  if (is_running()) MILLRACE_TRY(run_all_());
  if (is_running()) {
    state_ = QueryState::kStopping;
    runtime_->post(actors::StopRequested{});
    MILLRACE_TRY(run_all_());
  }
  if (failure_) return fail(*failure_);
  if (state_ == QueryState::kStopped) return {};
  return fail(ErrorCode::kUnavailable,
              "the stop waits for something that only the test can do: an input that is short of "
              "rows to read again, or a sink that nobody reads");
}

void InlineQuery::abort() {
  if (state_ != QueryState::kStopped && state_ != QueryState::kFailed) {
    on_ended(Error{ErrorCode::kCancelled, "aborted"});
  }
  crash();
}

bool InlineQuery::await(std::optional<std::chrono::milliseconds> /*limit*/) {
  if (is_running() && !run_all_()) return false;
  return state_ == QueryState::kStopped || state_ == QueryState::kFailed;
}

QueryProgress InlineQuery::progress() const {
  QueryProgress progress = probe_ ? probe_->totals() : QueryProgress{};
  progress.epoch = newest_committed_;
  return progress;
}

Result<Epoch> InlineQuery::close_epoch() {
  if (!runtime_)
    return fail(failure_.value_or(Error{ErrorCode::kCancelled, "the query has ended"}));
  // Rows that are there already belong to the epoch.
  MILLRACE_TRY(run_all_());
  const auto answer = std::make_shared<std::optional<Epoch>>();
  if (runtime_) runtime_->post(actors::CloseRequested{[answer](Epoch epoch) { *answer = epoch; }});
  MILLRACE_TRY(run_all_());
  if (failure_) return fail(*failure_);
  if (!*answer || durable_ < **answer) {
    return fail(ErrorCode::kUnavailable,
                "the epoch waits for something that only the test can do: an input that is short "
                "of rows to read again, or a sink that nobody reads");
  }
  return **answer;
}

void InlineQuery::on_ended(std::optional<Error> cause) {
  if (state_ == QueryState::kStopped || state_ == QueryState::kFailed) return;
  state_ = cause ? QueryState::kFailed : QueryState::kStopped;
  failure_ = cause;
  if (environment_.ended) environment_.ended(std::move(cause));
}

void InlineQuery::on_committed(const actors::ClosedEpoch& closed) {
  runtime_->parts().tell_committed(closed);
  durable_ = closed.epoch;
  newest_committed_ = closed.epoch;
  if (environment_.progress && probe_) environment_.progress(probe_->of_epoch(closed));
}

}  // namespace millrace::session
