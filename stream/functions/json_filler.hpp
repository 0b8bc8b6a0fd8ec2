#pragma once

#include "millrace/arena.hpp"
#include "millrace/column.hpp"

#include "stream/functions/json_cursor.hpp"
#include "stream/functions/time_pattern.hpp"
#include "stream/time_zone.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace millrace::stream {

/// Fills rows of a column of any type that JSON has values for from JSON texts, as from_json does.
/// Of the members of an object that have one name the last counts, be the others what they may.
/// Keeps its buffers; texts go to the arena.
class JsonFiller {
 public:
  enum class Outcome {
    kDone,
    kNull,     ///< the text is null
    kPartial,  ///< values that do not fit are null
    kNoValue,  ///< the text is well-formed as far as it was read, but no value of the type
    kBroken,   ///< it is no JSON
  };

  /// How dates and times are written in the texts; null: as ISO 8601. Borrows.
  struct Patterns {
    const TimePattern* timestamp = nullptr;
    const TimePattern* date = nullptr;
  };

  /// Sets what all rows of a batch have in common.
  void begin(Arena& arena, const TimeZone& zone, Patterns patterns) {
    arena_ = &arena;
    zone_ = &zone;
    patterns_ = patterns;
  }
  /// Sets the row of an array, map or struct from a text that is not blank. An object is taken as
  /// an array of structs with that one element. After kNull,
  /// kNoValue and kBroken the row is unspecified.
  [[nodiscard]] Outcome fill(std::string_view text, Column& column, std::size_t row);

 private:
  /// Whether the walk goes on; values that do not fit are noted in `is_partial_`.
  [[nodiscard]] bool read(Column& column, std::size_t row);
  [[nodiscard]] bool read_scalar(Column& column, std::size_t row);
  [[nodiscard]] bool read_number(Column& column, std::size_t row);
  [[nodiscard]] bool read_text(Column& column, std::size_t row);
  [[nodiscard]] bool read_double_word(Column& column, std::size_t row);
  [[nodiscard]] std::optional<std::int64_t> timestamp_of(std::string_view text) const;
  [[nodiscard]] std::optional<std::int32_t> day_of(std::string_view text) const;
  [[nodiscard]] bool read_array(Column& column, std::size_t row);
  [[nodiscard]] bool read_map(Column& column, std::size_t row);
  [[nodiscard]] bool read_struct(Column& column, std::size_t row);
  [[nodiscard]] bool read_element(Column& elements);
  [[nodiscard]] bool read_member(Column& column, std::size_t row, std::string_view name);
  [[nodiscard]] bool is_named_again(std::string_view name);
  [[nodiscard]] bool read_only_element(Column& column, std::size_t row);
  [[nodiscard]] bool put_text(Column& column, std::size_t row, std::string_view text);

  JsonCursor cursor_;
  Arena* arena_ = nullptr;
  const TimeZone* zone_ = nullptr;
  Patterns patterns_;
  bool is_partial_ = false;
  std::string name_;  ///< the member at hand
  std::string text_;  ///< the string at hand
};

/// Whether from_json can fill the type: no bytes, and maps with texts as keys.
[[nodiscard]] bool is_filled_from_json(const DataType& type);

}  // namespace millrace::stream
