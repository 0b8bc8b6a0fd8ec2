// A query inside a program: how long one host thread waits for the answer to a row that it hands in
// through a channel (filter, join with a static table, channel back), how many rows a second go
// through in batches, and what a typed map costs beside the same expression in SQL.

#include "millrace/channel.hpp"
#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"
#include "millrace/memory.hpp"
#include "millrace/session.hpp"
#include "millrace/typed.hpp"

#include "operators/bad_records.hpp"
#include "operators/chain.hpp"
#include "operators/project_operator.hpp"
#include "operators/typed_operator.hpp"
#include "stream/plan/expression_binder.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace millrace::bench {
namespace {

struct Order {
  std::int64_t id = 0;
  std::int32_t account = 0;
  std::int64_t quantity = 0;
  double price = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (id, account, quantity, price))

/// SELECT o.*, a.region FROM orders o JOIN accounts a USING (account) WHERE quantity > 0
class EmbeddedQuery {
 public:
  explicit EmbeddedQuery(const char* wait_policy) {
    if (!session_.set("wait_policy", wait_policy)) return;
    MemoryTable accounts("accounts",
                         {{"account", TypeKind::kInt32}, {"region", TypeKind::kString}});
    std::vector<Row> rows;
    for (std::int32_t account = 0; account < 1'000; ++account)
      rows.push_back({Value::int32(account), Value::string("region " + std::to_string(account))});
    if (!accounts.add_rows(rows)) return;
    auto query =
        session_.read_stream(orders)
            .where(col("quantity") > lit(0))
            .join(session_.read(accounts), col("orders.account") == col("accounts.account"))
            .select({"id", "price", "region"})
            .write_stream()
            .to(answers)
            .start();
    is_running = query.has_value();
  }

  ChannelSource orders{"orders", fields_of<Order>()};
  ChannelSink answers{"answers", {.batches_max = 1'024}};
  bool is_running = false;

 private:
  Session session_;
};

void report(benchmark::State& state, std::vector<std::int64_t>& waits) {
  std::ranges::sort(waits);
  state.counters["p50_us"] = static_cast<double>(waits[waits.size() / 2]) / 1e3;
  state.counters["p99_us"] = static_cast<double>(waits[waits.size() * 99 / 100]) / 1e3;
}

void round_trip(benchmark::State& state, const char* wait_policy, bool spins) {
  EmbeddedQuery query(wait_policy);
  if (!query.is_running) return state.SkipWithError("the query did not start");
  const auto sender = ChannelSender<Order>::open(query.orders);
  std::vector<std::int64_t> waits;
  std::int64_t id = 0;
  for (auto _ : state) {
    const auto sent_at = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(
        sender->send(Order{id, static_cast<std::int32_t>(id % 1'000), 5, 99.5}));
    ++id;
    if (spins) {
      while (!query.answers.try_receive()) {
      }
    } else {
      benchmark::DoNotOptimize(query.answers.receive());
    }
    waits.push_back((std::chrono::steady_clock::now() - sent_at).count());
  }
  report(state, waits);
}

void BM_EmbeddedRoundTripPark(benchmark::State& state) { round_trip(state, "park", false); }
BENCHMARK(BM_EmbeddedRoundTripPark)->UseRealTime();
void BM_EmbeddedRoundTripSpin(benchmark::State& state) { round_trip(state, "spin", true); }
BENCHMARK(BM_EmbeddedRoundTripSpin)->UseRealTime();

/// One thread sends batches, another receives them.
void BM_EmbeddedBatches(benchmark::State& state) {
  EmbeddedQuery query("park");
  if (!query.is_running) return state.SkipWithError("the query did not start");
  const auto sender = ChannelSender<Order>::open(query.orders);
  std::vector<Order> rows;
  for (std::int64_t id = 0; id < 1'024; ++id)
    rows.push_back({id, static_cast<std::int32_t>(id % 1'000), 5, 99.5});
  for (auto _ : state) {
    constexpr std::size_t kBatches = 512;
    std::jthread receiver([&query] {
      for (std::size_t left = kBatches * 1'024; left > 0;) {
        const auto received = query.answers.receive();
        if (!received) return;
        left -= received->rows().rows();
      }
    });
    for (std::size_t batch = 0; batch < kBatches; ++batch)
      benchmark::DoNotOptimize(sender->send(std::span<const Order>(rows)));
    receiver.join();
    state.SetItemsProcessed(state.items_processed() + static_cast<std::int64_t>(kBatches * 1'024));
  }
}
BENCHMARK(BM_EmbeddedBatches)->UseRealTime()->Unit(benchmark::kMillisecond);

// -- a typed map beside the same expression in SQL
// --------------------------------------------------

struct Total {
  std::int64_t id = 0;
  double total = 0;
};
BOOST_DESCRIBE_STRUCT(Total, (), (id, total))

class Nowhere final : public operators::Emitter {
 public:
  Status emit(Port /*port*/, Batch&& rows) override {
    rows_ += rows.rows();
    // As the next step would: the batch goes back to its pool.
    Batch gone = std::move(rows);
    return {};
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  std::size_t rows_ = 0;
};

void fill(Batch& batch) {
  batch.resize(kBatchRowsMax);
  for (std::size_t row = 0; row < kBatchRowsMax; ++row) {
    batch.column(0).values<std::int64_t>()[row] = static_cast<std::int64_t>(row);
    batch.column(1).values<std::int32_t>()[row] = static_cast<std::int32_t>(row % 100);
    batch.column(2).values<std::int64_t>()[row] = static_cast<std::int64_t>(1 + row % 7);
    batch.column(3).values<double>()[row] = 99.5;
  }
}

void run_operator(benchmark::State& state, operators::Operator& step) {
  BatchPool pool(make_schema(fields_of<Order>()));
  Nowhere out;
  for (auto _ : state) {
    Batch batch = pool.take();
    fill(batch);
    if (!step.on_batch(Port(0), std::move(batch), out)) return state.SkipWithError("failed");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(out.rows()));
}

void BM_FillAlone(benchmark::State& state) {
  BatchPool pool(make_schema(fields_of<Order>()));
  for (auto _ : state) {
    Batch batch = pool.take();
    fill(batch);
    benchmark::DoNotOptimize(batch.rows());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatchRowsMax));
}
BENCHMARK(BM_FillAlone);

void BM_TotalInSql(benchmark::State& state) {
  std::vector<stream::InputField> inputs;
  for (const Field& field : fields_of<Order>())
    inputs.push_back({"", field.name, field.type, false});
  const auto bound = [&](const Expr& expression) {
    return stream::bind(expression, inputs, stream::FunctionRegistry::builtin()).value();
  };
  stream::ProjectSpec spec;
  spec.expressions = {bound(col("id")),
                      bound(col("quantity").cast(TypeKind::kDouble) * col("price") * lit(1.01))};
  spec.output = make_schema(fields_of<Total>());
  const SystemClock clock;
  operators::StageMetrics metrics;
  operators::ChainContext context;
  context.clock = &clock;
  context.metrics = &metrics;
  const auto desk = operators::BadRecords::make(context).value();
  operators::ProjectOperator step(spec, *desk);
  run_operator(state, step);
}
BENCHMARK(BM_TotalInSql);

void BM_TotalInTypedMap(benchmark::State& state) {
  const auto total = [](const Order& order) {
    return Total{order.id, static_cast<double>(order.quantity) * order.price * 1.01};
  };
  using Map = typed_steps::Map<Order, Total, decltype(total)>;
  auto function = std::make_shared<typed_steps::FunctionOf<Map, decltype(total)>>(total);
  operators::TypedOperator step({std::move(function), make_schema(fields_of<Total>())});
  run_operator(state, step);
}
BENCHMARK(BM_TotalInTypedMap);

}  // namespace
}  // namespace millrace::bench
