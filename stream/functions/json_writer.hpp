#pragma once

#include "millrace/column.hpp"

#include "stream/functions/time_pattern.hpp"
#include "stream/time_zone.hpp"

#include <string>
#include <string_view>

namespace millrace::stream {

/// Writes values as JSON texts, as to_json does: doubles as casts to string show them, NaN and the
/// infinities in quotes, timestamps with milliseconds and the zone's offset unless a pattern says
/// otherwise. Keeps its buffers.
class JsonWriter {
 public:
  struct Settings {
    const TimeZone* zone = &TimeZone::utc();
    bool keeps_null_fields = false;          ///< of structs; otherwise they are left out
    const TimePattern* timestamp = nullptr;  ///< a borrow; null: ISO 8601
    const TimePattern* date = nullptr;       ///< the same
  };

  /// The text of a value that is not null; valid until the next call.
  std::string_view write(const Column& column, std::size_t row, const Settings& settings);

 private:
  void put_nullable(const Column& column, std::size_t row);
  void put(const Column& column, std::size_t row);
  void put_array(const Column& column, std::size_t row);
  void put_map(const Column& column, std::size_t row);
  void put_struct(const Column& column, std::size_t row);
  void put_double(double value);
  void put_date(std::int32_t days);
  void put_timestamp(std::int64_t us);
  void put_time(std::int64_t us, const TimeZone& zone, const TimePattern& pattern);

  Settings settings_;
  std::string text_;
  std::string time_;  ///< the time at hand
};

/// Whether to_json can write the type: no bytes, and maps with texts as keys.
[[nodiscard]] bool is_written_as_json(const DataType& type);

}  // namespace millrace::stream
