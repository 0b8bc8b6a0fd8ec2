#include "bench/latency/output_audit.hpp"

#include "bench/latency/clicks.hpp"

#include <gtest/gtest.h>

namespace millrace::bench {
namespace {

// Ten records a second from time 1 s on, the first two of them warm-up.
Schedule six_records() {
  Schedule schedule;
  schedule.start_ns = 1'000'000'000;
  schedule.rate = 10;
  schedule.warm_up = 2;
  schedule.count = 6;
  return schedule;
}

std::string click(std::uint64_t seq) {
  std::string record;
  write_click(seq, 0, 200, record);
  return record;
}

// Notes every record that is passed on, each 5 ms after it was due.
void note_all(OutputAudit& audit, const Schedule& schedule) {
  for (std::uint64_t seq = 0; seq < schedule.count; ++seq) {
    if (is_passed_on(seq)) audit.note(click(seq), schedule.due_ns(seq) + 5'000'000);
  }
}

TEST(OutputAudit, IsCompleteWhenAllThatPassesHasArrived) {
  OutputAudit audit(six_records());
  EXPECT_FALSE(audit.is_complete());

  note_all(audit, six_records());

  EXPECT_TRUE(audit.is_complete());
  EXPECT_EQ(audit.missing(), 0u);
  EXPECT_EQ(audit.doubled(), 0u);
  EXPECT_EQ(audit.unexpected(), 0u);
}

TEST(OutputAudit, TimesFromTheMomentARecordWasDueAndLeavesTheWarmUpOut) {
  OutputAudit audit(six_records());
  std::uint64_t measured = 0;
  for (std::uint64_t seq = 2; seq < 6; ++seq) measured += is_passed_on(seq) ? 1 : 0;

  note_all(audit, six_records());

  EXPECT_EQ(audit.latency().count, measured);
  EXPECT_EQ(audit.latency().max_ns, 5'000'000u);
}

TEST(OutputAudit, TellsADoubledRecordFromAnUnexpectedOne) {
  OutputAudit audit(six_records());
  std::uint64_t passed = 0;
  while (!is_passed_on(passed)) ++passed;
  std::uint64_t dropped = 0;
  while (is_passed_on(dropped)) ++dropped;

  audit.note(click(passed), 2'000'000'000);
  audit.note(click(passed), 2'000'000'000);
  audit.note(click(dropped), 2'000'000'000);
  audit.note(click(99), 2'000'000'000);
  audit.note("no record number", 2'000'000'000);

  EXPECT_EQ(audit.arrived(), 1u);
  EXPECT_EQ(audit.doubled(), 1u);
  EXPECT_EQ(audit.unexpected(), 3u);
}

TEST(OutputAudit, KeepsTheLongestGapOfTheOutput) {
  OutputAudit audit(six_records());
  for (const std::int64_t arrival_ns : {100, 150, 450, 500}) audit.note("", arrival_ns);

  EXPECT_EQ(audit.longest_gap_ns(), 300);
}

TEST(Clicks, AreAsLongAsAskedAndHoldTheirNumber) {
  EXPECT_EQ(click(17).size(), 200u);
  EXPECT_EQ(seq_of(click(17)), 17);
}

TEST(Clicks, ShowTheForwarderExactlyThoseThatTheJobDrops) {
  for (std::uint64_t seq = 0; seq < 300; ++seq) {
    EXPECT_EQ(is_dropped(click(seq)), !is_passed_on(seq)) << seq;
  }
}

TEST(Clicks, KeepsTheEventsThatTheJobDoes) {
  ASSERT_TRUE(keep_events("purchase"));
  int kept = 0;
  for (std::uint64_t seq = 0; seq < 30; ++seq) {
    EXPECT_EQ(is_passed_on(seq), event_type_of(seq) == EventType::kPurchase);
    kept += is_passed_on(seq) ? 1 : 0;
  }
  EXPECT_GT(kept, 0);
  EXPECT_FALSE(keep_events("sale"));
  EXPECT_FALSE(keep_events(""));
  ASSERT_TRUE(keep_events("view,click"));
}

}  // namespace
}  // namespace millrace::bench
