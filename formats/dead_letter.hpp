#pragma once

#include "millrace/arena.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::formats {

/// One header of a record; null and empty are not the same.
struct DeadLetterHeader {
  std::string_view name;
  std::optional<std::string_view> value;
};

/// A record that went wrong, as it came, and what is said of it. Views: somebody else owns the
/// bytes.
struct DeadLetter {
  std::optional<std::string_view> value;
  std::optional<std::string_view> key;
  std::vector<DeadLetterHeader> headers;
  std::string_view topic;
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  std::optional<std::int64_t> timestamp_us;
  std::string_view kind;    ///< what it is counted by: "malformed"
  std::string_view reason;  ///< a sentence
  std::string left_out;     ///< what of it its topic does not take; empty: nothing
};

/// Begins the names of the headers that a dead letter gets.
inline constexpr std::string_view kDeadLetterPrefix = "millrace.dead_letter.";

/// The headers that go behind the record's own: prefix + topic, partition, offset, timestamp (ms
/// since 1970, when there is one), kind, reason, left_out (when something is); all of them text in
/// `arena`.
[[nodiscard]] std::vector<DeadLetterHeader> dead_letter_headers(const DeadLetter& letter,
                                                                Arena& arena);

/// The letter as one JSON object without a line end:
///
///   {"topic":"clicks","partition":3,"offset":17,"timestamp":"2026-01-31T10:20:30.123Z",
///    "kind":"malformed","reason":"...","key":"u1","value":"{","headers":[{"key":"a","value":"b"}]}
///
/// Bytes that are not UTF-8 stand in base64 under the name with _base64 behind it ("value_base64").
/// What is null is null.
[[nodiscard]] std::string_view dead_letter_line(const DeadLetter& letter, Arena& arena);

}  // namespace millrace::formats
