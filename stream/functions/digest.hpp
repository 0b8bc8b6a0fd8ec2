#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace millrace::stream {

enum class DigestKind { kMd5, kSha1, kSha224, kSha256, kSha384, kSha512 };

/// Computes digests of one kind over and over. The one place that knows OpenSSL and zlib. Movable;
/// not thread-safe.
class Digest {
 public:
  static constexpr std::size_t kSizeMax = 64;

  explicit Digest(DigestKind kind);
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;
  ~Digest();

  /// The digest's bytes, valid until the next call. Empty if the library refuses the algorithm (a
  /// FIPS build has no MD5).
  [[nodiscard]] std::string_view compute(std::string_view bytes);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
  std::array<char, kSizeMax> digest_{};
};

/// The checksum of zlib, gzip and Ethernet.
[[nodiscard]] std::uint32_t crc32_of(std::string_view bytes);

}  // namespace millrace::stream
