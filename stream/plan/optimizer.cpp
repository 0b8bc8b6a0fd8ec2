#include "stream/plan/optimizer.hpp"

#include "millrace/assert.hpp"

#include "stream/plan/expression_binder.hpp"
#include "stream/plan/expression_rewrite.hpp"
#include "stream/plan/values_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace millrace::stream {
namespace {

bool has_columns(const BoundExpr& expression) {
  std::set<std::size_t> columns;
  collect_columns(expression, columns);
  return !columns.empty();
}

/// Builds one OptimizedQuery; lives for one call. Conditions are taken from `open_` as soon as the
/// relations that they need are there.
class Optimizer {
 public:
  Optimizer(ResolvedQuery query, const Dialect& dialect)
      : dialect_(dialect), open_(query.conditions) {
    result_.query = std::move(query);
  }

  Result<OptimizedQuery> run();

 private:
  Status find_stream();
  Status add_joins();
  Status add_join(std::size_t relation);
  Status take_keys(JoinStep& join, std::vector<Condition>& conditions);
  Result<bool> take_key(JoinStep& join, const Condition& condition);
  Result<BoundExpr> key_as(BoundExpr key, const Field& column, const Condition& condition,
                           const Relation& relation) const;
  std::vector<BoundExpr> take_testable();
  void find_columns();

  [[nodiscard]] const ResolvedQuery& query() const { return result_.query; }
  [[nodiscard]] bool is_available(const BoundExpr& expression) const;
  [[nodiscard]] bool is_available(const Condition& condition) const;
  [[nodiscard]] std::set<std::size_t> columns_of_outputs() const;

  const Dialect& dialect_;
  OptimizedQuery result_;
  std::vector<Condition> open_;
  std::set<std::size_t> available_;  ///< relations
  std::optional<Error> mismatch_;    ///< why an equality cannot be a key of the join at hand
};

Result<OptimizedQuery> Optimizer::run() {
  MILLRACE_TRY(find_stream());
  available_.insert(result_.stream);
  result_.conditions = take_testable();
  MILLRACE_TRY(add_joins());
  find_columns();
  return std::move(result_);
}

Status Optimizer::find_stream() {
  std::optional<std::size_t> stream;
  for (std::size_t i = 0; i < query().relations.size(); ++i) {
    const Relation& relation = query().relations[i];
    if (!relation.traits.is_stream) continue;
    if (stream) {
      return fail(Error{ErrorCode::kNotSupported,
                        fmt::format("a join of two streams is not supported yet: {} and {}",
                                    query().relations[*stream].table.name, relation.table.name),
                        relation.position});
    }
    stream = i;
  }
  if (!stream) {
    std::string names;
    for (const Relation& relation : query().relations) {
      if (relation.table.connector == kInlineConnector) continue;
      names += (names.empty() ? "" : ", ") + relation.table.name;
    }
    return fail(Error{ErrorCode::kNotSupported,
                      fmt::format("a query without a stream has an end, which is not supported "
                                  "yet; it reads {}",
                                  names.empty() ? "no table" : names),
                      query().relations.empty() ? -1 : query().relations[0].position});
  }
  result_.stream = *stream;
  return {};
}

// The relations beside the stream, each as soon as what it stands behind is there.
Status Optimizer::add_joins() {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < query().relations.size(); ++i) {
    if (i != result_.stream) left.push_back(i);
  }
  while (!left.empty()) {
    const auto next = std::ranges::find_if(left, [&](std::size_t relation) {
      return std::ranges::includes(available_, query().relations[relation].behind);
    });
    MILLRACE_ASSERT(next != left.end());
    MILLRACE_TRY(add_join(*next));
    left.erase(next);
  }
  return {};
}

Status Optimizer::add_join(std::size_t relation) {
  JoinStep join;
  join.relation = relation;
  const Relation& joined = query().relations[relation];
  if (joined.kind != MatchKind::kInner) {
    std::vector<Condition> on = joined.on;
    MILLRACE_TRY(take_keys(join, on));
    for (Condition& condition : on) join.residual.push_back(std::move(condition.predicate));
  } else if (!joined.exploded) {
    MILLRACE_TRY(take_keys(join, open_));
  }
  available_.insert(relation);
  join.conditions = take_testable();
  result_.joins.push_back(std::move(join));
  return {};
}

Status Optimizer::take_keys(JoinStep& join, std::vector<Condition>& conditions) {
  mismatch_.reset();
  std::vector<Condition> rest;
  for (Condition& condition : conditions) {
    MILLRACE_ASSIGN(const bool is_key, take_key(join, condition));
    if (!is_key) rest.push_back(std::move(condition));
  }
  conditions = std::move(rest);
  if (join.keys.empty() && mismatch_) return fail(std::move(*mismatch_));
  return {};
}

// An equality is a key when one side is a plain column of the table and the other needs only what
// is there before the table is joined.
Result<bool> Optimizer::take_key(JoinStep& join, const Condition& condition) {
  if (!condition.equality) return false;
  const Relation& relation = query().relations[join.relation];
  const auto& [left, right, is_null_safe] = *condition.equality;
  for (const auto& [table_side, stream_side] :
       {std::pair(&left, &right), std::pair(&right, &left)}) {
    if (!table_side->is_column()) continue;
    if (query().relation_of(table_side->column) != join.relation) continue;
    if (!has_columns(*stream_side) || !is_available(*stream_side)) continue;
    const std::size_t column = table_side->column - relation.first_column;
    if (relation.columns[column].field.type.is_nested()) continue;
    auto key = key_as(*stream_side, relation.columns[column].field, condition, relation);
    if (!key) {
      // Types that differ can still be compared row by row, when another equality finds the rows.
      if (!mismatch_) mismatch_ = std::move(key).error();
      continue;
    }
    join.keys.push_back({std::move(*key), column, is_null_safe});
    return true;
  }
  return false;
}

// The stream's key must have the table column's type, for the table is hashed as it was read. A
// bigint that no int can be equal to becomes null, which matches nothing.
Result<BoundExpr> Optimizer::key_as(BoundExpr key, const Field& column, const Condition& condition,
                                    const Relation& relation) const {
  if (key.type == column.type) return key;
  std::string text = key.text;
  if (is_safe_cast(key.type, column.type)) {
    MILLRACE_ASSIGN(BoundExpr result, bind_cast(std::move(key), column.type, dialect_));
    result.text = std::move(text);
    return result;
  }
  if (key.type.is(TypeKind::kInt64) && column.type.is(TypeKind::kInt32)) {
    const Expr is_in_range =
        operand(0) >= lit(std::int64_t{INT32_MIN}) && operand(0) <= lit(std::int64_t{INT32_MAX});
    MILLRACE_ASSIGN(BoundExpr result,
                    combine(case_when({is_in_range, operand(0).cast(TypeKind::kInt32)}),
                            {std::move(key)}, dialect_));
    result.text = std::move(text);
    return result;
  }
  return fail(Error{
      ErrorCode::kInvalidArgument,
      fmt::format("a join key of {} must have the type of its column: {} is {}, {} "
                  "is {}: declare {}.{} as {}, or cast the other side",
                  relation.table.name, text, key.type.to_string(), column.name,
                  column.type.to_string(), relation.table.name, column.name, key.type.to_string()),
      condition.position});
}

std::vector<BoundExpr> Optimizer::take_testable() {
  std::vector<BoundExpr> result;
  std::vector<Condition> rest;
  for (Condition& condition : open_) {
    if (is_available(condition)) {
      result.push_back(std::move(condition.predicate));
    } else {
      rest.push_back(std::move(condition));
    }
  }
  open_ = std::move(rest);
  return result;
}

// Backwards: what is needed after a step is what the outputs and all later steps read.
void Optimizer::find_columns() {
  std::set<std::size_t> needed = columns_of_outputs();
  for (auto join = result_.joins.rbegin(); join != result_.joins.rend(); ++join) {
    for (const BoundExpr& condition : join->conditions) collect_columns(condition, needed);
    join->columns_needed = needed;
    for (const JoinKey& key : join->keys) collect_columns(key.stream_key, needed);
    for (const BoundExpr& condition : join->residual) collect_columns(condition, needed);
    const Relation& relation = query().relations[join->relation];
    if (relation.exploded) collect_columns(relation.exploded->list, needed);
    std::erase_if(
        needed, [&](std::size_t column) { return query().relation_of(column) == join->relation; });
  }
  result_.columns_needed = needed;
  for (const BoundExpr& condition : result_.conditions) collect_columns(condition, needed);
  result_.columns_read = std::move(needed);
}

bool Optimizer::is_available(const BoundExpr& expression) const {
  std::set<std::size_t> columns;
  collect_columns(expression, columns);
  return std::ranges::all_of(columns, [&](std::size_t column) {
    return available_.contains(query().relation_of(column));
  });
}

bool Optimizer::is_available(const Condition& condition) const {
  for (std::size_t relation = 0; relation < condition.behind; ++relation)
    if (!available_.contains(relation)) return false;
  return is_available(condition.predicate);
}

std::set<std::size_t> Optimizer::columns_of_outputs() const {
  std::set<std::size_t> columns;
  if (!query().sink) {
    for (const OutputColumn& output : query().outputs) collect_columns(output.expression, columns);
    return columns;
  }
  const ResolvedSink& sink = *query().sink;
  for (const OutputColumn& output : sink.payload) collect_columns(output.expression, columns);
  for (const auto* part :
       {&sink.key, &sink.headers, &sink.timestamp, &sink.topic, &sink.partition}) {
    if (*part) collect_columns(**part, columns);
  }
  return columns;
}

}  // namespace

Result<OptimizedQuery> optimize(ResolvedQuery query, const Dialect& dialect) {
  return Optimizer(std::move(query), dialect).run();
}

}  // namespace millrace::stream
