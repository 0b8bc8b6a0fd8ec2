#include "operators/epoch_rotation.hpp"

#include <gtest/gtest.h>

namespace millrace::operators {
namespace {

TEST(EpochRotation, LetsTheNextEpochBeWrittenWhenTheOneBeforeIsFlushed) {
  EpochRotation rotation(3);
  rotation.start(Epoch(7));
  EXPECT_TRUE(rotation.may_write(Epoch(7)));
  EXPECT_FALSE(rotation.may_write(Epoch(8)));
  EXPECT_TRUE(rotation.note_flushed(Epoch(7)));
  EXPECT_TRUE(rotation.may_write(Epoch(8)));
  EXPECT_FALSE(rotation.may_write(Epoch(9)));
}

TEST(EpochRotation, WaitsForAProducerThatIsFree) {
  EpochRotation rotation(3);
  rotation.start(Epoch(0));
  EXPECT_TRUE(rotation.note_flushed(Epoch(0)));
  EXPECT_TRUE(rotation.note_flushed(Epoch(1)));
  EXPECT_FALSE(rotation.note_flushed(Epoch(2)));
  EXPECT_FALSE(rotation.may_write(Epoch(3)));
  EXPECT_TRUE(rotation.note_decided(Epoch(0)));
  EXPECT_TRUE(rotation.may_write(Epoch(3)));
}

TEST(EpochRotation, DoesNotLetAnEpochBeWrittenBecauseAnOlderOneIsDecided) {
  EpochRotation rotation(3);
  rotation.start(Epoch(0));
  EXPECT_TRUE(rotation.note_flushed(Epoch(0)));
  EXPECT_FALSE(rotation.note_decided(Epoch(0)));
  EXPECT_FALSE(rotation.may_write(Epoch(2)));
}

TEST(EpochRotation, TakesADecisionThatIsToldOfBeforeTheFlush) {
  EpochRotation rotation(1);
  rotation.start(Epoch(4));
  EXPECT_FALSE(rotation.note_decided(Epoch(4)));
  EXPECT_TRUE(rotation.note_flushed(Epoch(4)));
  EXPECT_TRUE(rotation.may_write(Epoch(5)));
}

TEST(EpochRotation, GivesEachProducerItsTurn) {
  const EpochRotation rotation(3);
  EXPECT_EQ(rotation.producer_of(Epoch(0)), 0U);
  EXPECT_EQ(rotation.producer_of(Epoch(5)), 2U);
  EXPECT_EQ(rotation.producer_of(Epoch(6)), 0U);
}

}  // namespace
}  // namespace millrace::operators
