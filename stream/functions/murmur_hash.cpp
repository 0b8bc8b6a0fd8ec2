#include "stream/functions/murmur_hash.hpp"

#include <bit>
#include <cstring>

namespace millrace::stream {

namespace {

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t word;
  std::memcpy(&word, bytes.data() + offset, sizeof(word));
  return word;
}

std::uint32_t mix_word(std::uint32_t hash, std::uint32_t word) {
  word = std::rotl(word * 0xCC9E2D51U, 15) * 0x1B873593U;
  return std::rotl(hash ^ word, 13) * 5 + 0xE6546B64U;
}

std::uint32_t finish(std::uint32_t hash, std::size_t length) {
  hash ^= static_cast<std::uint32_t>(length);
  hash = (hash ^ (hash >> 16)) * 0x85EBCA6BU;
  hash = (hash ^ (hash >> 13)) * 0xC2B2AE35U;
  return hash ^ (hash >> 16);
}

}  // namespace

std::uint32_t murmur3_of_int(std::int32_t value, std::uint32_t seed) {
  return finish(mix_word(seed, static_cast<std::uint32_t>(value)), 4);
}

std::uint32_t murmur3_of_long(std::int64_t value, std::uint32_t seed) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint32_t low = mix_word(seed, static_cast<std::uint32_t>(bits));
  return finish(mix_word(low, static_cast<std::uint32_t>(bits >> 32)), 8);
}

std::uint32_t murmur3_of_bytes(std::string_view bytes, std::uint32_t seed) {
  std::uint32_t hash = seed;
  std::size_t offset = 0;
  for (; offset + 4 <= bytes.size(); offset += 4) hash = mix_word(hash, word_at(bytes, offset));
  for (; offset < bytes.size(); ++offset)
    hash = mix_word(hash, static_cast<std::uint32_t>(static_cast<signed char>(bytes[offset])));
  return finish(hash, bytes.size());
}

std::uint32_t murmur2_of_key(std::string_view key) {
  constexpr std::uint32_t kSeed = 0x9747B28CU;
  constexpr std::uint32_t kFactor = 0x5BD1E995U;
  std::uint32_t hash = kSeed ^ static_cast<std::uint32_t>(key.size());
  std::size_t offset = 0;
  for (; offset + 4 <= key.size(); offset += 4) {
    std::uint32_t word = word_at(key, offset) * kFactor;
    word = (word ^ (word >> 24)) * kFactor;
    hash = (hash * kFactor) ^ word;
  }
  std::uint32_t tail = 0;
  for (std::size_t i = key.size(); i > offset; --i)
    tail = tail << 8 | static_cast<unsigned char>(key[i - 1]);
  if (offset < key.size()) hash = (hash ^ tail) * kFactor;
  hash = (hash ^ (hash >> 13)) * kFactor;
  return hash ^ (hash >> 15);
}

std::int32_t kafka_partition(std::string_view key, std::int32_t partitions) {
  return static_cast<std::int32_t>(murmur2_of_key(key) & 0x7FFFFFFFU) % partitions;
}

}  // namespace millrace::stream
