#include "stream/functions/value_text.hpp"

#include "stream/decimal.hpp"
#include "stream/interval_text.hpp"
#include "stream/scalar_text.hpp"
#include "stream/utf8_repair.hpp"

namespace millrace::stream {

namespace {

void put(std::string_view text, ArenaText& out) {
  out.reserve(text.size());
  out.put(text);
}

void put_element(const Column& column, std::size_t row, const TimeZone& zone, ArenaText& out) {
  if (column.is_null(row)) return put("null", out);
  put_value_text(column, row, zone, out);
}

void put_array(const Column& column, std::size_t row, const TimeZone& zone, ArenaText& out) {
  const auto entry = column.value<ListEntry>(row);
  put("[", out);
  for (std::uint32_t i = 0; i < entry.length; ++i) {
    if (i != 0) put(", ", out);
    put_element(column.child(0), entry.offset + i, zone, out);
  }
  put("]", out);
}

void put_map(const Column& column, std::size_t row, const TimeZone& zone, ArenaText& out) {
  const auto entry = column.value<ListEntry>(row);
  put("{", out);
  for (std::uint32_t i = 0; i < entry.length; ++i) {
    if (i != 0) put(", ", out);
    put_element(column.child(0), entry.offset + i, zone, out);
    put(" -> ", out);
    put_element(column.child(1), entry.offset + i, zone, out);
  }
  put("}", out);
}

void put_struct(const Column& column, std::size_t row, const TimeZone& zone, ArenaText& out) {
  put("{", out);
  for (std::size_t i = 0; i < column.child_count(); ++i) {
    if (i != 0) put(", ", out);
    put_element(column.child(i), row, zone, out);
  }
  put("}", out);
}

/// `write` gives the length of what it wrote, `room` bytes at most.
template <typename Write>
void put_written(std::size_t room, ArenaText& out, Write write) {
  out.reserve(room);
  out.advance_to(out.at() + write(out.at()));
}

}  // namespace

void put_value_text(const Column& column, std::size_t row, const TimeZone& zone, ArenaText& out) {
  switch (column.kind()) {
    case TypeKind::kNull:
      return put("null", out);
    case TypeKind::kBoolean:
      return put(column.value<std::uint8_t>(row) != 0 ? "true" : "false", out);
    case TypeKind::kInt32:
      return put_written(kScalarTextMax, out, [&](char* at) {
        return write_int64(column.value<std::int32_t>(row), at);
      });
    case TypeKind::kInt64:
      return put_written(kScalarTextMax, out, [&](char* at) {
        return write_int64(column.value<std::int64_t>(row), at);
      });
    case TypeKind::kDouble:
      return put_written(kScalarTextMax, out,
                         [&](char* at) { return write_double(column.value<double>(row), at); });
    case TypeKind::kDate:
      return put_written(kScalarTextMax, out,
                         [&](char* at) { return write_date(column.value<std::int32_t>(row), at); });
    case TypeKind::kTimestamp:
      return put_written(kScalarTextMax, out, [&](char* at) {
        return write_timestamp(zone.to_local(column.value<std::int64_t>(row)), at);
      });
    case TypeKind::kDecimal:
      return put_written(kDecimalTextMax, out, [&](char* at) {
        return write_decimal(column.value<Decimal>(row), column.type().scale(), at);
      });
    case TypeKind::kInterval:
      return put_written(kIntervalTextMax, out,
                         [&](char* at) { return write_interval(column.value<Interval>(row), at); });
    case TypeKind::kString:
      return put(column.text(row), out);
    case TypeKind::kBytes:
      return put_written(repaired_utf8_size_max(column.text(row).size()), out,
                         [&](char* at) { return write_repaired_utf8(column.text(row), at); });
    case TypeKind::kArray:
      return put_array(column, row, zone, out);
    case TypeKind::kMap:
      return put_map(column, row, zone, out);
    case TypeKind::kStruct:
      return put_struct(column, row, zone, out);
  }
}

}  // namespace millrace::stream
