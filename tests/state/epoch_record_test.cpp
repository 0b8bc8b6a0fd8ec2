#include "state/epoch_record.hpp"

#include "state/record_file.hpp"

#include <gtest/gtest.h>

namespace millrace::state {
namespace {

OffsetsRecord full_offsets() {
  return {.epoch = Epoch(7),
          .generation = Generation(2),
          .drive = Drive::kPlanned,
          .time = WallTime(1'700'000'000'000'000),
          .ranges = {{"clicks", {{"clicks-0", {12, 40}}, {"clicks-1", {3, 3}}}},
                     {"orders", {{"orders-0", {0, INT64_MAX}}}}},
          .key_groups = {{0, 64}, {96, 128}}};
}

PreparedRecord full_prepared() {
  return {.epoch = Epoch(7),
          .attempt = "00c0ffee00c0ffee",
          .watermarks = {{"clicks", {{"clicks-0", EventTime(-5)}, {"clicks-1", EventTime(9)}}}},
          .watermark = EventTime(-5),
          .next_timer_due = EventTime(1234),
          .sink_handles = {{"files", "{\"manifest\": [\"a\"]}"}},
          .output_positions = {{"enriched", {4, {{0, 17}, {3, 99}}}}},
          .state_files = {{"counts/7.delta", 120, "9f"}, {"counts/5.snapshot", 0, ""}},
          .reader_memos = {{"clicks", {{"clicks-0", "seen 7"}, {"clicks-1", ""}}}}};
}

CommitRecord full_commit() {
  return {.epoch = Epoch(7),
          .attempt = "00c0ffee00c0ffee",
          .mark = CommitMark{Generation(2), Epoch(6), "abad1dea"}};
}

TEST(OffsetsRecord, GivesBackWhatWasWritten) {
  EXPECT_EQ(decode_offsets(encode(full_offsets())), full_offsets());
  EXPECT_EQ(decode_offsets(encode(OffsetsRecord{})), OffsetsRecord{});
}

TEST(PreparedRecord, GivesBackWhatWasWritten) {
  EXPECT_EQ(decode_prepared(encode(full_prepared())), full_prepared());
  EXPECT_EQ(decode_prepared(encode(PreparedRecord{})), PreparedRecord{});
}

TEST(CommitRecord, GivesBackWhatWasWritten) {
  EXPECT_EQ(decode_commit(encode(full_commit())), full_commit());
  EXPECT_EQ(decode_commit(encode(CommitRecord{})), CommitRecord{});
}

TEST(EpochRecord, IsRefusedWhenCutAtAnyByte) {
  const std::string offsets = encode(full_offsets());
  for (std::size_t size = 0; size < offsets.size(); ++size) {
    ASSERT_FALSE(decode_offsets(std::string_view(offsets).substr(0, size))) << size;
  }
  const std::string prepared = encode(full_prepared());
  for (std::size_t size = 0; size < prepared.size(); ++size) {
    ASSERT_FALSE(decode_prepared(std::string_view(prepared).substr(0, size))) << size;
  }
  const std::string commit = encode(full_commit());
  for (std::size_t size = 0; size < commit.size(); ++size) {
    ASSERT_FALSE(decode_commit(std::string_view(commit).substr(0, size))) << size;
  }
}

TEST(EpochRecord, IsRefusedInThePlaceOfAnother) {
  EXPECT_FALSE(decode_commit(encode(full_offsets())));
  EXPECT_FALSE(decode_offsets(encode(full_prepared())));
  EXPECT_FALSE(decode_prepared(encode(full_commit())));
}

TEST(OffsetsRecord, NamesTheMemberThatIsWrong) {
  const auto reason = [](std::string_view json) {
    const auto document = formats::JsonValue::parse(json);
    return decode_offsets(encode_record_file("offsets", *document)).error();
  };

  EXPECT_EQ(reason("{}").code, ErrorCode::kCorrupt);
  EXPECT_EQ(reason("{}").message, "member \"epoch\" is missing");
  EXPECT_EQ(reason(R"({"epoch":1,"generation":0,"drive":"shut","time_us":0})").message,
            "member \"drive\" is no drive: shut");
  EXPECT_EQ(reason(R"({"epoch":1,"generation":0,"drive":"open","time_us":0,
                       "sources":{"a":{"from":{"a-0":5},"to":{"a-0":4}}}})")
                .message,
            "partition a-0 has no range");
  EXPECT_EQ(reason(R"({"epoch":1,"generation":0,"drive":"open","time_us":0,
                       "sources":{"a":{"from":{"a-0":5},"to":{"a-1":6}}}})")
                .message,
            "partition a-0 has no range");
}

TEST(PreparedRecord, NamesTheMemberThatIsOutOfRange) {
  auto document = decode_record_file("prepared", encode(full_prepared()));
  document->set("output_positions",
                *formats::JsonValue::parse(
                    R"({"enriched":{"partition_count":2147483648,"acknowledged":{}}})"));
  EXPECT_EQ(decode_prepared(encode_record_file("prepared", *document)).error().message,
            "member \"partition_count\" is out of range: 2147483648");

  document->set(
      "output_positions",
      *formats::JsonValue::parse(R"({"enriched":{"partition_count":1,"acknowledged":{"0x":1}}})"));
  EXPECT_EQ(decode_prepared(encode_record_file("prepared", *document)).error().message,
            "member \"acknowledged\" names no partition: 0x");
}

}  // namespace
}  // namespace millrace::state
