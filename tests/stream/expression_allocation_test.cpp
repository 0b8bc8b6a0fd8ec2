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

}  // namespace
}  // namespace millrace::stream
