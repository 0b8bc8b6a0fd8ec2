#pragma once

#include "millrace/error.hpp"
#include "millrace/options.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::stream {

/// What becomes of a record that something is wrong with.
enum class OnBadRecord : std::uint8_t {
  kFail,        ///< the query stops, naming the record's place and the reason
  kSkip,        ///< the record is dropped and counted
  kNull,        ///< what cannot be had is null, the row goes on
  kDeadLetter,  ///< the record as it came goes to a topic or a file, with the reason
};

/// The option's word ("dead_letter").
[[nodiscard]] std::string_view to_string(OnBadRecord choice);

/// Why a record is bad: what is counted by.
enum class BadRecordReason : std::uint8_t {
  kMalformed,   ///< its value is not what the format says
  kField,       ///< a value of it does not fit its column
  kExpression,  ///< an expression fails on its row
  kOversized,   ///< what was made from it is larger than the output takes
  kUnwritable,  ///< what was made from it says a place that is none, or parts that none has
};
inline constexpr std::size_t kBadRecordReasons = 5;

/// "malformed", "field", "expression", "oversized", "unwritable".
[[nodiscard]] std::string_view to_string(BadRecordReason reason);

/// What a source's options say about its bad records. A plain value.
struct BadRecordPolicy {
  /// The options it is read from, in their documented spelling.
  static constexpr std::array<std::string_view, 5> kKeys = {
      "on_bad_record", "mode", "column_name_of_corrupt_record", "dead_letter_topic",
      "dead_letter_path"};

  OnBadRecord on_decode = OnBadRecord::kFail;  ///< kMalformed and kField
  OnBadRecord on_row = OnBadRecord::kFail;     ///< the others
  std::string corrupt_column = "_corrupt_record";
  bool names_corrupt_column = false;  ///< the option said so
  std::string dead_letter_topic;
  std::string dead_letter_path;

  [[nodiscard]] OnBadRecord choice(BadRecordReason reason) const {
    const bool is_decode =
        reason == BadRecordReason::kMalformed || reason == BadRecordReason::kField;
    return is_decode ? on_decode : on_row;
  }
  [[nodiscard]] bool has_dead_letters() const { return on_row == OnBadRecord::kDeadLetter; }
  [[nodiscard]] bool is_plain_fail() const {
    return on_decode == OnBadRecord::kFail && on_row == OnBadRecord::kFail;
  }

  /// Reads it. `on_bad_record` is about every bad record; `mode` (failfast, dropmalformed,
  /// permissive) only about those that cannot be decoded, and must agree when both are given.
  /// Settings that contradict each other are refused, naming them.
  [[nodiscard]] static Result<BadRecordPolicy> parse(const Options& options);
};

}  // namespace millrace::stream
