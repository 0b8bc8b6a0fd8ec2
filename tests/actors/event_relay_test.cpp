#include "actors/event_relay.hpp"

#include <gtest/gtest.h>

namespace millrace::actors {
namespace {

class EventRelayTest : public ::testing::Test {
 protected:
  PostEvent recorder() {
    return [this](CoordinatorEvent event) {
      if (const auto* failed = std::get_if<QueryFailed>(&event))
        seen_.push_back("failed: " + failed->cause.message);
      if (const auto* flushed = std::get_if<SinkFlushed>(&event))
        seen_.push_back("sink " + std::to_string(flushed->sink) + " flushed " +
                        std::to_string(flushed->epoch.value));
    };
  }

  std::shared_ptr<EventRelay> relay_ = std::make_shared<EventRelay>();
  stream::SinkEvents events_ = EventRelay::events_of(relay_, 1);
  std::vector<std::string> seen_;
};

TEST_F(EventRelayTest, PassesASinksEventsOnWithItsNumber) {
  relay_->connect(recorder(), {});
  events_.on_flushed(Epoch(7));
  EXPECT_EQ(seen_, std::vector<std::string>{"sink 1 flushed 7"});
}

TEST_F(EventRelayTest, KeepsAFailureThatComesBeforeTheRuntime) {
  events_.on_failure({ErrorCode::kIo, "the producer is fenced"});
  EXPECT_TRUE(seen_.empty());
  relay_->connect(recorder(), {});
  EXPECT_EQ(seen_, std::vector<std::string>{"failed: the producer is fenced"});
}

TEST_F(EventRelayTest, DropsWhatComesAfterTheRuntime) {
  relay_->connect(recorder(), {});
  relay_->disconnect();
  events_.on_flushed(Epoch(7));
  events_.on_room();
  EXPECT_TRUE(seen_.empty());
}

TEST_F(EventRelayTest, WakesEveryTaskWhenThereIsRoom) {
  Waker first, second;
  relay_->connect(recorder(), {&first, &second});
  events_.on_room();
  EXPECT_TRUE(first.is_pending());
  EXPECT_TRUE(second.is_pending());
}

}  // namespace
}  // namespace millrace::actors
