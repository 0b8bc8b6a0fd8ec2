#include "operators/chain.hpp"
#include "operators/static_table.hpp"
#include "tests/operators/allocation_counter.hpp"
#include "tests/operators/operator_harness.hpp"

#include <random>

namespace millrace::operators {
namespace {

/// A sink that takes everything.
class VoidWriter final : public stream::SinkWriter {
 public:
  bool is_ready() override { return true; }
  Status write(const Batch&, Epoch) override { return {}; }
};

/// Records of every kind: text of 0 to 64 kB, nulls, missing members, escapes, members in another
/// order, keys that match nothing and keys that match twice.
std::vector<std::string> varied_records() {
  std::mt19937 random(301);
  std::vector<std::string> records;
  for (int i = 0; i < 2048; ++i) {
    const std::size_t size = i % 256 == 0 ? 64 * 1024 : random() % 300;
    std::string note(size, static_cast<char>('a' + i % 26));
    if (i % 5 == 0) note += R"(\n\"\u00e9\ud83d\ude00)";
    if (i % 7 == 0) note += "\xC3\xA9";
    const std::string id = i % 11 == 0 ? "null" : std::to_string(random() % 40);
    const std::string price = std::to_string(i) + (i % 2 == 0 ? ".25" : "e-3");
    if (i % 3 == 0)
      records.push_back("{\"note\":\"" + note + "\",\"price\":" + price + ",\"id\":" + id + "}");
    else if (i % 13 == 0)
      records.push_back("{\"id\":" + id + ",\"other\":{\"a\":[1,2,{}]}}");
    else
      records.push_back("{\"id\":" + id + ",\"price\":" + price + ",\"note\":\"" + note + "\"}");
  }
  return records;
}

const std::vector<Field> kFields = {
    {"id", TypeKind::kInt32}, {"price", TypeKind::kDouble}, {"note", TypeKind::kString}};
const std::vector<Field> kTableFields = {{"id", TypeKind::kInt32}, {"country", TypeKind::kString}};

std::shared_ptr<const StaticTable> make_table() {
  formats::TableRows rows(make_schema(kTableFields));
  for (int i = 0; i < 33; ++i) {
    append(rows.columns[0], small(i % 30), rows.arena);
    append(rows.columns[1], text("country " + std::to_string(i)), rows.arena);
  }
  rows.rows = 33;
  return StaticTable::build(std::move(rows), {0}).value();
}

std::vector<stream::ChainNode> make_nodes() {
  const OperatorHarness decoded(kFields);
  std::vector<Field> joined = kFields;
  joined.push_back(kTableFields[1]);
  stream::DecodeSpec decode;
  decode.format = "json";
  decode.fields = kFields;
  decode.output = make_schema(kFields);
  stream::ProjectSpec project;
  project.expressions = {decoded.bind(col("id")), decoded.bind(col("price") * lit(2.0)),
                         decoded.bind(concat({col("note"), lit("!")}))};
  project.output = make_schema(kFields);
  stream::StaticJoinSpec join;
  join.table_schema = kTableFields;
  join.stream_keys = {decoded.bind(col("id"))};
  join.table_keys = {0};
  join.stream_columns = {0, 1, 2};
  join.table_columns = {1};
  join.output = make_schema(joined);
  stream::EncodeSpec encode;
  encode.format = "json";
  encode.value_columns = {0, 1, 2, 3};
  encode.value_names = {"id", "price", "note", "country"};
  encode.key_column = 3;
  encode.output = make_schema({{"value", TypeKind::kBytes}, {"key", TypeKind::kString}});
  return {{decode, {1}},  {stream::FilterSpec{decoded.bind(col("price") != lit(4.25))}, {2}},
          {project, {3}}, {join, {4}},
          {encode, {5}},  {stream::SinkSpec{}, {}}};
}

/// Runs all records through the chain once; gives how many allocations that took.
std::int64_t allocations_of_a_round(Chain& chain, BatchPool& pool,
                                    const std::vector<std::string>& records,
                                    std::size_t batch_rows) {
  const std::int64_t before = allocation_count();
  for (std::size_t begin = 0; begin < records.size(); begin += batch_rows) {
    Batch batch = pool.take();
    batch.resize(batch_rows);
    for (std::size_t row = 0; row < batch_rows; ++row)
      batch.column(0).values<std::string_view>()[row] = batch.arena().store(records[begin + row]);
    EXPECT_TRUE(chain.process(Port(0), std::move(batch)).has_value());
  }
  return allocation_count() - before;
}

class AllocationTest : public testing::TestWithParam<std::size_t> {};

TEST_P(AllocationTest, AChainAllocatesNothingOnceWarm) {
  OperatorHarness harness({});
  const auto table = make_table();
  ChainContext context = harness.context();
  context.open_writer = [](const stream::SinkSpec&) -> Result<std::unique_ptr<stream::SinkWriter>> {
    return std::make_unique<VoidWriter>();
  };
  context.static_table = [&table](const stream::StaticJoinSpec&) { return table; };
  BatchPool pool(make_schema({{"value", TypeKind::kBytes}}));
  const auto chain = Chain::build(make_nodes(), context).value();
  const std::vector<std::string> records = varied_records();

  // Every arena in the chain has to meet the largest batch: they change hands batch by batch.
  for (int round = 0; round < 20; ++round)
    static_cast<void>(allocations_of_a_round(*chain, pool, records, GetParam()));

  EXPECT_EQ(allocations_of_a_round(*chain, pool, records, GetParam()), 0);
  EXPECT_GT(harness.metrics.rows_out.load(), 1000);
}

INSTANTIATE_TEST_SUITE_P(BatchRows, AllocationTest, testing::Values(1, 16, 1024),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace millrace::operators
