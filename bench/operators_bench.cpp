// Operators in a chain that ends at a sink which takes nothing down: five that compute one simple
// operation each, over full batches, and five of the usual kinds over batches of one row, where the
// fixed price of an operator shows.

#include "millrace/expression.hpp"

#include "operators/chain.hpp"
#include "stream/plan/expression_binder.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

namespace millrace::bench {
namespace {

const std::vector<Field> kTrades = {{"qty", TypeKind::kInt32},
                                    {"price", TypeKind::kDouble},
                                    {"symbol", TypeKind::kString},
                                    {"seq", TypeKind::kInt64}};

class IdleWriter final : public stream::SinkWriter {
 public:
  bool is_ready() override { return true; }
  Status write(const Batch& rows, Epoch) override {
    benchmark::DoNotOptimize(rows.rows());
    return {};
  }
};

/// Strings operators together, each over the columns that the one before gives.
class PlanBuilder {
 public:
  explicit PlanBuilder(std::vector<Field> fields) : fields_(std::move(fields)) {}

  PlanBuilder& filter(const Expr& condition) { return add(stream::FilterSpec{bind(condition)}); }
  /// Columns go on by their names; what is computed is called c0, c1, ...
  PlanBuilder& project(const std::vector<Expr>& expressions, std::size_t names_kept) {
    stream::ProjectSpec spec;
    std::vector<Field> output;
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      spec.expressions.push_back(bind(expressions[i]));
      const std::string name =
          i < names_kept ? fields_[spec.expressions[i].column].name : "c" + std::to_string(i);
      output.push_back({name, spec.expressions.back().type});
    }
    spec.output = make_schema(output);
    add(std::move(spec));
    fields_ = std::move(output);
    return *this;
  }
  std::vector<stream::ChainNode> end() {
    nodes_.push_back({stream::SinkSpec{}, {}});
    return std::move(nodes_);
  }

 private:
  stream::BoundExpr bind(const Expr& expression) const {
    std::vector<stream::InputField> inputs;
    for (const Field& field : fields_) inputs.push_back({"", field.name, field.type, false});
    return stream::bind(expression, inputs, stream::FunctionRegistry::builtin()).value();
  }
  PlanBuilder& add(stream::OperatorSpec spec) {
    nodes_.push_back({std::move(spec), {nodes_.size() + 1}});
    return *this;
  }

  std::vector<Field> fields_;
  std::vector<stream::ChainNode> nodes_;
};

void fill(Batch& batch, std::size_t rows) {
  batch.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    batch.column(0).values<std::int32_t>()[row] = static_cast<std::int32_t>(row % 10 + 1);
    batch.column(1).values<double>()[row] = 0.25 * static_cast<double>(row + 1);
    batch.column(2).values<std::string_view>()[row] = "MSFT";
    batch.column(3).values<std::int64_t>()[row] = static_cast<std::int64_t>(row);
  }
}

/// Argument: rows of a batch. Filling the batch is part of what is measured.
void run_chain(benchmark::State& state, const std::vector<stream::ChainNode>& plan,
               double operations_per_row) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const SystemClock clock;
  const auto metrics = std::make_unique<operators::StageMetrics>();
  operators::ChainContext context;
  context.clock = &clock;
  context.metrics = metrics.get();
  context.open_writer = [](const stream::SinkSpec&) {
    return Result<std::unique_ptr<stream::SinkWriter>>(std::make_unique<IdleWriter>());
  };
  BatchPool pool(make_schema(kTrades));
  const auto chain = operators::Chain::build(plan, context).value();
  for (auto _ : state) {
    Batch batch = pool.take();
    fill(batch, rows);
    const Status status = chain->process(Port(0), std::move(batch));
    if (!status) return state.SkipWithError(status.error().message.c_str());
  }
  state.counters["operations/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(rows) * operations_per_row,
      benchmark::Counter::kIsRate);
}

void five_expressions(benchmark::State& state) {
  const auto plan = PlanBuilder(kTrades)
                        .project({col("qty") + lit(7)}, 0)
                        .project({col("c0") * lit(3)}, 0)
                        .project({col("c0") - lit(11)}, 0)
                        .project({col("c0") + lit(1)}, 0)
                        .project({col("c0") < lit(20)}, 0)
                        .end();
  run_chain(state, plan, 5);
}
BENCHMARK(five_expressions)->ArgName("rows")->Arg(1024)->Arg(1);

void one_expression_of_five(benchmark::State& state) {
  const auto plan = PlanBuilder(kTrades)
                        .project({((col("qty") + lit(7)) * lit(3) - lit(11) + lit(1)) < lit(20)}, 0)
                        .end();
  run_chain(state, plan, 5);
}
BENCHMARK(one_expression_of_five)->ArgName("rows")->Arg(1024)->Arg(1);

void five_operators(benchmark::State& state) {
  const auto plan = PlanBuilder(kTrades)
                        .filter(col("qty") > lit(0))
                        .project({col("symbol"), col("price"), col("qty") * lit(2)}, 2)
                        .filter(col("symbol") != lit("AAPL"))
                        .project({col("symbol"), col("price") * lit(1.01), col("c2")}, 1)
                        .end();
  run_chain(state, plan, 4);
}
BENCHMARK(five_operators)->ArgName("rows")->Arg(1)->Arg(1024);

}  // namespace
}  // namespace millrace::bench
