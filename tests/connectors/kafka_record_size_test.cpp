#include "connectors/kafka_record_size.hpp"

#include <gtest/gtest.h>

namespace millrace::connectors {
namespace {

TEST(KafkaRecordSize, CountsANumberAsTheProtocolWritesIt) {
  EXPECT_EQ(kafka_number_size(0), 1);
  EXPECT_EQ(kafka_number_size(-1), 1);
  EXPECT_EQ(kafka_number_size(63), 1);
  EXPECT_EQ(kafka_number_size(64), 2);
  EXPECT_EQ(kafka_number_size(-64), 1);
  EXPECT_EQ(kafka_number_size(-65), 2);
  EXPECT_EQ(kafka_number_size(8191), 2);
  EXPECT_EQ(kafka_number_size(8192), 3);
}

TEST(KafkaRecordSize, CountsABatchOfOneRecord) {
  // 61 around it, 1 length, 1 attributes, 2 deltas, 1 + 0 key, 1 + 1 value, 1 number of headers.
  EXPECT_EQ(kafka_record_size(0, 1, 0, 0), 69);
  // A null key is its length alone.
  EXPECT_EQ(kafka_record_size(-1, 1, 0, 0), 69);
  // One header "a" = "b": 1 + 1 and 1 + 1.
  EXPECT_EQ(kafka_record_size(-1, 1, 1, kafka_field_size(1) + kafka_field_size(1)), 73);
}

}  // namespace
}  // namespace millrace::connectors
