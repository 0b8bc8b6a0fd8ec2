#include "tests/golden/plan_builder.hpp"

#include "tests/golden/case_json.hpp"
#include "tests/golden/expression_reader.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace millrace::golden {

namespace {

using formats::JsonValue;

/// Builds one list of operators after another.
class PlanBuilder {
 public:
  PlanBuilder(const Session& session, const GoldenTables& tables)
      : session_(session), tables_(tables) {}

  Result<DataFrame> build(const JsonValue& query) {
    const JsonValue::Array& steps = list_in(query);
    if (steps.empty()) throw MalformedCase("a query has no operator");
    MILLRACE_ASSIGN(DataFrame frame, root(steps.front()));
    for (std::size_t i = 1; i < steps.size(); ++i) {
      MILLRACE_ASSIGN(frame, step(frame, steps[i]));
    }
    return frame;
  }

 private:
  Result<DataFrame> root(const JsonValue& step) const {
    const std::string& op = text_member(step, "op");
    if (op != "read" && op != "table") return not_built(op);
    const std::string& name = text_member(step, op == "read" ? "source" : "table");
    const bool is_known =
        op == "read" ? tables_.streams.contains(name) : tables_.statics.contains(name);
    if (!is_known) throw MalformedCase("nothing is called " + name);
    if (op == "read") return session_.read_stream(tables_.streams.at(name));
    return session_.read(tables_.statics.at(name));
  }

  Result<DataFrame> step(const DataFrame& frame, const JsonValue& step) {
    using Verb = Result<DataFrame> (PlanBuilder::*)(const DataFrame&, const JsonValue&);
    static const std::map<std::string, Verb> verbs = {
        {"filter", &PlanBuilder::filter}, {"select", &PlanBuilder::select},
        {"join", &PlanBuilder::join},     {"with_column", &PlanBuilder::with_column},
        {"drop", &PlanBuilder::drop},     {"explode", &PlanBuilder::explode},
        {"union", &PlanBuilder::unite},
    };
    const std::string& op = text_member(step, "op");
    const auto verb = verbs.find(op);
    return verb == verbs.end() ? not_built(op) : (this->*verb->second)(frame, step);
  }

  Result<DataFrame> filter(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(Expr condition, read_expression(member_of(step, "condition"), qualifiers_));
    return frame.where(std::move(condition));
  }

  Result<DataFrame> select(const DataFrame& frame, const JsonValue& step) {
    std::vector<Expr> columns;
    for (const JsonValue& column : list_member(step, "columns")) {
      if (column.has("window")) return fail(ErrorCode::kNotSupported, "windows are not built");
      MILLRACE_ASSIGN(const Expr expression,
                      read_expression(member_of(column, "expr"), qualifiers_));
      columns.push_back(expression.as(text_member(column, "as")));
    }
    qualifiers_.clear();
    return frame.select(std::move(columns));
  }

  Result<DataFrame> with_column(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(Expr expression, read_expression(member_of(step, "expr"), qualifiers_));
    return frame.with_column(text_member(step, "name"), std::move(expression));
  }

  Result<DataFrame> drop(const DataFrame& frame, const JsonValue& step) {
    return frame.drop(names_of(member_of(step, "columns")));
  }

  Result<DataFrame> explode(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(Expr list, read_expression(member_of(step, "expr"), qualifiers_));
    const std::string& name = text_member(step, "as");
    return step.get_boolean("outer").value_or(false) ? frame.explode_outer(std::move(list), name)
                                                     : frame.explode(std::move(list), name);
  }

  Result<DataFrame> unite(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(const DataFrame right, other(member_of(step, "right")));
    return frame.union_all(right);
  }

  Result<DataFrame> join(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(const JoinKind kind, join_kind(text_member(step, "how")));
    MILLRACE_ASSIGN(const DataFrame right, other(member_of(step, "right")));
    if (const JsonValue* const names = step.find("using"))
      return frame.join(right, names_of(*names), kind);
    const std::string& left_name = text_member(step, "left_as");
    const std::string& right_name = text_member(step, "right_as");
    qualifiers_ = {left_name, right_name};
    const DataFrame left = frame.as(left_name);
    if (!step.has("condition")) return left.cross_join(right.as(right_name));
    MILLRACE_ASSIGN(Expr condition, read_expression(member_of(step, "condition"), qualifiers_));
    return left.join(right.as(right_name), std::move(condition), kind);
  }

  static Result<JoinKind> join_kind(const std::string& how) {
    static const std::map<std::string, JoinKind> kinds = {
        {"inner", JoinKind::kInner},        {"cross", JoinKind::kCross},
        {"left", JoinKind::kLeft},          {"right", JoinKind::kRight},
        {"full", JoinKind::kFull},          {"left_semi", JoinKind::kLeftSemi},
        {"left_anti", JoinKind::kLeftAnti},
    };
    const auto kind = kinds.find(how);
    if (kind != kinds.end()) return kind->second;
    return fail(ErrorCode::kNotSupported, "join " + how + " is not built");
  }

  /// The other frame of a join or union.
  [[nodiscard]] Result<DataFrame> other(const JsonValue& query) const {
    return PlanBuilder(session_, tables_).build(query);
  }

  static std::vector<std::string> names_of(const JsonValue& json) {
    std::vector<std::string> names;
    for (const JsonValue& name : list_in(json)) names.push_back(text_in(name));
    return names;
  }

  static tl::unexpected<Error> not_built(const std::string& op) {
    return fail(ErrorCode::kNotSupported, "operator " + op + " is not built");
  }

  const Session& session_;
  const GoldenTables& tables_;
  std::set<std::string> qualifiers_;  ///< of the newest join, until the next select
};

}  // namespace

Result<DataFrame> build_frame(const Session& session, const GoldenTables& tables,
                              const JsonValue& query) {
  return PlanBuilder(session, tables).build(query);
}

}  // namespace millrace::golden
