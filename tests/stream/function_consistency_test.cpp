#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>

// Every overload of the registry over random rows, extremes and nulls among them: a batch of 1,024
// rows, the same rows one by one, and in odd pieces, empty ones too, must give the same values and
// the same failures, whatever a column holds under its nulls.

namespace millrace::stream {
namespace {

constexpr std::size_t kRows = kBatchRowsMax;

/// What each row became: its value as text, or the message.
using Outcome = std::vector<std::string>;

template <typename T>
T pick(const std::vector<T>& values, std::mt19937& random) {
  return values[random() % values.size()];
}

std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> texts = {"",
                                                 "a",
                                                 "abc",
                                                 "ABC",
                                                 " x ",
                                                 "é",
                                                 "😀x",
                                                 "ß",
                                                 "İI",
                                                 "ΑΣ",
                                                 "a,b,,c",
                                                 ",",
                                                 "12",
                                                 "-7",
                                                 "1.5",
                                                 "1e3",
                                                 "true",
                                                 "2024-02-29",
                                                 "2024-02-29 12:30:00.5",
                                                 "12:30",
                                                 "%",
                                                 "_",
                                                 "a%",
                                                 "\\",
                                                 "a\\%c",
                                                 "(",
                                                 "[0-9]+",
                                                 "([a-z]+)-([0-9]+)",
                                                 "foo-12-bar-34",
                                                 "YWJj",
                                                 "YQ==",
                                                 "UTF-8",
                                                 "UTF-16",
                                                 "hex",
                                                 "base64",
                                                 "{\"a\":1}",
                                                 "[1,2]",
                                                 "day",
                                                 "month",
                                                 "yyyy-MM-dd",
                                                 "UTC",
                                                 "Europe/Berlin",
                                                 "$1",
                                                 "x\ty\nz",
                                                 std::string("\0b", 2),
                                                 std::string(300, 'q') + "é",
                                                 "FFFFFFFFFFFFFFFF",
                                                 "+"};
  return pick(texts, random);
}

std::int64_t random_integer(std::mt19937& random) {
  static const std::vector<std::int64_t> values = {
      0,  1,  -1,  2,   3,    7,  10, 16, 31, 32, 33,   63,         64,         -2,
      -5, 36, 100, 256, 1000, 42, 13, -8, 9,  99, -100, 2147483647, -2147483648};
  return pick(values, random);
}

std::int64_t random_long(std::mt19937& random) {
  static const std::vector<std::int64_t> values = {std::numeric_limits<std::int64_t>::max(),
                                                   std::numeric_limits<std::int64_t>::min(),
                                                   5'000'000'000'000'000'000,
                                                   1'709'210'096'123'456,
                                                   -1'709'210'096'123'456,
                                                   std::int64_t{1} << 40};
  return random() % 4 == 0 ? pick(values, random) : random_integer(random);
}

double random_double(std::mt19937& random) {
  static const std::vector<double> values = {0.0,
                                             -0.0,
                                             1.0,
                                             -1.0,
                                             0.5,
                                             2.5,
                                             -2.5,
                                             0.1,
                                             1e10,
                                             -1e300,
                                             1e300,
                                             5e-324,
                                             2147483648.0,
                                             9223372036854775807.0,
                                             std::numeric_limits<double>::quiet_NaN(),
                                             std::numeric_limits<double>::infinity(),
                                             -std::numeric_limits<double>::infinity(),
                                             1234.5678};
  return pick(values, random);
}

Value random_value(const DataType& type, std::mt19937& random);

Value random_nested(const DataType& type, std::mt19937& random) {
  std::vector<Value> inside;
  const std::size_t entries = type.is(TypeKind::kStruct) ? 1 : random() % 4;
  for (std::size_t i = 0; i < entries; ++i) {
    for (const Field& field : type.fields()) {
      Value value = random_value(field.type, random);
      const bool is_key = type.is(TypeKind::kMap) && inside.size() % 2 == 0;
      if (is_key)
        value = field.type.is(TypeKind::kString) ? Value::string(std::to_string(i)) : value;
      if (is_key && value.is_null()) return Value::null(type);
      inside.push_back(std::move(value));
    }
  }
  return {type, std::move(inside)};
}

Value random_value(const DataType& type, std::mt19937& random) {
  if (random() % 6 == 0) return Value::null(type);
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Value::boolean(random() % 2 == 0);
    case TypeKind::kInt32:
      return Value::int32(static_cast<std::int32_t>(random_integer(random)));
    case TypeKind::kInt64:
      return Value::int64(random_long(random));
    case TypeKind::kDouble:
      return Value::real(random_double(random));
    case TypeKind::kString:
      return Value::string(random_text(random));
    case TypeKind::kBytes:
      return Value::bytes(random_text(random) + (random() % 3 == 0 ? "\xff" : ""));
    case TypeKind::kDate:
      return Value::date(static_cast<std::int32_t>(random_integer(random) % 100'000));
    case TypeKind::kTimestamp:
      return Value::timestamp(random_long(random) % 4'000'000'000'000'000);
    case TypeKind::kDecimal:
      return Value::decimal(random_integer(random), type.precision(), type.scale());
    case TypeKind::kInterval:
      return Value::interval({static_cast<std::int32_t>(random() % 30) - 15,
                              static_cast<std::int32_t>(random() % 60) - 30,
                              static_cast<std::int64_t>(random() % 100'000'000'000)});
    default:
      return random_nested(type, random);
  }
}

/// An argument of a sample: a column of random values, or a literal.
struct Part {
  Part(DataType column) : type(std::move(column)) {}
  Part(TypeKind column) : type(column) {}
  Part(const char* text) : Part(Value::string(text)) {}
  Part(Value value) : type(value.type), literal(std::move(value)) {}

  DataType type;
  std::optional<Value> literal;
};
using Sample = std::vector<Part>;

/// An expression over columns.
struct Call {
  BoundExpr expression;
  std::vector<Field> fields;
};

/// The overload called on the parts of a sample.
Call call_of(const FunctionOverload& overload, const Sample& sample, const DataType& result) {
  Call call;
  call.expression.kind = BoundExpr::Kind::kCall;
  call.expression.function = &overload;
  call.expression.type = result;
  std::string text = overload.name + "(";
  for (const Part& part : sample) {
    BoundExpr child;
    child.type = part.type;
    if (part.literal) {
      child.literal = *part.literal;
    } else {
      child.kind = BoundExpr::Kind::kColumn;
      child.column = call.fields.size();
      call.fields.push_back({"c" + std::to_string(child.column), part.type});
    }
    call.expression.children.push_back(std::move(child));
    text += part.type.to_string() + " ";
  }
  call.expression.text = text + ") " + result.to_string();
  return call;
}

/// The rows that an expression is tried on.
class Trial {
 public:
  Trial(Call call, std::mt19937& random)
      : call_(std::move(call.expression)), fields_(std::move(call.fields)) {
    for (std::size_t row = 0; row < kRows; ++row) {
      auto& values = rows_.emplace_back();
      for (const Field& field : fields_) values.push_back(random_value(field.type, random));
    }
  }

  /// Evaluates the rows in batches of these sizes, over and over, by one evaluator.
  [[nodiscard]] Outcome run(const std::vector<std::size_t>& sizes) const {
    ExpressionEvaluator evaluator(call_);
    EvaluationContext context(EvaluationContext::OnError::kCollect);
    BatchPool pool(make_schema(fields_));
    Outcome outcome;
    for (std::size_t begin = 0, i = 0; begin < kRows; ++i) {
      const std::size_t size = std::min(sizes[i % sizes.size()], kRows - begin);
      run_batch(evaluator, context, pool, begin, size, outcome);
      begin += size;
    }
    return outcome;
  }

  [[nodiscard]] const std::string& name() const { return call_.text; }

 private:
  void run_batch(ExpressionEvaluator& evaluator, EvaluationContext& context, BatchPool& pool,
                 std::size_t begin, std::size_t size, Outcome& outcome) const {
    Batch batch = pool.take();
    batch.set_rows(size);
    for (std::size_t column = 0; column < fields_.size(); ++column) {
      for (std::size_t row = 0; row < size; ++row)
        append_value(batch.column(column), rows_[begin + row][column]);
    }
    context.begin(size);
    const auto result = evaluator.evaluate(batch, context);
    ASSERT_TRUE(result) << result.error().message;
    for (std::size_t row = 0; row < size; ++row) {
      const bool failed = context.has_errors() && context.failed_rows().contains(row);
      outcome.push_back(failed ? "failed" : value_of(**result, row).to_string());
    }
  }

  BoundExpr call_;
  std::vector<Field> fields_;
  std::vector<std::vector<Value>> rows_;
};

DataType row_type() {
  return DataType::structure({{"a", TypeKind::kInt32}, {"b", TypeKind::kString}});
}

const std::vector<DataType>& candidate_types() {
  using enum TypeKind;
  static const std::vector<DataType> types = {kBoolean,
                                              kInt32,
                                              kInt64,
                                              kDouble,
                                              kString,
                                              kBytes,
                                              kDate,
                                              kTimestamp,
                                              DataType::decimal(12, 2),
                                              kInterval,
                                              DataType::array(kString),
                                              DataType::array(kInt32),
                                              DataType::map(kString, kInt32),
                                              row_type()};
  return types;
}

/// What is left out, by signature, and why nothing can be asked of it here. Nothing else is.
const std::map<std::string, std::string>& left_out() {
  static const std::map<std::string, std::string> reasons = {
      {"current_date()", "tells the day of the batch"},
      {"current_timestamp()", "tells the time of the batch"},
      {"unix_timestamp()", "tells the time of the batch"},
      {"rand()", "draws"},
      {"rand(bigint), a literal", "draws, row after row"},
      {"randn()", "draws"},
      {"randn(bigint), a literal", "draws, row after row"},
      {"uuid()", "draws"},
  };
  return reasons;
}

/// Samples, by signature, of overloads that want more than columns of the candidate types.
std::map<std::string, std::vector<Sample>> make_samples() {
  using enum TypeKind;
  const Value fail_fast =
      Value::map(kString, kString, {{Value::string("mode"), Value::string("FAILFAST")}});
  std::map<std::string, std::vector<Sample>> samples = {
      {"named_struct(name, value, ...)", {{"x", kInt32, "y", kString}, {"m", row_type()}}},
      {"field(struct, name)", {{row_type(), "a"}, {row_type(), "b"}}},
      {"field(array<struct>, name)", {{DataType::array(row_type()), "b"}}},
      {"flatten(array<array>)", {{DataType::array(DataType::array(kString))}}},
      {"map_from_entries(array<struct>)",
       {{DataType::array(DataType::structure({{"k", kString}, {"v", kInt32}}))}}},
      {"from_json(string, schema[, options])",
       {{kString, "a int, b string"}, {kString, "array<int>"}, {kString, "a int", fail_fast}}},
      {"date_part('part', date)", {{"day", kDate}, {"week", kDate}, {"isoyear", kDate}}},
      {"date_part('part', timestamp)", {{"hour", kTimestamp}, {"second", kTimestamp}}},
      {"date_part('part', interval)", {{"month", kInterval}, {"second", kInterval}}},
  };
  for (const char* sign : {"=", "==", "!=", "<>", "<", "<=", ">", ">=", "<=>"})
    samples["null " + std::string(sign) + " null"] = {{kNull, kNull}};
  return samples;
}

/// A call that a sample makes: the sample with the types that the overload settles on.
struct SettledSample {
  Sample sample;
  DataType result;
};

/// Nothing when the overload does not take the sample without a cast, but of null literals.
std::optional<SettledSample> settle(const FunctionOverload& overload, const Sample& sample) {
  SettledTypes types{overload.arguments, overload.result};
  if (overload.rule != nullptr) {
    std::vector<Argument> arguments;
    for (const Part& part : sample)
      arguments.push_back(
          {part.type, part.literal.has_value(), part.literal ? &*part.literal : nullptr});
    auto settled = overload.rule(Arguments(arguments, CoercionPolicy::kAnsi));
    if (!settled) return std::nullopt;
    types = std::move(*settled);
  }
  if (types.arguments.size() != sample.size()) return std::nullopt;
  for (std::size_t i = 0; i < sample.size(); ++i)
    if (!sample[i].type.is(TypeKind::kNull) && sample[i].type != types.arguments[i])
      return std::nullopt;
  SettledSample settled{sample, std::move(types.result)};
  for (std::size_t i = 0; i < sample.size(); ++i)
    if (sample[i].type.is(TypeKind::kNull)) settled.sample[i] = types.arguments[i];
  return settled;
}

/// Every list of one to three candidate types.
std::vector<Sample> candidate_samples() {
  std::vector<Sample> all = {{}};
  for (std::size_t begin = 0; all.back().size() < 3;) {
    const std::size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const DataType& type : candidate_types()) {
        all.push_back(all[begin]);
        all.back().emplace_back(type);
      }
    }
  }
  all.erase(all.begin());
  return all;
}

/// Those that an overload with a rule takes, a few of each length.
std::vector<Sample> tried_samples(const FunctionOverload& overload) {
  static const std::vector<Sample> candidates = candidate_samples();
  std::vector<Sample> found;
  std::map<std::size_t, int> taken;
  for (const Sample& sample : candidates) {
    if (taken[sample.size()] == 4 || !settle(overload, sample)) continue;
    found.push_back(sample);
    ++taken[sample.size()];
  }
  return found;
}

const std::map<std::string, std::vector<Sample>>& own_samples() {
  static const auto samples = make_samples();
  return samples;
}

std::vector<Sample> samples_of(const FunctionOverload& overload) {
  const auto own = own_samples().find(signature_of(overload));
  if (own != own_samples().end()) return own->second;
  if (overload.rule != nullptr) return tried_samples(overload);
  return {Sample(overload.arguments.begin(), overload.arguments.end())};
}

std::string first_difference(const Outcome& left, const Outcome& right) {
  for (std::size_t row = 0; row < left.size(); ++row) {
    if (left[row] != right[row])
      return "row " + std::to_string(row) + ": " + left[row] + " or " + right[row];
  }
  return "none";
}

void expect_the_same_in_any_batches(Call call, std::mt19937& random) {
  const Trial trial(std::move(call), random);
  const Outcome many = trial.run({kRows});
  EXPECT_EQ(first_difference(many, trial.run({1})), "none") << trial.name();
  EXPECT_EQ(first_difference(many, trial.run({0, 37, 1, 200, 64})), "none") << trial.name();
}

TEST(EveryFunction, GivesTheSameForOneRowAndForMany) {
  std::mt19937 random(20240229);
  const FunctionRegistry& registry = FunctionRegistry::builtin();
  for (const std::string_view name : registry.names()) {
    for (const FunctionOverload* overload : registry.overloads(name)) {
      if (!overload->alias_of.empty() || left_out().contains(signature_of(*overload))) continue;
      if (overload->parameters != nullptr) continue;  // see calls_with_lambdas
      const std::vector<Sample> samples = samples_of(*overload);
      EXPECT_FALSE(samples.empty()) << signature_of(*overload) << " has no sample";
      for (const Sample& sample : samples) {
        const auto settled = settle(*overload, sample);
        ASSERT_TRUE(settled) << signature_of(*overload) << " does not take its sample";
        EXPECT_TRUE(overload->result.is(TypeKind::kNull) || overload->result == settled->result)
            << signature_of(*overload) << " gives " << settled->result.to_string();
        expect_the_same_in_any_batches(call_of(*overload, settled->sample, settled->result),
                                       random);
      }
    }
  }
}

TEST(EveryFunction, IsLeftOutOnlyWhenItIsThereAndGivesSomethingElseEachTime) {
  const FunctionRegistry& registry = FunctionRegistry::builtin();
  std::set<std::string> signatures;
  std::set<std::string> not_reproducible;
  for (const std::string_view name : registry.names()) {
    for (const FunctionOverload* overload : registry.overloads(name)) {
      if (!overload->alias_of.empty()) continue;
      signatures.insert(signature_of(*overload));
      if (!overload->is_reproducible) not_reproducible.insert(signature_of(*overload));
    }
  }
  std::set<std::string> without;
  for (const auto& [signature, reason] : left_out()) without.insert(signature);
  EXPECT_EQ(without, not_reproducible);
  for (const auto& [signature, samples] : own_samples())
    EXPECT_TRUE(signatures.contains(signature)) << signature;
}

/// Calls over columns c0 and c1, a text and a time, that take some of their arguments as literals.
std::vector<Expr> calls_with_literals() {
  const Expr text = col("c0");
  const Expr time = col("c1");
  const Expr list = call("split", {text, lit(",")});
  const Expr record = call("struct", {text.as("a"), time.as("t"), list.as("l")});
  const auto options = [](const char* name, const char* value) {
    return call("map", {lit(name), lit(value)});
  };
  const Value words = Value::array(TypeKind::kString, {Value::string("a"), Value::string("abc")});
  return {
      call("from_json",
           {text, lit("a INT, bad STRING"), options("columnNameOfCorruptRecord", "bad")}),
      call("to_json", {record, options("ignoreNullFields", "false")}),
      call("get_json_object", {text, lit("$.a")}),
      call("regexp_replace", {text, lit("[a-z]+"), lit("<$0>")}),
      call("regexp_extract", {text, lit("([a-z]+)-([0-9]+)"), lit(2)}),
      list,
      call("like", {text, lit("%a%")}),
      call("like", {text, lit("a!%%"), lit("!")}),
      call("ilike", {text, lit("A%")}),
      call("translate", {text, lit("abc"), lit("xy")}),
      call("date_format", {time, lit("yyyy-MM-dd HH:mm")}),
      call("to_timestamp", {text, lit("yyyy-MM-dd")}),
      call("from_utc_timestamp", {time, lit("Europe/Berlin")}),
      call("convert_timezone", {lit("Asia/Tokyo"), time}),
      call("field", {record, lit("t")}),
      call("array_contains", {lit(words), text}),
  };
}

/// Tries the expressions over columns c0, c1, ... of these types.
void expect_the_same_of(const std::vector<Expr>& expressions, const std::vector<DataType>& types,
                        std::mt19937& random) {
  std::vector<Field> fields;
  std::vector<InputField> inputs;
  for (const DataType& type : types) {
    fields.push_back({"c" + std::to_string(fields.size()), type});
    inputs.push_back({"", fields.back().name, type});
  }
  for (const Expr& expression : expressions) {
    auto bound = stream::bind(expression, inputs, FunctionRegistry::builtin());
    ASSERT_TRUE(bound) << bound.error().message;
    expect_the_same_in_any_batches({std::move(*bound), fields}, random);
  }
}

TEST(EveryFunction, TakesLiteralsFromThePlan) {
  std::mt19937 random(20240301);
  expect_the_same_of(calls_with_literals(), {TypeKind::kString, TypeKind::kTimestamp}, random);
}

/// Calls with lambdas over columns c0 to c3, lists of int, maps, ints and lists of texts: some that
/// fail for elements, that leave elements out, that look at columns around them, at each other, and
/// at nothing.
std::vector<Expr> calls_with_lambdas() {
  const Expr list = col("c0");
  const Expr map = col("c1");
  const Expr number = col("c2");
  const Expr words = col("c3");
  const Expr short_list = filter(list, [](const Expr& x) { return x > lit(2); });
  const Lambda failing = [&](const Expr& x) { return number / x > lit(1); };
  const Lambda checked = [](const Expr& x) {
    return case_when({x == lit(0), lit(0.0), lit(1) / x});
  };
  return {
      transform(list, [&](const Expr& x) { return x + number; }),
      transform(list, [](const Expr& x, const Expr& i) { return x * i; }),
      transform(list, [](const Expr& x) { return x; }),
      transform(list, [&](const Expr&) { return number; }),
      transform(list, [](const Expr&) { return lit("same"); }),
      transform(words,
                [](const Expr& word) {
                  return concat({word, lit("!")});
                }),
      transform(list, checked),
      transform(short_list, [](const Expr& x) { return lit(100) / (x - lit(3)); }),
      transform(words,
                [&](const Expr& word) {
                  return transform(list, [&](const Expr& x) { return concat({word, x, number}); });
                }),
      filter(list, [](const Expr& x, const Expr& i) { return x > i; }),
      filter(list, failing),
      exists(list, [](const Expr& x) { return x == lit(2); }),
      exists(list, failing),
      forall(list, [](const Expr& x) { return x < lit(20); }),
      forall(list, failing),
      aggregate(list, lit(0), [](const Expr& sum, const Expr& x) { return sum + x; }),
      aggregate(
          words, lit(""),
          [](const Expr& all, const Expr& x) {
            return concat({all, x});
          },
          [](const Expr& all) { return call("length", {all}); }),
      aggregate(list, call("array", {lit(0)}),
                [](const Expr& all, const Expr& x) {
                  return call("array_append", {all, x});
                }),
      zip_with(list, words,
               [](const Expr& x, const Expr& word) {
                 return concat({x, word});
               }),
      zip_with(list, short_list, [](const Expr& x, const Expr& y) { return x / y; }),
      map_filter(map, [](const Expr& key,
                         const Expr& value) { return value > key.cast(TypeKind::kInt32); }),
      transform_values(map,
                       [&](const Expr& key, const Expr& value) {
                         return concat({key, value + number});
                       }),
      transform_keys(map,
                     [](const Expr& key, const Expr& value) {
                       return coalesce({value, key.cast(TypeKind::kInt32)});
                     }),
      map_zip_with(map, map,
                   [](const Expr& key, const Expr& left, const Expr& right) {
                     return concat({key, left, right});
                   }),
      array_sort(words, [](const Expr&, const Expr& y) { return call("length", {y}); }),
  };
}

TEST(EveryFunction, EvaluatesLambdasForElementsOfAnyRows) {
  std::mt19937 random(20240302);
  using enum TypeKind;
  expect_the_same_of(
      calls_with_lambdas(),
      {DataType::array(kInt32), DataType::map(kString, kInt32), kInt32, DataType::array(kString)},
      random);
}

TEST(EveryFunction, ThatTakesALambdaIsAmongThese) {
  std::set<std::string> called;
  for (const Expr& expression : calls_with_lambdas()) called.insert(expression.node().name);
  const FunctionRegistry& registry = FunctionRegistry::builtin();
  for (const std::string_view name : registry.names()) {
    for (const FunctionOverload* overload : registry.overloads(name)) {
      const bool is_asked = overload->parameters != nullptr && overload->alias_of.empty();
      EXPECT_TRUE(!is_asked || called.contains(std::string(name))) << name;
    }
  }
}

TEST(EveryCast, GivesTheSameForOneRowAndForMany) {
  std::mt19937 random(20240301);
  std::size_t casts = 0;
  for (const DataType& from : candidate_types()) {
    for (const DataType& to : candidate_types()) {
      const FunctionOverload* const cast = FunctionRegistry::builtin().find_cast(from, to);
      if (cast == nullptr || from == to) continue;
      expect_the_same_in_any_batches(call_of(*cast, {from}, to), random);
      ++casts;
    }
  }
  EXPECT_GT(casts, 50U);
}

}  // namespace
}  // namespace millrace::stream
