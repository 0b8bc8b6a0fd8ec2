#include "tests/support/forwarding_sink.hpp"
#include "tests/support/forwarding_source.hpp"
#include "tests/support/stateless_simulation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace millrace::support {
namespace {

/// MILLRACE_SEEDS says how many; MILLRACE_SEED runs that one alone.
std::uint64_t number_from(const char* variable, std::uint64_t fallback) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

TEST(StatelessSimulation, LosesNothingWhateverCrashesWhen) {
  const std::uint64_t first = number_from("MILLRACE_SEED", 1);
  const std::uint64_t count =
      std::getenv("MILLRACE_SEED") != nullptr ? 1 : number_from("MILLRACE_SEEDS", 1000);
  int crashes = 0;
  int epochs = 0;
  int recalls = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const SimulationResult result = simulate_stateless(seed);
    ASSERT_EQ(result.fault, "") << "run it again with MILLRACE_SEED=" << seed;
    crashes += result.crashes;
    epochs += result.epochs;
    recalls += result.recalls;
  }
  if (count < 100) return;
  // The simulation is worth something only if lives end in the middle and epochs are committed.
  EXPECT_GT(crashes, static_cast<int>(count));
  EXPECT_GT(epochs, static_cast<int>(2 * count));
  EXPECT_GT(recalls, static_cast<int>(count));
}

/// Says that an epoch is flushed as soon as it is sealed, acknowledged or not.
class HastySink final : public ForwardingSink {
 public:
  using ForwardingSink::ForwardingSink;

  void set_events(stream::SinkEvents events) override {
    on_flushed_ = std::exchange(events.on_flushed, nullptr);
    ForwardingSink::set_events(std::move(events));
  }
  void seal(Epoch epoch) override {
    ForwardingSink::seal(epoch);
    if (on_flushed_) on_flushed_(epoch);
  }

 private:
  std::function<void(Epoch)> on_flushed_;
};

/// Leaves out the last record of a range that runs again.
class ForgetfulReader final : public ForwardingReader {
 public:
  explicit ForgetfulReader(std::unique_ptr<stream::SourceReader> inner)
      : ForwardingReader(std::move(inner)), lost_(schema()) {}

  Result<stream::PollOutcome> poll(Batch& out, std::size_t rows_max, std::int64_t limit) override {
    if (limit == stream::kNoLimit || position() >= limit)
      return ForwardingReader::poll(out, rows_max, limit);
    if (position() < limit - 1) return ForwardingReader::poll(out, rows_max, limit - 1);
    Batch lost = lost_.take();
    MILLRACE_TRY(ForwardingReader::poll(lost, 1, limit));
    return stream::PollOutcome::kLimit;
  }

 private:
  BatchPool lost_;
};

class ForgetfulSource final : public ForwardingSource {
 public:
  using ForwardingSource::ForwardingSource;

  Result<std::unique_ptr<stream::SourceReader>> open_reader(
      const stream::SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) override {
    MILLRACE_ASSIGN(auto reader, ForwardingSource::open_reader(partition, position, columns));
    return std::make_unique<ForgetfulReader>(std::move(reader));
  }
};

/// How often each kind of fault is seen in so many runs, by its first two words.
std::map<std::string, int> faults_of(const SimulationMutation& mutation,
                                     std::uint64_t seeds = 300) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::string fault = simulate_stateless(seed, mutation).fault;
    ++seen[fault.substr(0, fault.find(' ', fault.find(' ') + 1))];
  }
  return seen;
}

TEST(StatelessSimulation, NoticesACommitThatDoesNotWaitForAcknowledgements) {
  SimulationMutation mutation;
  mutation.wrap_sink = [](std::unique_ptr<stream::Sink> sink) {
    return std::make_unique<HastySink>(std::move(sink));
  };
  EXPECT_GT(faults_of(mutation)["lost record"], 10);
}

TEST(StatelessSimulation, NoticesEndsThatAreToldBeforeAllHasComeAgain) {
  SimulationMutation mutation;
  mutation.tells_ends_early = true;
  mutation.always_resumes = true;
  EXPECT_GT(faults_of(mutation, 600)["doubled records"], 3);
}

/// Tells what is acknowledged by now, instead of before the barrier.
class LateEndsSink final : public ForwardingSink {
 public:
  using ForwardingSink::ForwardingSink;

  Result<stream::Resumption> resume(const stream::ResumePoint& point) override {
    stream::ResumePoint later = point;
    // As if the newest commit had noted the ends a little later.
    for (auto& [topic, ends] : later.from)
      for (auto& [partition, end] : ends) end += point.is_first_start ? 0 : 2;
    return ForwardingSink::resume(later);
  }
};

TEST(StatelessSimulation, NoticesATailThatBeginsTooLate) {
  SimulationMutation mutation;
  mutation.always_resumes = true;
  mutation.wrap_sink = [](std::unique_ptr<stream::Sink> sink) {
    return std::make_unique<LateEndsSink>(std::move(sink));
  };
  EXPECT_GT(faults_of(mutation)["doubled records"], 10);
}

TEST(StatelessSimulation, NoticesARangeThatDoesNotRunAgainWhole) {
  SimulationMutation mutation;
  mutation.wrap_source = [](std::unique_ptr<stream::Source> source) {
    return std::make_unique<ForgetfulSource>(std::move(source));
  };
  EXPECT_GT(faults_of(mutation)["other records"], 10);
}

TEST(StatelessSimulation, NoticesOffsetsThatAreNotSynced) {
  EXPECT_GT(
      faults_of({.wrap_sink = {}, .wrap_source = {}, .unsynced_part = "offsets"})["start failed:"],
      10);
}

TEST(StatelessSimulation, NoticesStartPositionsThatAreNotSynced) {
  auto faults = faults_of({.wrap_sink = {}, .wrap_source = {}, .unsynced_part = "sources"}, 1000);
  EXPECT_GT(faults["start failed:"], 10);  // torn, or gone although epochs were committed
  EXPECT_GT(faults["lost record"], 4);     // gone before that: `latest` was resolved anew
}

SimulationMutation transacting() {
  SimulationMutation mutation;
  mutation.always_transacts = true;
  return mutation;
}

TEST(StatelessSimulation, NoticesATransactionThatDoesNotWaitForAcknowledgements) {
  SimulationMutation mutation = transacting();
  mutation.wrap_sink = [](std::unique_ptr<stream::Sink> sink) {
    return std::make_unique<HastySink>(std::move(sink));
  };
  EXPECT_GT(faults_of(mutation)["lost record"], 10);
}

TEST(StatelessSimulation, NoticesThatTheDeciderIsNotAsked) {
  SimulationMutation mutation = transacting();
  mutation.forgets_mark = true;
  EXPECT_GT(faults_of(mutation)["doubled records"], 10);
}

TEST(StatelessSimulation, NoticesThatTheDeadMayStillDecide) {
  SimulationMutation mutation = transacting();
  mutation.lets_the_dead_decide = true;
  auto faults = faults_of(mutation, 600);
  EXPECT_GT(faults["doubled records"] + faults["start failed:"], 10);
}

TEST(StatelessSimulation, NoticesADecisionWithoutWhatPreparedIt) {
  SimulationMutation mutation = transacting();
  mutation.unsynced_part = "prepared";
  EXPECT_GT(faults_of(mutation)["start failed:"], 10);
}

TEST(StatelessSimulation, NoticesADecisionBeforeTheCommitOfTheEpochBefore) {
  SimulationMutation mutation = transacting();
  mutation.unsynced_part = "commits";
  EXPECT_GT(faults_of(mutation)["start failed:"], 10);
}

TEST(StatelessSimulation, GivesTheSameRunForTheSameSeed) {
  const SimulationResult first = simulate_stateless(17);
  const SimulationResult second = simulate_stateless(17);
  EXPECT_EQ(first.crashes, second.crashes);
  EXPECT_EQ(first.epochs, second.epochs);
}

}  // namespace
}  // namespace millrace::support
