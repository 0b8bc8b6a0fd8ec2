#include "stream/functions/json_writer.hpp"

#include "stream/calendar.hpp"
#include "stream/decimal.hpp"
#include "stream/functions/json_cursor.hpp"
#include "stream/interval_text.hpp"
#include "stream/scalar_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace millrace::stream {

namespace {

template <typename Write>
void add_written(std::string& text, Write write) {
  std::array<char, 128> buffer;
  text.append(buffer.data(), write(buffer.data()));
}

void add_padded(std::int64_t number, std::size_t digits, std::string& text) {
  std::array<char, kScalarTextMax> buffer;
  const std::size_t size = write_int64(number, buffer.data());
  if (size < digits) text.append(digits - size, '0');
  text.append(buffer.data(), size);
}

/// "Z", or "+02:00".
void add_offset(std::int64_t offset_us, std::string& text) {
  if (offset_us == 0) return text.push_back('Z');
  const std::int64_t minutes = std::abs(offset_us) / kMicrosPerSecond / 60;
  text.push_back(offset_us < 0 ? '-' : '+');
  add_padded(minutes / 60, 2, text);
  text.push_back(':');
  add_padded(minutes % 60, 2, text);
}

}  // namespace

bool is_written_as_json(const DataType& type) {
  if (type.is(TypeKind::kNull) || type.is(TypeKind::kBytes)) return false;
  if (type.is(TypeKind::kMap) && !type.fields()[0].type.is(TypeKind::kString)) return false;
  return std::ranges::all_of(type.fields(),
                             [](const Field& field) { return is_written_as_json(field.type); });
}

std::string_view JsonWriter::write(const Column& column, std::size_t row,
                                   const Settings& settings) {
  settings_ = settings;
  text_.clear();
  put(column, row);
  return text_;
}

void JsonWriter::put_nullable(const Column& column, std::size_t row) {
  if (column.is_null(row))
    text_.append("null");
  else
    put(column, row);
}

void JsonWriter::put(const Column& column, std::size_t row) {
  switch (column.kind()) {
    case TypeKind::kBoolean:
      text_.append(column.value<std::uint8_t>(row) != 0 ? "true" : "false");
      return;
    case TypeKind::kInt32:
      return add_padded(column.value<std::int32_t>(row), 0, text_);
    case TypeKind::kInt64:
      return add_padded(column.value<std::int64_t>(row), 0, text_);
    case TypeKind::kDouble:
      return put_double(column.value<double>(row));
    case TypeKind::kDecimal:
      return add_written(text_, [&](char* out) {
        return write_decimal(column.value<Decimal>(row), column.type().scale(), out);
      });
    case TypeKind::kDate:
      return put_date(column.value<std::int32_t>(row));
    case TypeKind::kTimestamp:
      return put_timestamp(column.value<std::int64_t>(row));
    case TypeKind::kInterval:
      text_.push_back('"');
      add_written(text_,
                  [&](char* out) { return write_interval(column.value<Interval>(row), out); });
      return text_.push_back('"');
    case TypeKind::kArray:
      return put_array(column, row);
    case TypeKind::kMap:
      return put_map(column, row);
    case TypeKind::kStruct:
      return put_struct(column, row);
    default:
      return add_json_string(column.text(row), text_);
  }
}

void JsonWriter::put_double(double value) {
  const bool is_quoted = !std::isfinite(value);
  if (is_quoted) text_.push_back('"');
  add_written(text_, [&](char* out) { return write_double(value, out); });
  if (is_quoted) text_.push_back('"');
}

void JsonWriter::put_time(std::int64_t us, const TimeZone& zone, const TimePattern& pattern) {
  time_.resize(pattern.room());
  time_.resize(pattern.write(us, zone, time_.data()));
  add_json_string(time_, text_);
}

void JsonWriter::put_date(std::int32_t days) {
  if (settings_.date != nullptr)
    return put_time(days * kMicrosPerDay, TimeZone::utc(), *settings_.date);
  text_.push_back('"');
  add_written(text_, [&](char* out) { return write_date(days, out); });
  text_.push_back('"');
}

void JsonWriter::put_timestamp(std::int64_t us) {
  if (settings_.timestamp != nullptr) return put_time(us, *settings_.zone, *settings_.timestamp);
  const std::int64_t local = settings_.zone->to_local(us);
  const std::int64_t time = ((local % kMicrosPerDay) + kMicrosPerDay) % kMicrosPerDay;
  const auto days = static_cast<std::int32_t>((local - time) / kMicrosPerDay);
  const std::int64_t seconds = time / kMicrosPerSecond;
  text_.push_back('"');
  add_written(text_, [&](char* out) { return write_date(days, out); });
  text_.push_back('T');
  add_padded(seconds / 3600, 2, text_);
  text_.push_back(':');
  add_padded(seconds / 60 % 60, 2, text_);
  text_.push_back(':');
  add_padded(seconds % 60, 2, text_);
  text_.push_back('.');
  add_padded(time % kMicrosPerSecond / 1000, 3, text_);
  add_offset(local - us, text_);
  text_.push_back('"');
}

void JsonWriter::put_array(const Column& column, std::size_t row) {
  const auto entry = column.value<ListEntry>(row);
  text_.push_back('[');
  for (std::uint32_t i = 0; i < entry.length; ++i) {
    if (i != 0) text_.push_back(',');
    put_nullable(column.child(0), entry.offset + i);
  }
  text_.push_back(']');
}

void JsonWriter::put_map(const Column& column, std::size_t row) {
  const auto entry = column.value<ListEntry>(row);
  text_.push_back('{');
  for (std::uint32_t i = 0; i < entry.length; ++i) {
    if (i != 0) text_.push_back(',');
    add_json_string(column.child(0).text(entry.offset + i), text_);
    text_.push_back(':');
    put_nullable(column.child(1), entry.offset + i);
  }
  text_.push_back('}');
}

void JsonWriter::put_struct(const Column& column, std::size_t row) {
  const auto& fields = column.type().fields();
  bool is_first = true;
  text_.push_back('{');
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (column.child(i).is_null(row) && !settings_.keeps_null_fields) continue;
    if (!is_first) text_.push_back(',');
    is_first = false;
    add_json_string(fields[i].name, text_);
    text_.push_back(':');
    put_nullable(column.child(i), row);
  }
  text_.push_back('}');
}

}  // namespace millrace::stream
