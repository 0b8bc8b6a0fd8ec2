#pragma once

#include <cstdint>
#include <string_view>

namespace millrace::stream {

/// MurmurHash3 (x86, 32 bits) of four and of eight bytes.
[[nodiscard]] std::uint32_t murmur3_of_int(std::int32_t value, std::uint32_t seed);
[[nodiscard]] std::uint32_t murmur3_of_long(std::int64_t value, std::uint32_t seed);
/// The same of bytes, but as Spark has it: each byte behind the last whole four is mixed in as
/// a signed number of its own.
[[nodiscard]] std::uint32_t murmur3_of_bytes(std::string_view bytes, std::uint32_t seed);

/// MurmurHash2 as Kafka's default partitioner computes it of a key.
[[nodiscard]] std::uint32_t murmur2_of_key(std::string_view key);
/// The partition that Kafka's Java producer gives a record with this key, of `partitions` ones.
[[nodiscard]] std::int32_t kafka_partition(std::string_view key, std::int32_t partitions);

}  // namespace millrace::stream
