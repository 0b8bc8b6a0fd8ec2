#include "stream/plan/optimizer.hpp"

#include "millrace/assert.hpp"

#include "stream/plan/expression_binder.hpp"
#include "stream/plan/expression_rewrite.hpp"
#include "stream/plan/values_table.hpp"
#include "stream/type_coercion.hpp"

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

/// Whether no two values of the one type become the same one of the other.
bool is_injective(const DataType& from, const DataType& to) {
  const bool is_rounded = from.is(TypeKind::kInt64) && to.is(TypeKind::kDouble);
  return is_lossless(from, to) && !is_rounded;
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
  Result<std::optional<BoundExpr>> compared(const Condition& condition, std::size_t side) const;
  Result<std::optional<JoinKey>> computed_key(const Condition& condition, std::size_t stream_side,
                                              const Relation& relation) const;
  Result<std::optional<BoundExpr>> key_as(const Condition& condition, std::size_t stream_side,
                                          const DataType& column) const;
  std::vector<BoundExpr> take_testable();
  void find_columns();

  [[nodiscard]] const ResolvedQuery& query() const { return result_.query; }
  [[nodiscard]] bool is_of_relation(const BoundExpr& expression, std::size_t relation) const;
  [[nodiscard]] bool is_available(const BoundExpr& expression) const;
  [[nodiscard]] bool is_available(const Condition& condition) const;
  [[nodiscard]] std::set<std::size_t> columns_of_outputs() const;

  const Dialect& dialect_;
  OptimizedQuery result_;
  std::vector<Condition> open_;
  std::set<std::size_t> available_;  ///< relations
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
      if (relation.table.connector == kInlineConnector || relation.exploded) continue;
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
  std::vector<Condition> rest;
  for (Condition& condition : conditions) {
    MILLRACE_ASSIGN(const bool is_key, take_key(join, condition));
    if (!is_key) rest.push_back(std::move(condition));
  }
  conditions = std::move(rest);
  return {};
}

// An equality is a key when one side is of the table alone and the other needs only what is there
// before the table is joined. One that cannot be is tested on every row of the table.
Result<bool> Optimizer::take_key(JoinStep& join, const Condition& condition) {
  if (!condition.equality) return false;
  const Relation& relation = query().relations[join.relation];
  const auto& [left, right, is_null_safe] = *condition.equality;
  for (const std::size_t stream_side : {std::size_t{1}, std::size_t{0}}) {
    const BoundExpr& table = stream_side == 1 ? left : right;
    const BoundExpr& stream = stream_side == 1 ? right : left;
    if (!is_of_relation(table, join.relation) || table.type.is_nested()) continue;
    if (!has_columns(stream) || !is_available(stream)) continue;
    if (table.is_column()) {
      MILLRACE_ASSIGN(auto key, key_as(condition, stream_side, table.type));
      if (key) {
        const std::size_t column = table.column - relation.first_column;
        join.keys.push_back({std::move(*key), column, is_null_safe});
        return true;
      }
    }
    MILLRACE_ASSIGN(auto computed, computed_key(condition, stream_side, relation));
    if (computed) {
      join.keys.push_back(std::move(*computed));
      return true;
    }
  }
  return false;
}

/// A side of an equality in the type that both are compared in. Nothing where there is none that
/// holds both: decimals are compared digit by digit.
Result<std::optional<BoundExpr>> Optimizer::compared(const Condition& condition,
                                                     std::size_t side) const {
  const std::vector<BoundExpr>& children = condition.predicate.children;
  if (children.size() != 2) return std::nullopt;
  const auto type = compared_type(children[0].type, children[1].type, dialect_.coercion());
  if (!type || !is_lossless(children[0].type, *type) || !is_lossless(children[1].type, *type))
    return std::nullopt;
  MILLRACE_ASSIGN(BoundExpr result, bind_cast(children[side], *type, dialect_));
  return std::optional(std::move(result));
}

// Both sides in the type that they are compared in: the table's is computed when the table is read.
// A value that cannot be brought there becomes null, which is equal to none.
Result<std::optional<JoinKey>> Optimizer::computed_key(const Condition& condition,
                                                       std::size_t stream_side,
                                                       const Relation& relation) const {
  const Condition::Equality& equality = *condition.equality;
  MILLRACE_ASSIGN(auto table, compared(condition, 1 - stream_side));
  MILLRACE_ASSIGN(auto stream, compared(condition, stream_side));
  if (!table || !stream) return std::nullopt;
  const BoundExpr& written = stream_side == 1 ? equality.left : equality.right;
  const bool is_cast_of_column = written.is_column() && table->kind == BoundExpr::Kind::kCall;
  if (is_cast_of_column && !equality.is_null_safe) table->mode = ErrorMode::kNull;
  if (!is_total(*table)) return std::nullopt;
  BoundExpr key = renumbered(std::move(*table),
                             [&](std::size_t column) { return column - relation.first_column; });
  stream->text = (stream_side == 0 ? equality.left : equality.right).text;
  return JoinKey{std::move(*stream), 0, equality.is_null_safe, std::move(key)};
}

// The table is hashed as it was read, so the stream's key must have the column's type. Where the
// equality compares both as a third type, the stream's value is brought back from that: one that no
// value of the column is equal to becomes null, which matches nothing. Nothing where that cannot be
// told: '7' and '07' are both 7.
Result<std::optional<BoundExpr>> Optimizer::key_as(const Condition& condition,
                                                   std::size_t stream_side,
                                                   const DataType& column) const {
  const Condition::Equality& equality = *condition.equality;
  const BoundExpr& written = stream_side == 0 ? equality.left : equality.right;
  if (written.type == column) return written;
  MILLRACE_ASSIGN(auto result, compared(condition, stream_side));
  if (!result) return std::nullopt;
  if (result->type != column) {
    if (equality.is_null_safe || !is_injective(column, result->type)) return std::nullopt;
    const Expr back = operand(0).try_cast(column);
    const Expr has_partner = back.cast(result->type) == operand(0);
    MILLRACE_ASSIGN(result,
                    combine(case_when({has_partner, back}), {std::move(*result)}, dialect_));
  }
  result->text = written.text;
  return result;
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

/// Whether it reads columns of that relation and of no other.
bool Optimizer::is_of_relation(const BoundExpr& expression, std::size_t relation) const {
  std::set<std::size_t> columns;
  collect_columns(expression, columns);
  return !columns.empty() && std::ranges::all_of(columns, [&](std::size_t column) {
    return query().relation_of(column) == relation;
  });
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
