#include "formats/text_value.hpp"

#include "stream/decimal.hpp"
#include "stream/interval_text.hpp"
#include "stream/scalar_text.hpp"
#include "stream/utf8.hpp"

#include <optional>

namespace millrace::formats {
namespace {

template <typename Stored, typename T>
bool set(Column& column, std::size_t row, const std::optional<T>& value) {
  if (!value) return false;
  column.values<Stored>()[row] = static_cast<Stored>(*value);
  return true;
}

std::optional<std::int32_t> read_int32(std::string_view text) {
  const auto value = stream::read_int64(text);
  if (!value || *value != static_cast<std::int32_t>(*value)) return std::nullopt;
  return static_cast<std::int32_t>(*value);
}

}  // namespace

bool set_from_text(Column& column, std::size_t row, std::string_view text) {
  switch (column.kind()) {
    case TypeKind::kBoolean:
      return set<std::uint8_t>(column, row, stream::read_boolean(text));
    case TypeKind::kInt32:
      return set<std::int32_t>(column, row, read_int32(text));
    case TypeKind::kInt64:
      return set<std::int64_t>(column, row, stream::read_int64(text));
    case TypeKind::kDouble:
      return set<double>(column, row, stream::read_double(text));
    case TypeKind::kDate:
      return set<std::int32_t>(column, row, stream::read_date(text));
    case TypeKind::kTimestamp:
      return set<std::int64_t>(column, row, stream::read_timestamp(text));
    case TypeKind::kDecimal:
      return set<Decimal>(
          column, row,
          stream::read_decimal(text, column.type().precision(), column.type().scale()));
    case TypeKind::kInterval:
      return set<Interval>(column, row, stream::read_interval(text));
    case TypeKind::kString:
      if (!stream::is_utf8(text)) return false;
      [[fallthrough]];
    case TypeKind::kBytes:
      column.values<std::string_view>()[row] = text;
      return true;
    default:
      return false;
  }
}

bool reads_from_text(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBoolean:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
    case TypeKind::kDouble:
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kDecimal:
    case TypeKind::kInterval:
    case TypeKind::kString:
    case TypeKind::kBytes:
      return true;
    default:
      return false;
  }
}

}  // namespace millrace::formats
