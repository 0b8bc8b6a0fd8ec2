#include "formats/csv_format.hpp"

#include "formats/text_value.hpp"
#include "stream/base64.hpp"
#include "stream/decimal.hpp"
#include "stream/scalar_text.hpp"
#include "stream/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace millrace::formats {
namespace {

/// A message shows at most this much of a value.
constexpr std::size_t kShownBytesMax = 80;
constexpr std::size_t kLineBytesGuess = 256;

std::string shown(std::string_view text) {
  return std::string(text.substr(0, kShownBytesMax)) + (text.size() > kShownBytesMax ? "..." : "");
}

/// "2026-01-31 10:20:30.25" as "2026-01-31T10:20:30.25Z".
std::size_t write_time(std::int64_t us, char* out) {
  std::size_t size = stream::write_timestamp(us, out);
  if (char* const blank = static_cast<char*>(std::memchr(out, ' ', size))) *blank = 'T';
  out[size++] = 'Z';
  return size;
}

}  // namespace

Result<std::unique_ptr<CsvDecoder>> CsvDecoder::make(const stream::DecodeSpec& spec) {
  MILLRACE_ASSIGN(CsvSyntax syntax, CsvSyntax::parse(spec.options));
  std::vector<Target> targets;
  for (std::size_t column = 0; column < spec.fields.size(); ++column) {
    const Field& field = spec.fields[column];
    if (!reads_from_text(field.type.kind()))
      return fail(ErrorCode::kNotSupported,
                  fmt::format("column \"{}\" of type {} cannot be read from CSV", field.name,
                              field.type.to_string()));
    const auto found = std::ranges::find(spec.declared, field.name, &Field::name);
    targets.push_back({static_cast<std::size_t>(found - spec.declared.begin()), column});
  }
  return std::unique_ptr<CsvDecoder>(
      new CsvDecoder(std::move(syntax), spec.fields, spec.declared.size(), std::move(targets)));
}

CsvDecoder::CsvDecoder(CsvSyntax syntax, std::vector<Field> fields, std::size_t line_fields,
                       std::vector<Target> targets)
    : scanner_(std::move(syntax)),
      fields_(std::move(fields)),
      line_fields_(line_fields),
      targets_(std::move(targets)) {
  line_.reserve(line_fields_ + 1);
}

void CsvDecoder::decode(const Column& values, Batch& out, Arena& arena, std::vector<BadRow>& bad) {
  const std::size_t rows = values.size();
  for (const Target& target : targets_) out.column(target.column).resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if (!values.is_null(row) && read_line(values.text(row), arena)) [[likely]] {
      fill(out, row, bad);
      continue;
    }
    if (!values.is_null(row))
      bad.push_back({static_cast<std::uint32_t>(row), stream::BadRecordReason::kMalformed,
                     malformed_reason(values.text(row))});
    for (const Target& target : targets_) out.column(target.column).set_null(row);
  }
}

bool CsvDecoder::read_line(std::string_view text, Arena& arena) {
  has_fault_ = false;
  if (!stream::is_utf8(text)) return false;
  scanner_.open(text);
  has_fault_ = !scanner_.read_record(line_, arena);
  return !has_fault_ && scanner_.is_at_end() && line_.size() == line_fields_;
}

std::string CsvDecoder::malformed_reason(std::string_view text) const {
  if (!stream::is_utf8(text)) return "the value is not valid UTF-8";
  if (has_fault_) return "the value is not a line of CSV: " + scanner_.problem();
  if (!scanner_.is_at_end()) return "the value is more than one line of CSV";
  return fmt::format("the line has {} fields where there should be {}", line_.size(), line_fields_);
}

void CsvDecoder::fill(Batch& out, std::size_t row, std::vector<BadRow>& bad) const {
  bool is_good = true;
  for (const Target& target : targets_) {
    const CsvField& field = line_[target.field];
    Column& column = out.column(target.column);
    if (scanner_.is_null(field)) {
      column.set_null(row);
    } else if (!set_from_text(column, row, field.text)) [[unlikely]] {
      column.set_null(row);
      if (std::exchange(is_good, false))
        bad.push_back(
            {static_cast<std::uint32_t>(row), stream::BadRecordReason::kField,
             fmt::format("field \"{}\" cannot be read as {}: {}", fields_[target.column].name,
                         column.type().to_string(), shown(field.text))});
    }
  }
}

Result<std::unique_ptr<CsvEncoder>> CsvEncoder::make(const stream::EncodeSpec& spec) {
  MILLRACE_ASSIGN(CsvSyntax syntax, CsvSyntax::parse(spec.options));
  return std::unique_ptr<CsvEncoder>(new CsvEncoder(std::move(syntax), spec.value_columns));
}

void CsvEncoder::encode(const Batch& rows, Column& values, Arena& arena) {
  values.resize(rows.rows());
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    ArenaText text(arena, kLineBytesGuess);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      text.reserve(1);
      if (i > 0) text.put(syntax_.delimiter);
      const Column& column = rows.column(columns_[i]);
      if (!column.is_null(row)) {
        put_value(column, row, text);
      } else {
        text.reserve(syntax_.null_value.size());
        text.put(syntax_.null_value);
      }
    }
    values.values<std::string_view>()[row] = text.finish();
  }
}

void CsvEncoder::put_value(const Column& column, std::size_t row, ArenaText& out) {
  std::array<char, stream::kScalarTextMax + 8> text;  // room for a decimal or a time too
  std::size_t size = 0;
  switch (column.kind()) {
    case TypeKind::kString:
      return put_text(column.text(row), out);
    case TypeKind::kBytes: {
      const std::string_view bytes = column.text(row);
      base64_.resize(stream::base64_encoded_size(bytes.size()));
      stream::base64_encode(bytes, base64_.data());
      return put_text(base64_, out);
    }
    case TypeKind::kBoolean:
      return put_text(column.value<std::uint8_t>(row) != 0 ? "true" : "false", out);
    case TypeKind::kInt32:
      size = stream::write_int64(column.value<std::int32_t>(row), text.data());
      break;
    case TypeKind::kInt64:
      size = stream::write_int64(column.value<std::int64_t>(row), text.data());
      break;
    case TypeKind::kDouble:
      size = stream::write_double(column.value<double>(row), text.data());
      break;
    case TypeKind::kDate:
      size = stream::write_date(column.value<std::int32_t>(row), text.data());
      break;
    case TypeKind::kTimestamp:
      size = write_time(column.value<std::int64_t>(row), text.data());
      break;
    case TypeKind::kDecimal:
      size = stream::write_decimal(column.value<Decimal>(row), column.type().scale(), text.data());
      break;
    default:
      break;  // refused when the query is planned
  }
  put_text({text.data(), size}, out);
}

bool CsvEncoder::needs_quotes(std::string_view text) const {
  if (text.empty() || text == syntax_.null_value) return true;
  return std::ranges::any_of(text, [this](char sign) {
    return sign == syntax_.delimiter || sign == syntax_.quote || sign == '\n' || sign == '\r';
  });
}

void CsvEncoder::put_text(std::string_view text, ArenaText& out) const {
  out.reserve(2 * text.size() + 2);
  if (!needs_quotes(text)) return out.put(text);
  out.put(syntax_.quote);
  for (const char sign : text) {
    if (sign == syntax_.quote || sign == syntax_.escape)
      out.put(syntax_.escape.value_or(syntax_.quote));
    out.put(sign);
  }
  out.put(syntax_.quote);
}

}  // namespace millrace::formats
