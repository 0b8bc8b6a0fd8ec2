#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>

// Every overload of the registry over random rows, extremes and nulls among them: a batch of 1,024
// rows, the same rows one by one, and in odd pieces must give the same values and the same
// failures, whatever a column holds under its nulls.

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

/// One call of an overload on columns of its types, and the rows it is tried on.
class Trial {
 public:
  Trial(const FunctionOverload& overload, const SettledTypes& types, std::mt19937& random)
      : types_(types.arguments), overload_(overload) {
    call_.kind = BoundExpr::Kind::kCall;
    call_.function = &overload;
    call_.type = types.result;
    call_.text = "call";
    for (std::size_t i = 0; i < types_.size(); ++i) {
      BoundExpr column;
      column.kind = BoundExpr::Kind::kColumn;
      column.type = types_[i];
      column.column = i;
      call_.children.push_back(std::move(column));
      fields_.push_back({"c" + std::to_string(i), types_[i]});
    }
    for (std::size_t row = 0; row < kRows; ++row) {
      auto& values = rows_.emplace_back();
      for (const DataType& type : types_) values.push_back(random_value(type, random));
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

  [[nodiscard]] std::string name() const {
    std::string text = overload_.name + "(";
    for (const DataType& type : types_) text += type.to_string() + " ";
    return text + ")";
  }

 private:
  void run_batch(ExpressionEvaluator& evaluator, EvaluationContext& context, BatchPool& pool,
                 std::size_t begin, std::size_t size, Outcome& outcome) const {
    Batch batch = pool.take();
    batch.set_rows(size);
    for (std::size_t column = 0; column < types_.size(); ++column) {
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

  std::vector<DataType> types_;
  const FunctionOverload& overload_;
  BoundExpr call_;
  std::vector<Field> fields_;
  std::vector<std::vector<Value>> rows_;
};

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
                                              DataType::map(kString, kInt32)};
  return types;
}

/// Lists of argument types that an overload with a rule takes without a cast, up to three of them.
std::vector<SettledTypes> settle(const FunctionOverload& overload) {
  std::vector<SettledTypes> found;
  std::vector<std::vector<DataType>> lists = {{}};
  for (std::size_t length = 1; length <= 3; ++length) {
    std::vector<std::vector<DataType>> longer;
    for (const auto& list : lists) {
      for (const DataType& type : candidate_types()) {
        longer.push_back(list);
        longer.back().push_back(type);
      }
    }
    lists = std::move(longer);
    std::size_t taken = 0;
    for (const auto& list : lists) {
      std::vector<Argument> arguments;
      for (const DataType& type : list) arguments.push_back({type});
      const auto settled = overload.rule(arguments);
      if (settled && settled->arguments == list && taken++ < 4) found.push_back(*settled);
    }
  }
  return found;
}

std::vector<SettledTypes> types_of(const FunctionOverload& overload) {
  if (overload.rule != nullptr) return settle(overload);
  return {{overload.arguments, overload.result}};
}

std::string first_difference(const Outcome& left, const Outcome& right) {
  for (std::size_t row = 0; row < left.size(); ++row) {
    if (left[row] != right[row])
      return "row " + std::to_string(row) + ": " + left[row] + " or " + right[row];
  }
  return "none";
}

TEST(EveryFunction, GivesTheSameForOneRowAndForMany) {
  std::mt19937 random(20240229);
  const FunctionRegistry& registry = FunctionRegistry::builtin();
  std::size_t trials = 0;
  for (const std::string_view name : registry.names()) {
    for (const FunctionOverload* overload : registry.overloads(name)) {
      if (!overload->is_reproducible || !overload->alias_of.empty()) continue;
      for (const SettledTypes& types : types_of(*overload)) {
        const Trial trial(*overload, types, random);
        const Outcome many = trial.run({kRows});
        EXPECT_EQ(first_difference(many, trial.run({1})), "none") << trial.name();
        EXPECT_EQ(first_difference(many, trial.run({37, 1, 200, 64})), "none") << trial.name();
        ++trials;
      }
    }
  }
  EXPECT_GT(trials, 200U);
}

}  // namespace
}  // namespace millrace::stream
