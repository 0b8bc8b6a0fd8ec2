#include "millrace/test.hpp"

#include "session/inline_query.hpp"
#include "session/session_shared.hpp"
#include "state/memory_disk.hpp"

#include <algorithm>
#include <utility>

namespace millrace::test {
namespace {

// More than any test needs; a query that feeds itself is told apart by it.
constexpr int kStepsMax = 10'000'000;

}  // namespace

struct TestBed::Implementation {
  explicit Implementation(TestBedConfig bed_config)
      : config(std::move(bed_config)), clock(config.start) {
    config.settings.set("checkpoint_location", "checkpoint");
    SessionConfig session_config;
    session_config.settings = config.settings;
    session_config.log = [this](LogLevel, std::string_view line) { log.emplace_back(line); };
    session_config.clock = &clock;
    session = Session(std::move(session_config));
    session.shared()->listeners->deliver_at_once();
    session.shared()->launcher = [this](stream::PhysicalPlan plan, session::QuerySettings settings,
                                        session::QueryEnvironment environment) {
      return launch(std::move(plan), std::move(settings), std::move(environment));
    };
  }

  Result<std::unique_ptr<session::RunningQuery>> launch(stream::PhysicalPlan plan,
                                                        session::QuerySettings settings,
                                                        session::QueryEnvironment environment) {
    session::OpeningPlace place{&disk, config.seed + 1'000 * ++launches, config.batch_rows};
    auto query = std::make_unique<session::InlineQuery>(
        std::move(plan), std::move(settings), std::move(environment), place,
        [this] { return run(); },
        [all = queries](session::InlineQuery* ended) { std::erase(*all, ended); });
    MILLRACE_TRY(query->open());
    queries->push_back(query.get());
    return query;
  }

  // In turns, so that queries that feed each other go on together.
  Status run() {
    for (int steps = 0; steps < kStepsMax; ++steps) {
      bool did_something = false;
      for (session::InlineQuery* query : *queries) did_something |= query->step();
      if (!did_something) return {};
    }
    return fail(ErrorCode::kInternal, "the queries do not come to rest");
  }

  TestBedConfig config;
  ManualClock clock;
  state::MemoryDisk disk;
  std::vector<std::string> log;
  std::uint64_t launches = 0;
  /// Shared with the queries, whose handles may outlive the bed.
  std::shared_ptr<std::vector<session::InlineQuery*>> queries =
      std::make_shared<std::vector<session::InlineQuery*>>();
  Session session;  ///< last: its queries need what is above
};

TestBed::TestBed(TestBedConfig config)
    : implementation_(std::make_unique<Implementation>(std::move(config))) {}

TestBed::~TestBed() = default;

Session& TestBed::session() { return implementation_->session; }

ManualClock& TestBed::clock() { return implementation_->clock; }

Status TestBed::run() { return implementation_->run(); }

Status TestBed::advance(std::chrono::milliseconds time) {
  MILLRACE_TRY(run());
  clock().advance_us(std::chrono::microseconds(time).count());
  for (session::InlineQuery* query : *implementation_->queries) query->tick();
  return run();
}

Status TestBed::close_epoch() {
  for (session::InlineQuery* query : *implementation_->queries)
    if (query->is_running()) MILLRACE_TRY(query->close_epoch());
  return {};
}

Status TestBed::restart() {
  std::vector<session::InlineQuery*> running;
  std::ranges::copy_if(*implementation_->queries, std::back_inserter(running),
                       [](const session::InlineQuery* query) { return query->is_running(); });
  for (session::InlineQuery* query : running) query->crash();
  for (session::InlineQuery* query : running) MILLRACE_TRY(query->open());
  return {};
}

const std::vector<std::string>& TestBed::log() const { return implementation_->log; }

}  // namespace millrace::test
