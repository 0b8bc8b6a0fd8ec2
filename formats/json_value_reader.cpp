#include "formats/json_value_reader.hpp"

#include "formats/json_scalar.hpp"
#include "stream/base64.hpp"
#include "stream/calendar.hpp"
#include "stream/interval_text.hpp"
#include "stream/map_keys.hpp"
#include "stream/scalar_text.hpp"

#include <algorithm>

namespace millrace::formats {

namespace {

bool begins_number(char first) { return first == '-' || (first >= '0' && first <= '9'); }

void set_present(Column& column, std::size_t row) {
  if (column.may_have_nulls())
    column.mutable_validity()[row / 64] |= std::uint64_t{1} << (row % 64);
}

template <typename T>
bool put(Column& column, std::size_t row, const T& value) {
  column.values<T>()[row] = value;
  return true;
}

/// Puts the value if there is one.
template <typename T, typename Optional>
bool put_if(Column& column, std::size_t row, const Optional& value) {
  return value && put(column, row, static_cast<T>(*value));
}

/// Adds a row to be set: 0, an empty text, an empty array.
void append_blank(Column& column) {
  switch (width_of(column.kind())) {
    case 0:
      return column.append_struct();
    case 1:
      return column.append(std::uint8_t{0});
    case 4:
      return column.append(std::int32_t{0});
    case 8:
      return column.append(std::int64_t{0});
    default:
      return column.append(std::string_view());
  }
}

}  // namespace

bool is_json_type(const DataType& type) {
  if (type.is(TypeKind::kNull)) return false;
  if (type.is(TypeKind::kMap) && !type.fields()[0].type.is(TypeKind::kString)) return false;
  return std::ranges::all_of(type.fields(),
                             [](const Field& field) { return is_json_type(field.type); });
}

bool JsonValueReader::read(Column& column, std::size_t row) {
  if (scanner_.peek() == 'n') {
    column.set_null(row);
    return scanner_.read_word("null");
  }
  set_present(column, row);
  switch (column.kind()) {
    case TypeKind::kInt32:
    case TypeKind::kInt64:
    case TypeKind::kDouble:
    case TypeKind::kDecimal:
      return read_number(column, row);
    case TypeKind::kBoolean:
      return read_boolean(column, row);
    case TypeKind::kString:
      return read_text(column, row);
    case TypeKind::kArray:
      return read_array(column, row);
    case TypeKind::kMap:
      return read_map(column, row);
    case TypeKind::kStruct:
      return read_struct(column, row);
    default:
      return read_from_text(column, row);
  }
}

bool JsonValueReader::read_number(Column& column, std::size_t row) {
  const bool is_text = scanner_.peek() == '"';
  const DataType& type = column.type();
  if (is_text) {
    const std::string_view text = take_string();
    if (column.kind() == TypeKind::kDecimal)
      return put_if<Decimal>(column, row,
                             stream::read_decimal(text, type.precision(), type.scale()));
    double value = 0;
    return column.kind() == TypeKind::kDouble && special_double(text, value) &&
           put(column, row, value);
  }
  JsonScanner::Number number;
  if (!begins_number(scanner_.peek()) || !scanner_.read_number(number)) return false;
  if (column.kind() == TypeKind::kDecimal)
    return put_if<Decimal>(column, row, to_decimal(number, type));
  if (column.kind() == TypeKind::kDouble) {
    double value = 0;
    return to_double(number, value) && put(column, row, value);
  }
  std::int64_t value = 0;
  if (!to_int64(number, value)) return false;
  if (column.kind() == TypeKind::kInt64) return put(column, row, value);
  const auto narrow = static_cast<std::int32_t>(value);
  return narrow == value && put(column, row, narrow);
}

bool JsonValueReader::read_boolean(Column& column, std::size_t row) {
  const char first = scanner_.peek();
  if (first != 't' && first != 'f') return false;
  return scanner_.read_word(first == 't' ? "true" : "false") &&
         put(column, row, static_cast<std::uint8_t>(first == 't'));
}

bool JsonValueReader::read_text(Column& column, std::size_t row) {
  if (scanner_.peek() == '"') return put(column, row, take_string());
  std::string_view raw;
  return scanner_.raw_value(raw) && put(column, row, raw);
}

bool JsonValueReader::read_from_text(Column& column, std::size_t row) {
  const TypeKind kind = column.kind();
  if (scanner_.peek() != '"') {
    JsonScanner::Number number;
    std::int64_t us = 0;
    return kind == TypeKind::kTimestamp && begins_number(scanner_.peek()) &&
           scanner_.read_number(number) && to_int64(number, us) &&
           !__builtin_mul_overflow(us, stream::kMicrosPerSecond, &us) && put(column, row, us);
  }
  const std::string_view text = take_string();
  if (kind == TypeKind::kDate) return put_if<std::int32_t>(column, row, stream::read_date(text));
  if (kind == TypeKind::kTimestamp)
    return put_if<std::int64_t>(column, row, stream::read_timestamp(text));
  if (kind == TypeKind::kInterval)
    return put_if<Interval>(column, row, stream::read_interval(text));
  char* const bytes = arena_.allocate(text.size() / 4 * 3);
  const char* const end = stream::base64_decode(text, bytes);
  const std::size_t size = end == nullptr ? 0 : static_cast<std::size_t>(end - bytes);
  arena_.shrink_last(bytes, size);
  return end != nullptr && put(column, row, std::string_view(bytes, size));
}

bool JsonValueReader::read_array(Column& column, std::size_t row) {
  if (!scanner_.take('[')) return false;
  Column& elements = column.child(0);
  ListEntry entry{static_cast<std::uint32_t>(elements.size()), 0};
  if (!scanner_.take(']')) {
    do {
      if (!read_element(elements)) return false;
      ++entry.length;
    } while (scanner_.take(','));
    if (!scanner_.take(']')) return false;
  }
  return put(column, row, entry);
}

bool JsonValueReader::read_map(Column& column, std::size_t row) {
  if (!scanner_.take('{')) return false;
  Column& values = column.child(1);
  stream::MapKeys keys(column.child(0), arena_);
  if (!scanner_.take('}')) {
    do {
      const std::string_view name = take_string();
      if (!scanner_.take(':')) return false;
      auto entry = keys.find(name);
      if (!entry) {
        entry = values.size();
        column.child(0).append(name);
        append_blank(values);
      }
      if (!read_member(values, *entry, name)) return false;
    } while (scanner_.take(','));
    if (!scanner_.take('}')) return false;
  }
  return put(column, row,
             ListEntry{static_cast<std::uint32_t>(keys.first()),
                       static_cast<std::uint32_t>(keys.count())});
}

bool JsonValueReader::read_struct(Column& column, std::size_t row) {
  if (!scanner_.take('{')) return false;
  for (std::size_t i = 0; i < column.child_count(); ++i) column.child(i).set_null(row);
  if (scanner_.take('}')) return true;
  const auto& fields = column.type().fields();
  do {
    const std::string_view name = take_string();
    const auto field = std::ranges::find(fields, name, &Field::name);
    if (!scanner_.take(':')) return false;
    const bool is_read =
        field == fields.end()
            ? scanner_.skip_value()
            : read_member(column.child(static_cast<std::size_t>(field - fields.begin())), row,
                          name);
    if (!is_read) return false;
  } while (scanner_.take(','));
  return scanner_.take('}');
}

// A value that does not fit is no fault when another of its name follows, which then counts.
bool JsonValueReader::read_member(Column& column, std::size_t row, std::string_view name) {
  const JsonScanner::Place begin = scanner_.place();
  if (read(column, row)) [[likely]]
    return true;
  scanner_.return_to(begin);
  return scanner_.skip_value() && is_named_again(name);
}

// Looks through the rest of the object, and comes back.
bool JsonValueReader::is_named_again(std::string_view name) {
  const JsonScanner::Place begin = scanner_.place();
  bool is_found = false;
  while (!is_found && scanner_.take(',')) {
    is_found = take_string() == name;
    if (!scanner_.take(':') || !scanner_.skip_value()) break;
  }
  scanner_.return_to(begin);
  return is_found;
}

bool JsonValueReader::read_element(Column& elements) {
  append_blank(elements);
  return read(elements, elements.size() - 1);
}

std::string_view JsonValueReader::take_string() {
  std::string_view text;
  bool escaped = false;
  if (!scanner_.read_string(text, escaped)) return {};
  if (!escaped) [[likely]]
    return text;
  char* const bytes = arena_.allocate(text.size());
  const char* const end = scanner_.unescape(text, bytes);
  const std::size_t size = end == nullptr ? 0 : static_cast<std::size_t>(end - bytes);
  arena_.shrink_last(bytes, size);
  return {bytes, size};
}

}  // namespace millrace::formats
