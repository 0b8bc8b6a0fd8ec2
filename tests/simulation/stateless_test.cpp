#include "tests/support/stateless_simulation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

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
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const SimulationResult result = simulate_stateless(seed);
    ASSERT_EQ(result.fault, "") << "run it again with MILLRACE_SEED=" << seed;
    crashes += result.crashes;
    epochs += result.epochs;
  }
  if (count < 100) return;
  // The simulation is worth something only if lives end in the middle and epochs are committed.
  EXPECT_GT(crashes, static_cast<int>(count));
  EXPECT_GT(epochs, static_cast<int>(2 * count));
}

/// Says that an epoch is flushed as soon as it is sealed, acknowledged or not.
class HastySink final : public stream::Sink {
 public:
  explicit HastySink(std::unique_ptr<stream::Sink> inner) : inner_(std::move(inner)) {}

  void set_events(stream::SinkEvents events) override {
    events_ = events;
    events.on_flushed = nullptr;
    inner_->set_events(std::move(events));
  }
  Result<std::unique_ptr<stream::SinkWriter>> open_writer(SchemaRef schema) override {
    return inner_->open_writer(std::move(schema));
  }
  Status prime() override { return inner_->prime(); }
  void seal(Epoch epoch) override {
    inner_->seal(epoch);
    if (events_.on_flushed) events_.on_flushed(epoch);
  }
  std::int64_t in_flight() const override { return inner_->in_flight(); }
  std::int64_t acknowledged() const override { return inner_->acknowledged(); }
  stream::LatencySnapshot acknowledge_latency() const override {
    return inner_->acknowledge_latency();
  }
  void close() override { inner_->close(); }

 private:
  std::unique_ptr<stream::Sink> inner_;
  stream::SinkEvents events_;
};

TEST(StatelessSimulation, NoticesACommitThatDoesNotWaitForAcknowledgements) {
  SimulationMutation mutation;
  mutation.wrap_sink = [](std::unique_ptr<stream::Sink> sink) {
    return std::make_unique<HastySink>(std::move(sink));
  };
  std::map<bool, int> noticed;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    ++noticed[simulate_stateless(seed, mutation).fault.starts_with("lost record")];
  EXPECT_GT(noticed[true], 10);
}

TEST(StatelessSimulation, GivesTheSameRunForTheSameSeed) {
  const SimulationResult first = simulate_stateless(17);
  const SimulationResult second = simulate_stateless(17);
  EXPECT_EQ(first.crashes, second.crashes);
  EXPECT_EQ(first.epochs, second.epochs);
}

}  // namespace
}  // namespace millrace::support
