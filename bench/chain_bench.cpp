// The whole stateless chain in one thread, records per second on one core: JSON decode, filter,
// join with a static table, encode, hand-over to a sink that only looks at the records. Copying the
// records into the batch, which a source does, is part of what is measured.

#include "millrace/expression.hpp"

#include "bench/clicks.hpp"
#include "formats/csv_reader.hpp"
#include "operators/chain.hpp"
#include "operators/static_table.hpp"
#include "stream/plan/expression_binder.hpp"

#include <benchmark/benchmark.h>

namespace millrace::bench {
namespace {

const std::vector<Field> kClicks = {
    {"ts", TypeKind::kInt64},          {"seq", TypeKind::kInt64},    {"user_id", TypeKind::kInt32},
    {"event_type", TypeKind::kString}, {"price", TypeKind::kDouble}, {"qty", TypeKind::kInt32},
    {"symbol", TypeKind::kString},     {"note", TypeKind::kString},
};
const std::vector<Field> kUsers = {
    {"user_id", TypeKind::kInt32}, {"country", TypeKind::kString}, {"tier", TypeKind::kInt32}};

/// Counts what it is handed.
class CountingWriter final : public stream::SinkWriter {
 public:
  explicit CountingWriter(std::size_t& bytes) : bytes_(bytes) {}
  bool is_ready() override { return true; }
  Status write(const Batch& rows, Epoch) override {
    for (std::size_t row = 0; row < rows.rows(); ++row) bytes_ += rows.column(0).text(row).size();
    return {};
  }

 private:
  std::size_t& bytes_;
};

std::vector<std::size_t> first_columns(std::size_t count) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < count; ++i) columns.push_back(i);
  return columns;
}

stream::BoundExpr bind(const Expr& expression) {
  std::vector<stream::InputField> inputs;
  for (const Field& field : kClicks) inputs.push_back({"", field.name, field.type, false});
  return stream::bind(expression, inputs, stream::FunctionRegistry::builtin()).value();
}

/// SELECT c.*, u.country, u.tier FROM clicks c JOIN users u ON c.user_id = u.user_id
///   WHERE c.event_type <> 'purchase'
std::vector<stream::ChainNode> enrich_plan() {
  std::vector<Field> joined = kClicks;
  joined.insert(joined.end(), kUsers.begin() + 1, kUsers.end());
  std::vector<std::string> names;
  for (const Field& field : joined) names.push_back(field.name);
  stream::DecodeSpec decode;
  decode.format = "json";
  decode.fields = kClicks;
  decode.output = make_schema(kClicks);
  stream::StaticJoinSpec join;
  join.table_schema = kUsers;
  join.stream_keys = {bind(col("user_id"))};
  join.table_keys = {0};
  join.stream_columns = first_columns(kClicks.size());
  join.table_columns = {1, 2};
  join.output = make_schema(joined);
  stream::EncodeSpec encode;
  encode.format = "json";
  encode.value_columns = first_columns(joined.size());
  encode.value_names = names;
  encode.output = make_schema({{"value", TypeKind::kBytes}});
  return {{decode, {1}},
          {stream::FilterSpec{bind(col("event_type") != lit("purchase"))}, {2}},
          {join, {3}},
          {encode, {4}},
          {stream::SinkSpec{}, {}}};
}

std::shared_ptr<const operators::StaticTable> make_users() {
  std::string csv;
  for (int i = 0; i < 1000; ++i)
    csv +=
        std::to_string(i) + "," + (i % 3 == 0 ? "de" : "fr") + "," + std::to_string(i % 5) + "\n";
  auto rows = formats::CsvReader(make_schema(kUsers), {}, "users.csv").read(csv);
  return operators::StaticTable::build(std::move(*rows), {0}).value();
}

/// Arguments: rows of a batch, bytes of a record.
void enrich(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const auto record_bytes = static_cast<std::size_t>(state.range(1));
  const auto records = make_clicks(4096, record_bytes);
  const auto users = make_users();
  const SystemClock clock;
  const auto metrics = std::make_unique<operators::StageMetrics>();
  std::size_t bytes_out = 0;
  operators::ChainContext context;
  context.clock = &clock;
  context.metrics = metrics.get();
  context.open_writer =
      [&](const stream::SinkSpec&) -> Result<std::unique_ptr<stream::SinkWriter>> {
    return std::make_unique<CountingWriter>(bytes_out);
  };
  context.static_table = [&](const stream::StaticJoinSpec&) { return users; };
  BatchPool pool(make_schema({{"value", TypeKind::kBytes}}));
  const auto chain = operators::Chain::build(enrich_plan(), context).value();
  std::size_t begin = 0;
  for (auto _ : state) {
    Batch values = pool.take();
    fill_values(records, begin, rows, values);
    values.set_ingest(clock.steady());
    begin += rows;
    const Status status = chain->process(Port(0), std::move(values));
    if (!status) return state.SkipWithError(status.error().message.c_str());
  }
  benchmark::DoNotOptimize(bytes_out);
  const auto count = static_cast<double>(state.iterations()) * static_cast<double>(rows);
  state.counters["rec/s"] = benchmark::Counter(count, benchmark::Counter::kIsRate);
  state.counters["out"] = static_cast<double>(metrics->rows_out.load()) / count;
}
BENCHMARK(enrich)
    ->ArgNames({"rows", "bytes"})
    ->Args({1024, 200})
    ->Args({64, 200})
    ->Args({1, 200})
    ->Args({1024, 1200})
    ->Args({1, 1200});

}  // namespace
}  // namespace millrace::bench
