#include "stream/plan/branch_planner.hpp"

#include "millrace/assert.hpp"

#include "stream/plan/expression_rewrite.hpp"

#include <algorithm>
#include <optional>

namespace millrace::stream {
namespace {

/// Plans one branch; lives for one call. `layout_` describes the rows at the point reached.
class BranchPlanner {
 public:
  BranchPlanner(const OptimizedQuery& optimized, RowLayout layout, const Dialect& dialect)
      : optimized_(optimized),
        query_(optimized.query),
        dialect_(dialect),
        layout_(std::move(layout)) {}

  Result<std::vector<OperatorSpec>> run();

 private:
  Status add_filter(const std::vector<BoundExpr>& conditions);
  Status add_join(const JoinStep& join);
  Result<std::optional<ResidualSpec>> residual_of(const JoinStep& join) const;
  void add_explode(const JoinStep& join);
  std::vector<std::size_t> keep_needed(const JoinStep& join, RowLayout& next) const;
  std::vector<std::size_t> add_needed(const JoinStep& join, RowLayout& next) const;
  void add_outputs();
  void add_sink(SchemaRef schema);
  void add(OperatorSpec spec);

  [[nodiscard]] std::size_t place_of(std::size_t column) const;
  [[nodiscard]] BoundExpr placed(const BoundExpr& expression) const;
  std::size_t output(const BoundExpr& expression, const std::string& name);

  const OptimizedQuery& optimized_;
  const ResolvedQuery& query_;
  const Dialect& dialect_;
  RowLayout layout_;
  std::vector<OperatorSpec> steps_;

  // The columns that leave, in order: what the projection makes, or where they lie already.
  std::vector<BoundExpr> output_expressions_;
  std::vector<Field> output_fields_;
};

StaticJoinKind join_kind(MatchKind kind) {
  switch (kind) {
    case MatchKind::kLeft:
      return StaticJoinKind::kLeft;
    case MatchKind::kSemi:
      return StaticJoinKind::kSemi;
    case MatchKind::kAnti:
      return StaticJoinKind::kAnti;
    case MatchKind::kInner:
      break;
  }
  return StaticJoinKind::kInner;
}

Result<std::vector<OperatorSpec>> BranchPlanner::run() {
  MILLRACE_TRY(add_filter(optimized_.conditions));
  for (const JoinStep& join : optimized_.joins) {
    if (query_.relations[join.relation].exploded) {
      add_explode(join);
    } else {
      MILLRACE_TRY(add_join(join));
    }
    MILLRACE_TRY(add_filter(join.conditions));
  }
  add_outputs();
  return std::move(steps_);
}

Status BranchPlanner::add_filter(const std::vector<BoundExpr>& conditions) {
  if (conditions.empty()) return {};
  std::vector<BoundExpr> placed_conditions;
  for (const BoundExpr& condition : conditions) placed_conditions.push_back(placed(condition));
  MILLRACE_ASSIGN(BoundExpr predicate, all_of(std::move(placed_conditions), dialect_));
  add(FilterSpec{std::move(predicate)});
  return {};
}

Status BranchPlanner::add_join(const JoinStep& join) {
  const Relation& relation = query_.relations[join.relation];
  StaticJoinSpec spec;
  spec.table = relation.table;
  spec.kind = join_kind(relation.kind);
  for (const RelationColumn& column : relation.columns) {
    if (column.computed) {
      spec.computed.push_back(*column.computed);
    } else {
      spec.table_schema.push_back(column.field);
    }
  }
  for (const JoinKey& key : join.keys) {
    if (key.is_null_safe) spec.null_safe_keys.insert(spec.table_keys.size());
    spec.stream_keys.push_back(placed(key.stream_key));
    if (key.table_expression) {
      spec.table_keys.push_back(spec.table_schema.size() + spec.computed.size());
      spec.computed.push_back(*key.table_expression);
    } else {
      spec.table_keys.push_back(key.table_column);
    }
  }
  MILLRACE_ASSIGN(spec.residual, residual_of(join));
  RowLayout next;
  spec.stream_columns = keep_needed(join, next);
  spec.table_columns = add_needed(join, next);
  spec.output = make_schema(next.fields);
  layout_ = std::move(next);
  add(std::move(spec));
  return {};
}

Result<std::optional<ResidualSpec>> BranchPlanner::residual_of(const JoinStep& join) const {
  if (join.residual.empty()) return std::nullopt;
  MILLRACE_ASSIGN(const BoundExpr predicate, all_of(join.residual, dialect_));
  const Relation& relation = query_.relations[join.relation];
  std::set<std::size_t> read;
  collect_columns(predicate, read);

  ResidualSpec spec;
  std::vector<std::size_t> columns;
  std::vector<Field> fields;
  for (std::size_t place = 0; place < layout_.columns.size(); ++place) {
    if (!read.contains(layout_.columns[place])) continue;
    spec.stream_columns.push_back(place);
    columns.push_back(layout_.columns[place]);
    fields.push_back(layout_.fields[place]);
  }
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    if (!read.contains(relation.first_column + i)) continue;
    spec.table_columns.push_back(i);
    columns.push_back(relation.first_column + i);
    fields.push_back(relation.columns[i].field);
  }
  spec.predicate = renumbered(predicate, [&](std::size_t column) {
    return static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
  });
  spec.columns = make_schema(std::move(fields));
  return spec;
}

void BranchPlanner::add_explode(const JoinStep& join) {
  const ExplodedList& exploded = *query_.relations[join.relation].exploded;
  ExplodeSpec spec;
  spec.list = placed(exploded.list);
  spec.keeps_empty = exploded.keeps_empty;
  spec.has_position = exploded.has_position;
  RowLayout next;
  spec.passed_columns = keep_needed(join, next);
  spec.made_columns = add_needed(join, next);
  spec.output = make_schema(next.fields);
  layout_ = std::move(next);
  add(std::move(spec));
}

/// Puts the columns so far that are read later into `next`. Gives their places.
std::vector<std::size_t> BranchPlanner::keep_needed(const JoinStep& join, RowLayout& next) const {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < layout_.columns.size(); ++place) {
    const std::size_t column = layout_.columns[place];
    if (column != RowLayout::kValue && !join.columns_needed.contains(column)) continue;
    places.push_back(place);
    next.columns.push_back(layout_.columns[place]);
    next.fields.push_back(layout_.fields[place]);
  }
  return places;
}

/// The same for the columns of the relation that comes.
std::vector<std::size_t> BranchPlanner::add_needed(const JoinStep& join, RowLayout& next) const {
  const Relation& relation = query_.relations[join.relation];
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    if (!join.columns_needed.contains(relation.first_column + i)) continue;
    places.push_back(i);
    next.columns.push_back(relation.first_column + i);
    next.fields.push_back(relation.columns[i].field);
  }
  return places;
}

void BranchPlanner::add_outputs() {
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

  if (std::ranges::find(layout_.columns, RowLayout::kValue) != layout_.columns.end()) {
    BoundExpr value;
    value.kind = BoundExpr::Kind::kColumn;
    value.type = TypeKind::kBytes;
    value.column = RowLayout::kValue;
    value.text = "value";
    encode.source_value_column = output(value, "value");
  }

  const bool is_computed = std::ranges::any_of(
      output_expressions_, [](const BoundExpr& expression) { return !expression.is_column(); });
  const bool is_in_order = output_expressions_.size() == layout_.columns.size() &&
                           output_fields_ == layout_.fields && [&] {
                             for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
                               if (output_expressions_[i].column != i) return false;
                             }
                             return true;
                           }();
  const bool takes_columns = sink.format.empty();
  if (is_computed || (takes_columns && !is_in_order)) {
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
std::size_t BranchPlanner::output(const BoundExpr& expression, const std::string& name) {
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

void BranchPlanner::add_sink(SchemaRef schema) {
  add(SinkSpec{query_.sink->table, query_.sink->delivery, std::move(schema)});
}

void BranchPlanner::add(OperatorSpec spec) { steps_.push_back(std::move(spec)); }

std::size_t BranchPlanner::place_of(std::size_t column) const {
  const auto found = std::ranges::find(layout_.columns, column);
  MILLRACE_ASSERT(found != layout_.columns.end());
  return static_cast<std::size_t>(found - layout_.columns.begin());
}

BoundExpr BranchPlanner::placed(const BoundExpr& expression) const {
  return renumbered(expression, [&](std::size_t column) { return place_of(column); });
}

}  // namespace

Result<std::vector<OperatorSpec>> plan_branch(const OptimizedQuery& query, RowLayout layout,
                                              const Dialect& dialect) {
  return BranchPlanner(query, std::move(layout), dialect).run();
}

}  // namespace millrace::stream
