// JSON records to columns and back, records per second on one core. Every iteration is one batch;
// copying the records into the batch, which a source does, is part of what is measured.

#include "millrace/batch.hpp"

#include "bench/clicks.hpp"
#include "formats/json_decoder.hpp"
#include "formats/json_encoder.hpp"

#include <benchmark/benchmark.h>

namespace millrace::bench {
namespace {

const std::vector<Field> kClickFields = {
    {"ts", TypeKind::kInt64},          {"seq", TypeKind::kInt64},    {"user_id", TypeKind::kInt32},
    {"event_type", TypeKind::kString}, {"price", TypeKind::kDouble}, {"qty", TypeKind::kInt32},
    {"symbol", TypeKind::kString},     {"note", TypeKind::kString},
};

std::vector<Field> some_fields(std::int64_t count) {
  if (count == 3) return {kClickFields[2], kClickFields[3], kClickFields[4]};
  return {kClickFields.begin(), kClickFields.begin() + count};
}

void report(benchmark::State& state, std::size_t rows, std::size_t record_bytes) {
  const auto records = static_cast<double>(state.iterations()) * static_cast<double>(rows);
  state.counters["rec/s"] = benchmark::Counter(records, benchmark::Counter::kIsRate);
  state.SetBytesProcessed(static_cast<std::int64_t>(records * static_cast<double>(record_bytes)));
}

/// Arguments: rows of a batch, fields read, bytes of a record.
void decode(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const auto record_bytes = static_cast<std::size_t>(state.range(2));
  const auto fields = some_fields(state.range(1));
  const auto records = make_clicks(4096, record_bytes);
  BatchPool values_pool(make_schema({{"value", TypeKind::kBytes}}));
  BatchPool out_pool(make_schema(fields));
  const auto decoder = formats::JsonDecoder::make(fields).value();
  std::vector<formats::BadRow> bad;
  std::size_t begin = 0;
  for (auto _ : state) {
    Batch values = values_pool.take();
    fill_values(records, begin, rows, values);
    begin += rows;
    Batch out = out_pool.take();
    decoder->decode(values.column(0), out, values.arena(), bad);
    out.adopt(values);
    benchmark::DoNotOptimize(out);
  }
  if (!bad.empty()) state.SkipWithError(bad[0].reason.c_str());
  report(state, rows, record_bytes);
}
BENCHMARK(decode)
    ->ArgNames({"rows", "fields", "bytes"})
    ->Args({1024, 0, 220})
    ->Args({1024, 3, 220})
    ->Args({1024, 8, 220})
    ->Args({1, 3, 220})
    ->Args({1024, 3, 1200})
    ->Args({1024, 8, 1200});

/// Arguments: rows of a batch, bytes of a record.
void encode(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const auto record_bytes = static_cast<std::size_t>(state.range(1));
  const auto records = make_clicks(4096, record_bytes);
  BatchPool values_pool(make_schema({{"value", TypeKind::kBytes}}));
  BatchPool rows_pool(make_schema(kClickFields));
  const auto decoder = formats::JsonDecoder::make(kClickFields).value();
  std::vector<formats::BadRow> bad;
  Batch values = values_pool.take();
  fill_values(records, 0, rows, values);
  Batch clicks = rows_pool.take();
  decoder->decode(values.column(0), clicks, values.arena(), bad);
  clicks.adopt(values);

  std::vector<std::size_t> columns;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kClickFields.size(); ++i) {
    columns.push_back(i);
    names.push_back(kClickFields[i].name);
  }
  formats::JsonEncoder encoder(columns, names);
  Column out(TypeKind::kBytes);
  Arena arena;
  for (auto _ : state) {
    arena.reset();
    encoder.encode(clicks, out, arena);
    benchmark::DoNotOptimize(out);
  }
  report(state, rows, record_bytes);
}
BENCHMARK(encode)
    ->ArgNames({"rows", "bytes"})
    ->Args({1024, 220})
    ->Args({1, 220})
    ->Args({1024, 1200});

}  // namespace
}  // namespace millrace::bench
