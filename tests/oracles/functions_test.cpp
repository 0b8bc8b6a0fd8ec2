#include "millrace/batch.hpp"

#include "stream/expression_evaluator.hpp"
#include "stream/functions/registry.hpp"
#include "stream/plan/expression_binder.hpp"
#include "tests/oracles/functions_without_oracle.hpp"
#include "tests/oracles/oracle.hpp"
#include "tests/property/any_value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cctype>
#include <cmath>
#include <set>

// Every function against its oracle, over values that RapidCheck draws: nulls, extremes, and texts
// with much in common.

namespace millrace::property {
namespace {

constexpr std::size_t kRowsMax = 4;

// --- drawing -------------------------------------------------------------------------------------

/// Texts of few letters of one to four bytes, numbers, and words that functions know.
std::string drawn_text() {
  static const std::vector<std::string> words = {"",
                                                 "a",
                                                 "ab",
                                                 "abc",
                                                 "ABC",
                                                 "a,b,,c",
                                                 ",",
                                                 "12",
                                                 "-7",
                                                 "1.5",
                                                 "1e3",
                                                 "true",
                                                 "2024-02-29",
                                                 "%a_",
                                                 "a\\%b",
                                                 "YWJj",
                                                 "4A4b",
                                                 "12:30:00",
                                                 "é€",
                                                 "Straße",
                                                 "foo-1",
                                                 "2024-02-29 12:30:00.5",
                                                 "  x ",
                                                 "+0",
                                                 "9223372036854775808"};
  if (below(3) == 0) return words[below(words.size())];
  static const std::vector<std::string> letters = {"a", "b", "A", " ",  "%", "_",
                                                   ",", "é", "€", "😀", "1", "-"};
  std::string text;
  for (std::size_t i = below(9); i > 0; --i) text += letters[below(letters.size())];
  return text;
}

std::int64_t drawn_long(Domain domain) {
  if (domain == Domain::kFew || below(3) == 0) return static_cast<std::int64_t>(below(26)) - 5;
  return *any_int64();
}

double drawn_double() {
  if (below(2) == 0) return (static_cast<double>(below(2001)) - 1000) / 8;
  return *any_double();
}

Value drawn(const DataType& type, Domain domain, bool can_be_null);

Value drawn_nested(const DataType& type, Domain domain) {
  std::vector<Value> inside;
  if (type.is(TypeKind::kStruct)) {
    for (const Field& field : type.fields()) inside.push_back(drawn(field.type, domain, true));
    return {type, std::move(inside)};
  }
  std::set<std::string> keys;
  for (std::size_t i = below(5); i > 0; --i) {
    if (type.is(TypeKind::kArray)) {
      inside.push_back(drawn(type.fields()[0].type, domain, true));
      continue;
    }
    Value key = drawn(type.fields()[0].type, Domain::kFew, false);
    if (!keys.insert(key.to_string()).second) continue;
    inside.push_back(std::move(key));
    inside.push_back(drawn(type.fields()[1].type, domain, true));
  }
  return {type, std::move(inside)};
}

Value drawn(const DataType& type, Domain domain, bool can_be_null) {
  if (can_be_null && below(6) == 0) return Value::null(type);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Value::boolean(below(2) == 0);
    case TypeKind::kInt32:
      return Value::int32(static_cast<std::int32_t>(drawn_long(domain)));
    case TypeKind::kInt64:
      return Value::int64(drawn_long(domain));
    case TypeKind::kDouble:
      return Value::real(drawn_double());
    case TypeKind::kDecimal:
      return any_decimal(type);
    case TypeKind::kString:
      return Value::string(drawn_text());
    case TypeKind::kBytes:
      return Value::bytes(drawn_text() + (below(4) == 0 ? "\xff" : ""));
    case TypeKind::kDate:
      return Value::date(static_cast<std::int32_t>(
          below(8) == 0 ? *any_int64() : static_cast<std::int64_t>(below(60'000)) - 20'000));
    case TypeKind::kTimestamp:
      if (below(8) == 0) return Value::timestamp(*any_int64());
      return Value::timestamp((static_cast<std::int64_t>(below(4'000'000'000)) - 1'000'000'000) *
                                  1'000'000 +
                              static_cast<std::int64_t>(below(3)) * 250'001);
    case TypeKind::kInterval:
      return Value::interval({static_cast<std::int32_t>(below(60)) - 30,
                              static_cast<std::int32_t>(below(80)) - 40,
                              static_cast<std::int64_t>(below(400'000'000'000)) - 200'000'000'000});
    default:
      return drawn_nested(type, domain);
  }
}

// --- comparing -----------------------------------------------------------------------------------

bool is_near(double left, double right, double tolerance) {
  if (std::isnan(left) || std::isnan(right)) return std::isnan(left) && std::isnan(right);
  if (left == right) return true;
  return std::abs(left - right) <= tolerance * std::max(std::abs(left), std::abs(right));
}

bool is_same(const Value& left, const Value& right, double tolerance) {
  if (left.type != right.type) return false;
  const auto* real = std::get_if<double>(&left.data);
  const auto* other = std::get_if<double>(&right.data);
  if (real != nullptr && other != nullptr) return is_near(*real, *other, tolerance);
  return left.to_string() == right.to_string();
}

/// One overload, bound once, and the rows that it is tried on.
class Trial {
 public:
  explicit Trial(const Oracle& oracle)
      : oracle_(oracle), pool_(make_schema(fields_of(oracle))), evaluator_(bound(oracle)) {}

  static std::vector<Field> fields_of(const Oracle& oracle) {
    std::vector<Field> fields;
    for (const DataType& type : oracle.arguments)
      fields.push_back({"c" + std::to_string(fields.size()), type});
    return fields;
  }

  static stream::BoundExpr bound(const Oracle& oracle) {
    std::vector<Expr> columns;
    std::vector<stream::InputField> inputs;
    for (const Field& field : fields_of(oracle)) {
      columns.push_back(col(field.name));
      inputs.push_back({"", field.name, field.type});
    }
    auto result = stream::bind(oracle.build(columns), inputs, stream::FunctionRegistry::builtin());
    if (!result) throw std::runtime_error(oracle.signature + ": " + result.error().message);
    return std::move(*result);
  }

  [[nodiscard]] const stream::BoundExpr& expression() const { return evaluator_.expression(); }

  /// Tries a few rows; says of the first that is wrong what it is.
  std::string wrong_row() {
    std::vector<std::vector<Value>> rows(1 + below(kRowsMax));
    for (auto& row : rows) {
      for (std::size_t i = 0; i < oracle_.arguments.size(); ++i)
        row.push_back(drawn(oracle_.arguments[i], oracle_.domains[i], true));
    }
    Batch batch = pool_.take();
    batch.set_rows(rows.size());
    for (std::size_t i = 0; i < oracle_.arguments.size(); ++i) {
      for (const auto& row : rows) append_value(batch.column(i), row[i]);
    }
    context_.begin(rows.size());
    const auto column = evaluator_.evaluate(batch, context_);
    if (!column) return column.error().message;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      std::string wrong = check(**column, row, rows[row]);
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

 private:
  std::string check(const Column& column, std::size_t row, const std::vector<Value>& arguments) {
    const auto wanted = oracle_.answer(arguments);
    const bool has_failed = context_.has_errors() && context_.failed_rows().contains(row);
    const Value given = stream_value(column, row);
    if (wanted ? !has_failed && is_same(given, *wanted, oracle_.tolerance) : has_failed) return "";
    std::string text = oracle_.signature + " of";
    for (const Value& argument : arguments) text += " " + argument.to_string();
    text += " gives " + (has_failed ? std::string(context_.message_of(row)) : given.to_string());
    return text + ", not " + (wanted ? wanted->to_string() : "a failure");
  }

  static Value stream_value(const Column& column, std::size_t row) { return value_of(column, row); }

  const Oracle& oracle_;
  BatchPool pool_;
  stream::ExpressionEvaluator evaluator_;
  stream::EvaluationContext context_{stream::EvaluationContext::OnError::kCollect};
};

// --- tests ---------------------------------------------------------------------------------------

Oracles all_oracles() {
  Oracles all;
  for (auto family :
       {comparison_oracles, arithmetic_oracles, condition_oracles, decimal_oracles, cast_oracles,
        text_oracles, search_oracles, encoding_oracles, math_oracles, integer_oracles,
        array_oracles, map_oracles, date_oracles, time_oracles, interval_oracles}) {
    for (Oracle& each : family()) all.push_back(std::move(each));
  }
  return all;
}

const Oracles& oracles() {
  static const Oracles all = all_oracles();
  return all;
}

class FunctionProperty : public testing::TestWithParam<std::size_t> {};

TEST_P(FunctionProperty, GivesWhatItsOracleGives) {
  const Oracle& oracle = oracles()[GetParam()];
  Trial trial(oracle);
  ASSERT_EQ(trial.expression().type, oracle.result) << oracle.signature;
  std::string wrong;
  const bool holds = rc::check(oracle.signature, [&] {
    wrong = trial.wrong_row();
    if (!wrong.empty()) RC_FAIL(wrong);
  });
  EXPECT_TRUE(holds) << wrong;
}

std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = std::to_string(info.param) + "_";
  for (const char c : oracles()[info.param].signature)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Oracles, FunctionProperty,
                         testing::Range(std::size_t{0}, all_oracles().size()), name_of);

/// Signatures of overloads that have an oracle: those of the calls that oracles make.
void collect(const stream::BoundExpr& expression, std::set<std::string>& signatures) {
  if (expression.kind == stream::BoundExpr::Kind::kCall)
    signatures.insert(stream::signature_of(*expression.function));
}

/// One of every kind of type.
const std::vector<DataType>& some_types() {
  using enum TypeKind;
  static const std::vector<DataType> types = {kBoolean,
                                              kInt32,
                                              kInt64,
                                              kDouble,
                                              DataType::decimal(12, 2),
                                              kString,
                                              kBytes,
                                              kDate,
                                              kTimestamp,
                                              kInterval,
                                              DataType::array(kInt32),
                                              DataType::map(kString, kInt32),
                                              DataType::structure({{"a", kInt32}})};
  return types;
}

TEST(FunctionProperties, AreAskedOfEveryFunctionButThese) {
  std::set<std::string> asked;
  for (const Oracle& oracle : oracles()) {
    const stream::BoundExpr expression = Trial::bound(oracle);
    std::set<std::string> called;
    collect(expression, called);
    EXPECT_TRUE(called.contains(oracle.signature))
        << oracle.signature << " is not what its oracle calls: " << *called.begin();
    asked.insert(oracle.signature);
  }
  const auto& registry = stream::FunctionRegistry::builtin();
  std::set<std::string> not_asked;
  for (const std::string_view name : registry.names()) {
    for (const stream::FunctionOverload* overload : registry.overloads(name)) {
      const std::string signature = stream::signature_of(*overload);
      if (overload->alias_of.empty() && !asked.contains(signature)) not_asked.insert(signature);
    }
  }
  for (const DataType& from : some_types()) {
    for (const DataType& to : some_types()) {
      const stream::FunctionOverload* cast = registry.find_cast(from, to);
      if (cast == nullptr || asked.contains(stream::signature_of(*cast))) continue;
      not_asked.insert(stream::signature_of(*cast));
    }
  }
  const auto& listed = functions_without_oracle();
  for (const std::string& signature : not_asked)
    EXPECT_TRUE(listed.contains(signature)) << signature << " has no oracle and no reason for it";
  for (const auto& [signature, reason] : listed)
    EXPECT_TRUE(not_asked.contains(signature)) << signature << " has an oracle, or is not there";
}

}  // namespace
}  // namespace millrace::property
