#include "formats/json_document.hpp"
#include "formats/json_encoder.hpp"
#include "tests/formats/decoding.hpp"
#include "tests/property/any_value.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>

namespace millrace::formats {
namespace {

using property::any_characters;
using property::any_double;
using property::any_int64;
using property::any_text;

/// Encodes one row and decodes it again: a batch of one record.
class RoundTrip {
 public:
  explicit RoundTrip(DataType type)
      : pool_(make_schema({{"value", type}})),
        encoder_({0}, {"value"}),
        decoding_({{"value", type}}) {}

  /// The record's text of a row that `put` fills.
  template <typename Put>
  std::string encoded(Put&& put) {
    Batch rows = pool_.take();
    rows.resize(1);
    put(rows);
    Column values(TypeKind::kBytes);
    Arena arena;
    encoder_.encode(rows, values, arena);
    return std::string(values.text(0));
  }
  Batch decoded(const std::string& text) {
    Batch rows = decoding_.decode({text});
    RC_ASSERT(decoding_.bad.empty());
    RC_ASSERT(!rows.column(0).is_null(0));
    return rows;
  }

  template <typename Number>
  Number number(Number value) {
    const std::string text =
        encoded([&](Batch& rows) { rows.column(0).values<Number>()[0] = value; });
    return decoded(text).column(0).template value<Number>(0);
  }
  std::string text(const std::string& value) {
    const std::string text = encoded([&](Batch& rows) {
      rows.column(0).values<std::string_view>()[0] = rows.arena().store(value);
    });
    return std::string(decoded(text).column(0).text(0));
  }

 private:
  BatchPool pool_;
  JsonEncoder encoder_;
  Decoding decoding_;
};

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

/// A value as the encoder writes it.
std::string json_of(const Value& value) {
  const std::vector<Field> fields = {{"v", value.type}};
  BatchPool pool(make_schema(fields));
  Batch rows = pool.take();
  append_value(rows.column(0), value);
  rows.set_rows(1);
  Column written(TypeKind::kBytes);
  Arena arena;
  JsonEncoder({0}, {"v"}).encode(rows, written, arena);
  const std::string_view text = written.text(0);
  constexpr std::string_view kBefore = "{\"v\":";
  if (!text.starts_with(kBefore)) return "null";  // left out
  return std::string(text.substr(kBefore.size(), text.size() - kBefore.size() - 1));
}

// Every way of writing a text: as it is, or as \u with a pair of surrogates where it takes two.
std::string escaped(const std::u32string& characters) {
  std::string text;
  for (const char32_t character : characters) {
    auto code = static_cast<std::uint32_t>(character);
    if (code >= 0x10000) {
      code -= 0x10000;
      text += fmt::format("\\u{:04x}", 0xD800 + (code >> 10));
      code = 0xDC00 + (code & 0x3FFU);
    }
    text += fmt::format("\\u{:04X}", code);
  }
  return text;
}

RC_GTEST_PROP(JsonProperty, AnInt64ComesBackToTheLastDigit, ()) {
  const std::int64_t value = *any_int64();
  RC_ASSERT(RoundTrip(TypeKind::kInt64).number(value) == value);
}

RC_GTEST_PROP(JsonProperty, AnInt32ComesBack, ()) {
  const auto value = static_cast<std::int32_t>(*any_int64());
  RC_ASSERT(RoundTrip(TypeKind::kInt32).number(value) == value);
}

RC_GTEST_PROP(JsonProperty, ADoubleComesBackToTheLastBit, ()) {
  const double value = *any_double();
  const double back = RoundTrip(TypeKind::kDouble).number(value);
  if (std::isnan(value)) {
    RC_ASSERT(std::isnan(back));
  } else {
    RC_ASSERT(bits_of(back) == bits_of(value));
  }
}

RC_GTEST_PROP(JsonProperty, ADoubleIsReadToTheLastBitHoweverManyDigitsItHas, ()) {
  const double value =
      *rc::gen::suchThat(any_double(), [](double one) { return std::isfinite(one); });
  const int digits = *rc::gen::inRange(17, 40);
  const std::string text = fmt::format("{{\"value\":{:.{}e}}}", value, digits);
  RC_ASSERT(bits_of(RoundTrip(TypeKind::kDouble).decoded(text).column(0).value<double>(0)) ==
            bits_of(value));
}

RC_GTEST_PROP(JsonProperty, ATextComesBackByteForByte, ()) {
  const std::string value = *any_text();
  RC_ASSERT(RoundTrip(TypeKind::kString).text(value) == value);
}

RC_GTEST_PROP(JsonProperty, ATextIsTheSameHoweverItIsEscaped, ()) {
  const std::u32string characters = *any_characters();
  const std::string text = "{\"value\":\"" + escaped(characters) + "\"}";
  RC_ASSERT(RoundTrip(TypeKind::kString).decoded(text).column(0).text(0) ==
            property::utf8_of(characters));
}

RC_GTEST_PROP(JsonProperty, AnyBytesComeBackAsBytes, ()) {
  const std::string value = *rc::gen::arbitrary<std::string>();
  RC_ASSERT(RoundTrip(TypeKind::kBytes).text(value) == value);
}

RC_GTEST_PROP(JsonProperty, ATextOfAnyBytesIsWrittenAsJson, ()) {
  const std::string value =
      *rc::gen::container<std::string>(rc::gen::cast<char>(rc::gen::inRange<int>(0, 256)));
  RoundTrip trip(TypeKind::kString);
  static_cast<void>(trip.text(value));  // whatever it is, it can be read
}

RC_GTEST_PROP(JsonProperty, ATimestampComesBackToTheMicrosecond, ()) {
  // Years 1 to 9999.
  const std::int64_t value =
      *rc::gen::inRange<std::int64_t>(-62'135'596'800'000'000, 253'402'300'799'999'999);
  RC_ASSERT(RoundTrip(TypeKind::kTimestamp).number(value) == value);
}

RC_GTEST_PROP(JsonProperty, ADateComesBack, ()) {
  const auto value = *rc::gen::inRange<std::int32_t>(-719'162, 2'932'896);
  RC_ASSERT(RoundTrip(TypeKind::kDate).number(value) == value);
}

RC_GTEST_PROP(JsonProperty, AFieldIsFoundUnderAnyName, ()) {
  const std::u32string name = *any_characters();
  const std::string plain = property::utf8_of(name);
  Decoding decoding({{plain, TypeKind::kInt64}});
  const std::string text = "{\"" + escaped(name) + "\":7}";
  const Batch rows = decoding.decode({text, text});
  RC_ASSERT(decoding.bad.empty());
  RC_ASSERT(rows.column(0).value<std::int64_t>(1) == 7);

  const std::string document = JsonValue::object().set(plain, 8).dump();
  RC_ASSERT(decoding.decode({document}).column(0).value<std::int64_t>(0) == 8);
}

// -- rows of any types ----------------------------------------------------------------------------

/// The row's values as text; of a column that is not there, nothing.
std::vector<std::string> texts_of(const Batch& rows, std::size_t row) {
  std::vector<std::string> texts;
  for (std::size_t column = 0; column < rows.column_count(); ++column)
    texts.push_back(value_of(rows.column(column), row).to_string());
  return texts;
}

RC_GTEST_PROP(JsonProperty, ARowOfAnyTypesComesBack, ()) {
  std::vector<Field> fields;
  std::vector<std::size_t> columns;
  std::vector<std::string> names;
  std::vector<Value> values;
  for (std::size_t column = 0, end = 1 + property::below(4); column < end; ++column) {
    names.push_back("c" + std::to_string(column));
    columns.push_back(column);
    fields.push_back({names.back(), property::any_json_type(3)});
    values.push_back(property::any_value_of(fields.back().type));
  }
  BatchPool pool(make_schema(fields));
  Batch rows = pool.take();
  for (const std::size_t column : columns) append_value(rows.column(column), values[column]);
  rows.set_rows(1);
  Column written(TypeKind::kBytes);
  Arena arena;
  JsonEncoder(columns, names).encode(rows, written, arena);
  Decoding decoding(fields);

  const Batch back = decoding.decode({std::string(written.text(0))});

  RC_ASSERT(decoding.bad.empty());
  RC_ASSERT(texts_of(back, 0) == texts_of(rows, 0));
}

// Whether a record is malformed is asked of the record alone, and whether it is bad of its fields
// one by one, whatever their types.
RC_GTEST_PROP(JsonProperty, AVerdictDependsOnTheFieldsThatAreReadAndNoOther, ()) {
  std::string text = "{";
  std::vector<Field> fields;
  for (std::size_t i = 0, end = 1 + property::below(4); i < end; ++i) {
    const std::string name = "c" + std::to_string(i);
    const DataType written = property::any_json_type(2);
    const DataType read = property::below(2) == 0 ? written : property::any_json_type(2);
    fields.push_back({name, read});
    text += (i == 0 ? "\"" : ",\"") + name + "\":" + json_of(property::any_value_of(written));
  }
  text += "}";
  if (property::below(4) == 0) text[property::below(text.size())] = *rc::gen::arbitrary<char>();

  const auto is_malformed = [](const std::string& reason) {
    return reason.starts_with("the value is not a JSON object: ");
  };
  const std::string of_none = verdict({}, text);
  const std::string of_all = verdict(fields, text);
  RC_ASSERT(of_none.empty() || is_malformed(of_none));
  std::string of_first_bad = of_none;
  for (const Field& field : fields) {
    const std::string of_one = verdict({field}, text);
    RC_ASSERT(is_malformed(of_one) == is_malformed(of_none));
    RC_ASSERT(of_one.empty() || is_malformed(of_one) ||
              of_one.starts_with("field \"" + field.name + "\" cannot be read as "));
    if (of_first_bad.empty()) of_first_bad = of_one;
  }
  RC_ASSERT(of_all == of_first_bad);
}

// -- documents ------------------------------------------------------------------------------------

rc::Gen<JsonValue> any_scalar() {
  const auto finite =
      rc::gen::suchThat(any_double(), [](double one) { return std::isfinite(one); });
  return rc::gen::oneOf(
      rc::gen::just(JsonValue()),
      rc::gen::map(rc::gen::arbitrary<bool>(), [](bool value) { return JsonValue(value); }),
      rc::gen::map(any_int64(), [](std::int64_t value) { return JsonValue(value); }),
      rc::gen::map(finite, [](double value) { return JsonValue(value); }),
      rc::gen::map(any_text(), [](std::string value) { return JsonValue(std::move(value)); }));
}

rc::Gen<JsonValue> any_document(int depth) {
  if (depth == 0) return any_scalar();
  const auto inner = rc::gen::scale(0.08, any_document(depth - 1));
  const auto arrays =
      rc::gen::map(rc::gen::container<std::vector<JsonValue>>(inner),
                   [](JsonValue::Array elements) { return JsonValue(std::move(elements)); });
  const auto objects =
      rc::gen::map(rc::gen::container<std::vector<std::pair<std::string, JsonValue>>>(
                       rc::gen::pair(any_text(), inner)),
                   [](const JsonValue::Object& members) {
                     JsonValue object = JsonValue::object();
                     for (const auto& [name, value] : members) object.set(name, value);
                     return object;
                   });
  return rc::gen::oneOf(any_scalar(), arrays, objects);
}

RC_GTEST_PROP(JsonProperty, ADocumentComesBack, ()) {
  const JsonValue document = *rc::gen::noShrink(any_document(2));
  const auto plain = JsonValue::parse(document.dump());
  const auto pretty = JsonValue::parse(document.dump_pretty());
  RC_ASSERT(plain.has_value());
  RC_ASSERT(pretty.has_value());
  RC_ASSERT(*plain == document);
  RC_ASSERT(*pretty == document);
}

}  // namespace
}  // namespace millrace::formats
