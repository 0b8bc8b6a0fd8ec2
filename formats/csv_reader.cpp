#include "formats/csv_reader.hpp"

#include "stream/decimal.hpp"
#include "stream/interval_text.hpp"
#include "stream/scalar_text.hpp"
#include "stream/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace millrace::formats {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Result<char> parse_character(const Options& options, std::string_view key, char fallback) {
  const std::string text = options.get_or(key, std::string(1, fallback));
  if (text == "\\t") return '\t';
  if (text.size() != 1 || text[0] == '\n' || text[0] == '\r')
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("option {} takes one character, not '{}'", key, text));
  return text[0];
}

template <typename T>
bool append_parsed(Column& column, const std::optional<T>& value) {
  if (value) column.append(*value);
  return value.has_value();
}

std::optional<std::int32_t> read_int32(std::string_view text) {
  const auto value = stream::read_int64(text);
  if (!value || *value != static_cast<std::int32_t>(*value)) return std::nullopt;
  return static_cast<std::int32_t>(*value);
}

std::optional<std::uint8_t> read_boolean(std::string_view text) {
  const auto value = stream::read_boolean(text);
  if (!value) return std::nullopt;
  return static_cast<std::uint8_t>(*value);
}

/// False when the text is no value of the column's type.
bool append_value(Column& column, std::string_view text) {
  switch (column.kind()) {
    case TypeKind::kBoolean:
      return append_parsed(column, read_boolean(text));
    case TypeKind::kInt32:
      return append_parsed(column, read_int32(text));
    case TypeKind::kInt64:
      return append_parsed(column, stream::read_int64(text));
    case TypeKind::kDouble:
      return append_parsed(column, stream::read_double(text));
    case TypeKind::kDate:
      return append_parsed(column, stream::read_date(text));
    case TypeKind::kTimestamp:
      return append_parsed(column, stream::read_timestamp(text));
    case TypeKind::kDecimal:
      return append_parsed(
          column, stream::read_decimal(text, column.type().precision(), column.type().scale()));
    case TypeKind::kInterval:
      return append_parsed(column, stream::read_interval(text));
    case TypeKind::kString:
      if (!stream::is_utf8(text)) return false;
      column.append(text);
      return true;
    case TypeKind::kBytes:
      column.append(text);
      return true;
    default:
      return false;
  }
}

}  // namespace

Result<CsvOptions> CsvOptions::parse(const Options& options) {
  CsvOptions result;
  MILLRACE_ASSIGN(result.has_header, options.get_bool("header", false));
  MILLRACE_ASSIGN(result.delimiter, parse_character(options, "delimiter", ','));
  MILLRACE_ASSIGN(result.quote, parse_character(options, "quote", '"'));
  if (result.delimiter == result.quote)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("options delimiter and quote are the same: '{}'", result.quote));
  return result;
}

CsvReader::CsvReader(SchemaRef schema, CsvOptions options, std::string source)
    : schema_(std::move(schema)), options_(options), source_(std::move(source)) {}

Result<TableRows> CsvReader::read(std::string_view text) {
  TableRows table(schema_);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  // Fields are views into this copy, or, when they held doubled quotes, texts of their own.
  rest_ = table.arena.store(text);
  line_ = 1;
  targets_.clear();
  if (!options_.has_header)
    for (std::size_t i = 0; i < schema_->size(); ++i) targets_.push_back(i);
  bool is_header_due = options_.has_header;
  while (!rest_.empty()) {
    if (is_at_line_end()) {
      pass_line_end();
      continue;
    }
    MILLRACE_TRY(read_record(table.arena));
    MILLRACE_TRY(is_header_due ? map_header() : add_row(table));
    is_header_due = false;
  }
  if (is_header_due) return fail_here("the header line is missing");
  return table;
}

bool CsvReader::is_at_line_end() const {
  return rest_.starts_with('\n') || rest_.starts_with("\r\n");
}

void CsvReader::pass_line_end() {
  rest_.remove_prefix(rest_.front() == '\r' ? 2 : 1);
  ++line_;
}

Status CsvReader::read_record(Arena& arena) {
  record_line_ = line_;
  fields_.clear();
  for (;;) {
    MILLRACE_ASSIGN(const CsvField field, read_field(arena));
    fields_.push_back(field);
    if (rest_.empty()) return {};
    if (is_at_line_end()) {
      pass_line_end();
      return {};
    }
    if (rest_.front() != options_.delimiter)
      return fail_here(fmt::format("text follows the closing quote of field {}", fields_.size()));
    rest_.remove_prefix(1);
  }
}

Result<CsvReader::CsvField> CsvReader::read_field(Arena& arena) {
  if (rest_.starts_with(options_.quote)) return read_quoted_field(arena);
  std::size_t end = 0;
  while (end < rest_.size() && rest_[end] != options_.delimiter && rest_[end] != '\n') ++end;
  CsvField field{rest_.substr(0, end), false};
  if (end < rest_.size() && rest_[end] == '\n' && field.text.ends_with('\r'))
    field.text.remove_suffix(1);
  rest_.remove_prefix(field.text.size());
  return field;
}

Result<CsvReader::CsvField> CsvReader::read_quoted_field(Arena& arena) {
  rest_.remove_prefix(1);
  std::size_t end = 0;
  std::size_t doubled = 0;
  for (;; ++end) {
    if (end == rest_.size())
      return fail_here(fmt::format("the quote of field {} is not closed", fields_.size() + 1));
    if (rest_[end] == '\n') ++line_;
    if (rest_[end] != options_.quote) continue;
    if (end + 1 == rest_.size() || rest_[end + 1] != options_.quote) break;
    ++doubled;
    ++end;
  }
  CsvField field{rest_.substr(0, end), true};
  rest_.remove_prefix(end + 1);
  if (doubled == 0) return field;
  char* const bytes = arena.allocate(field.text.size() - doubled);
  std::size_t size = 0;
  for (std::size_t i = 0; i < field.text.size(); ++i) {
    bytes[size++] = field.text[i];
    if (field.text[i] == options_.quote) ++i;
  }
  field.text = {bytes, size};
  return field;
}

Status CsvReader::map_header() {
  std::vector<bool> is_found(schema_->size(), false);
  for (const CsvField& field : fields_) {
    const auto column = schema_->find(field.text);
    if (column && is_found[*column])
      return fail_here(fmt::format("the header names column {} twice", field.text));
    if (column) is_found[*column] = true;
    targets_.push_back(column.value_or(kSkipped));
  }
  const auto missing = std::ranges::find(is_found, false);
  if (missing == is_found.end()) return {};
  std::vector<std::string_view> names;
  for (const CsvField& field : fields_) names.push_back(field.text);
  const auto index = static_cast<std::size_t>(missing - is_found.begin());
  return fail_here(fmt::format("the header has no column {}: {}", schema_->field(index).name,
                               fmt::join(names, ", ")));
}

Status CsvReader::add_row(TableRows& table) const {
  if (fields_.size() != targets_.size())
    return fail_here(
        fmt::format("{} fields where there should be {}", fields_.size(), targets_.size()));
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (targets_[i] != kSkipped) MILLRACE_TRY(add_value(table, targets_[i], fields_[i]));
  ++table.rows;
  return {};
}

Status CsvReader::add_value(TableRows& table, std::size_t column, const CsvField& field) const {
  Column& values = table.columns[column];
  if (field.text.empty() && !field.is_quoted) {
    values.append_null();
    return {};
  }
  if (append_value(values, field.text)) return {};
  if (!stream::is_utf8(field.text)) {
    return fail(ErrorCode::kBadRecord,
                fmt::format("{}, line {}, column {}: not valid UTF-8", source_, record_line_,
                            schema_->field(column).name));
  }
  return fail(ErrorCode::kBadRecord,
              fmt::format("{}, line {}, column {}: cannot be read as {}: {}", source_, record_line_,
                          schema_->field(column).name, values.type().to_string(), field.text));
}

tl::unexpected<Error> CsvReader::fail_here(const std::string& problem) const {
  return fail(ErrorCode::kBadRecord,
              fmt::format("{}, line {}: {}", source_, record_line_, problem));
}

}  // namespace millrace::formats
