// What a batch costs to take, pass on and filter, by its number of rows: the price of one hand-over
// between operators.

#include "millrace/batch.hpp"

#include "bench/clicks.hpp"

#include <benchmark/benchmark.h>

#include <vector>

namespace millrace::bench {
namespace {

const SchemaRef kFourColumns = make_schema({{"a", TypeKind::kInt64},
                                            {"b", TypeKind::kString},
                                            {"c", TypeKind::kDouble},
                                            {"d", TypeKind::kString}});

void fill(Batch& batch, std::size_t rows) {
  batch.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    batch.column(0).values<std::int64_t>()[row] = static_cast<std::int64_t>(row);
    batch.column(1).values<std::string_view>()[row] = "one";
    batch.column(2).values<double>()[row] = 1.5;
    batch.column(3).values<std::string_view>()[row] = "two";
  }
}

void report_rows(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// Taking a batch from its pool, setting its rows, giving it back.
void take_and_return(benchmark::State& state) {
  BatchPool pool(kFourColumns);
  for (auto _ : state) {
    Batch batch = pool.take();
    batch.resize(static_cast<std::size_t>(state.range(0)));
    benchmark::DoNotOptimize(batch);
  }
  report_rows(state);
}
BENCHMARK(take_and_return)->ArgName("rows")->Arg(1)->Arg(1024);

/// Moving every column into a new batch, as a projection of plain columns does.
void pass_on(benchmark::State& state) {
  BatchPool first(kFourColumns);
  BatchPool second(kFourColumns);
  for (auto _ : state) {
    Batch from = first.take();
    from.resize(static_cast<std::size_t>(state.range(0)));
    Batch to = second.take();
    for (std::size_t i = 0; i < to.column_count(); ++i) to.swap_column(i, from, i);
    to.adopt(from);
    benchmark::DoNotOptimize(to);
  }
  report_rows(state);
}
BENCHMARK(pass_on)->ArgName("rows")->Arg(1)->Arg(1024);

/// Keeping every third row, in place; filling the batch again is part of it.
void gather_a_third(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  BatchPool pool(kFourColumns);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t row = 0; row < rows; row += 3) kept.push_back(row);
  for (auto _ : state) {
    Batch batch = pool.take();
    fill(batch, rows);
    batch.gather(kept);
    benchmark::DoNotOptimize(batch);
  }
  report_rows(state);
}
BENCHMARK(gather_a_third)->ArgName("rows")->Arg(2)->Arg(64)->Arg(1024);

/// Copying records into a batch's arena, as a source does.
void store_records(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const auto records = make_clicks(4096, static_cast<std::size_t>(state.range(1)));
  BatchPool pool(make_schema({{"value", TypeKind::kBytes}}));
  std::size_t begin = 0;
  for (auto _ : state) {
    Batch batch = pool.take();
    fill_values(records, begin, rows, batch);
    begin += rows;
    benchmark::DoNotOptimize(batch);
  }
  report_rows(state);
}
BENCHMARK(store_records)
    ->ArgNames({"rows", "bytes"})
    ->Args({1, 200})
    ->Args({1024, 200})
    ->Args({1024, 1200});

}  // namespace
}  // namespace millrace::bench
