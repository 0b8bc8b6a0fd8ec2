// What expressions cost: one-row batches, where the fixed cost of a call shows, and full batches,
// where the memory does. The rate shown is rows per second.

#include "millrace/batch.hpp"
#include "millrace/expression.hpp"

#include "stream/expression_evaluator.hpp"
#include "stream/plan/expression_binder.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace millrace::stream {
namespace {

constexpr std::array<std::string_view, 4> kEventTypes{"view", "click", "purchase", "add_to_cart"};

const std::vector<InputField> kClicks{{"c", "event_type", TypeKind::kString},
                                      {"c", "qty", TypeKind::kInt32},
                                      {"c", "seq", TypeKind::kInt64},
                                      {"c", "price", TypeKind::kDouble}};

SchemaRef clicks_schema() {
  std::vector<Field> fields;
  for (const InputField& input : kClicks) fields.push_back({input.name, input.type});
  return make_schema(fields);
}

void fill(Batch& batch, std::size_t rows) {
  batch.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    batch.column(0).values<std::string_view>()[row] = kEventTypes[(row * 7) % 4];
    batch.column(1).values<std::int32_t>()[row] = static_cast<std::int32_t>(row % 10 + 1);
    batch.column(2).values<std::int64_t>()[row] = static_cast<std::int64_t>(row * 1000);
    batch.column(3).values<double>()[row] = 0.25 * static_cast<double>(row);
  }
}

void evaluate(benchmark::State& state, const Expr& expression) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  BatchPool pool(clicks_schema());
  Batch batch = pool.take();
  fill(batch, rows);
  ExpressionEvaluator evaluator(*stream::bind(expression, kClicks, FunctionRegistry::builtin()));
  EvaluationContext context;
  for (auto _ : state) {
    context.begin(rows);
    batch.arena().reset();
    benchmark::DoNotOptimize(*evaluator.evaluate(batch, context));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void select(benchmark::State& state, const Expr& predicate) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  BatchPool pool(clicks_schema());
  Batch batch = pool.take();
  fill(batch, rows);
  ExpressionEvaluator evaluator(*stream::bind(predicate, kClicks, FunctionRegistry::builtin()));
  EvaluationContext context;
  for (auto _ : state) {
    context.begin(rows);
    benchmark::DoNotOptimize(evaluator.evaluate_predicate(batch, context)->size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void take_and_release(benchmark::State& state) {
  BatchPool pool(clicks_schema());
  for (auto _ : state) {
    Batch batch = pool.take();
    batch.resize(static_cast<std::size_t>(state.range(0)));
    benchmark::DoNotOptimize(batch.rows());
  }
}

void gather(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  BatchPool pool(clicks_schema());
  Batch batch = pool.take();
  fill(batch, rows);
  Column target(TypeKind::kString);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t row = 0; row < rows; row += 2) kept.push_back(row);
  for (auto _ : state) {
    target.gather_from(batch.column(0), kept);
    benchmark::DoNotOptimize(target.size());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(take_and_release)->Name("batch/take_and_release")->Arg(1)->Arg(1024);
BENCHMARK(gather)->Name("batch/gather_half_of_strings")->Arg(1024);
BENCHMARK_CAPTURE(select, string_not_equal, col("event_type") != lit("purchase"))
    ->Name("expression/select_string_not_equal")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, int_less, col("qty") < lit(5))
    ->Name("expression/int_less")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, bigint_less, col("seq") < lit(500'000L))
    ->Name("expression/bigint_less")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, double_less, col("price") < lit(5.0))
    ->Name("expression/double_less")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, int_add, col("qty") + col("qty"))
    ->Name("expression/int_add")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, bigint_multiply, col("seq") * lit(3L))
    ->Name("expression/bigint_multiply")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, double_multiply, col("price") * col("qty"))
    ->Name("expression/double_multiply_with_cast")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, conjunction, col("qty") < lit(5) && col("price") > lit(10.0))
    ->Name("expression/and_of_comparisons")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, case_guard,
                  case_when({col("price") != lit(0.0), col("qty") / col("price"), lit(0.0)}))
    ->Name("expression/case_guards_division")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, upper, upper(col("event_type")))
    ->Name("expression/upper")
    ->Arg(1)
    ->Arg(1024);
BENCHMARK_CAPTURE(evaluate, concat, concat({col("event_type"), lit("-"), col("qty")}))
    ->Name("expression/concat_with_cast")
    ->Arg(1)
    ->Arg(1024);

}  // namespace
}  // namespace millrace::stream
