// The order of records through a network that takes connections away, at the sink's default of two
// requests in flight.

#include "tests/broker/job_fixture.hpp"

namespace millrace::support {
namespace {

class OrderTest : public CrashTest {
 protected:
  void TearDown() override {
    broker().proxy().hit_every(0);
    CrashTest::TearDown();
  }
};

TEST_F(OrderTest, KeepsOrderAndDoublesNothingWhenEveryTenthRequestIsLost) {
  constexpr int kHits = 25;
  sink_servers_ = broker().proxy().bootstrap_servers();
  const auto engine = start();
  ASSERT_TRUE(engine->await_ready()) << engine->said();
  const int hits_before = broker().proxy().hits();
  broker().proxy().hit_every(10);
  SteadyClicks clicks(broker().bootstrap_servers(), clicks_, 2000);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (broker().proxy().hits() < hits_before + kHits && std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const auto written = clicks.stop();

  await_output(static_cast<std::size_t>(written));
  stop(*engine);
  const Records out = output();
  EXPECT_GE(broker().proxy().hits(), hits_before + kHits);
  EXPECT_EQ(static_cast<std::int64_t>(out.size()), written);
  audit_order(out);
}

}  // namespace
}  // namespace millrace::support
