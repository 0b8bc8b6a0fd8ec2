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
