#include "millrace/value.hpp"

#include "formats/csv_format.hpp"
#include "formats/csv_reader.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace millrace::fuzz {
namespace {

const std::vector<Field>& users() {
  static const std::vector<Field> fields = {{"user_id", TypeKind::kInt32},
                                            {"country", TypeKind::kString},
                                            {"price", TypeKind::kDouble},
                                            {"at", TypeKind::kTimestamp},
                                            {"raw", TypeKind::kBytes}};
  return fields;
}

/// The other types that a text fills.
const std::vector<Field>& others() {
  static const std::vector<Field> fields = {{"total", DataType::decimal(12, 2)},
                                            {"is_new", TypeKind::kBoolean},
                                            {"seq", TypeKind::kInt64},
                                            {"born", TypeKind::kDate},
                                            {"wait", TypeKind::kInterval}};
  return fields;
}

// What is written of a file's rows reads back as what it was: all but bytes, which are written as
// base64, and intervals, which are not.
void check_round_trip(const std::vector<Field>& fields, const formats::TableRows& table,
                      const formats::CsvSyntax& syntax) {
  stream::EncodeSpec encode;
  stream::DecodeSpec decode;
  encode.options.set("delimiter", std::string(1, syntax.delimiter));
  encode.options.set("quote", std::string(1, syntax.quote));
  decode.options = encode.options;
  BatchPool table_pool(make_schema(fields));
  Batch rows = table_pool.take();
  for (std::size_t column = 0; column < fields.size(); ++column) {
    rows.column(column).copy_from(table.columns[column]);
    const DataType& type = fields[column].type;
    if (type.is(TypeKind::kBytes) || type.is(TypeKind::kInterval)) continue;
    encode.value_columns.push_back(column);
    encode.value_names.push_back(fields[column].name);
    decode.fields.push_back(fields[column]);
  }
  decode.declared = decode.fields;
  rows.set_rows(table.rows);
  Column lines(TypeKind::kBytes);
  Arena arena;
  formats::CsvEncoder::make(encode).value()->encode(rows, lines, arena);
  BatchPool back_pool(make_schema(decode.fields));
  Batch back = back_pool.take();
  std::vector<formats::BadRow> bad;
  formats::CsvDecoder::make(decode).value()->decode(lines, back, arena, bad);
  require(bad.empty(), "what is written can be read");
  for (std::size_t i = 0; i < decode.fields.size(); ++i)
    for (std::size_t row = 0; row < table.rows; ++row)
      require(value_of(back.column(i), row).to_string() ==
                  value_of(table.columns[encode.value_columns[i]], row).to_string(),
              "and is the same");
}

}  // namespace

// The first byte says whether there is a header, which delimiter and quote, and which columns; the
// rest is the file.
void run_csv(std::string_view input) {
  if (input.empty()) return;
  const auto choice = static_cast<unsigned char>(input.front());
  formats::CsvOptions options;
  options.has_header = (choice & 1U) != 0;
  options.syntax.delimiter = (choice & 2U) != 0 ? ';' : ',';
  options.syntax.quote = (choice & 4U) != 0 ? '\'' : '"';
  const std::vector<Field>& fields = (choice & 8U) != 0 ? others() : users();
  const SchemaRef schema = make_schema(fields);
  const auto table = formats::CsvReader(schema, options, "users.csv").read(input.substr(1));
  if (!table) {
    require(table.error().message.starts_with("users.csv"), "a refusal names the file");
    return;
  }
  require(table->columns.size() == fields.size(), "every column is there");
  for (const Column& column : table->columns)
    require(column.size() == table->rows, "and has every row");
  check_round_trip(fields, *table, options.syntax);
}

}  // namespace millrace::fuzz
