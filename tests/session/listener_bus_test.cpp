#include "session/listener_bus.hpp"

#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"
#include "millrace/test.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace millrace::session {
namespace {

/// Writes down what it is told of, as short words.
class RecordingListener final : public QueryListener {
 public:
  void on_started(const QueryNotice& query) override { said.push_back("started " + query.name); }
  void on_progress(const QueryProgress& progress) override {
    said.push_back("epoch " + std::to_string(progress.epoch->value));
  }
  void on_idle(const QueryNotice& query) override {
    said.push_back("idle at " + std::to_string(query.timestamp.value / 1'000'000));
  }
  void on_terminated(const QueryNotice& /*query*/, const std::optional<Error>& cause) override {
    said.push_back(cause ? "failed: " + cause->message : "ended");
  }
  std::vector<std::string> said;
};

class ThrowingListener final : public QueryListener {
 public:
  void on_started(const QueryNotice& /*query*/) override { throw std::runtime_error("no start"); }
  void on_progress(const QueryProgress& /*progress*/) override { throw 7; }
};

using Words = std::vector<std::string>;

class ListenerTest : public testing::Test {
 protected:
  Query start(std::string_view trigger) {
    return bed.session()
        .read_stream(orders)
        .select({(lit(8) / col("id")).as("share")})
        .write_stream()
        .to(shares)
        .option("trigger", trigger)
        .start()
        .value();
  }
  void add(std::int64_t id) { ASSERT_TRUE(orders.add({Value::int64(id)})); }

  MemorySource orders{"orders", {{"id", TypeKind::kInt64}}};
  MemorySink shares{"shares"};
  std::shared_ptr<RecordingListener> listener = std::make_shared<RecordingListener>();
  test::TestBed bed;
};

TEST_F(ListenerTest, M20IsToldOfAQuerysLife) {
  bed.session().add_listener(listener);
  const Query query = start("processing_time");
  EXPECT_EQ(listener->said, Words{"started shares"}) << "within the start";
  add(2);
  ASSERT_TRUE(bed.run());
  ASSERT_TRUE(query.stop());
  EXPECT_EQ(listener->said, (Words{"started shares", "epoch 0", "ended"}));
}

TEST_F(ListenerTest, M20IsToldTheCauseOfAFailure) {
  bed.session().add_listener(listener);
  const Query query = start("processing_time");
  add(0);
  ASSERT_TRUE(bed.run());
  ASSERT_EQ(query.status(), QueryState::kFailed);
  EXPECT_EQ(listener->said, (Words{"started shares", "failed: " + query.exception()->message}));
}

TEST_F(ListenerTest, M20WhatAListenerThrowsStopsNothing) {
  bed.session().add_listener(std::make_shared<ThrowingListener>());
  bed.session().add_listener(listener);
  const Query query = start("real_time 1 second");
  add(2);
  ASSERT_TRUE(bed.advance(std::chrono::milliseconds(1'000)));
  EXPECT_EQ(query.status(), QueryState::kRunning);
  EXPECT_EQ(listener->said, (Words{"started shares", "epoch 0"}));
  EXPECT_EQ(bed.log(), (Words{"a query listener threw: no start",
                              "a query listener threw: something that is no std::exception"}));
}

TEST_F(ListenerTest, L6IsToldEveryTenSecondsThatThereIsNothingToDo) {
  for (const char* trigger : {"real_time 1 second", "processing_time 1 second"}) {
    test::TestBed quiet;
    listener = std::make_shared<RecordingListener>();
    quiet.session().add_listener(listener);
    MemorySource rows("rows", {{"id", TypeKind::kInt64}});
    const Query query = quiet.session()
                            .read_stream(rows)
                            .write_stream()
                            .to(shares)
                            .option("trigger", trigger)
                            .start()
                            .value();
    for (int second = 0; second < 21; ++second) {
      if (second == 4) {
        ASSERT_TRUE(rows.add({Value::int64(1)}));
      }
      ASSERT_TRUE(quiet.advance(std::chrono::milliseconds(1'000)));
    }
    EXPECT_EQ(listener->said, (Words{"started shares", "epoch 0", "idle at 15"})) << trigger;
  }
}

TEST_F(ListenerTest, IsToldNothingOnceItIsRemoved) {
  bed.session().add_listener(listener);
  const Query query = start("processing_time");
  bed.session().remove_listener(listener);
  ASSERT_TRUE(query.stop());
  EXPECT_EQ(listener->said, Words{"started shares"});
}

/// Holds the bus's thread until it may go on.
class SlowListener final : public QueryListener {
 public:
  void on_idle(const QueryNotice& /*query*/) override {
    is_called.store(true);
    while (!may_go_on.load()) std::this_thread::yield();
    ++idle;
    thread = std::this_thread::get_id();
  }
  void on_terminated(const QueryNotice& /*query*/, const std::optional<Error>& /*cause*/) override {
    ++terminated;
  }
  std::atomic<bool> is_called{false};
  std::atomic<bool> may_go_on{false};
  std::size_t idle = 0;
  int terminated = 0;
  std::thread::id thread;
};

TEST(ListenerBus, NeverBlocksWhoPostsAndLeavesOutWhatASlowListenerMayMiss) {
  std::vector<std::string> lines;
  const auto slow = std::make_shared<SlowListener>();
  ListenerBus bus([&](LogLevel, std::string_view line) { lines.emplace_back(line); });
  bus.add(slow);
  const ListenerBus::Call idle = [](QueryListener& one) { one.on_idle({}); };
  bus.post(idle, true);
  while (!slow->is_called.load()) std::this_thread::yield();
  for (std::size_t i = 0; i < ListenerBus::kWaitingMax + 3; ++i) bus.post(idle, true);
  bus.post([](QueryListener& one) { one.on_terminated({}, std::nullopt); }, false);
  slow->may_go_on.store(true);
  bus.stop();
  EXPECT_EQ(slow->idle, ListenerBus::kWaitingMax + 1);
  EXPECT_EQ(slow->terminated, 1);
  EXPECT_NE(slow->thread, std::this_thread::get_id());
  EXPECT_EQ(lines, Words{"a query listener is too slow: 3 calls were left out"});
}

}  // namespace
}  // namespace millrace::session
