#include "stream/plan/relation_analysis.hpp"

#include "stream/plan/dead_letter_planning.hpp"
#include "stream/plan/value_format.hpp"

#include <fmt/format.h>

#include <set>

namespace millrace::stream {
namespace {

constexpr std::string_view kValue = "value";

Status check_reading(const TableDefinition& table, const TableTraits& traits, Reading reading) {
  if (reading == Reading::kStream && !traits.is_stream) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("connector {} of {} is a static table: use read(), not read_stream()",
                            table.connector, table.name));
  }
  if (reading == Reading::kStatic && traits.is_stream) {
    return fail(ErrorCode::kNotSupported,
                fmt::format("reading {} once, with an end, is not supported yet (connector {}): "
                            "use read_stream()",
                            table.name, table.connector));
  }
  return {};
}

Status check_columns(const TableDefinition& table) {
  std::set<std::string_view> names;
  for (const Field& field : table.columns) {
    if (!names.insert(field.name).second) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("table {} declares column {} twice", table.name, field.name));
    }
  }
  return {};
}

void add_declared(Relation& relation) {
  for (const Field& field : relation.table.columns) relation.columns.push_back({field, false});
}

void add_record(Relation& relation, bool with_value) {
  for (const Field& field : relation.traits.record) {
    if (with_value || field.name != kValue) relation.columns.push_back({field, true});
  }
}

// One declared column stands for the raw value, under a name of the user's.
Status add_raw_column(Relation& relation) {
  const auto& columns = relation.table.columns;
  const auto is_text = [](const Field& field) {
    return field.type.is(TypeKind::kString) || field.type.is(TypeKind::kBytes);
  };
  if (columns.size() != 1 || !is_text(columns[0])) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("table {} has format 'raw': declare one column of type string or bytes, "
                    "or none to see the record itself",
                    relation.table.name));
  }
  // A value taken whole as text is text, and held to it.
  if (columns[0].type.is(TypeKind::kString)) relation.format = "text";
  relation.is_decoded = true;
  relation.columns.push_back({columns[0], false});
  add_record(relation, false);
  return {};
}

// A line of text has one column, whatever it is called.
Status add_text_column(Relation& relation) {
  auto& columns = relation.table.columns;
  if (columns.empty()) columns.push_back({std::string(kValue), TypeKind::kString});
  if (columns.size() != 1 || !columns[0].type.is(TypeKind::kString)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("table {} has format 'text': declare one column of type text, or none "
                            "to call it value",
                            relation.table.name));
  }
  relation.is_decoded = true;
  add_declared(relation);
  add_record(relation, false);
  return {};
}

Status add_stream_columns(Relation& relation) {
  MILLRACE_ASSIGN(relation.format, value_format_of(relation.table));
  if (relation.format == "text") return add_text_column(relation);
  if (relation.format == "raw") {
    if (!relation.table.columns.empty()) return add_raw_column(relation);
    add_record(relation, true);
    return {};
  }
  if (relation.table.columns.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("table {} has format '{}' and no columns: declare those to be read "
                            "from the value, or use format 'raw'",
                            relation.table.name, relation.format));
  }
  relation.is_decoded = true;
  add_declared(relation);
  add_record(relation, false);
  return {};
}

Status add_plain_columns(Relation& relation) {
  if (relation.table.columns.empty() && relation.traits.record.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("table {} has no columns: declare those that connector {} shall read",
                            relation.table.name, relation.table.connector));
  }
  add_declared(relation);
  add_record(relation, true);
  return {};
}

}  // namespace

Result<Relation> resolve_relation(TableDefinition table, TableTraits traits, Reading reading) {
  MILLRACE_TRY(check_reading(table, traits, reading));
  MILLRACE_TRY(check_columns(table));
  Relation relation;
  relation.table = std::move(table);
  relation.traits = std::move(traits);
  if (relation.traits.is_stream && relation.traits.has_format) {
    MILLRACE_TRY(add_stream_columns(relation));
  } else {
    MILLRACE_TRY(add_plain_columns(relation));
  }
  if (relation.traits.is_stream) MILLRACE_TRY(resolve_bad_records(relation));
  return relation;
}

Scope scope_of(const Relation& relation, const std::string& qualifier) {
  std::set<std::string_view> declared;
  for (const Field& field : relation.table.columns) declared.insert(field.name);
  Scope scope;
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    const RelationColumn& column = relation.columns[i];
    if (column.is_record && declared.contains(column.field.name)) continue;
    BoundExpr expression;
    expression.kind = BoundExpr::Kind::kColumn;
    expression.type = column.field.type;
    expression.column = relation.first_column + i;
    expression.text = column.field.name;
    scope.add(ScopeColumn{InputField{qualifier, column.field.name, column.field.type,
                                     column.is_record && !declared.empty()},
                          std::move(expression)});
  }
  return scope;
}

}  // namespace millrace::stream
