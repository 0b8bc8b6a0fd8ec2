#pragma once

#include "millrace/batch.hpp"
#include "millrace/clock.hpp"
#include "millrace/expression.hpp"
#include "millrace/value.hpp"

#include "operators/bad_records.hpp"
#include "operators/operator.hpp"
#include "operators/operator_factory.hpp"
#include "stream/plan/expression_binder.hpp"
#include "stream/plan/physical_plan.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::operators {

using Row = std::vector<Value>;

inline Value null() { return Value::null(); }
inline Value number(std::int64_t value) { return Value::int64(value); }
inline Value small(std::int32_t value) { return Value::int32(value); }
inline Value real(double value) { return Value::real(value); }
inline Value text(std::string value) { return Value::string(std::move(value)); }

/// Adds one value to a column; text goes into the arena, but that of arrays, structs and maps stays
/// in the value.
inline void append(Column& column, const Value& value, Arena& arena) {
  if (value.is_null()) return column.append_null();
  if (column.type().is_nested()) return append_value(column, value);
  switch (column.kind()) {
    case TypeKind::kBoolean:
      return column.append(static_cast<std::uint8_t>(std::get<bool>(value.data)));
    case TypeKind::kInt32:
    case TypeKind::kDate:
      return column.append(std::get<std::int32_t>(value.data));
    case TypeKind::kInt64:
    case TypeKind::kTimestamp:
      return column.append(std::get<std::int64_t>(value.data));
    case TypeKind::kDouble:
      return column.append(std::get<double>(value.data));
    default:
      return column.append(arena.store(std::get<std::string>(value.data)));
  }
}

/// One row of a batch as text: "17: 1, 'de', null", its position first.
inline std::string row_text(const Batch& rows, std::size_t row) {
  std::string result = std::to_string(rows.positions()[row]) + ":";
  for (std::size_t i = 0; i < rows.column_count(); ++i) {
    const Column& column = rows.column(i);
    result += i == 0 ? " " : ", ";
    if (column.is_null(row)) {
      result += "null";
      continue;
    }
    switch (column.kind()) {
      case TypeKind::kBoolean:
        result += column.value<std::uint8_t>(row) != 0 ? "true" : "false";
        break;
      case TypeKind::kInt32:
      case TypeKind::kDate:
        result += std::to_string(column.value<std::int32_t>(row));
        break;
      case TypeKind::kInt64:
      case TypeKind::kTimestamp:
        result += std::to_string(column.value<std::int64_t>(row));
        break;
      case TypeKind::kDouble:
        result += Value::real(column.value<double>(row)).to_string();
        break;
      case TypeKind::kString:
      case TypeKind::kBytes:
        result += "'" + std::string(column.text(row)) + "'";
        break;
      default:
        result += value_of(column, row).to_string();
    }
  }
  return result;
}

/// Keeps as text what an operator emits. The batches die at once, as they do behind a sink.
class CollectingEmitter final : public Emitter {
 public:
  Status emit(Port port, Batch&& rows) override {
    EXPECT_EQ(port, Port(0));
    EXPECT_GT(rows.rows(), 0U);
    EXPECT_LE(rows.rows(), kBatchRowsMax);
    EXPECT_EQ(rows.positions().size(), rows.rows());
    const Batch taken = std::move(rows);
    for (std::size_t row = 0; row < taken.rows(); ++row) {
      EXPECT_EQ(taken.origin()->label, "topic clicks, partition 3");
      EXPECT_EQ(taken.ingest(), SteadyTime(42));
      lines.push_back(row_text(taken, row));
    }
    return {};
  }

  std::vector<std::string> lines;
};

/// What an operator is fed from: batches of any size of the given rows, at positions 10, 11, ...
class OperatorHarness {
 public:
  explicit OperatorHarness(std::vector<Field> input)
      : origin_{"clicks", "topic clicks, partition 3", 3}, pool_(make_schema(std::move(input))) {}

  /// What operators are made with; their desk for bad records has the policy given.
  [[nodiscard]] ChainContext context(stream::OnBadRecord choice = stream::OnBadRecord::kFail) {
    ChainContext result;
    result.clock = &clock;
    result.metrics = &metrics;
    result.source = "clicks";
    result.bad_record_spec.policy.on_decode = choice;
    result.bad_record_spec.policy.on_row = choice;
    desks_.push_back(BadRecords::make(result).value());
    result.bad_records = desks_.back().get();
    return result;
  }

  [[nodiscard]] Batch make_batch(const std::vector<Row>& rows, std::size_t begin, std::size_t end) {
    Batch batch = pool_.take();
    std::vector<std::int64_t> positions;
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t i = 0; i < rows[row].size(); ++i)
        append(batch.column(i), rows[row][i], batch.arena());
      positions.push_back(static_cast<std::int64_t>(row) + 10);
    }
    batch.set_rows(end - begin);
    batch.set_positions(positions);
    batch.set_origin(&origin_);
    batch.set_ingest(SteadyTime(42));
    return batch;
  }

  /// The operator's output for these rows, which must not depend on how they are cut into batches.
  std::vector<std::string> run(const stream::OperatorSpec& spec, const std::vector<Row>& rows,
                               const ChainContext& with) {
    std::vector<std::string> whole;
    for (const std::size_t size : {std::size_t{1024}, std::size_t{1}, std::size_t{2}}) {
      auto made = make_operator(spec, with);
      EXPECT_TRUE(made.has_value()) << made.error().message;
      CollectingEmitter out;
      for (std::size_t begin = 0; begin < rows.size(); begin += size) {
        const std::size_t end = std::min(rows.size(), begin + size);
        const Status status = (*made)->on_batch(Port(0), make_batch(rows, begin, end), out);
        EXPECT_TRUE(status.has_value()) << status.error().message;
      }
      if (size == 1024)
        whole = out.lines;
      else
        EXPECT_EQ(out.lines, whole) << "in batches of " << size;
    }
    return whole;
  }
  std::vector<std::string> run(const stream::OperatorSpec& spec, const std::vector<Row>& rows) {
    return run(spec, rows, context());
  }

  /// Why the operator fails on these rows, given as one batch.
  Error run_failing(const stream::OperatorSpec& spec, const std::vector<Row>& rows) {
    const ChainContext with = context();
    auto made = make_operator(spec, with);
    EXPECT_TRUE(made.has_value());
    CollectingEmitter out;
    Status status = (*made)->on_batch(Port(0), make_batch(rows, 0, rows.size()), out);
    if (status) status = with.bad_records->flush();
    EXPECT_FALSE(status.has_value());
    return status ? Error{} : status.error();
  }

  /// The expression over the input's columns.
  [[nodiscard]] stream::BoundExpr bind(const Expr& expression) const {
    std::vector<stream::InputField> inputs;
    for (const Field& field : pool_.schema()->fields())
      inputs.push_back({"", field.name, field.type, false});
    auto bound = stream::bind(expression, inputs, stream::FunctionRegistry::builtin());
    EXPECT_TRUE(bound.has_value()) << bound.error().message;
    return std::move(*bound);
  }

  ManualClock clock;
  StageMetrics metrics;

 private:
  Origin origin_;
  BatchPool pool_;
  std::vector<std::unique_ptr<BadRecords>> desks_;
};

}  // namespace millrace::operators
