#include "millrace/value.hpp"

#include "formats/json_document.hpp"
#include "formats/json_encoder.hpp"
#include "tests/formats/decoding.hpp"
#include "tests/fuzz/fuzz_target.hpp"

#include <cstring>

namespace millrace::fuzz {
namespace {

using formats::Decoding;

const std::vector<Field>& all_fields() {
  static const DataType inner = DataType::structure(
      {{"p", DataType::decimal(38, 10)}, {"q", DataType::array(TypeKind::kString)}});
  static const std::vector<Field> fields = {
      {"k", TypeKind::kBoolean},
      {"i", TypeKind::kInt32},
      {"a", TypeKind::kInt64},
      {"b", TypeKind::kDouble},
      {"s", TypeKind::kString},
      {"x", TypeKind::kBytes},
      {"d", TypeKind::kDate},
      {"t", TypeKind::kTimestamp},
      {"n", DataType::decimal(12, 2)},
      {"v", TypeKind::kInterval},
      {"l", DataType::array(TypeKind::kInt64)},
      {"m", DataType::map(TypeKind::kString, TypeKind::kDouble)},
      {"o", inner},
      {"r", DataType::array(DataType::map(TypeKind::kString, inner))}};
  return fields;
}

/// The value of a row in a column, as text that tells any two apart.
std::string cell(const Batch& rows, std::size_t column, std::size_t row) {
  const Column& values = rows.column(column);
  if (values.is_null(row)) return "null";
  switch (values.kind()) {
    case TypeKind::kBoolean:
      return std::to_string(values.value<std::uint8_t>(row));
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return std::to_string(values.value<std::int32_t>(row));
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return std::to_string(values.value<std::int64_t>(row));
    case TypeKind::kDouble: {
      std::uint64_t bits = 0;
      const double value = values.value<double>(row);
      std::memcpy(&bits, &value, sizeof(bits));
      return std::to_string(bits);
    }
    case TypeKind::kString:
    case TypeKind::kBytes:
      return "'" + std::string(values.text(row)) + "'";
    default:
      return value_of(values, row).to_string();
  }
}

bool is_malformed(const std::string& reason) {
  return reason.starts_with("the value is not a JSON object: ");
}

/// What one choice of fields makes of one record.
struct Reading {
  std::string reason;  ///< empty: accepted
  std::vector<std::string> cells;
};

Reading read(const std::vector<Field>& fields, const std::string& text) {
  Decoding decoding(fields);
  const Batch rows = decoding.decode({text});
  Reading reading;
  if (!decoding.bad.empty()) reading.reason = decoding.bad[0].reason;
  for (std::size_t column = 0; column < fields.size(); ++column)
    reading.cells.push_back(cell(rows, column, 0));
  return reading;
}

// Which columns are read never says whether a record is malformed; a well-formed record is refused
// exactly for the fields that are read and cannot be; a field's value is its own.
void check_projections(const std::string& text) {
  const Reading all = read(all_fields(), text);
  const Reading none = read({}, text);
  require(none.reason.empty() || is_malformed(none.reason), "no field: accepted or malformed");
  bool has_bad_field = false;
  for (std::size_t field = 0; field < all_fields().size(); ++field) {
    const Reading one = read({all_fields()[field]}, text);
    require(is_malformed(one.reason) == is_malformed(none.reason), "malformed whoever reads it");
    if (is_malformed(one.reason)) require(one.reason == none.reason, "for the same reason");
    has_bad_field |= !one.reason.empty();
    if (all.reason.empty()) require(all.cells[field] == one.cells[0], "a field's value is its own");
  }
  require(all.reason.empty() == !has_bad_field, "refused exactly for a field that is read");
  require(is_malformed(all.reason) == is_malformed(none.reason), "malformed whoever reads all");
}

// A decoder keeps a layout from record to record, and nothing else.
void check_batch(const std::vector<std::optional<std::string>>& texts) {
  Decoding decoding(all_fields());
  for (int time = 0; time < 2; ++time) {
    const Batch rows = decoding.decode(texts);
    std::size_t bad = 0;
    for (std::size_t row = 0; row < texts.size(); ++row) {
      const Reading alone = read(all_fields(), *texts[row]);
      const bool is_bad = bad < decoding.bad.size() && decoding.bad[bad].row == row;
      require(is_bad == !alone.reason.empty(), "a record's verdict is its own");
      if (is_bad) require(decoding.bad[bad++].reason == alone.reason, "for its own reason");
      for (std::size_t column = 0; column < all_fields().size(); ++column)
        require(cell(rows, column, row) == alone.cells[column], "a record's values are its own");
    }
    require(bad == decoding.bad.size(), "every refusal has a row");
  }
}

// What is written reads back as what it was.
void check_round_trip(const std::string& text) {
  Decoding decoding(all_fields());
  const Batch rows = decoding.decode({text});
  if (!decoding.bad.empty()) return;
  std::vector<std::size_t> columns;
  std::vector<std::string> names;
  for (std::size_t column = 0; column < all_fields().size(); ++column) {
    columns.push_back(column);
    names.push_back(all_fields()[column].name);
  }
  formats::JsonEncoder encoder(columns, names);
  Column values(TypeKind::kBytes);
  Arena arena;
  encoder.encode(rows, values, arena);
  const Reading again = read(all_fields(), std::string(values.text(0)));
  require(again.reason.empty(), "what is written can be read");
  for (std::size_t column = 0; column < columns.size(); ++column)
    require(again.cells[column] == cell(rows, column, 0), "and is the same");
}

// The two readers of JSON agree on what JSON is, but for numbers beyond a double.
void check_document(const std::string& text) {
  const auto document = formats::JsonValue::parse(text);
  const bool is_object = document && document->is_object();
  if (!document) require_readable(document.error());
  if (is_object && !text.starts_with("\xEF\xBB\xBF"))
    require(!is_malformed(read({}, text).reason), "a document that is an object is a record");
  if (!document) return;
  const auto again = formats::JsonValue::parse(document->dump());
  require(again && again->dump() == document->dump(), "a document reads back as it was");
}

}  // namespace

void run_json(std::string_view input) {
  const std::string text(input);
  check_projections(text);
  check_round_trip(text);
  check_document(text);
  std::vector<std::optional<std::string>> lines;
  for (std::size_t at = 0; at <= text.size() && lines.size() < 8;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  check_batch(lines);
}

}  // namespace millrace::fuzz
