#include "sql/statement_builder.hpp"

#include "sql/expression_builder.hpp"
#include "sql/letters.hpp"
#include "sql/parser.hpp"
#include "sql/select_builder.hpp"
#include "sql/tree_node.hpp"
#include "stream/ascii.hpp"
#include "stream/plan/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

namespace millrace::sql {
namespace {

using formats::JsonValue;

/// Builds the statements of one text; lives for one call.
class StatementBuilder {
 public:
  explicit StatementBuilder(const std::string& text)
      : text_(text), expressions_(text), queries_(expressions_) {}

  Result<Statement> build(const TreeNode& node, std::int32_t position) const;
  /// CREATE TYPE name AS (field type, ...): a struct for what stands below it.
  Status add_type(const TreeNode& node);

 private:
  Result<CreateTable> create_table(const TreeNode& node) const;
  static Status check_clauses(const TreeNode& create);
  Result<Field> column(const TreeNode& node) const;
  Status add_option(CreateTable& create, const TreeNode& node) const;
  Result<std::string> option_value(const std::string& key, const TreeNode& node) const;
  Result<SetVariable> set_variable(const TreeNode& node, std::int32_t position) const;
  Result<std::string> constant_text(const TreeNode& node) const;
  Result<Insert> insert(const TreeNode& node) const;
  Result<CreateView> create_view(const TreeNode& node, std::int32_t position) const;
  Result<Explain> explain(const TreeNode& node, std::int32_t position) const;
  [[nodiscard]] std::string spelled(const std::string& name, std::int32_t position) const;
  [[nodiscard]] std::string first_words(std::int32_t position) const;

  const std::string& text_;
  ExpressionBuilder expressions_;
  SelectBuilder queries_;
};

// Where a statement's first word stands: its location in the tree begins with blanks and comments.
std::int32_t first_word(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text.substr(at, 2) == "--") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else if (std::isspace(static_cast<unsigned char>(text[at])) != 0 || text[at] == ';') {
      ++at;
    } else {
      break;
    }
  }
  return static_cast<std::int32_t>(at);
}

Result<Statement> StatementBuilder::build(const TreeNode& node, std::int32_t position) const {
  Statement statement;
  statement.position = position;
  if (node.is("CreateStmt")) {
    MILLRACE_ASSIGN(statement.body, create_table(node));
  } else if (node.is("ViewStmt")) {
    MILLRACE_ASSIGN(statement.body, create_view(node, position));
  } else if (node.is("VariableSetStmt")) {
    MILLRACE_ASSIGN(statement.body, set_variable(node, position));
  } else if (node.is("InsertStmt")) {
    MILLRACE_ASSIGN(statement.body, insert(node));
  } else if (node.is("ExplainStmt")) {
    MILLRACE_ASSIGN(statement.body, explain(node, position));
  } else if (node.is("VariableShowStmt")) {
    if (node.text("name") != "tables") {
      return fail(
          Error{ErrorCode::kNotSupported,
                fmt::format("SHOW {} is not supported: there is SHOW TABLES", node.text("name")),
                position});
    }
    statement.body = ShowTables{};
  } else if (node.is("CreateTableAsStmt")) {
    return not_supported(
        "a table made of a query (write CREATE TABLE t () WITH (...) and INSERT INTO t SELECT "
        "..., or CREATE VIEW)",
        position);
  } else if (node.is("SelectStmt")) {
    return fail(Error{ErrorCode::kNotSupported,
                      "a SELECT of its own is not supported yet: its rows need a sink, as in "
                      "INSERT INTO table SELECT ...; EXPLAIN SELECT shows its plan",
                      position});
  } else {
    return not_supported(first_words(position), position);
  }
  return statement;
}

Status StatementBuilder::add_type(const TreeNode& node) {
  const TreeNode name = node.plain_child("typevar");
  MILLRACE_ASSIGN(const std::string type_name, table_name(name));
  std::vector<Field> fields;
  for (const JsonValue& element : node.list("coldeflist")) {
    MILLRACE_ASSIGN(Field field, column(TreeNode(element)));
    const bool is_new = std::ranges::find(fields, field.name, &Field::name) == fields.end();
    if (!is_new) {
      return fail(Error{ErrorCode::kInvalidArgument,
                        fmt::format("type {} declares field {} twice", type_name, field.name),
                        TreeNode(element).position()});
    }
    fields.push_back(std::move(field));
  }
  const bool is_free = !parse_type(type_name).has_value();
  if (is_free && expressions_.add_type(type_name, DataType::structure(std::move(fields))))
    return {};
  return fail(Error{ErrorCode::kAlreadyExists,
                    fmt::format("there is a type called {} already", type_name), name.position()});
}

Result<CreateTable> StatementBuilder::create_table(const TreeNode& node) const {
  const TreeNode relation = node.plain_child("relation");
  MILLRACE_TRY(check_clauses(node));
  CreateTable result;
  result.if_not_exists = node.flag("if_not_exists");
  MILLRACE_ASSIGN(result.table.name, table_name(relation));
  for (const JsonValue& element : node.list("tableElts")) {
    MILLRACE_ASSIGN(Field field, column(TreeNode(element)));
    result.table.columns.push_back(std::move(field));
  }
  for (const JsonValue& option : node.list("options")) {
    MILLRACE_TRY(add_option(result, TreeNode(option)));
  }
  if (result.table.connector.empty()) {
    return fail(
        Error{ErrorCode::kInvalidArgument,
              fmt::format("table {} has no connector: write WITH (connector = 'kafka', ...)",
                          result.table.name),
              relation.position()});
  }
  return result;
}

// Clauses that the grammar takes and that say something of a database's files.
Status StatementBuilder::check_clauses(const TreeNode& create) {
  constexpr auto kClauses = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"inhRelations", "INHERITS"},
      {"partspec", "PARTITION BY (a topic has its own partitions)"},
      {"accessMethod", "USING (write WITH (connector = '...', ...))"},
      {"tablespacename", "TABLESPACE"},
      {"ofTypename", "OF a type (write the columns)"},
  });
  const std::int32_t position = create.plain_child("relation").position();
  for (const auto& [member, name] : kClauses)
    if (create.has(member)) return not_supported(name, position);
  return {};
}

Result<Field> StatementBuilder::column(const TreeNode& node) const {
  static const std::map<std::string, std::string_view, std::less<>> constraint_names = {
      {"CONSTR_NOTNULL", "NOT NULL"},    {"CONSTR_DEFAULT", "DEFAULT"},
      {"CONSTR_PRIMARY", "PRIMARY KEY"}, {"CONSTR_UNIQUE", "UNIQUE"},
      {"CONSTR_CHECK", "CHECK"},         {"CONSTR_FOREIGN", "REFERENCES"},
      {"CONSTR_IDENTITY", "GENERATED"},  {"CONSTR_GENERATED", "GENERATED"},
      {"CONSTR_EXCLUSION", "EXCLUDE"},
  };
  const auto refuse_constraint = [&](const TreeNode& constraint) {
    const auto found = constraint_names.find(constraint.text("contype"));
    return not_supported(found == constraint_names.end() ? "this constraint" : found->second,
                         constraint.position());
  };
  if (node.is("Constraint")) return refuse_constraint(node);
  if (!node.is("ColumnDef")) return not_supported("LIKE in a list of columns", node.position());
  for (const JsonValue& entry : node.list("constraints")) {
    const TreeNode constraint(entry);
    if (constraint.text("contype") != "CONSTR_NULL") return refuse_constraint(constraint);
  }
  MILLRACE_ASSIGN(DataType type, expressions_.build_type(node.plain_child("typeName")));
  return Field{spelled(node.text("colname"), node.position()), std::move(type)};
}

// SQL brings names to lower case; the data behind a column (a JSON field) often has capitals, so a
// declared column keeps the spelling of the text. Expressions find it in any case.
std::string StatementBuilder::spelled(const std::string& name, std::int32_t position) const {
  if (position < 0) return name;
  const std::string_view written =
      std::string_view(text_).substr(static_cast<std::size_t>(position), name.size());
  const bool is_same = std::ranges::equal(written, name, {}, stream::lower_letter);
  return is_same ? std::string(written) : name;
}

Status StatementBuilder::add_option(CreateTable& create, const TreeNode& node) const {
  stream::TableDefinition& table = create.table;
  std::string key = node.text("defname");
  if (node.has("defnamespace")) key = node.text("defnamespace") + "." + key;
  MILLRACE_ASSIGN(const std::string value, option_value(key, node));
  const std::string canonical = canonical_option_key(key);
  const bool is_connector = canonical == "connector";
  if (is_connector ? !table.connector.empty() : table.options.has(key)) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("option {} of table {} is given twice", key, table.name),
                      node.position()});
  }
  if (is_connector) {
    table.connector = value;
  } else {
    table.options.set(key, value);
  }
  create.option_positions[canonical] = node.position();
  return {};
}

Result<std::string> StatementBuilder::option_value(const std::string& key,
                                                   const TreeNode& node) const {
  const auto wrong = [&](std::string_view why) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("option {} {}: write {} = 'value'", key, why, key),
                      node.position()});
  };
  if (!node.has("arg")) return wrong("has no value");
  const TreeNode value = node.child("arg");
  if (value.is("String")) return value.text("sval");
  if (value.is("Float")) return value.text("fval");
  if (value.is("Boolean")) return std::string(value.flag("boolval") ? "true" : "false");
  if (value.is("Integer")) {
    // The tree leaves out zero and what is below; the text has it, behind the equals sign.
    const auto equals = text_.find('=', static_cast<std::size_t>(std::max(node.position(), 0)));
    MILLRACE_ASSIGN(const std::int64_t number,
                    expressions_.integer(value.number("ival"), first_word(text_, equals + 1)));
    return std::to_string(number);
  }
  if (value.is("TypeName") && value.list("names").size() == 1) {
    return TreeNode(value.list("names").front()).text("sval");  // a bare word: format = json
  }
  return wrong("has a value that is neither text nor a number");
}

Result<SetVariable> StatementBuilder::set_variable(const TreeNode& node,
                                                   std::int32_t position) const {
  SetVariable result;
  result.name = node.text("name");
  if (node.text("kind") != "VAR_SET_VALUE") {
    return not_supported(fmt::format("{} {}", first_words(position), "of a default"), position);
  }
  if (node.flag("is_local")) {
    return fail(Error{ErrorCode::kNotSupported,
                      fmt::format("SET LOCAL is not supported, for a job has no transactions: "
                                  "write SET {} = ..., which holds for the queries behind it",
                                  result.name),
                      position});
  }
  const JsonValue::Array& values = node.list("args");
  if (values.size() != 1) {
    return fail(Error{ErrorCode::kInvalidArgument,
                      fmt::format("SET {} takes one value: write it in quotes", result.name),
                      position});
  }
  MILLRACE_ASSIGN(result.value, constant_text(TreeNode(values.front())));
  return result;
}

Result<std::string> StatementBuilder::constant_text(const TreeNode& node) const {
  MILLRACE_ASSIGN(const Expr expression, expressions_.build(node));
  const Value& value = expression.node().value;
  const bool is_text = std::holds_alternative<std::string>(value.data);
  if (expression.node().kind != ExprNode::Kind::kLiteral || value.is_null()) {
    return fail(
        Error{ErrorCode::kInvalidArgument, "SET takes a text or a number", node.position()});
  }
  return is_text ? std::get<std::string>(value.data) : value.to_string();
}

Result<Insert> StatementBuilder::insert(const TreeNode& node) const {
  const TreeNode relation = node.plain_child("relation");
  if (!node.list("cols").empty()) {
    return not_supported(
        "a list of columns after INSERT INTO (name them in the SELECT: SELECT x AS a)",
        node.position("cols"));
  }
  if (node.has("onConflictClause")) {
    return not_supported("ON CONFLICT", node.position("onConflictClause"));
  }
  if (node.has("returningList")) {
    return not_supported("RETURNING", node.position("returningList"));
  }
  if (node.has("withClause")) {
    return not_supported("WITH (a query before the INSERT: write CREATE VIEW)",
                         node.position("withClause"));
  }
  if (!node.has("selectStmt")) return not_supported("DEFAULT VALUES", relation.position());
  Insert result;
  MILLRACE_ASSIGN(result.table, table_name(relation));
  if (node.child("selectStmt").has("valuesLists")) {
    return fail(Error{ErrorCode::kNotSupported,
                      fmt::format("INSERT INTO {} VALUES has an end, and a query reads a stream "
                                  "until it is stopped: VALUES can stand beside a stream, as in "
                                  "FROM stream s JOIN (VALUES (1, 'a')) AS v(id, name) ON s.id = "
                                  "v.id",
                                  result.table),
                      node.child("selectStmt").position("valuesLists")});
  }
  MILLRACE_ASSIGN(stream::LogicalPlan plan, queries_.build(node.child("selectStmt")));
  result.plan =
      stream::make_plan(stream::WriteNode{std::move(plan), result.table, {}}, relation.position());
  return result;
}

Result<CreateView> StatementBuilder::create_view(const TreeNode& node,
                                                 std::int32_t position) const {
  const TreeNode view = node.plain_child("view");
  if (node.flag("replace")) {
    return fail(Error{ErrorCode::kNotSupported,
                      "CREATE OR REPLACE VIEW is not supported: a view is made once, under a name "
                      "that is free",
                      position});
  }
  if (!node.list("options").empty()) return not_supported("a view WITH options", position);
  if (node.has("withCheckOption") && node.text("withCheckOption") != "NO_CHECK_OPTION")
    return not_supported("WITH CHECK OPTION", position);
  CreateView result;
  MILLRACE_ASSIGN(result.name, table_name(view));
  MILLRACE_ASSIGN(result.plan, queries_.build(node.child("query")));
  std::vector<std::string> columns;
  for (const JsonValue& alias : node.list("aliases"))
    columns.push_back(TreeNode(alias).text("sval"));
  if (!columns.empty()) {
    result.plan = stream::make_plan(
        stream::AliasNode{std::move(result.plan), result.name, std::move(columns)},
        view.position());
  }
  return result;
}

Result<Explain> StatementBuilder::explain(const TreeNode& node, std::int32_t position) const {
  if (!node.list("options").empty()) {
    return not_supported("EXPLAIN with options", position);
  }
  const TreeNode query = node.child("query");
  Explain result;
  if (query.is("InsertStmt")) {
    MILLRACE_ASSIGN(Insert shown, insert(query));
    result.plan = std::move(shown.plan);
    return result;
  }
  if (!query.is("SelectStmt")) {
    return fail(Error{ErrorCode::kNotSupported,
                      "EXPLAIN shows INSERT INTO ... SELECT ... and SELECT", position});
  }
  MILLRACE_ASSIGN(stream::LogicalPlan select, queries_.build(query));
  const std::string name(stream::kResultConnector);
  result.plan = stream::make_plan(
      stream::WriteNode{std::move(select), name, stream::TableDefinition{name, name, {}, {}}},
      query.position());
  return result;
}

// "DROP TABLE", "UPDATE": how the text itself calls a statement that we have not.
std::string StatementBuilder::first_words(std::int32_t position) const {
  std::string words;
  auto at = static_cast<std::size_t>(std::max(position, 0));
  const auto add_word = [&] {
    while (at < text_.size() && is_word_letter(text_[at])) {
      words += static_cast<char>(std::toupper(static_cast<unsigned char>(text_[at++])));
    }
  };
  add_word();
  if (words != "CREATE" && words != "DROP" && words != "ALTER") return words;
  while (at < text_.size() && std::isspace(static_cast<unsigned char>(text_[at])) != 0) ++at;
  words += ' ';
  add_word();
  return words;
}

}  // namespace

Result<std::vector<Statement>> build_statements(const std::string& text) {
  MILLRACE_ASSIGN(const JsonValue tree, parse_tree(text));
  StatementBuilder builder(text);
  std::vector<Statement> result;
  const JsonValue* statements = tree.find("stmts");
  if (statements == nullptr || !statements->is_array()) return result;
  for (const JsonValue& entry : statements->as_array()) {
    const TreeNode raw("RawStmt", entry);
    const auto begin = static_cast<std::size_t>(raw.number("stmt_location"));
    if (raw.child("stmt").is("CompositeTypeStmt")) {
      MILLRACE_TRY(builder.add_type(raw.child("stmt")));
      continue;
    }
    auto statement = builder.build(raw.child("stmt"), first_word(text, begin));
    if (!statement) {
      Error error = std::move(statement).error();
      if (error.position < 0) error.position = first_word(text, begin);
      return fail(std::move(error));
    }
    result.push_back(std::move(*statement));
  }
  return result;
}

}  // namespace millrace::sql
