#include "stream/plan/join_analysis.hpp"

#include "stream/plan/condition_analysis.hpp"
#include "stream/plan/expression_rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace millrace::stream {
namespace {

/// Resolves one join; lives for one call. The near side's rows are kept; the far side's come to
/// them. Of inner joins neither is either.
class JoinAnalyzer {
 public:
  JoinAnalyzer(const JoinNode& join, JoinSide left, JoinSide right, ResolvedQuery& query,
               const Dialect& dialect, std::int32_t position)
      : join_(join),
        left_(std::move(left)),
        right_(std::move(right)),
        query_(query),
        dialect_(dialect),
        position_(position) {}

  Result<Scope> run();

 private:
  Status check_names() const;
  Status check_sides() const;
  Status check_far_side() const;
  Status settle_computed();
  [[nodiscard]] Result<BoundExpr> value_of_kept_rows(const BoundExpr& expression) const;
  Status add_conditions_of_join();
  [[nodiscard]] Result<std::vector<std::string>> using_names() const;
  [[nodiscard]] Result<std::size_t> used_column(const JoinSide& side, const char* word,
                                                const std::string& name) const;
  Status add_using(const std::string& name, std::vector<Condition>& target);
  [[nodiscard]] Scope merged_scope() const;
  [[nodiscard]] Scope joined_scope() const;

  [[nodiscard]] bool is_inner() const {
    return join_.kind == JoinKind::kInner || join_.kind == JoinKind::kCross;
  }
  [[nodiscard]] bool keeps_left_alone() const {
    return join_.kind == JoinKind::kLeftSemi || join_.kind == JoinKind::kLeftAnti;
  }
  [[nodiscard]] const JoinSide& near() const {
    return join_.kind == JoinKind::kRight ? right_ : left_;
  }
  [[nodiscard]] const JoinSide& far() const {
    return join_.kind == JoinKind::kRight ? left_ : right_;
  }
  [[nodiscard]] const char* near_name() const {
    return join_.kind == JoinKind::kRight ? "right" : "left";
  }
  [[nodiscard]] const Relation* stream_of(const JoinSide& side) const;
  [[nodiscard]] tl::unexpected<Error> refuse(ErrorCode code, std::string message) const {
    return fail(Error{code, std::move(message), position_});
  }

  const JoinNode& join_;
  JoinSide left_;
  JoinSide right_;
  ResolvedQuery& query_;
  const Dialect& dialect_;
  std::int32_t position_;
  std::vector<std::size_t> used_left_;   ///< columns of USING, places in the left side's scope
  std::vector<std::size_t> used_right_;  ///< the same of the right side
};

MatchKind match_kind(JoinKind kind) {
  switch (kind) {
    case JoinKind::kLeft:
    case JoinKind::kRight:
      return MatchKind::kLeft;
    case JoinKind::kLeftSemi:
      return MatchKind::kSemi;
    case JoinKind::kLeftAnti:
      return MatchKind::kAnti;
    default:
      return MatchKind::kInner;
  }
}

Result<Scope> JoinAnalyzer::run() {
  MILLRACE_TRY(check_names());
  if (!is_inner()) {
    MILLRACE_TRY(check_sides());
    MILLRACE_TRY(check_far_side());
    MILLRACE_TRY(settle_computed());
  }
  MILLRACE_TRY(add_conditions_of_join());
  return keeps_left_alone() ? left_.scope : joined_scope();
}

Status JoinAnalyzer::check_names() const {
  for (const ScopeColumn& column : right_.scope.columns()) {
    const auto& qualifier = column.field.qualifier;
    const bool taken = std::ranges::any_of(left_.scope.columns(), [&](const ScopeColumn& other) {
      return !qualifier.empty() && other.field.qualifier == qualifier;
    });
    if (!taken) continue;
    return refuse(
        ErrorCode::kInvalidArgument,
        fmt::format("two tables are called {}: give one another name with AS", qualifier));
  }
  return {};
}

// What a row's absence would tell is known of a table, never of a stream: more may come.
Status JoinAnalyzer::check_sides() const {
  const char* const kind = to_string(join_.kind);
  const Relation* const stream = stream_of(far());
  const bool is_full = join_.kind == JoinKind::kFull;
  if (!join_.sub_query.empty()) {
    if (stream == nullptr) return {};
    return refuse(ErrorCode::kNotSupported,
                  fmt::format("{} looks among all rows of its sub-query, and stream {} never has "
                              "them all: the sub-query can only read a static table",
                              join_.sub_query, stream->table.name));
  }
  if (stream_of(left_) != nullptr && stream_of(right_) != nullptr) {
    return refuse(ErrorCode::kNotSupported,
                  fmt::format("a {} join of two streams is not supported yet", kind));
  }
  if (is_full) {
    return refuse(
        ErrorCode::kInvalidArgument,
        fmt::format("a {} join of a stream with a table has no end: a row of the table would come "
                    "out alone once no row of the stream can match it; use a left outer join with "
                    "the stream on the left",
                    kind));
  }
  if (stream != nullptr) {
    return refuse(ErrorCode::kInvalidArgument,
                  fmt::format("a {} join keeps rows of its {} side by what the other side has, and "
                              "stream {} never has all its rows: put the stream on the {}",
                              kind, near_name(), stream->table.name, near_name()));
  }
  return {};
}

// The flat form knows one relation that comes to the rows before it.
Status JoinAnalyzer::check_far_side() const {
  const char* const kind = to_string(join_.kind);
  const char* const side = join_.kind == JoinKind::kRight ? "left" : "right";
  const Relation& relation = query_.relations[far().relations_begin];
  const bool is_one_table = far().relations_end - far().relations_begin == 1 && !relation.exploded;
  if (!is_one_table && !join_.sub_query.empty()) {
    return refuse(ErrorCode::kNotSupported,
                  fmt::format("the sub-query of {} can only read one table yet", join_.sub_query));
  }
  if (!is_one_table) {
    return refuse(ErrorCode::kNotSupported,
                  fmt::format("the {} side of a {} join can only be one table yet", side, kind));
  }
  return {};
}

// Behind an outer join a column of the far side is null where nothing matched, whatever it was
// computed of: it becomes one of the table's, made when that is read.
Status JoinAnalyzer::settle_computed() {
  if (keeps_left_alone()) return {};
  Scope& scope = join_.kind == JoinKind::kRight ? left_.scope : right_.scope;
  Relation& relation = query_.relations[far().relations_begin];
  const bool is_last = far().relations_end == query_.relations.size();
  for (ScopeColumn& column : scope.columns()) {
    BoundExpr& expression = column.expression;
    if (expression.is_column()) continue;
    if (!is_last || !is_reproducible(expression)) {
      return refuse(
          ErrorCode::kNotSupported,
          fmt::format("a column computed on the {} side of a {} join is not supported yet{}: "
                      "compute {} behind the join",
                      join_.kind == JoinKind::kRight ? "left" : "right", to_string(join_.kind),
                      is_last ? " where it differs each time" : "", column.field.name));
    }
    RelationColumn computed{{column.field.name, expression.type}, false};
    MILLRACE_ASSIGN(BoundExpr value, value_of_kept_rows(expression));
    computed.computed = renumbered(
        std::move(value), [&](std::size_t number) { return number - relation.first_column; });
    relation.columns.push_back(std::move(computed));
    expression.kind = BoundExpr::Kind::kColumn;
    expression.column = relation.first_column + relation.columns.size() - 1;
    expression.function = nullptr;
    expression.children.clear();
    expression.literal = Value();
  }
  return {};
}

// It may fail on rows that a filter of the far side leaves out.
Result<BoundExpr> JoinAnalyzer::value_of_kept_rows(const BoundExpr& expression) const {
  std::vector<BoundExpr> conditions;
  for (std::size_t i = far().conditions_begin; i < far().conditions_end; ++i)
    conditions.push_back(query_.conditions[i].predicate);
  if (conditions.empty() || is_total(expression)) return expression;
  MILLRACE_ASSIGN(BoundExpr is_kept, all_of(std::move(conditions), dialect_));
  MILLRACE_ASSIGN(BoundExpr value, combine(case_when({operand(0), operand(1)}),
                                           {std::move(is_kept), expression}, dialect_));
  value.text = expression.text;
  return value;
}

Status JoinAnalyzer::add_conditions_of_join() {
  std::vector<Condition> conditions;
  MILLRACE_ASSIGN(const std::vector<std::string> names, using_names());
  for (const std::string& name : names) MILLRACE_TRY(add_using(name, conditions));
  if (join_.condition) {
    MILLRACE_TRY(add_conditions(*join_.condition, merged_scope(), dialect_, query_.relations.size(),
                                conditions));
  }
  if (is_inner()) {
    std::ranges::move(conditions, std::back_inserter(query_.conditions));
    return {};
  }
  // What the far side was filtered by decides with what matches, not what comes out.
  const auto begin =
      query_.conditions.begin() + static_cast<std::ptrdiff_t>(far().conditions_begin);
  const auto end = query_.conditions.begin() + static_cast<std::ptrdiff_t>(far().conditions_end);
  std::move(begin, end, std::back_inserter(conditions));
  query_.conditions.erase(begin, end);
  Relation& relation = query_.relations[far().relations_begin];
  relation.kind = match_kind(join_.kind);
  relation.on = std::move(conditions);
  for (std::size_t i = near().relations_begin; i < near().relations_end; ++i) {
    relation.behind.insert(i);
  }
  return {};
}

/// The columns of USING; of a NATURAL join those that both sides have, in the left side's order.
Result<std::vector<std::string>> JoinAnalyzer::using_names() const {
  if (!join_.is_natural) return join_.using_columns;
  std::vector<std::string> names;
  for (const ScopeColumn& column : left_.scope.columns()) {
    const std::string& name = column.field.name;
    if (!column.field.hidden && !right_.scope.visible(name).empty()) names.push_back(name);
  }
  if (!names.empty()) return names;
  return refuse(ErrorCode::kInvalidArgument,
                "the two sides of a NATURAL JOIN have no column of one name: write ON with the "
                "condition, or CROSS JOIN for every pair of rows");
}

Result<std::size_t> JoinAnalyzer::used_column(const JoinSide& side, const char* word,
                                              const std::string& name) const {
  const auto places = side.scope.visible(name);
  if (places.size() == 1) return places[0];
  if (places.empty()) {
    return refuse(ErrorCode::kInvalidArgument,
                  fmt::format("the {} side of JOIN ... USING has no column {}", word, name));
  }
  return refuse(ErrorCode::kInvalidArgument,
                fmt::format("the {} side of JOIN ... USING has {} columns called {}: write ON with "
                            "the one that is meant",
                            word, places.size(), name));
}

Status JoinAnalyzer::add_using(const std::string& name, std::vector<Condition>& target) {
  MILLRACE_ASSIGN(const std::size_t left_place, used_column(left_, "left", name));
  MILLRACE_ASSIGN(const std::size_t right_place, used_column(right_, "right", name));
  if (std::ranges::find(used_left_, left_place) != used_left_.end()) {
    return refuse(ErrorCode::kInvalidArgument,
                  fmt::format("column {} is twice in the list of a join's USING", name));
  }
  used_left_.push_back(left_place);
  used_right_.push_back(right_place);
  const ScopeColumn& left_column = left_.scope.columns()[left_place];
  const ScopeColumn& right_column = right_.scope.columns()[right_place];
  auto predicate = combine(operand(0) == operand(1),
                           {left_column.expression, right_column.expression}, dialect_);
  if (!predicate) {
    return refuse(ErrorCode::kInvalidArgument, fmt::format("USING ({}) cannot compare {} with {}",
                                                           name, left_column.field.type.to_string(),
                                                           right_column.field.type.to_string()));
  }
  predicate->text = fmt::format("{}.{} = {}.{}", left_column.field.qualifier, name,
                                right_column.field.qualifier, name);
  Condition::Equality equality{left_column.expression, right_column.expression, false};
  target.push_back(Condition{std::move(*predicate), std::move(equality), position_});
  return {};
}

// What ON can name. In a sub-query its own names come first; those around it that are the same
// are still there under their table's name.
Scope JoinAnalyzer::merged_scope() const {
  Scope scope = left_.scope;
  if (!join_.sub_query.empty()) {
    for (ScopeColumn& column : scope.columns())
      if (!right_.scope.visible(column.field.name).empty()) column.field.hidden = true;
  }
  for (const ScopeColumn& column : right_.scope.columns()) scope.columns().push_back(column);
  return scope;
}

// As in SQL, the columns of USING come first and once: those of the near side, where they always
// have their value. Each table keeps its own columns all the same, in its own order.
Scope JoinAnalyzer::joined_scope() const {
  const std::vector<std::size_t>& used = &near() == &left_ ? used_left_ : used_right_;
  std::vector<ScopeColumn> columns;
  for (const std::size_t place : used) columns.push_back(near().scope.columns()[place]);
  for (const JoinSide* side : {&left_, &right_}) {
    const std::vector<std::size_t>& used_here = side == &left_ ? used_left_ : used_right_;
    for (std::size_t i = 0; i < side->scope.columns().size(); ++i) {
      const bool is_used = std::ranges::find(used_here, i) != used_here.end();
      if (is_used && side == &near()) continue;
      ScopeColumn column = side->scope.columns()[i];
      if (is_used) column.field.hidden = column.is_merged = true;
      if (!used.empty() && column.place == ScopeColumn::kInOrder) column.place = i;
      columns.push_back(std::move(column));
    }
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (columns[i].place == ScopeColumn::kInOrder) columns[i].place = used[i];
  }
  return Scope(std::move(columns));
}

const Relation* JoinAnalyzer::stream_of(const JoinSide& side) const {
  for (std::size_t i = side.relations_begin; i < side.relations_end; ++i) {
    if (query_.relations[i].traits.is_stream) return &query_.relations[i];
  }
  return nullptr;
}

}  // namespace

Result<Scope> resolve_join(const JoinNode& join, JoinSide left, JoinSide right,
                           ResolvedQuery& query, const Dialect& dialect, std::int32_t position) {
  return JoinAnalyzer(join, std::move(left), std::move(right), query, dialect, position).run();
}

}  // namespace millrace::stream
