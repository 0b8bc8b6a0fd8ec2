#include "formats/csv_format.hpp"
#include "stream/base64.hpp"
#include "tests/property/any_value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace millrace::formats {
namespace {

/// Signs that do not get into each other's way.
Options any_syntax() {
  Options options;
  options.set("delimiter",
              std::string(1, *rc::gen::element(',', ';', '|', '\t', ' ', '0', 'e', '/')));
  options.set("quote", std::string(1, *rc::gen::element('"', '\'', '`')));
  if (property::below(2) == 0) options.set("escape", "\\");
  if (property::below(2) == 0)
    options.set("null_value", *rc::gen::element<std::string>("NA", "-", "NULL"));
  return options;
}

/// Texts that are hard to write between others.
Value any_field_of(const DataType& type) {
  if (type.is(TypeKind::kBytes) && property::below(4) == 0) return Value::bytes("5B\xCB");  // NULL
  if (!type.is(TypeKind::kString) || property::below(2) == 0) return property::any_value_of(type);
  if (property::below(3) == 0)
    return Value::string(*rc::gen::element<std::string>("", "NA", "-", " ", "\\", "\"\"", "\n"));
  return Value::string(*rc::gen::container<std::string>(
      rc::gen::element('a', ',', ';', '|', '\t', ' ', '"', '\'', '`', '\\', '\n', '\r')));
}

/// Bytes are written as base64 and read as they stand.
Value as_read(const Value& value) {
  if (!value.type.is(TypeKind::kBytes) || value.is_null()) return value;
  const auto& bytes = std::get<std::string>(value.data);
  std::string text(stream::base64_encoded_size(bytes.size()), '\0');
  stream::base64_encode(bytes, text.data());
  return Value::bytes(text);
}

RC_GTEST_PROP(CsvProperty, ARowOfAnyTypesComesBack, ()) {
  stream::EncodeSpec encode;
  stream::DecodeSpec decode;
  encode.options = decode.options = any_syntax();
  std::vector<Value> values;
  for (std::size_t column = 0, end = 1 + property::below(5); column < end; ++column) {
    encode.value_columns.push_back(column);
    encode.value_names.push_back("c" + std::to_string(column));
    const DataType type = property::below(8) == 0 ? TypeKind::kBytes : property::any_scalar_type();
    decode.fields.push_back({encode.value_names.back(), type});
    values.push_back(any_field_of(type));
  }
  decode.declared = decode.fields;
  BatchPool pool(make_schema(decode.fields));
  Batch rows = pool.take();
  for (std::size_t column = 0; column < values.size(); ++column)
    append_value(rows.column(column), values[column]);
  rows.set_rows(1);
  Column lines(TypeKind::kBytes);
  Arena arena;
  CsvEncoder::make(encode).value()->encode(rows, lines, arena);
  Batch back = pool.take();
  std::vector<BadRow> bad;

  CsvDecoder::make(decode).value()->decode(lines, back, arena, bad);

  RC_LOG() << lines.text(0);
  RC_ASSERT(bad.empty());
  for (std::size_t column = 0; column < values.size(); ++column)
    RC_ASSERT(value_of(back.column(column), 0).to_string() == as_read(values[column]).to_string());
}

}  // namespace
}  // namespace millrace::formats
