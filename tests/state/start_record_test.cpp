#include "state/start_record.hpp"

#include <gtest/gtest.h>

namespace millrace::state {
namespace {

StartRecord full_start() {
  return {.sources = {{"clicks", {{"clicks-0", 12}, {"clicks-1", 0}}}, {"empty", {}}},
          .outputs = {{"enriched", {{0, 55}, {11, 7}}}}};
}

TEST(StartRecord, GivesBackWhatWasWritten) {
  EXPECT_EQ(decode_start(encode(full_start())), full_start());
  EXPECT_EQ(decode_start(encode(StartRecord{})), StartRecord{});
}

TEST(StartRecord, IsRefusedWhenCutAtAnyByte) {
  const std::string bytes = encode(full_start());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(decode_start(std::string_view(bytes).substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace millrace::state
