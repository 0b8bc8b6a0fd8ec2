#include "connectors/epoch_ledger.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace millrace::connectors {
namespace {

class EpochLedgerTest : public testing::Test {
 protected:
  EpochLedgerTest() {
    ledger_.on_flushed([this](Epoch epoch) { flushed_.push_back(epoch.value); });
  }

  EpochLedger::Slot add(std::int64_t epoch, std::int64_t records) {
    const auto slot = ledger_.add(Epoch(epoch), records);
    EXPECT_TRUE(slot.has_value());
    return *slot;
  }

  EpochLedger ledger_;
  std::vector<std::int64_t> flushed_;
};

TEST_F(EpochLedgerTest, FlushesAnEpochWithoutRecordsWhenItIsSealed) {
  ledger_.seal(Epoch(4));

  EXPECT_EQ(flushed_, std::vector<std::int64_t>({4}));
}

TEST_F(EpochLedgerTest, FlushesAnEpochWhenItsLastRecordIsAcknowledged) {
  const auto slot = add(0, 3);
  ledger_.seal(Epoch(0));
  ledger_.subtract(slot, 2);
  EXPECT_TRUE(flushed_.empty());

  ledger_.subtract(slot, 1);

  EXPECT_EQ(flushed_, std::vector<std::int64_t>({0}));
}

TEST_F(EpochLedgerTest, DoesNotFlushAnEpochThatMayStillGetRecords) {
  const auto slot = add(0, 1);
  ledger_.subtract(slot, 1);
  EXPECT_TRUE(flushed_.empty());

  ledger_.subtract(add(0, 1), 1);
  EXPECT_TRUE(flushed_.empty());

  ledger_.seal(Epoch(0));
  EXPECT_EQ(flushed_, std::vector<std::int64_t>({0}));
}

TEST_F(EpochLedgerTest, KeepsTheOrderOfEpochsWhenALaterOneIsDoneFirst) {
  const auto older = add(7, 1);
  const auto newer = add(8, 1);
  ledger_.seal(Epoch(7));
  ledger_.seal(Epoch(8));
  ledger_.subtract(newer, 1);
  EXPECT_TRUE(flushed_.empty());

  ledger_.subtract(older, 1);

  EXPECT_EQ(flushed_, std::vector<std::int64_t>({7, 8}));
}

TEST_F(EpochLedgerTest, UsesEachSlotAgainForALaterEpoch) {
  std::vector<std::int64_t> expected;
  for (std::int64_t epoch = 0; epoch < 100; ++epoch) {
    const auto slot = add(epoch, 2);
    ledger_.seal(Epoch(epoch));
    ledger_.subtract(slot, 2);
    expected.push_back(epoch);
  }

  EXPECT_EQ(flushed_, expected);
}

TEST_F(EpochLedgerTest, RefusesAnEpochThatIsTooFarAhead) {
  add(0, 1);
  ledger_.seal(Epoch(0));
  ledger_.subtract(0, 1);
  add(1, 1);

  const auto refused = ledger_.add(Epoch(17), 1);

  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "epoch 17 is written while epoch 1 is not flushed");
}

TEST_F(EpochLedgerTest, FlushesNothingOnceARecordIsLost) {
  const auto slot = add(0, 1);
  ledger_.stop();
  ledger_.subtract(slot, 1);
  ledger_.seal(Epoch(0));

  EXPECT_TRUE(flushed_.empty());
}

TEST_F(EpochLedgerTest, LetsTheCallbackSealTheNextEpoch) {
  ledger_.on_flushed([this](Epoch epoch) {
    flushed_.push_back(epoch.value);
    if (epoch.value < 3) ledger_.seal(epoch.next());
  });

  ledger_.seal(Epoch(0));

  EXPECT_EQ(flushed_, std::vector<std::int64_t>({0, 1, 2, 3}));
}

TEST_F(EpochLedgerTest, ReportsEachEpochOnceAndInOrderFromManyThreads) {
  constexpr std::int64_t kEpochs = 2'000;
  constexpr std::int64_t kRecords = 8;
  std::atomic<std::int64_t> reported{0};
  std::atomic<bool> in_order{true};
  ledger_.on_flushed([&](Epoch epoch) {
    if (reported.fetch_add(1) != epoch.value) in_order = false;
  });

  // Four threads acknowledge what the main one hands over, several epochs at a time.
  std::array<std::atomic<std::int64_t>, 4> handed_over{};
  std::vector<std::thread> acknowledging;
  for (auto& handed : handed_over) {
    acknowledging.emplace_back([&] {
      for (std::int64_t epoch = 0; epoch < kEpochs; ++epoch) {
        while (handed.load() <= epoch) std::this_thread::yield();
        ledger_.subtract(static_cast<EpochLedger::Slot>(epoch % EpochLedger::kSlots), kRecords / 4);
      }
    });
  }
  for (std::int64_t epoch = 0; epoch < kEpochs; ++epoch) {
    while (epoch - reported.load() > 8) std::this_thread::yield();
    ASSERT_TRUE(ledger_.add(Epoch(epoch), kRecords).has_value());
    for (auto& handed : handed_over) handed.fetch_add(1);
    ledger_.seal(Epoch(epoch));
  }
  for (auto& thread : acknowledging) thread.join();

  EXPECT_EQ(reported.load(), kEpochs);
  EXPECT_TRUE(in_order.load());
}

}  // namespace
}  // namespace millrace::connectors
