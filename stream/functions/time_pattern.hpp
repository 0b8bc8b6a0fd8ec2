#pragma once

#include "millrace/error.hpp"

#include "stream/time_zone.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// A pattern of letters by which times are written and read: "dd/MM/yyyy HH:mm". The letters are
/// those of Java's DateTimeFormatter: G y M L d D Q q E F a h K k H m s S V z O X x Z; other
/// letters are refused, so are four z (a zone's full name), text stands between single quotes, [
/// and ] enclose what may be missing when a time is read. Names are English. Immutable once
/// compiled; thread-safe.
class TimePattern {
 public:
  /// Refuses what cannot be written or says what is wrong.
  [[nodiscard]] static Result<TimePattern> for_writing(std::string_view text);
  /// The same of what cannot be read: E, F, Q and q are only for writing.
  [[nodiscard]] static Result<TimePattern> for_reading(std::string_view text);

  /// Room that `write` needs at most.
  [[nodiscard]] std::size_t room() const { return room_; }
  /// Writes a UTC time as the zone's clock shows it. Gives the length.
  std::size_t write(std::int64_t utc_us, const TimeZone& zone, char* out) const;
  /// Reads the whole text, names in any case, as a UTC time. Without a zone in the text it is one
  /// of `zone`; parts that the pattern lacks are those of 1970-01-01 00:00:00. Nothing if the text
  /// is not such a time.
  [[nodiscard]] std::optional<std::int64_t> read(std::string_view text, const TimeZone& zone) const;
  /// The same of the day alone, in days since 1970-01-01, whatever time and zone the text names.
  [[nodiscard]] std::optional<std::int32_t> read_day(std::string_view text) const;

  /// A run of one letter, a text, or a bracket.
  struct Item {
    char letter = '\0';  ///< '\'' for a text, '[' and ']' for brackets
    std::size_t count = 0;
    std::string text;
    std::size_t end = 0;       ///< of '[': where its ']' is
    std::size_t reserved = 0;  ///< digits that the numbers right behind this one need
  };

 private:
  static Result<TimePattern> compile(std::string_view text);
  Status take_quoted(std::string_view text, std::size_t& at);
  void add_text(std::string_view text);
  Status check_brackets();
  void reserve_digits();

  std::vector<Item> items_;
  std::size_t room_ = 0;
};

}  // namespace millrace::stream
