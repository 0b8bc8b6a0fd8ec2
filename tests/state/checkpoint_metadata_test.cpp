#include "state/checkpoint_metadata.hpp"

#include <gtest/gtest.h>

namespace millrace::state {
namespace {

CheckpointMetadata full_metadata() {
  CheckpointMetadata metadata;
  metadata.checkpoint_id = "0123456789abcdef0123456789abcdef";
  metadata.created = WallTime(1'700'000'000'000'000);
  metadata.generation = Generation(2);
  metadata.forks = {{Generation(1), Epoch(40)}, {Generation(2), Epoch(17)}};
  metadata.transactional_ids = {"shop-0", "shop-1"};
  metadata.mark = MarkPartition{"enriched", 3};
  return metadata;
}

TEST(CheckpointMetadata, GivesBackWhatWasWritten) {
  EXPECT_EQ(decode_metadata(encode(full_metadata())), full_metadata());
  EXPECT_EQ(decode_metadata(encode(CheckpointMetadata{})), CheckpointMetadata{});
}

TEST(CheckpointMetadata, IsRefusedWhenCutAtAnyByte) {
  const std::string bytes = encode(full_metadata());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(decode_metadata(std::string_view(bytes).substr(0, size))) << size;
  }
}

TEST(CheckpointMetadata, IsReadWhenANewerFormatStillAllowsThisReader) {
  CheckpointMetadata newer = full_metadata();
  newer.format = 2;

  EXPECT_EQ(decode_metadata(encode(newer)), newer);
}

TEST(CheckpointMetadata, IsRefusedWhenItNeedsANewerReader) {
  CheckpointMetadata newer = full_metadata();
  newer.format = 5;
  newer.oldest_reader = 4;

  EXPECT_EQ(decode_metadata(encode(newer)).error(),
            Error({ErrorCode::kNotSupported,
                   "it has format 5 and needs a reader of format 4, this is one of 1"}));
}

}  // namespace
}  // namespace millrace::state
