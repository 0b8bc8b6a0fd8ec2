#include "tests/stream/expression_case.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

// Counts what every part of this test program takes from the heap. The form that does not throw is
// here too: a sanitizer has one of its own, which the delete below would not match.
void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace millrace::stream {
namespace {

TEST(ExpressionEvaluator, AllocatesNothingOnceWarm) {
  const std::vector<InputField> inputs{{"", "n", TypeKind::kInt32}, {"", "s", TypeKind::kString}};
  BatchPool pool(make_schema({{"n", TypeKind::kInt32}, {"s", TypeKind::kString}}));
  const Expr text =
      case_when({col("n") != lit(0) && lit(100) / col("n") > lit(3.0),
                 upper(concat({col("s"), lit("-"), col("n")})), coalesce({col("s"), lit("none")})});
  ExpressionEvaluator evaluator(*stream::bind(text, inputs, FunctionRegistry::builtin()));
  ExpressionEvaluator predicate(
      *stream::bind(col("n") > lit(2) || col("s").is_null(), inputs, FunctionRegistry::builtin()));
  EvaluationContext context;

  const auto run = [&](std::size_t rows) {
    Batch batch = pool.take();
    batch.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      batch.column(0).values<std::int32_t>()[row] = static_cast<std::int32_t>(row % 50);
      batch.column(1).values<std::string_view>()[row] = "a text that is not very short";
      if (row % 7 == 0) batch.column(1).set_null(row);
    }
    context.begin(rows);
    const bool done = evaluator.evaluate(batch, context).has_value();
    return done && predicate.evaluate_predicate(batch, context).has_value();
  };
  ASSERT_TRUE(run(1024));
  ASSERT_TRUE(run(1));

  const std::size_t before = allocations.load();
  bool is_fine = true;
  for (int round = 0; round < 100; ++round) is_fine = run(1) && run(1024) && run(37) && is_fine;
  const std::size_t after = allocations.load();

  EXPECT_TRUE(is_fine);
  EXPECT_EQ(after - before, 0u);
}

/// How often the expression takes memory once it has seen rows of column s, a text.
std::size_t allocations_once_warm(const Expr& expression) {
  const std::vector<InputField> inputs{{"", "s", TypeKind::kString}};
  BatchPool pool(make_schema({{"s", TypeKind::kString}}));
  ExpressionEvaluator evaluator(*stream::bind(expression, inputs, FunctionRegistry::builtin()));
  EvaluationContext context;
  const auto run = [&](std::size_t rows) {
    Batch batch = pool.take();
    batch.resize(rows);
    for (std::size_t row = 0; row < rows; ++row)
      batch.column(0).values<std::string_view>()[row] =
          row % 2 == 0 ? "a text that is not very short" : "ein längerer, anderer Text";
    context.begin(rows);
    EXPECT_TRUE(evaluator.evaluate(batch, context).has_value());
  };
  for (const std::size_t rows : {1024, 1, 1024}) run(rows);
  const std::size_t before = allocations.load();
  for (int round = 0; round < 20; ++round) {
    for (const std::size_t rows : {1, 1024, 37}) run(rows);
  }
  return allocations.load() - before;
}

TEST(TextFunctions, AllocateNothingOnceWarm) {
  const Expr s = col("s");
  for (const Expr& expression :
       {call("like", {s, lit("%t%_t")}), call("ilike", {s, lit("%TEXT%")}),
        call("regexp_like", {s, lit("v.ry|\\d+$")}), call("replace", {s, lit("t"), lit("--")}),
        call("translate", {s, lit("aä"), lit("xy")}), call("lpad", {s, lit(60), lit("-")}),
        call("upper", {s}), call("initcap", {s}), call("reverse", {s}), call("base64", {s}),
        call("sha256", {s}), call("xxhash64", {s}), call("split_part", {s, lit(" "), lit(-1)}),
        call("levenshtein", {s, lit("text")}), call("concat_ws", {lit("-"), s, s}),
        call("encode", {s, lit("UTF-16")}), call("uuid", {}), call("rand", {})})
    EXPECT_EQ(allocations_once_warm(expression), 0U) << expression.to_string();
}

TEST(NestedFunctions, AllocateNothingOnceWarm) {
  const Expr s = col("s");
  const Expr words = call("split", {s, lit(" ")});
  const Expr map = call("map", {s, lit(1), lit("k"), lit(2)});
  const Expr json = call("to_json", {call("struct", {s, words.as("words")})});
  const Expr read = call("from_json", {json, lit("s STRING, words STRING"),
                                       call("map", {lit("mode"), lit("FAILFAST")})});
  for (const Expr& expression :
       {call("array_sort", {words}), call("array_distinct", {words}),
        call("array_union", {words, words}), call("slice", {words, lit(2), lit(2)}),
        call("array_join", {words, lit("-")}), call("get", {words, lit(1)}),
        call("array_contains", {words, lit("text")}), call("map_entries", {map}),
        call("item", {map, lit("k")}), call("map_concat", {map}),
        call("arrays_zip", {words, words}), json, read,
        call("get_json_object", {json, lit("$.words[1]")}), call("json_object_keys", {json})})
    EXPECT_EQ(allocations_once_warm(expression), 0U) << expression.to_string();
}

TEST(Lambdas, AllocateNothingOnceWarm) {
  const Expr words = call("split", {col("s"), lit(" ")});
  const Expr map = call("map", {col("s"), lit(1), lit("k"), lit(2)});
  const Lambda is_short = [](const Expr& x) { return call("length", {x}) < lit(5); };
  for (const Expr& expression :
       {transform(words,
                  [](const Expr& x, const Expr& i) {
                    return concat({x, i, col("s")});
                  }),
        filter(words, is_short), exists(words, is_short),
        exists(words, [](const Expr& x) { return lit(1) / call("length", {x}) > lit(2); }),
        aggregate(words, lit(""),
                  [](const Expr& all, const Expr& x) {
                    return concat({all, x});
                  }),
        zip_with(words, filter(words, is_short),
                 [](const Expr& x, const Expr& y) { return x == y; }),
        transform_values(map,
                         [](const Expr& key, const Expr& value) {
                           return concat({key, value});
                         }),
        lit(Value::array(TypeKind::kInt32, {Value::int32(1), Value::int32(2)}))})
    EXPECT_EQ(allocations_once_warm(expression), 0U) << expression.to_string();
}

}  // namespace
}  // namespace millrace::stream
