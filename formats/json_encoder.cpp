#include "formats/json_encoder.hpp"

#include "millrace/assert.hpp"

#include "formats/json_text.hpp"
#include "stream/base64.hpp"
#include "stream/decimal.hpp"
#include "stream/interval_text.hpp"
#include "stream/scalar_text.hpp"

#include <algorithm>

namespace millrace::formats {

namespace {

/// Room asked for at first: about what the row before took, within these.
constexpr std::size_t kTextBytesMin = 256;
constexpr std::size_t kTextBytesMax = 4096;

void put_value(const Column& column, std::size_t row, ArenaText& out);

void put_base64(std::string_view bytes, ArenaText& out) {
  out.reserve(stream::base64_encoded_size(bytes.size()) + 2);
  out.put('"');
  out.advance_to(stream::base64_encode(bytes, out.at()));
  out.put('"');
}

void put_array(const Column& column, std::size_t row, ArenaText& out) {
  const ListEntry entry = column.value<ListEntry>(row);
  const Column& elements = column.child(0);
  out.reserve(2);
  out.put('[');
  for (std::uint32_t i = 0; i < entry.length; ++i) {
    out.reserve(8);
    if (i != 0) out.put(',');
    if (elements.is_null(entry.offset + i))
      out.put("null");
    else
      put_value(elements, entry.offset + i, out);
  }
  out.reserve(1);
  out.put(']');
}

void put_struct(const Column& column, std::size_t row, ArenaText& out) {
  const std::vector<Field>& fields = column.type().fields();
  out.reserve(2);
  out.put('{');
  bool is_first = true;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (column.child(i).is_null(row)) continue;
    out.reserve(1);
    if (!is_first) out.put(',');
    is_first = false;
    put_json_string(fields[i].name, out);
    out.reserve(1);
    out.put(':');
    put_value(column.child(i), row, out);
  }
  out.reserve(1);
  out.put('}');
}

/// A key in quotes, as a cast to string shows it.
void put_key(const Column& keys, std::size_t row, ArenaText& out) {
  const bool is_quoted = keys.kind() == TypeKind::kString || keys.kind() == TypeKind::kBytes ||
                         keys.kind() == TypeKind::kDate || keys.kind() == TypeKind::kTimestamp ||
                         keys.kind() == TypeKind::kInterval;
  out.reserve(1);
  if (!is_quoted) out.put('"');
  put_value(keys, row, out);
  out.reserve(1);
  if (!is_quoted) out.put('"');
}

void put_map(const Column& column, std::size_t row, ArenaText& out) {
  const ListEntry entry = column.value<ListEntry>(row);
  out.reserve(1);
  out.put('{');
  for (std::uint32_t i = entry.offset; i < entry.offset + entry.length; ++i) {
    out.reserve(1);
    if (i != entry.offset) out.put(',');
    put_key(column.child(0), i, out);
    out.reserve(8);
    out.put(':');
    if (column.child(1).is_null(i))
      out.put("null");
    else
      put_value(column.child(1), i, out);
  }
  out.reserve(1);
  out.put('}');
}

void put_interval(Interval value, ArenaText& out) {
  out.reserve(stream::kIntervalTextMax + 2);
  out.put('"');
  out.advance_to(out.at() + stream::write_interval(value, out.at()));
  out.put('"');
}

void put_value(const Column& column, std::size_t row, ArenaText& out) {
  out.reserve(stream::kScalarTextMax + 2);
  const auto put_integer = [&out](std::int64_t number) {
    out.advance_to(out.at() + stream::write_int64(number, out.at()));
  };
  switch (column.kind()) {
    case TypeKind::kBoolean:
      return out.put(column.value<std::uint8_t>(row) != 0 ? std::string_view("true")
                                                          : std::string_view("false"));
    case TypeKind::kInt32:
      return put_integer(column.value<std::int32_t>(row));
    case TypeKind::kInt64:
      return put_integer(column.value<std::int64_t>(row));
    case TypeKind::kDouble:
      return put_json_double(column.value<double>(row), out);
    case TypeKind::kString:
      return put_json_string(column.text(row), out);
    case TypeKind::kBytes:
      return put_base64(column.text(row), out);
    case TypeKind::kDate:
      out.put('"');
      out.advance_to(out.at() + stream::write_date(column.value<std::int32_t>(row), out.at()));
      return out.put('"');
    case TypeKind::kTimestamp:
      return put_json_timestamp(column.value<std::int64_t>(row), out);
    case TypeKind::kDecimal:
      return out.advance_to(out.at() + stream::write_decimal(column.value<Decimal>(row),
                                                             column.type().scale(), out.at()));
    case TypeKind::kInterval:
      return put_interval(column.value<Interval>(row), out);
    case TypeKind::kMap:
      return put_map(column, row, out);
    case TypeKind::kArray:
      return put_array(column, row, out);
    case TypeKind::kStruct:
      return put_struct(column, row, out);
    case TypeKind::kNull:
      return out.put("null");
  }
}

/// ,"name": ready to be copied.
std::string make_prefix(std::string_view name) {
  Arena arena;
  ArenaText text(arena, name.size() + 8);
  text.put(',');
  put_json_string(name, text);
  text.reserve(1);
  text.put(':');
  return std::string(text.finish());
}

}  // namespace

JsonEncoder::JsonEncoder(std::vector<std::size_t> columns, const std::vector<std::string>& names) {
  MILLRACE_ASSERT(columns.size() == names.size());
  for (std::size_t i = 0; i < columns.size(); ++i)
    members_.push_back({columns[i], make_prefix(names[i])});
}

void JsonEncoder::encode(const Batch& rows, Column& values, Arena& arena) {
  values.resize(rows.rows());
  const auto out = values.values<std::string_view>();
  std::size_t size_guess = kTextBytesMin;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    ArenaText text(arena, size_guess);
    for (const Member& member : members_) {
      const Column& column = rows.column(member.column);
      if (column.is_null(row)) continue;
      text.reserve(member.prefix.size());
      text.put(member.prefix);
      put_value(column, row, text);
    }
    // Every prefix begins with a comma; the first one's place is the opening brace's.
    text.reserve(2);
    if (text.size() == 0) text.put('{');
    text.put('}');
    const std::string_view object = text.finish();
    const_cast<char&>(object.front()) = '{';
    out[row] = object;
    size_guess = std::clamp(object.size() + object.size() / 4, kTextBytesMin, kTextBytesMax);
  }
}

}  // namespace millrace::formats
