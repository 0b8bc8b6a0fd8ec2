#include "tests/golden/plan_builder.hpp"

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
    MILLRACE_ASSIGN(DataFrame frame, root(query.as_array().front()));
    for (std::size_t i = 1; i < query.size(); ++i) {
      MILLRACE_ASSIGN(frame, step(frame, query.as_array()[i]));
    }
    return frame;
  }

 private:
  Result<DataFrame> root(const JsonValue& step) const {
    const std::string& op = step.find("op")->as_string();
    if (op == "read")
      return session_.read_stream(tables_.streams.at(step.find("source")->as_string()));
    if (op == "table") return session_.read(tables_.statics.at(step.find("table")->as_string()));
    return not_built(op);
  }

  Result<DataFrame> step(const DataFrame& frame, const JsonValue& step) {
    using Verb = Result<DataFrame> (PlanBuilder::*)(const DataFrame&, const JsonValue&);
    static const std::map<std::string, Verb> verbs = {
        {"filter", &PlanBuilder::filter}, {"select", &PlanBuilder::select},
        {"join", &PlanBuilder::join},     {"with_column", &PlanBuilder::with_column},
        {"drop", &PlanBuilder::drop},     {"explode", &PlanBuilder::explode},
        {"union", &PlanBuilder::unite},
    };
    const std::string& op = step.find("op")->as_string();
    const auto verb = verbs.find(op);
    return verb == verbs.end() ? not_built(op) : (this->*verb->second)(frame, step);
  }

  Result<DataFrame> filter(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(Expr condition, read_expression(*step.find("condition"), qualifiers_));
    return frame.where(std::move(condition));
  }

  Result<DataFrame> select(const DataFrame& frame, const JsonValue& step) {
    std::vector<Expr> columns;
    for (const JsonValue& column : step.find("columns")->as_array()) {
      if (column.has("window")) return fail(ErrorCode::kNotSupported, "windows are not built");
      MILLRACE_ASSIGN(const Expr expression, read_expression(*column.find("expr"), qualifiers_));
      columns.push_back(expression.as(column.find("as")->as_string()));
    }
    qualifiers_.clear();
    return frame.select(std::move(columns));
  }

  Result<DataFrame> with_column(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(Expr expression, read_expression(*step.find("expr"), qualifiers_));
    return frame.with_column(step.find("name")->as_string(), std::move(expression));
  }

  Result<DataFrame> drop(const DataFrame& frame, const JsonValue& step) {
    return frame.drop(names_of(*step.find("columns")));
  }

  Result<DataFrame> explode(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(Expr list, read_expression(*step.find("expr"), qualifiers_));
    const std::string& name = step.find("as")->as_string();
    return step.get_boolean("outer").value_or(false) ? frame.explode_outer(std::move(list), name)
                                                     : frame.explode(std::move(list), name);
  }

  Result<DataFrame> unite(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(const DataFrame right, other(*step.find("right")));
    return frame.union_all(right);
  }

  Result<DataFrame> join(const DataFrame& frame, const JsonValue& step) {
    MILLRACE_ASSIGN(const JoinKind kind, join_kind(step.find("how")->as_string()));
    MILLRACE_ASSIGN(const DataFrame right, other(*step.find("right")));
    if (const JsonValue* const names = step.find("using"))
      return frame.join(right, names_of(*names), kind);
    const std::string& left_name = step.find("left_as")->as_string();
    const std::string& right_name = step.find("right_as")->as_string();
    qualifiers_ = {left_name, right_name};
    const DataFrame left = frame.as(left_name);
    if (!step.has("condition")) return left.cross_join(right.as(right_name));
    MILLRACE_ASSIGN(Expr condition, read_expression(*step.find("condition"), qualifiers_));
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
    for (const JsonValue& name : json.as_array()) names.push_back(name.as_string());
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
