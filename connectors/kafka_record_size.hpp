#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

// How many bytes a record takes in a batch of its own, as brokers count: they refuse a batch that
// is larger than their topic's max.message.bytes. The layout is that of the protocol's record
// batch, version 2.

namespace millrace::connectors {

/// What a batch has around its records.
inline constexpr std::int64_t kKafkaBatchOverhead = 61;

/// Bytes of a number in the protocol's variable-length form.
[[nodiscard]] constexpr std::int64_t kafka_number_size(std::int64_t number) {
  const auto zigzag =
      (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
  return zigzag == 0 ? 1 : (std::bit_width(zigzag) + 6) / 7;
}

/// Bytes of a field with its length before it. Null, of length -1, is the length alone.
[[nodiscard]] constexpr std::int64_t kafka_field_size(std::int64_t length) {
  return kafka_number_size(length) + (length < 0 ? 0 : length);
}

/// Bytes of a batch with one record of these parts; `headers` is what their names and values take,
/// each with its length.
[[nodiscard]] constexpr std::int64_t kafka_record_size(std::int64_t key_length,
                                                       std::int64_t value_length,
                                                       std::int64_t header_count,
                                                       std::int64_t headers) {
  constexpr std::int64_t kAttributesAndDeltas = 3;  // of time and offset, both 0
  const std::int64_t body = kAttributesAndDeltas + kafka_field_size(key_length) +
                            kafka_field_size(value_length) + kafka_number_size(header_count) +
                            headers;
  return kKafkaBatchOverhead + kafka_number_size(body) + body;
}

}  // namespace millrace::connectors
