#pragma once

#include "stream/replay_filter.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::formats {

/// The header that carries a RecordPosition.
inline constexpr std::string_view kRecordPositionHeader = "millrace";

/// Who made a record of an output, and from what: a header of each record that is written exactly
/// once by resuming. A reader that keeps, per (checkpoint, writer, source, output partition), the
/// highest mark and drops what is not above it, sees each record once even where one was written
/// twice. Records of an older generation belong to a history that was left.
struct RecordPosition {
  std::array<std::uint8_t, 16> checkpoint{};  ///< the id of the checkpoint
  std::uint32_t writer = 0;                   ///< which of the query's places that write
  std::uint32_t generation = 0;
  std::uint64_t source = 0;  ///< XXH3-64 of the source partition's name
  stream::OutputMark mark;

  friend bool operator==(const RecordPosition&, const RecordPosition&) = default;
};

/// Version, checkpoint, writer, generation, source, offset, index: big endian.
inline constexpr std::size_t kRecordPositionBytes = 1 + 16 + 4 + 4 + 8 + 8 + 4;
using RecordPositionBytes = std::array<char, kRecordPositionBytes>;

void encode(const RecordPosition& position, RecordPositionBytes& out);
/// Nothing for bytes that are not a position.
[[nodiscard]] std::optional<RecordPosition> decode_record_position(std::string_view bytes);

/// The bytes of a checkpoint's id, 32 hexadecimal digits; nothing for another text.
[[nodiscard]] std::optional<std::array<std::uint8_t, 16>> checkpoint_id_bytes(
    std::string_view digits);
/// What RecordPosition::source is for a partition of a source of the plan.
[[nodiscard]] std::uint64_t source_id(std::string_view source, std::string_view partition);

}  // namespace millrace::formats
