#include "stream/physical_planner.hpp"

#include "millrace/assert.hpp"

#include "stream/analysis.hpp"
#include "stream/dead_letter_planning.hpp"
#include "stream/expression_rewrite.hpp"

#include <algorithm>
#include <limits>

namespace millrace::stream {
namespace {

// In a layout: the undecoded value of the record, which no expression can name.
constexpr std::size_t kRawValue = std::numeric_limits<std::size_t>::max();

/// Builds the chain from the source down. `layout_` says, for each column of the rows at this point
/// of the chain, which column of the query it is.
class ChainPlanner {
 public:
  ChainPlanner(const OptimizedQuery& optimized, const Dialect& dialect)
      : optimized_(optimized), query_(optimized.query), dialect_(dialect) {}

  Result<ChainSpec> run();

 private:
  void add_source();
  void add_column_to_source(const Field& field, std::size_t column);
  void add_decode();
  Status add_filter(const std::vector<BoundExpr>& conditions);
  void add_join(const JoinStep& join);
  void add_outputs();
  void add_sink(SchemaRef schema);
  void add(OperatorSpec spec);

  [[nodiscard]] const Relation& stream() const { return query_.relations[optimized_.stream]; }
  [[nodiscard]] bool reads_value() const;
  [[nodiscard]] bool passes_value() const;
  [[nodiscard]] bool is_corrupt_column(const RelationColumn& column) const;
  [[nodiscard]] std::size_t place_of(std::size_t column) const;
  [[nodiscard]] BoundExpr placed(const BoundExpr& expression) const;
  std::size_t output(const BoundExpr& expression, const std::string& name);

  const OptimizedQuery& optimized_;
  const ResolvedQuery& query_;
  const Dialect& dialect_;
  ChainSpec chain_;
  std::vector<std::size_t> layout_;
  std::vector<Field> fields_;  ///< of the rows at this point, beside layout_

  // The columns that leave, in order: what the projection makes, or where they lie already.
  std::vector<BoundExpr> output_expressions_;
  std::vector<Field> output_fields_;
};

Result<ChainSpec> ChainPlanner::run() {
  add_source();
  chain_.bad_records = plan_bad_records(stream(), chain_.source);
  add_decode();
  MILLRACE_TRY(add_filter(optimized_.conditions));
  for (const JoinStep& join : optimized_.joins) {
    add_join(join);
    MILLRACE_TRY(add_filter(join.conditions));
  }
  add_outputs();
  for (std::size_t i = 0; i + 1 < chain_.nodes.size(); ++i) chain_.nodes[i].targets = {i + 1};
  return std::move(chain_);
}

void ChainPlanner::add_source() {
  chain_.source.table = stream().table;
  if (reads_value()) {
    const auto value = std::ranges::find(stream().traits.record, "value", &Field::name);
    MILLRACE_ASSERT(value != stream().traits.record.end());
    add_column_to_source(*value, kRawValue);
  }
  for (std::size_t i = 0; i < stream().columns.size(); ++i) {
    const auto& [field, is_record] = stream().columns[i];
    if (stream().is_decoded && !is_record) continue;
    const std::size_t column = stream().first_column + i;
    if (optimized_.columns_read.contains(column)) add_column_to_source(field, column);
  }
  chain_.source.schema = make_schema(fields_);
}

// JSON is decoded even when no field of it is read: the verdict on a record must not depend on what
// the query reads. A raw value has no verdict.
bool ChainPlanner::reads_value() const {
  if (!stream().is_decoded) return false;
  return stream().format != "raw" || optimized_.columns_read.contains(stream().first_column);
}

// A record with a null value deletes its key. Such a mark passes the chain, so the sink must know
// one when it comes: the value goes along as it is. With 'raw' and 'text' null stays null anyway.
bool ChainPlanner::passes_value() const {
  const auto has_fields = [](std::string_view format) {
    return format == "json" || format == "csv";
  };
  return reads_value() && has_fields(stream().format) && has_fields(query_.sink->format);
}

bool ChainPlanner::is_corrupt_column(const RelationColumn& column) const {
  return !column.is_record && stream().bad_records.on_decode == OnBadRecord::kNull &&
         column.field.name == stream().bad_records.corrupt_column;
}

void ChainPlanner::add_column_to_source(const Field& field, std::size_t column) {
  chain_.source.record_columns.push_back(field.name);
  fields_.push_back(field);
  layout_.push_back(column);
}

void ChainPlanner::add_decode() {
  if (!reads_value()) return;
  DecodeSpec decode;
  decode.format = stream().format;
  decode.options = stream().table.options;
  decode.value_column = 0;
  std::vector<std::size_t> layout;
  std::optional<std::size_t> corrupt;
  for (std::size_t i = 0; i < stream().columns.size(); ++i) {
    const auto& [field, is_record] = stream().columns[i];
    const std::size_t column = stream().first_column + i;
    if (is_record) continue;
    const bool is_corrupt = is_corrupt_column(stream().columns[i]);
    if (!is_corrupt) decode.declared.push_back(field);
    if (!optimized_.columns_read.contains(column)) continue;
    if (is_corrupt) {
      corrupt = column;
      continue;
    }
    decode.fields.push_back(field);
    layout.push_back(column);
  }
  std::vector<Field> fields = decode.fields;
  if (corrupt) {
    decode.corrupt_column = fields.size();
    fields.push_back({stream().bad_records.corrupt_column, TypeKind::kString});
    layout.push_back(*corrupt);
  }
  if (passes_value()) {
    decode.passed_columns.push_back(decode.value_column);
    layout.push_back(kRawValue);
    fields.push_back(fields_[decode.value_column]);
  }
  for (std::size_t place = 1; place < layout_.size(); ++place) {
    decode.passed_columns.push_back(place);
    layout.push_back(layout_[place]);
    fields.push_back(fields_[place]);
  }
  decode.output = make_schema(fields);
  layout_ = std::move(layout);
  fields_ = std::move(fields);
  add(std::move(decode));
}

Status ChainPlanner::add_filter(const std::vector<BoundExpr>& conditions) {
  if (conditions.empty()) return {};
  std::vector<BoundExpr> placed_conditions;
  for (const BoundExpr& condition : conditions) placed_conditions.push_back(placed(condition));
  MILLRACE_ASSIGN(BoundExpr predicate, all_of(std::move(placed_conditions), dialect_));
  add(FilterSpec{std::move(predicate)});
  return {};
}

void ChainPlanner::add_join(const JoinStep& join) {
  const Relation& relation = query_.relations[join.relation];
  StaticJoinSpec spec;
  spec.table = relation.table;
  for (const RelationColumn& column : relation.columns) spec.table_schema.push_back(column.field);
  for (const BoundExpr& key : join.stream_keys) spec.stream_keys.push_back(placed(key));
  spec.table_keys = join.table_keys;

  std::vector<std::size_t> layout;
  std::vector<Field> fields;
  for (std::size_t place = 0; place < layout_.size(); ++place) {
    if (layout_[place] != kRawValue && !join.columns_needed.contains(layout_[place])) continue;
    spec.stream_columns.push_back(place);
    layout.push_back(layout_[place]);
    fields.push_back(fields_[place]);
  }
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    if (!join.columns_needed.contains(relation.first_column + i)) continue;
    spec.table_columns.push_back(i);
    layout.push_back(relation.first_column + i);
    fields.push_back(relation.columns[i].field);
  }
  spec.output = make_schema(fields);
  layout_ = std::move(layout);
  fields_ = std::move(fields);
  add(std::move(spec));
}

void ChainPlanner::add_outputs() {
  const ResolvedSink& sink = *query_.sink;
  EncodeSpec encode;
  encode.format = sink.format;
  encode.options = sink.table.options;
  std::vector<Field> record = {Field{"value", TypeKind::kBytes}};
  for (const OutputColumn& column : sink.payload) {
    encode.value_columns.push_back(output(column.expression, column.name));
    encode.value_names.push_back(column.name);
  }
  const auto add_part = [&](const char* name, const std::optional<BoundExpr>& expression,
                            std::optional<std::size_t>& place) {
    if (!expression) return;
    place = output(*expression, name);
    record.push_back(Field{name, expression->type});
  };
  add_part("key", sink.key, encode.key_column);
  add_part("headers", sink.headers, encode.headers_column);
  add_part("timestamp", sink.timestamp, encode.timestamp_column);
  add_part("topic", sink.topic, encode.topic_column);
  add_part("partition", sink.partition, encode.partition_column);
  if (passes_value()) {
    BoundExpr value;
    value.kind = BoundExpr::Kind::kColumn;
    value.type = TypeKind::kBytes;
    value.column = kRawValue;
    value.text = "value";
    encode.source_value_column = output(value, "value");
  }

  const bool is_computed = std::ranges::any_of(
      output_expressions_, [](const BoundExpr& expression) { return !expression.is_column(); });
  const bool is_in_order = output_expressions_.size() == layout_.size() &&
                           std::ranges::equal(output_fields_, fields_) && [&] {
                             for (std::size_t i = 0; i < layout_.size(); ++i) {
                               if (output_expressions_[i].column != i) return false;
                             }
                             return true;
                           }();
  const bool takes_columns = sink.format.empty();
  const bool has_more = chain_.nodes.empty() && chain_.source.schema->size() > layout_.size();
  if (is_computed || (takes_columns && (!is_in_order || has_more))) {
    ProjectSpec project{std::move(output_expressions_), make_schema(output_fields_)};
    add(std::move(project));
  } else {
    const auto place_in_rows = [&](std::size_t& index) {
      index = output_expressions_[index].column;
    };
    std::ranges::for_each(encode.value_columns, place_in_rows);
    for (auto* part :
         {&encode.key_column, &encode.headers_column, &encode.timestamp_column,
          &encode.topic_column, &encode.partition_column, &encode.source_value_column}) {
      if (*part) place_in_rows(**part);
    }
  }
  if (takes_columns) return add_sink(make_schema(output_fields_));
  encode.output = make_schema(std::move(record));
  SchemaRef schema = encode.output;
  add(std::move(encode));
  add_sink(std::move(schema));
}

// Adds an output, or finds the one that is the same column already; gives its index.
std::size_t ChainPlanner::output(const BoundExpr& expression, const std::string& name) {
  BoundExpr result = placed(expression);
  const bool may_share = result.is_column() && !query_.sink->format.empty();
  for (std::size_t i = 0; may_share && i < output_expressions_.size(); ++i) {
    const BoundExpr& other = output_expressions_[i];
    if (other.is_column() && other.column == result.column) return i;
  }
  output_fields_.push_back(Field{name, result.type});
  output_expressions_.push_back(std::move(result));
  return output_expressions_.size() - 1;
}

void ChainPlanner::add_sink(SchemaRef schema) {
  add(SinkSpec{query_.sink->table, query_.sink->delivery, std::move(schema)});
}

void ChainPlanner::add(OperatorSpec spec) {
  chain_.nodes.push_back(ChainNode{std::move(spec), {}});
}

std::size_t ChainPlanner::place_of(std::size_t column) const {
  const auto found = std::ranges::find(layout_, column);
  MILLRACE_ASSERT(found != layout_.end());
  return static_cast<std::size_t>(found - layout_.begin());
}

BoundExpr ChainPlanner::placed(const BoundExpr& expression) const {
  return renumbered(expression, [&](std::size_t column) { return place_of(column); });
}

}  // namespace

Result<PhysicalPlan> plan_physically(const OptimizedQuery& query, std::string name,
                                     const Dialect& dialect) {
  MILLRACE_ASSERT(query.query.sink.has_value());
  PhysicalPlan plan;
  plan.name = name.empty() ? query.query.sink->table.name : std::move(name);
  MILLRACE_ASSIGN(ChainSpec chain, ChainPlanner(query, dialect).run());
  plan.chains.push_back(std::move(chain));
  return plan;
}

Result<PhysicalPlan> plan_query(const LogicalPlan& plan, std::string name, const Catalog& catalog,
                                const Dialect& dialect) {
  MILLRACE_ASSIGN(ResolvedQuery resolved, analyze(plan, catalog, dialect));
  MILLRACE_ASSIGN(const OptimizedQuery optimized, optimize(std::move(resolved), dialect));
  return plan_physically(optimized, std::move(name), dialect);
}

}  // namespace millrace::stream
