#include "formats/csv_reader.hpp"

#include "formats/text_value.hpp"
#include "stream/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::formats {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Adds a row that is not null, whatever its value.
void append_value(Column& column) {
  switch (column.kind()) {
    case TypeKind::kBoolean:
      return column.append(std::uint8_t{});
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return column.append(std::int32_t{});
    case TypeKind::kDecimal:
      return column.append(Decimal{});
    case TypeKind::kInterval:
      return column.append(Interval{});
    case TypeKind::kString:
    case TypeKind::kBytes:
      return column.append(std::string_view{});
    default:
      return column.append(std::int64_t{});
  }
}

}  // namespace

Result<CsvOptions> CsvOptions::parse(const Options& options) {
  CsvOptions result;
  MILLRACE_ASSIGN(result.has_header, options.get_bool("header", false));
  MILLRACE_ASSIGN(result.syntax, CsvSyntax::parse(options));
  return result;
}

CsvReader::CsvReader(SchemaRef schema, CsvOptions options, std::string source)
    : schema_(std::move(schema)),
      has_header_(options.has_header),
      scanner_(std::move(options.syntax)),
      source_(std::move(source)) {}

Result<TableRows> CsvReader::read(std::string_view text) {
  TableRows table(schema_);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  // Fields are views into this copy, or, when they held doubled quotes, texts of their own.
  scanner_.open(table.arena.store(text));
  targets_.clear();
  if (!has_header_)
    for (std::size_t i = 0; i < schema_->size(); ++i) targets_.push_back(i);
  bool is_header_due = has_header_;
  while (!scanner_.is_at_end()) {
    if (scanner_.is_at_line_end()) {
      scanner_.pass_line_end();
      continue;
    }
    if (!scanner_.read_record(fields_, table.arena)) return fail_here(scanner_.problem());
    MILLRACE_TRY(is_header_due ? map_header() : add_row(table));
    is_header_due = false;
  }
  if (is_header_due) return fail_here("the header line is missing");
  return table;
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
  return no_column(schema_->field(static_cast<std::size_t>(missing - is_found.begin())).name);
}

tl::unexpected<Error> CsvReader::no_column(const std::string& name) const {
  std::vector<std::string_view> names;
  std::vector<std::string_view> free;  // of no declared column
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    names.push_back(fields_[i].text);
    if (targets_[i] == kSkipped) free.push_back(fields_[i].text);
  }
  const auto nearest = nearest_name(name, free);
  return fail_here(fmt::format("the header has no column {}{}: {}", name,
                               nearest ? fmt::format(" (the nearest is {})", *nearest) : "",
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
  if (scanner_.is_null(field)) {
    values.append_null();
    return {};
  }
  const bool can_be = reads_from_text(values.kind());
  if (can_be) append_value(values);
  if (can_be && set_from_text(values, values.size() - 1, field.text)) return {};
  const std::string problem =
      stream::is_utf8(field.text)
          ? fmt::format("cannot be read as {}: {}", values.type().to_string(), field.text)
          : "not valid UTF-8";
  return fail(ErrorCode::kBadRecord,
              fmt::format("{}, line {}, column {}: {}", source_, scanner_.record_line(),
                          schema_->field(column).name, problem));
}

tl::unexpected<Error> CsvReader::fail_here(const std::string& problem) const {
  return fail(ErrorCode::kBadRecord,
              fmt::format("{}, line {}: {}", source_, scanner_.record_line(), problem));
}

}  // namespace millrace::formats
