#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

// Functions against the plainest way to say what they do, over characters instead of bytes, and
// against each other where one undoes the other.

namespace millrace::stream {
namespace {

using Characters = std::u32string;

std::string utf8(const Characters& characters) {
  std::string text;
  for (const char32_t c : characters) {
    if (c < 0x80) {
      text += static_cast<char>(c);
    } else if (c < 0x800) {
      text += static_cast<char>(0xC0 | (c >> 6));
      text += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      text += static_cast<char>(0xE0 | (c >> 12));
      text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
      text += static_cast<char>(0x80 | (c & 0x3F));
    } else {
      text += static_cast<char>(0xF0 | (c >> 18));
      text += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
      text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
      text += static_cast<char>(0x80 | (c & 0x3F));
    }
  }
  return text;
}

/// Few letters, so that texts have much in common, of one to four bytes.
rc::Gen<Characters> any_text() {
  return rc::gen::container<Characters>(
      rc::gen::element(U'a', U'b', U'A', U' ', U'%', U'_', U',', U'é', U'€', U'😀'));
}

Value evaluated(const char* name, std::vector<Value> arguments) {
  std::vector<Field> fields;
  std::vector<Expr> columns;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    fields.push_back({"c" + std::to_string(i), arguments[i].type});
    columns.push_back(col(fields.back().name));
  }
  ExpressionCase rows(fields, {std::move(arguments)});
  ExpressionEvaluator evaluator(*rows.bound(call(name, std::move(columns))));
  EvaluationContext context;
  context.begin(1);
  return value_of(**evaluator.evaluate(rows.batch(), context), 0);
}

Value text(const Characters& characters) { return Value::string(utf8(characters)); }

std::string text_of(const char* name, std::vector<Value> arguments) {
  return std::get<std::string>(evaluated(name, std::move(arguments)).data);
}
bool truth_of(const char* name, std::vector<Value> arguments) {
  return std::get<bool>(evaluated(name, std::move(arguments)).data);
}
std::int32_t int_of(const char* name, std::vector<Value> arguments) {
  return std::get<std::int32_t>(evaluated(name, std::move(arguments)).data);
}

/// LIKE as its definition reads.
bool is_like(const Characters& subject, const Characters& pattern, std::size_t s, std::size_t p) {
  if (p == pattern.size()) return s == subject.size();
  if (pattern[p] == U'%') {
    for (std::size_t skip = s; skip <= subject.size(); ++skip) {
      if (is_like(subject, pattern, skip, p + 1)) return true;
    }
    return false;
  }
  if (s == subject.size()) return false;
  return (pattern[p] == U'_' || pattern[p] == subject[s]) &&
         is_like(subject, pattern, s + 1, p + 1);
}

RC_GTEST_PROP(LikeProperty, MatchesAsItIsDefined, ()) {
  const auto subject = *any_text();
  const auto pattern = *any_text();
  RC_ASSERT(truth_of("like", {text(subject), text(pattern)}) == is_like(subject, pattern, 0, 0));
}

RC_GTEST_PROP(SubstringProperty, CutsCharacters, ()) {
  const auto subject = *any_text();
  const auto position = *rc::gen::inRange(-12, 12);
  const auto length = *rc::gen::inRange(-2, 12);
  const int size = static_cast<int>(subject.size());
  const int begin = position > 0 ? position - 1 : position < 0 ? size + position : 0;
  Characters expected;
  for (int i = begin; i < begin + length; ++i) {
    if (i >= 0 && i < size) expected += subject[static_cast<std::size_t>(i)];
  }
  RC_ASSERT(text_of("substring", {text(subject), Value::int32(position), Value::int32(length)}) ==
            utf8(expected));
}

RC_GTEST_PROP(PadProperty, FillsUpToTheLength, ()) {
  const auto subject = *any_text();
  const auto filling = *rc::gen::nonEmpty(any_text());
  const auto length = *rc::gen::inRange(0, 30);
  Characters left;
  Characters right = subject;
  const std::size_t wanted = static_cast<std::size_t>(length);
  for (std::size_t i = 0; subject.size() + i < wanted; ++i) left += filling[i % filling.size()];
  right += left;
  left += subject;
  const std::vector<Value> arguments = {text(subject), Value::int32(length), text(filling)};
  RC_ASSERT(text_of("lpad", arguments) == utf8(left.substr(0, wanted)));
  RC_ASSERT(text_of("rpad", arguments) == utf8(right.substr(0, wanted)));
}

RC_GTEST_PROP(PositionProperty, IsWhereTheCharactersAre, ()) {
  const auto subject = *any_text();
  const auto part = *any_text();
  const auto start = *rc::gen::inRange(1, 10);
  const std::size_t found = static_cast<std::size_t>(start) - 1 > subject.size()
                                ? Characters::npos
                                : subject.find(part, static_cast<std::size_t>(start) - 1);
  const std::int32_t expected = part.empty()                ? 1
                                : found == Characters::npos ? 0
                                                            : static_cast<std::int32_t>(found) + 1;
  RC_ASSERT(int_of("locate", {text(part), text(subject), Value::int32(start)}) == expected);
}

RC_GTEST_PROP(ReverseProperty, UndoesItself, ()) {
  const auto subject = *any_text();
  const Characters turned(subject.rbegin(), subject.rend());
  RC_ASSERT(text_of("reverse", {text(subject)}) == utf8(turned));
  RC_ASSERT(int_of("length", {text(subject)}) == static_cast<std::int32_t>(subject.size()));
}

RC_GTEST_PROP(TrimProperty, TakesOnlyTheCharactersGiven, ()) {
  const auto subject = *any_text();
  const auto set = *any_text();
  std::size_t begin = 0;
  std::size_t end = subject.size();
  while (begin < end && set.find(subject[begin]) != Characters::npos) ++begin;
  const Characters left = subject.substr(begin);
  while (end > begin && set.find(subject[end - 1]) != Characters::npos) --end;
  RC_ASSERT(text_of("ltrim", {text(subject), text(set)}) == utf8(left));
  RC_ASSERT(text_of("btrim", {text(subject), text(set)}) ==
            utf8(subject.substr(begin, end - begin)));
}

RC_GTEST_PROP(EncodingProperty, ReadsWhatItWrote, ()) {
  const auto bytes = *rc::gen::arbitrary<std::string>();
  const Value encoded = evaluated("base64", {Value::bytes(bytes)});
  RC_ASSERT(text_of("unbase64", {encoded}) == bytes);
  RC_ASSERT(text_of("to_binary", {encoded, Value::string("base64")}) == bytes);
  RC_ASSERT(text_of("unhex", {evaluated("hex", {Value::bytes(bytes)})}) == bytes);
}

RC_GTEST_PROP(EncodingProperty, KeepsEveryTextInEveryUnicodeSet, ()) {
  const auto subject = *any_text();
  const auto set =
      *rc::gen::element<std::string>("UTF-8", "UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32");
  const Value encoded = evaluated("encode", {text(subject), Value::string(set)});
  RC_ASSERT(text_of("decode", {encoded, Value::string(set)}) == utf8(subject));
  RC_ASSERT(text_of("url_decode", {evaluated("url_encode", {text(subject)})}) == utf8(subject));
}

RC_GTEST_PROP(RegexpProperty, ReplacesALiteralAsReplaceDoes, ()) {
  const auto subject = *any_text();
  const auto part = *rc::gen::nonEmpty(any_text());
  const Value pattern = Value::string("\\Q" + utf8(part) + "\\E");
  RC_ASSERT(text_of("regexp_replace", {text(subject), pattern, Value::string("<>")}) ==
            text_of("replace", {text(subject), text(part), Value::string("<>")}));
}

RC_GTEST_PROP(RemainderProperty, HasTheSignOfAPositiveDivisor, ()) {
  const auto left = *rc::gen::arbitrary<std::int64_t>();
  const auto right = *rc::gen::inRange<std::int64_t>(1, std::numeric_limits<std::int64_t>::max());
  const auto rest =
      std::get<std::int64_t>(evaluated("pmod", {Value::int64(left), Value::int64(right)}).data);
  RC_ASSERT(rest >= 0);
  RC_ASSERT(rest < right);
  RC_ASSERT((static_cast<__int128>(left) - rest) % right == 0);
}

RC_GTEST_PROP(RoundProperty, IsNearestInTens, ()) {
  const auto value = *rc::gen::inRange(-1'000'000'000, 1'000'000'000);
  const auto rounded =
      std::get<std::int32_t>(evaluated("round", {Value::int32(value), Value::int32(-2)}).data);
  RC_ASSERT(rounded % 100 == 0);
  RC_ASSERT(std::abs(rounded - value) <= 50);
}

RC_GTEST_PROP(RoundProperty, GivesTheDecimalThatWasWritten, ()) {
  const auto cents = *rc::gen::inRange<std::int64_t>(-1'000'000'000'000, 1'000'000'000'000);
  const double value = static_cast<double>(cents) / 100;
  const auto rounded =
      std::get<double>(evaluated("round", {Value::real(value), Value::int32(2)}).data);
  RC_ASSERT(rounded == value);
}

}  // namespace
}  // namespace millrace::stream
