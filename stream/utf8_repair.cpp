#include "stream/utf8_repair.hpp"

#include <cstdint>
#include <cstring>

namespace millrace::stream {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// What may follow a first byte: how many bytes, and the range of the first of them.
struct Follow {
  std::size_t count = 0;  ///< 0: no character of several bytes begins so
  std::uint8_t least = 0x80;
  std::uint8_t most = 0xBF;
};

Follow follow_of(std::uint8_t first) {
  if (first >= 0xC2 && first <= 0xDF) return {1};
  if (first == 0xE0) return {2, 0xA0};
  if (first == 0xED) return {2, 0x80, 0x9F};
  if (first >= 0xE1 && first <= 0xEF) return {2};
  if (first == 0xF0) return {3, 0x90};
  if (first >= 0xF1 && first <= 0xF3) return {3};
  if (first == 0xF4) return {3, 0x80, 0x8F};
  return {};
}

/// The piece at the front: a whole character, or as much of one as there is.
struct Piece {
  std::size_t size = 1;
  bool is_whole = false;
};

Piece front_piece(std::string_view bytes) {
  const auto byte_at = [bytes](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  if (byte_at(0) < 0x80) return {1, true};
  Follow follow = follow_of(byte_at(0));
  if (follow.count == 0) return {};
  for (std::size_t i = 1; i <= follow.count; ++i) {
    if (i == bytes.size() || byte_at(i) < follow.least || byte_at(i) > follow.most)
      return {i, false};
    follow.least = 0x80;
    follow.most = 0xBF;
  }
  return {follow.count + 1, true};
}

}  // namespace

std::size_t write_repaired_utf8(std::string_view bytes, char* out) {
  char* end = out;
  while (!bytes.empty()) {
    const Piece piece = front_piece(bytes);
    const std::string_view text = piece.is_whole ? bytes.substr(0, piece.size) : kReplacement;
    std::memcpy(end, text.data(), text.size());
    end += text.size();
    bytes.remove_prefix(piece.size);
  }
  return static_cast<std::size_t>(end - out);
}

}  // namespace millrace::stream
