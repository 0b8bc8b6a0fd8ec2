#include "formats/json_decoder.hpp"

#include "formats/json_scalar.hpp"
#include "formats/json_value_reader.hpp"
#include "stream/base64.hpp"
#include "stream/calendar.hpp"
#include "stream/scalar_text.hpp"

#include <fmt/format.h>

namespace millrace::formats {

namespace {

/// A message shows at most this much of a value.
constexpr std::size_t kShownBytesMax = 80;
std::size_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char byte : name) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001B3U;
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

template <typename T>
void put(void* values, std::size_t row, T value) {
  static_cast<T*>(values)[row] = value;
}

void* value_buffer(Column& column) {
  switch (column.kind()) {
    case TypeKind::kBoolean:
      return column.values<std::uint8_t>().data();
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return column.values<std::int32_t>().data();
    case TypeKind::kDouble:
      return column.values<double>().data();
    case TypeKind::kString:
    case TypeKind::kBytes:
      return column.values<std::string_view>().data();
    case TypeKind::kDecimal:
      return column.values<Decimal>().data();
    case TypeKind::kInterval:
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kStruct:
      return nullptr;  // set through the column
    default:
      return column.values<std::int64_t>().data();
  }
}

}  // namespace

Result<std::unique_ptr<JsonDecoder>> JsonDecoder::make(std::vector<Field> fields) {
  for (const Field& field : fields)
    if (!is_json_type(field.type))
      return fail(
          ErrorCode::kNotSupported,
          fmt::format("column \"{}\" of type {} cannot be read from JSON{}", field.name,
                      field.type.to_string(),
                      field.type.is_nested() ? ": the keys of its maps are no strings" : ""));
  return std::unique_ptr<JsonDecoder>(new JsonDecoder(std::move(fields)));
}

JsonDecoder::JsonDecoder(std::vector<Field> fields) : layout_(kLayoutMembersMax) {
  std::size_t table_size = 8;
  while (table_size < 2 * fields.size()) table_size *= 2;
  table_.resize(table_size);
  slots_.reserve(fields.size());
  for (Field& field : fields) {
    std::size_t place = hash_of(field.name) % table_size;
    while (table_[place] != 0) place = (place + 1) % table_size;
    slots_.emplace_back().field = std::move(field);
    table_[place] = static_cast<std::uint16_t>(slots_.size());
  }
}

void JsonDecoder::decode(const Column& values, Batch& out, Arena& arena, std::vector<BadRow>& bad) {
  arena_ = &arena;
  const std::size_t rows = values.size();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Column& column = out.column(i);
    column.resize(rows);
    slots_[i].column = &column;
    slots_[i].values = value_buffer(column);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const bool is_null = values.is_null(row);
    if (!is_null && decode_record(values.text(row), row)) [[likely]]
      continue;
    const bool is_field_fault = !is_null && scanner_.fault() == JsonFault::kNone;
    if (!is_null)
      bad.push_back(
          {static_cast<std::uint32_t>(row),
           is_field_fault ? stream::BadRecordReason::kField : stream::BadRecordReason::kMalformed,
           reason()});
    for (Slot& slot : slots_)
      if (!is_field_fault || (slot.seen_in == record_ && slot.is_bad)) slot.column->set_null(row);
  }
}

bool JsonDecoder::decode_record(std::string_view text, std::size_t row) {
  ++record_;
  has_bad_field_ = false;
  if (!scanner_.open(text)) return false;
  std::string_view name;
  bool escaped = false;
  std::size_t fields_seen = 0;
  for (std::size_t member = 0; scanner_.next_member(name, escaped); ++member) {
    const std::int16_t index = slot_of(name, escaped, member);
    if (index == kNotRead) {
      if (!scanner_.skip_value()) return false;
      continue;
    }
    Slot& slot = slots_[static_cast<std::size_t>(index)];
    fields_seen += slot.seen_in == record_ ? 0 : 1;
    if (!read_field(slot, row)) return false;
  }
  if (scanner_.fault() != JsonFault::kNone) return false;
  if (fields_seen != slots_.size())
    for (Slot& slot : slots_)
      if (slot.seen_in != record_) slot.column->set_null(row);
  if (!has_bad_field_) [[likely]]
    return true;
  // A later member of the same name may have mended what an earlier one broke.
  for (const Slot& slot : slots_)
    if (slot.seen_in == record_ && slot.is_bad) return false;
  return true;
}

std::int16_t JsonDecoder::slot_of(std::string_view name, bool escaped, std::size_t member) {
  if (escaped) [[unlikely]] {
    char* const bytes = arena_->allocate(name.size());
    const char* const end = scanner_.unescape(name, bytes);
    const std::int16_t slot =
        end == nullptr ? kNotRead : find_slot({bytes, static_cast<std::size_t>(end - bytes)});
    arena_->shrink_last(bytes, 0);
    return slot;
  }
  if (member >= kLayoutMembersMax || name.size() > kLayoutNameBytesMax) return find_slot(name);
  LayoutEntry& entry = layout_[member];
  if (!entry.matches(name, scanner_.bytes_from(name.data()))) entry.become(name, find_slot(name));
  return entry.slot;
}

inline bool JsonDecoder::LayoutEntry::matches(std::string_view text_name,
                                              std::size_t bytes_readable) const {
  if (length != text_name.size() || length == 0) return false;
  if (bytes_readable < kLayoutNameBytesMax) [[unlikely]]
    return std::memcmp(name.data(), text_name.data(), length) == 0;
  // Word by word, the last one without what is behind the name.
  std::size_t at = 0;
  for (; at + 8 < length; at += 8)
    if (load_word(name.data() + at) != load_word(text_name.data() + at)) return false;
  const std::uint64_t kept = ~std::uint64_t{0} >> 8 * (at + 8 - length);
  return load_word(name.data() + at) == (load_word(text_name.data() + at) & kept);
}

void JsonDecoder::LayoutEntry::become(std::string_view text_name, std::int16_t slot_number) {
  length = static_cast<std::uint8_t>(text_name.size());
  slot = slot_number;
  name.fill('\0');
  std::memcpy(name.data(), text_name.data(), text_name.size());
}

std::int16_t JsonDecoder::find_slot(std::string_view name) const {
  std::size_t place = hash_of(name) % table_.size();
  for (; table_[place] != 0; place = (place + 1) % table_.size())
    if (slots_[table_[place] - 1U].field.name == name)
      return static_cast<std::int16_t>(table_[place] - 1);
  return kNotRead;
}

bool JsonDecoder::read_field(Slot& slot, std::size_t row) {
  if (slot.seen_in == record_) [[unlikely]] {  // a second member of this name: the last counts
    if (slot.column->may_have_nulls())
      slot.column->mutable_validity()[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  slot.seen_in = record_;
  slot.is_bad = false;
  return read_value(slot, row);
}

bool JsonDecoder::read_value(Slot& slot, std::size_t row) {
  switch (slot.field.type.kind()) {
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      return read_integer(slot, row);
    case TypeKind::kDouble:
      return read_double(slot, row);
    case TypeKind::kBoolean:
      return read_boolean(slot, row);
    case TypeKind::kString:
      return read_text(slot, row);
    case TypeKind::kDecimal:
      return read_decimal(slot, row);
    case TypeKind::kInterval:
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kStruct:
      return read_nested(slot, row);
    default:
      return read_from_text(slot, row);
  }
}

bool JsonDecoder::read_integer(Slot& slot, std::size_t row) {
  const char first = scanner_.peek();
  if (first != '-' && (first < '0' || first > '9')) return read_null_or_refuse(slot, row);
  JsonScanner::Number number;
  if (!scanner_.read_number(number)) return false;
  std::int64_t value = 0;
  const bool is_narrow = slot.field.type.is(TypeKind::kInt32);
  if (!to_int64(number, value) || (is_narrow && value != static_cast<std::int32_t>(value))) {
    refuse(slot, number.text);
  } else if (is_narrow) {
    put(slot.values, row, static_cast<std::int32_t>(value));
  } else {
    put(slot.values, row, value);
  }
  return true;
}

bool JsonDecoder::read_double(Slot& slot, std::size_t row) {
  const char first = scanner_.peek();
  double value = 0;
  if (first == '-' || (first >= '0' && first <= '9')) {
    JsonScanner::Number number;
    if (!scanner_.read_number(number)) return false;
    if (!to_double(number, value)) refuse(slot, number.text);
  } else if (first == '"') {
    std::string_view text;
    if (!take_string(text)) return false;
    if (!special_double(text, value)) refuse(slot, text);
  } else {
    return read_null_or_refuse(slot, row);
  }
  put(slot.values, row, value);
  return true;
}

bool JsonDecoder::read_boolean(Slot& slot, std::size_t row) {
  const char first = scanner_.peek();
  if (first != 't' && first != 'f') return read_null_or_refuse(slot, row);
  if (!scanner_.read_word(first == 't' ? "true" : "false")) return false;
  put(slot.values, row, static_cast<std::uint8_t>(first == 't'));
  return true;
}

bool JsonDecoder::read_text(Slot& slot, std::size_t row) {
  std::string_view text;
  const char first = scanner_.peek();
  if (first == '"') {
    if (!take_string(text)) return false;
  } else if (first == 'n') {
    return read_null_or_refuse(slot, row);
  } else if (!scanner_.raw_value(text)) {
    return false;
  }
  put(slot.values, row, text);
  return true;
}

bool JsonDecoder::read_decimal(Slot& slot, std::size_t row) {
  const char first = scanner_.peek();
  const DataType& type = slot.field.type;
  std::optional<Decimal> value;
  std::string_view text;
  if (first == '-' || (first >= '0' && first <= '9')) {
    JsonScanner::Number number;
    if (!scanner_.read_number(number)) return false;
    text = number.text;
    value = to_decimal(number, type);
  } else if (first == '"') {
    if (!take_string(text)) return false;
    value = stream::read_decimal(text, type.precision(), type.scale());
  } else {
    return read_null_or_refuse(slot, row);
  }
  if (!value) refuse(slot, text);
  put(slot.values, row, value.value_or(Decimal{}));
  return true;
}

/// The whole value is validated before any of it is read, so that the verdict on a record is that
/// of a decoder which skips it.
bool JsonDecoder::read_nested(Slot& slot, std::size_t row) {
  const JsonScanner::Place begin = scanner_.place();
  std::string_view raw;
  if (!scanner_.raw_value(raw)) return false;
  const JsonScanner::Place end = scanner_.place();
  scanner_.return_to(begin);
  if (!JsonValueReader(scanner_, *arena_).read(*slot.column, row)) {
    refuse(slot, raw);
    slot.column->set_null(row);
  }
  scanner_.return_to(end);
  return true;
}

bool JsonDecoder::read_from_text(Slot& slot, std::size_t row) {
  const TypeKind kind = slot.field.type.kind();
  const char first = scanner_.peek();
  if (first != '"') {
    if (kind != TypeKind::kTimestamp || (first != '-' && (first < '0' || first > '9')))
      return read_null_or_refuse(slot, row);
    JsonScanner::Number number;
    if (!scanner_.read_number(number)) return false;
    std::int64_t us = 0;
    if (!to_int64(number, us) || __builtin_mul_overflow(us, stream::kMicrosPerSecond, &us))
      refuse(slot, number.text);
    put(slot.values, row, us);
    return true;
  }
  std::string_view text;
  if (!take_string(text)) return false;
  bool fits = false;
  if (kind == TypeKind::kDate) {
    const auto days = stream::read_date(text);
    fits = days.has_value();
    put(slot.values, row, days.value_or(0));
  } else if (kind == TypeKind::kTimestamp) {
    const auto us = stream::read_timestamp(text);
    fits = us.has_value();
    put(slot.values, row, us.value_or(0));
  } else {
    char* const bytes = arena_->allocate(text.size() / 4 * 3);
    const char* const end = stream::base64_decode(text, bytes);
    fits = end != nullptr;
    const std::size_t size = fits ? static_cast<std::size_t>(end - bytes) : 0;
    arena_->shrink_last(bytes, size);
    put(slot.values, row, std::string_view(bytes, size));
  }
  if (!fits) refuse(slot, text);
  return true;
}

bool JsonDecoder::read_null_or_refuse(Slot& slot, std::size_t row) {
  if (scanner_.peek() == 'n') {
    if (!scanner_.read_word("null")) return false;
    slot.column->set_null(row);
    return true;
  }
  std::string_view raw;
  if (!scanner_.raw_value(raw)) return false;
  refuse(slot, raw);
  return true;
}

/// Passes a string and gives its text, in the arena when it had escapes.
bool JsonDecoder::take_string(std::string_view& text) {
  bool escaped = false;
  if (!scanner_.read_string(text, escaped)) return false;
  if (!escaped) [[likely]]
    return true;
  char* const bytes = arena_->allocate(text.size());
  const char* const end = scanner_.unescape(text, bytes);
  if (end == nullptr) return false;
  const auto size = static_cast<std::size_t>(end - bytes);
  arena_->shrink_last(bytes, size);
  text = {bytes, size};
  return true;
}

void JsonDecoder::refuse(Slot& slot, std::string_view value) {
  slot.is_bad = true;
  slot.bad_value = value;
  has_bad_field_ = true;
}

std::string JsonDecoder::reason() const {
  if (scanner_.fault() != JsonFault::kNone)
    return fmt::format("the value is not a JSON object: {} (byte {})", to_string(scanner_.fault()),
                       scanner_.fault_position());
  for (const Slot& slot : slots_) {
    if (slot.seen_in != record_ || !slot.is_bad) continue;
    const bool is_cut = slot.bad_value.size() > kShownBytesMax;
    return fmt::format("field \"{}\" cannot be read as {}: {}{}", slot.field.name,
                       slot.field.type.to_string(), slot.bad_value.substr(0, kShownBytesMax),
                       is_cut ? "..." : "");
  }
  return "unknown reason";
}

}  // namespace millrace::formats
