#include "actors/channel.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace millrace::actors {
namespace {

Element barrier(std::int64_t epoch) { return Element::of_barrier(Epoch(epoch), WallTime(0)); }

TEST(Channel, GivesElementsInTheOrderTheyWerePushed) {
  Channel channel(4);
  for (int number = 0; number < 3; ++number) channel.push(barrier(number));

  Element element;
  for (int number = 0; number < 3; ++number) {
    ASSERT_TRUE(channel.pop(element));
    EXPECT_EQ(element.epoch, Epoch(number));
  }
  EXPECT_FALSE(channel.pop(element));
}

TEST(Channel, HasNoRoomOnceItsCapacityWaits) {
  Channel channel(2);
  EXPECT_TRUE(channel.has_room());
  channel.push(barrier(0));
  EXPECT_TRUE(channel.has_room());
  channel.push(barrier(1));
  EXPECT_FALSE(channel.has_room());
  EXPECT_EQ(channel.size(), 2U);
}

TEST(Channel, TakesMoreThanItsCapacityWhenPushedAllTheSame) {
  Channel channel(1);
  for (int number = 0; number < 5; ++number) channel.push(barrier(number));
  EXPECT_EQ(channel.size(), 5U);
}

TEST(Channel, WakesTheReceiverOncePerLook) {
  Channel channel(8);
  Waker sender, receiver;
  int wakes = 0;
  receiver.connect([&wakes] { ++wakes; });
  channel.connect(&sender, &receiver);

  channel.push(barrier(0));
  channel.push(barrier(1));
  EXPECT_EQ(wakes, 1);

  receiver.begin_step();
  channel.push(barrier(2));
  EXPECT_EQ(wakes, 2);
}

TEST(Channel, WakesTheSenderWhenAFullChannelHasRoomAgain) {
  Channel channel(2);
  Waker sender, receiver;
  int wakes = 0;
  sender.connect([&wakes] { ++wakes; });
  channel.connect(&sender, &receiver);
  channel.push(barrier(0));
  channel.push(barrier(1));
  ASSERT_FALSE(channel.has_room());

  Element element;
  ASSERT_TRUE(channel.pop(element));
  EXPECT_EQ(wakes, 1);
  EXPECT_TRUE(channel.has_room());
}

TEST(Channel, LeavesASenderAloneThatNeverFoundItFull) {
  Channel channel(2);
  Waker sender, receiver;
  int wakes = 0;
  sender.connect([&wakes] { ++wakes; });
  channel.connect(&sender, &receiver);
  channel.push(barrier(0));

  Element element;
  ASSERT_TRUE(channel.pop(element));
  EXPECT_EQ(wakes, 0);
}

TEST(Channel, KeepsOrderAndLosesNothingBetweenTwoThreads) {
  constexpr std::int64_t kElements = 200'000;
  Channel channel(64);
  std::thread sender([&channel] {
    for (std::int64_t number = 0; number < kElements;) {
      if (!channel.has_room()) {
        std::this_thread::yield();
        continue;
      }
      channel.push(Element::of_barrier(Epoch(number), WallTime(0)));
      ++number;
    }
  });

  Element element;
  std::int64_t expected = 0;
  std::int64_t out_of_order = 0;
  while (expected < kElements) {
    if (!channel.pop(element)) {
      std::this_thread::yield();
      continue;
    }
    if (element.epoch != Epoch(expected)) ++out_of_order;
    ++expected;
  }
  sender.join();
  EXPECT_EQ(out_of_order, 0);
  EXPECT_FALSE(channel.pop(element));
}

TEST(Waker, MakesUpForAWakeUpThatCameBeforeItWasConnected) {
  Waker waker;
  waker.wake();
  int wakes = 0;
  waker.connect([&wakes] { ++wakes; });
  EXPECT_EQ(wakes, 1);
}

}  // namespace
}  // namespace millrace::actors
