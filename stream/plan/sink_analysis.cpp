#include "stream/plan/sink_analysis.hpp"

#include "stream/plan/expression_binder.hpp"
#include "stream/plan/expression_rewrite.hpp"
#include "stream/plan/value_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace millrace::stream {
namespace {

/// One part of the record beside its value: the option that names its column, and its types.
struct EnvelopePart {
  std::string_view name;
  std::string_view option;
  std::optional<BoundExpr> ResolvedSink::*target;
  std::string_view type_text;
  bool is_passed_on;   ///< from the source's record when no option names it
  bool is_in_payload;  ///< a column so named stays in the value
};

constexpr auto kParts = std::to_array<EnvelopePart>({
    {"key", "key_column", &ResolvedSink::key, "string or bytes", true, true},
    {"headers", "headers_column", &ResolvedSink::headers, "", true, false},
    {"timestamp", "timestamp_column", &ResolvedSink::timestamp, "timestamp", true, true},
    {"topic", "topic_column", &ResolvedSink::topic, "string", false, false},
    {"partition", "partition_column", &ResolvedSink::partition, "int", false, false},
});

/// Builds one ResolvedSink; lives for one call.
class SinkAnalyzer {
 public:
  SinkAnalyzer(const ResolvedQuery& query, const Scope& scope, TableDefinition table,
               TableTraits traits, const Dialect& dialect)
      : query_(query), scope_(scope), dialect_(dialect) {
    sink_.table = std::move(table);
    sink_.traits = std::move(traits);
  }

  Result<ResolvedSink> run();

 private:
  Status set_delivery();
  Status check_resume() const;
  Status check_transaction() const;
  Status set_outputs();
  Status match_declared(std::size_t index, const Field& declared, OutputColumn& output) const;
  Status check_names() const;
  Status set_envelope(const EnvelopePart& part);
  Status pass_on(const EnvelopePart& part);
  Result<BoundExpr> named_column(const EnvelopePart& part, const std::string& name) const;
  Status set_payload();
  Status set_raw_payload();
  Status check_payload() const;
  Status check_all_written() const;
  [[nodiscard]] bool is_beside_value(const OutputColumn& output) const;
  Status check_csv_payload() const;

  [[nodiscard]] const Field* record_field(std::string_view name) const;
  [[nodiscard]] const OutputColumn* find_output(std::string_view name) const;
  [[nodiscard]] std::string output_names() const;
  [[nodiscard]] const std::string& table_name() const { return sink_.table.name; }

  const ResolvedQuery& query_;
  const Scope& scope_;
  const Dialect& dialect_;
  ResolvedSink sink_;
  std::vector<OutputColumn> outputs_;
  std::set<std::string> not_in_payload_;
};

template <typename... Arguments>
tl::unexpected<Error> refuse(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format(format, std::forward<Arguments>(arguments)...));
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> result;
  while (true) {
    const std::size_t comma = text.find(',');
    result.push_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return result;
    text.remove_prefix(comma + 1);
  }
}

bool has_type_of(const EnvelopePart& part, const DataType& type, const Field& record) {
  if (part.name == "key") return type.is(TypeKind::kString) || type.is(TypeKind::kBytes);
  if (part.name == "headers") return type == record.type;
  if (part.name == "timestamp") return type.is(TypeKind::kTimestamp);
  if (part.name == "topic") return type.is(TypeKind::kString);
  return type.is(TypeKind::kInt32);
}

Result<ResolvedSink> SinkAnalyzer::run() {
  MILLRACE_TRY(set_delivery());
  MILLRACE_TRY(set_outputs());
  for (const EnvelopePart& part : kParts) MILLRACE_TRY(set_envelope(part));
  MILLRACE_TRY(set_payload());
  return std::move(sink_);
}

Status SinkAnalyzer::set_delivery() {
  constexpr auto kAccepted = std::to_array<std::string_view>({"none", "resume", "transaction"});
  sink_.delivery = sink_.table.options.get_or("exactly_once", "none");
  if (sink_.delivery == "none") return {};
  if (sink_.delivery == "resume") return check_resume();
  if (sink_.delivery == "transaction") return check_transaction();
  const auto nearest = nearest_name(sink_.delivery, kAccepted);
  return refuse(
      "exactly_once = '{}' of table {} is not known; accepted: none, resume, transaction{}",
      sink_.delivery, table_name(), nearest ? fmt::format("; did you mean '{}'?", *nearest) : "");
}

Status SinkAnalyzer::check_resume() const {
  if (sink_.table.connector == "kafka") return {};
  return refuse(
      "exactly_once = 'resume' of table {} is for kafka tables: what was written is looked "
      "for in the topic, and a {} table has none",
      table_name(), sink_.table.connector);
}

Status SinkAnalyzer::check_transaction() const {
  if (sink_.table.connector == "kafka") return {};
  return refuse(
      "exactly_once = 'transaction' of table {} is for kafka tables: it is one Kafka transaction "
      "an "
      "epoch, and a {} table has none",
      table_name(), sink_.table.connector);
}

Status SinkAnalyzer::set_outputs() {
  outputs_ = query_.outputs;
  const auto& declared = sink_.table.columns;
  if (!declared.empty()) {
    if (declared.size() != outputs_.size()) {
      return refuse("table {} has {} columns, the query gives {}: {}", table_name(),
                    declared.size(), outputs_.size(), output_names());
    }
    for (std::size_t i = 0; i < declared.size(); ++i) {
      MILLRACE_TRY(match_declared(i, declared[i], outputs_[i]));
    }
  }
  return check_names();
}

Status SinkAnalyzer::match_declared(std::size_t index, const Field& declared,
                                    OutputColumn& output) const {
  if (!output.name.empty() && output.name != declared.name) {
    return refuse(
        "column {} of the query is {}, table {} has {} there (columns are taken in "
        "order): write {} AS {}, or change the order",
        index + 1, output.name, table_name(), declared.name, output.expression.text, declared.name);
  }
  const DataType& type = output.expression.type;
  if (!is_safe_cast(type, declared.type)) {
    return refuse("column {} is {} in the query and {} in table {}: write CAST({} AS {}) AS {}",
                  declared.name, type.to_string(), declared.type.to_string(), table_name(),
                  output.expression.text, declared.type.to_string(), declared.name);
  }
  MILLRACE_ASSIGN(output.expression,
                  bind_cast(std::move(output.expression), declared.type, dialect_));
  output.name = declared.name;
  return {};
}

Status SinkAnalyzer::check_names() const {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const OutputColumn& output = outputs_[i];
    if (output.name.empty()) {
      return refuse("column {} of the query has no name: write {} AS name", i + 1,
                    output.expression.text);
    }
    if (!names.insert(output.name).second) {
      return refuse(
          "the query gives two columns called {}: leave one out, or give it another name "
          "with AS",
          output.name);
    }
    if (output.expression.type.is(TypeKind::kNull)) {
      return refuse("column {} is NULL without a type: write CAST(NULL AS text) AS {}", output.name,
                    output.name);
    }
  }
  return {};
}

Status SinkAnalyzer::set_envelope(const EnvelopePart& part) {
  const Options& options = sink_.table.options;
  const Field* record = record_field(part.name);
  const auto column_name = options.get(part.option);
  if (record == nullptr) {
    if (!column_name) return {};
    return refuse("{} = '{}': records of connector {} have no {} (table {})", part.option,
                  *column_name, sink_.table.connector, part.name, table_name());
  }
  const auto off = part.is_passed_on ? options.get(part.name) : std::nullopt;
  if (off && *off != "none") {
    return refuse("{0} = '{1}' of table {2}: the one accepted value is 'none'; {3} names a column",
                  part.name, *off, table_name(), part.option);
  }
  if (off && column_name) {
    return refuse("{} = 'none' and {} = '{}' of table {} exclude each other", part.name,
                  part.option, *column_name, table_name());
  }
  if (off) return {};
  if (!column_name) return pass_on(part);
  // One topic for all and a topic for each: neither may win in silence.
  const auto for_all = part.name == "topic" ? options.get("topic") : std::nullopt;
  if (for_all) {
    return refuse("topic = '{}' and {} = '{}' of table {} exclude each other", *for_all,
                  part.option, *column_name, table_name());
  }

  MILLRACE_ASSIGN(BoundExpr column, named_column(part, *column_name));
  if (!has_type_of(part, column.type, *record)) {
    const std::string wanted =
        part.type_text.empty() ? record->type.to_string() : std::string(part.type_text);
    return refuse("{} = '{}' of table {} must be {}, it is {}", part.option, *column_name,
                  table_name(), wanted, column.type.to_string());
  }
  if (!part.is_in_payload) not_in_payload_.insert(*column_name);
  sink_.*part.target = std::move(column);
  return {};
}

// The key, headers and time of the record that a row was made from belong to the row, whatever its
// columns are called: the source's own record is asked, not a column by name.
Status SinkAnalyzer::pass_on(const EnvelopePart& part) {
  if (!part.is_passed_on) return {};
  for (const Relation& relation : query_.relations) {
    if (!relation.traits.is_stream) continue;
    for (std::size_t i = 0; i < relation.columns.size(); ++i) {
      const auto& [field, is_record, computed] = relation.columns[i];
      if (!is_record || field.name != part.name) continue;
      if (!has_type_of(part, field.type, *record_field(part.name))) continue;
      BoundExpr column;
      column.kind = BoundExpr::Kind::kColumn;
      column.type = field.type;
      column.column = relation.first_column + i;
      column.text = field.name;
      sink_.*part.target = std::move(column);
      sink_.passed_on.emplace_back(part.name);
      return {};
    }
  }
  return {};
}

Result<BoundExpr> SinkAnalyzer::named_column(const EnvelopePart& part,
                                             const std::string& name) const {
  if (const OutputColumn* output = find_output(name)) return output->expression;
  if (const ScopeColumn* hidden = scope_.find(name, true)) return hidden->expression;
  std::vector<std::string_view> names;
  for (const OutputColumn& output : outputs_) names.push_back(output.name);
  const auto nearest = nearest_name(name, names);
  return refuse("{} = '{}' of table {} names no column of the query; {}", part.option, name,
                table_name(),
                nearest ? fmt::format("did you mean '{}'?", *nearest) : "it has " + output_names());
}

Status SinkAnalyzer::set_payload() {
  if (!sink_.traits.has_format) {
    sink_.payload = outputs_;
    return {};
  }
  TableDefinition described = sink_.table;
  described.columns = {Field{"value", TypeKind::kBytes}};  // a sink says its format, always
  MILLRACE_ASSIGN(sink_.format, value_format_of(described));
  if (const auto list = sink_.table.options.get("payload_columns")) {
    for (const std::string& name : split_list(*list)) {
      const OutputColumn* output = find_output(name);
      if (output == nullptr) {
        return refuse(
            "payload_columns of table {} names '{}', which the query does not give; it "
            "has {}",
            table_name(), name, output_names());
      }
      if (std::ranges::find(sink_.payload, name, &OutputColumn::name) != sink_.payload.end()) {
        return refuse("payload_columns of table {} names '{}' twice", table_name(), name);
      }
      sink_.payload.push_back(*output);
    }
  } else {
    std::ranges::copy_if(outputs_, std::back_inserter(sink_.payload), [&](const auto& output) {
      return !not_in_payload_.contains(output.name);
    });
  }
  if (sink_.format == "raw" || sink_.format == "text") return set_raw_payload();
  return check_payload();
}

Status SinkAnalyzer::set_raw_payload() {
  if (const auto name = sink_.table.options.get("value_column")) {
    const OutputColumn* value = find_output(*name);
    if (value == nullptr) {
      return refuse("value_column = '{}' of table {} names no column of the query; it has {}",
                    *name, table_name(), output_names());
    }
    sink_.payload = {*value};
  } else if (sink_.payload.size() > 1) {
    // The usual case: a key beside the value. The value is the column so called.
    const auto value = std::ranges::find(sink_.payload, "value", &OutputColumn::name);
    if (value != sink_.payload.end()) sink_.payload = {OutputColumn(*value)};
  }
  const bool takes_bytes = sink_.format == "raw";
  const auto is_accepted = [&](const DataType& type) {
    return type.is(TypeKind::kString) || (takes_bytes && type.is(TypeKind::kBytes));
  };
  if (sink_.payload.size() == 1 && is_accepted(sink_.payload[0].expression.type))
    return check_all_written();
  return refuse(
      "table {} has format '{}', which writes one column of type string{}: name it with "
      "value_column; the query gives {}",
      table_name(), sink_.format, takes_bytes ? " or bytes" : "", output_names());
}

// No column may be left out in silence, unless payload_columns says what is wanted.
Status SinkAnalyzer::check_all_written() const {
  if (sink_.table.options.has("payload_columns")) return {};
  for (const OutputColumn& output : outputs_) {
    if (output.name == sink_.payload[0].name || is_beside_value(output)) continue;
    return refuse(
        "column {} of the query would not be written to table {}: format '{}' writes {} alone; "
        "leave "
        "it out, or name it with key_column, headers_column, timestamp_column, topic_column or "
        "partition_column",
        output.name, table_name(), sink_.format, sink_.payload[0].name);
  }
  return {};
}

// Named by an option, or what is passed on from the source's record anyhow.
bool SinkAnalyzer::is_beside_value(const OutputColumn& output) const {
  return std::ranges::any_of(kParts, [&](const EnvelopePart& part) {
    if (sink_.table.options.get(part.option) == output.name) return true;
    const auto& taken = sink_.*part.target;
    return taken && taken->kind == BoundExpr::Kind::kColumn &&
           output.expression.kind == BoundExpr::Kind::kColumn &&
           taken->column == output.expression.column;
  });
}

Status SinkAnalyzer::check_payload() const {
  if (sink_.table.options.has("value_column")) {
    return refuse(
        "value_column of table {} is for format 'raw'; payload_columns names what the "
        "value holds in format '{}'",
        table_name(), sink_.format);
  }
  if (sink_.format == "csv") MILLRACE_TRY(check_csv_payload());
  if (sink_.payload.empty()) {
    return refuse(
        "nothing is left for the value of table {}: every column of the query goes "
        "beside it",
        table_name());
  }
  return {};
}

Status SinkAnalyzer::check_csv_payload() const {
  for (const OutputColumn& column : sink_.payload) {
    const DataType& type = column.expression.type;
    if (!type.is_nested() && !type.is(TypeKind::kInterval)) continue;
    return refuse("column {} of type {} cannot be written to table {} as CSV", column.name,
                  type.to_string(), table_name());
  }
  return {};
}

const Field* SinkAnalyzer::record_field(std::string_view name) const {
  const auto found = std::ranges::find(sink_.traits.record, name, &Field::name);
  return found == sink_.traits.record.end() ? nullptr : &*found;
}

const OutputColumn* SinkAnalyzer::find_output(std::string_view name) const {
  const auto found = std::ranges::find(outputs_, name, &OutputColumn::name);
  return found == outputs_.end() ? nullptr : &*found;
}

std::string SinkAnalyzer::output_names() const {
  std::vector<std::string_view> names;
  for (const OutputColumn& output : outputs_) {
    names.push_back(output.name.empty() ? output.expression.text : output.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Result<ResolvedSink> resolve_sink(const ResolvedQuery& query, const Scope& scope,
                                  TableDefinition table, TableTraits traits,
                                  const Dialect& dialect) {
  return SinkAnalyzer(query, scope, std::move(table), std::move(traits), dialect).run();
}

}  // namespace millrace::stream
