#include "stream/functions/json_filler.hpp"

#include "stream/calendar.hpp"
#include "stream/decimal.hpp"
#include "stream/interval_text.hpp"
#include "stream/map_keys.hpp"
#include "stream/scalar_text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace millrace::stream {

namespace {

void set_present(Column& column, std::size_t row) {
  if (column.may_have_nulls())
    column.mutable_validity()[row / 64] |= std::uint64_t{1} << (row % 64);
}

template <typename T, typename Optional>
bool put_if(Column& column, std::size_t row, const Optional& value) {
  if (value) column.values<T>()[row] = static_cast<T>(*value);
  return value.has_value();
}

std::optional<std::int32_t> narrowed(std::optional<std::int64_t> value) {
  if (!value || *value != static_cast<std::int32_t>(*value)) return std::nullopt;
  return static_cast<std::int32_t>(*value);
}

std::optional<std::int64_t> as_microseconds(std::optional<std::int64_t> seconds) {
  std::int64_t us = 0;
  if (!seconds || __builtin_mul_overflow(*seconds, kMicrosPerSecond, &us)) return std::nullopt;
  return us;
}

/// The doubles that JSON has no numbers for.
std::optional<double> special_double(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text != "Infinity" && text != "INF") return std::nullopt;
  const double infinity = std::numeric_limits<double>::infinity();
  return is_negative ? -infinity : infinity;
}

}  // namespace

bool is_filled_from_json(const DataType& type) {
  if (type.is(TypeKind::kNull) || type.is(TypeKind::kBytes)) return false;
  if (type.is(TypeKind::kMap) && !type.fields()[0].type.is(TypeKind::kString)) return false;
  return std::ranges::all_of(type.fields(),
                             [](const Field& field) { return is_filled_from_json(field.type); });
}

JsonFiller::Outcome JsonFiller::fill(std::string_view text, Column& column, std::size_t row) {
  cursor_.begin(text);
  is_partial_ = false;
  const char expected = column.kind() == TypeKind::kArray ? '[' : '{';
  const bool is_only_element = cursor_.peek() == '{' && column.kind() == TypeKind::kArray &&
                               column.child(0).kind() == TypeKind::kStruct;
  if (cursor_.peek() != expected && !is_only_element) {
    if (cursor_.take_word("null")) return Outcome::kNull;
    return cursor_.skip_value() ? Outcome::kNoValue : Outcome::kBroken;
  }
  if (!(is_only_element ? read_only_element(column, row) : read(column, row)))
    return Outcome::kBroken;
  return is_partial_ ? Outcome::kPartial : Outcome::kDone;
}

/// A value that does not fit is passed, and its row is null.
bool JsonFiller::read(Column& column, std::size_t row) {
  if (cursor_.take_word("null")) {
    column.set_null(row);
    return true;
  }
  set_present(column, row);
  const char first = cursor_.peek();
  if (column.kind() == TypeKind::kArray && first == '[') return read_array(column, row);
  if (column.kind() == TypeKind::kMap && first == '{') return read_map(column, row);
  if (column.kind() == TypeKind::kStruct && first == '{') return read_struct(column, row);
  const std::size_t place = cursor_.place();
  if (!column.type().is_nested() && read_scalar(column, row)) return true;
  cursor_.return_to(place);
  is_partial_ = true;
  column.set_null(row);
  return cursor_.skip_value();
}

bool JsonFiller::read_scalar(Column& column, std::size_t row) {
  if (column.kind() == TypeKind::kString) {
    text_.clear();
    const bool is_read =
        cursor_.at_string() ? cursor_.read_string(text_) : cursor_.copy_value(text_);
    return is_read && put_text(column, row, text_);
  }
  if (column.kind() == TypeKind::kBoolean) {
    const bool is_true = cursor_.take_word("true");
    column.values<std::uint8_t>()[row] = is_true ? 1 : 0;
    return is_true || cursor_.take_word("false");
  }
  if (cursor_.at_string()) return read_text(column, row);
  if (column.kind() == TypeKind::kDouble && read_double_word(column, row)) return true;
  return cursor_.at_number() && read_number(column, row);
}

bool JsonFiller::read_double_word(Column& column, std::size_t row) {
  for (const std::string_view word : {"NaN", "Infinity", "-Infinity", "INF", "-INF"}) {
    if (cursor_.take_word(word)) return put_if<double>(column, row, special_double(word));
  }
  return false;
}

bool JsonFiller::read_number(Column& column, std::size_t row) {
  std::string_view number;
  bool is_integer = false;
  if (!cursor_.read_number(number, is_integer)) return false;
  const DataType& type = column.type();
  switch (column.kind()) {
    case TypeKind::kDouble:
      return put_if<double>(column, row, stream::read_double(number));
    case TypeKind::kDecimal:
      return put_if<Decimal>(column, row,
                             stream::read_decimal(number, type.precision(), type.scale()));
    case TypeKind::kInt32:
      return is_integer && put_if<std::int32_t>(column, row, narrowed(read_int64(number)));
    case TypeKind::kInt64:
      return is_integer && put_if<std::int64_t>(column, row, read_int64(number));
    case TypeKind::kTimestamp:
      return is_integer && put_if<std::int64_t>(column, row, as_microseconds(read_int64(number)));
    default:
      return false;
  }
}

bool JsonFiller::read_text(Column& column, std::size_t row) {
  if (!cursor_.read_string(text_)) return false;
  const DataType& type = column.type();
  switch (column.kind()) {
    case TypeKind::kDouble:
      return put_if<double>(column, row, special_double(text_));
    case TypeKind::kDecimal:
      return put_if<Decimal>(column, row,
                             stream::read_decimal(text_, type.precision(), type.scale()));
    case TypeKind::kDate:
      return put_if<std::int32_t>(column, row, day_of(text_));
    case TypeKind::kTimestamp:
      return put_if<std::int64_t>(column, row, timestamp_of(text_));
    case TypeKind::kInterval:
      return put_if<Interval>(column, row, read_interval(text_));
    default:
      return false;
  }
}

std::optional<std::int64_t> JsonFiller::timestamp_of(std::string_view text) const {
  if (patterns_.timestamp != nullptr) return patterns_.timestamp->read(text, *zone_);
  return read_timestamp(text, *zone_);
}

std::optional<std::int32_t> JsonFiller::day_of(std::string_view text) const {
  return patterns_.date != nullptr ? patterns_.date->read_day(text) : read_date(text);
}

bool JsonFiller::put_text(Column& column, std::size_t row, std::string_view text) {
  column.values<std::string_view>()[row] = arena_->store(text);
  return true;
}

bool JsonFiller::read_array(Column& column, std::size_t row) {
  const auto begin = static_cast<std::uint32_t>(column.child(0).size());
  if (!cursor_.each_element([&] { return read_element(column.child(0)); })) return false;
  const auto end = static_cast<std::uint32_t>(column.child(0).size());
  column.values<ListEntry>()[row] = {begin, end - begin};
  return true;
}

bool JsonFiller::read_only_element(Column& column, std::size_t row) {
  const auto place = static_cast<std::uint32_t>(column.child(0).size());
  column.values<ListEntry>()[row] = {place, 1};
  return read_element(column.child(0));
}

bool JsonFiller::read_map(Column& column, std::size_t row) {
  Column& values = column.child(1);
  MapKeys keys(column.child(0), *arena_);
  const bool is_whole = cursor_.each_member(name_, [&] {
    auto entry = keys.find(name_);
    if (!entry) {
      entry = values.size();
      column.child(0).append(arena_->store(name_));
      values.append_null();
    }
    return read_member(values, *entry, column.child(0).text(*entry));
  });
  column.values<ListEntry>()[row] = {static_cast<std::uint32_t>(keys.first()),
                                     static_cast<std::uint32_t>(keys.count())};
  return is_whole;
}

bool JsonFiller::read_struct(Column& column, std::size_t row) {
  for (std::size_t i = 0; i < column.child_count(); ++i) column.child(i).set_null(row);
  const auto& fields = column.type().fields();
  return cursor_.each_member(name_, [&] {
    const auto field = std::ranges::find(fields, name_, &Field::name);
    if (field == fields.end()) return cursor_.skip_value();
    return read_member(column.child(static_cast<std::size_t>(field - fields.begin())), row,
                       field->name);
  });
}

bool JsonFiller::read_member(Column& column, std::size_t row, std::string_view name) {
  const bool was_partial = std::exchange(is_partial_, false);
  if (!read(column, row)) return false;
  if (is_partial_ && is_named_again(name)) is_partial_ = false;
  is_partial_ |= was_partial;
  return true;
}

// Looks through the rest of the object, and comes back.
bool JsonFiller::is_named_again(std::string_view name) {
  const std::size_t begin = cursor_.place();
  bool is_found = false;
  while (!is_found && cursor_.take(',')) {
    if (!cursor_.read_string(text_)) break;
    is_found = text_ == name;
    if (!cursor_.take(':') || !cursor_.skip_value()) break;
  }
  cursor_.return_to(begin);
  return is_found;
}

bool JsonFiller::read_element(Column& elements) {
  elements.append_null();
  return read(elements, elements.size() - 1);
}

}  // namespace millrace::stream
