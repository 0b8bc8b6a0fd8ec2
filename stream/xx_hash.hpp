#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <string_view>

// xxHash of bytes: the one place that knows the library. Inline, for what is hashed per row.

namespace millrace::stream {

/// XXH3, of 64 bits: keys of joins and state, checksums of files.
inline std::uint64_t xxh3(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}
inline std::uint64_t xxh3(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

/// XXH64, which SQL's xxhash64 is.
inline std::uint64_t xxh64(const void* bytes, std::size_t size, std::uint64_t seed) {
  return XXH64(bytes, size, seed);
}

}  // namespace millrace::stream
