#include "formats/record_position.hpp"

#include "stream/xx_hash.hpp"

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace millrace::formats {
namespace {

constexpr char kVersion = 1;

template <typename Number>
char* put(char* at, Number number) {
  using Bits = std::make_unsigned_t<Number>;
  const auto bits = static_cast<Bits>(number);
  for (int shift = static_cast<int>(sizeof(Bits)) * 8 - 8; shift >= 0; shift -= 8)
    *at++ = static_cast<char>(bits >> shift);
  return at;
}

template <typename Number>
const char* take(const char* at, Number& number) {
  using Bits = std::make_unsigned_t<Number>;
  Bits bits = 0;
  for (std::size_t i = 0; i < sizeof(Bits); ++i)
    bits = static_cast<Bits>(bits << 8) | static_cast<std::uint8_t>(*at++);
  number = static_cast<Number>(bits);
  return at;
}

}  // namespace

void encode(const RecordPosition& position, RecordPositionBytes& out) {
  char* at = out.data();
  *at++ = kVersion;
  at = std::copy(position.checkpoint.begin(), position.checkpoint.end(), at);
  at = put(at, position.writer);
  at = put(at, position.generation);
  at = put(at, position.source);
  at = put(at, position.mark.offset);
  put(at, position.mark.index);
}

std::optional<RecordPosition> decode_record_position(std::string_view bytes) {
  if (bytes.size() != kRecordPositionBytes || bytes.front() != kVersion) return std::nullopt;
  RecordPosition position;
  const char* at = bytes.data() + 1;
  std::copy_n(at, position.checkpoint.size(), position.checkpoint.begin());
  at += position.checkpoint.size();
  at = take(at, position.writer);
  at = take(at, position.generation);
  at = take(at, position.source);
  at = take(at, position.mark.offset);
  take(at, position.mark.index);
  return position;
}

std::optional<std::array<std::uint8_t, 16>> checkpoint_id_bytes(std::string_view digits) {
  std::array<std::uint8_t, 16> bytes{};
  if (digits.size() != bytes.size() * 2) return std::nullopt;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char* const begin = digits.data() + i * 2;
    const auto [end, problem] = std::from_chars(begin, begin + 2, bytes[i], 16);
    if (problem != std::errc() || end != begin + 2) return std::nullopt;
  }
  return bytes;
}

std::uint64_t source_id(std::string_view source, std::string_view partition) {
  std::string name(source);
  name += '\0';
  name += partition;
  return stream::xxh3(name);
}

}  // namespace millrace::formats
