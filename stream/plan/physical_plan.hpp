#pragma once

#include "millrace/options.hpp"
#include "millrace/schema.hpp"
#include "millrace/typed_function.hpp"

#include "stream/bad_record_policy.hpp"
#include "stream/bound_expression.hpp"
#include "stream/table.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

// The plan that runs: data only, so that explain prints it, plan.json keeps it, and operators,
// readers and writers are made from it. All column numbers count from 0 in the step's input.

namespace millrace::stream {

/// One source of the query; one resident task per partition of it.
struct SourceSpec {
  TableDefinition table;                    ///< its name is the key in checkpoints
  std::vector<std::string> record_columns;  ///< of the connector's record, those somebody needs
  SchemaRef schema;                         ///< record_columns with their types
};

/// Value bytes to columns. Output: `fields` in order, then the passed-on record columns.
struct DecodeSpec {
  std::string format;  ///< "json", "csv", "text", "raw"
  Options options;
  std::size_t value_column = 0;
  std::vector<Field> fields;                ///< what somebody reads, found in the value by name
  std::vector<std::size_t> passed_columns;  ///< input columns that go on behind the fields
  SchemaRef output;
  std::vector<Field> declared =
      {};  ///< every column of the value, in order: for formats without names
  /// A column of the output, behind the fields: the text of a record that is bad and goes on.
  std::optional<std::size_t> corrupt_column = {};
};

/// Keeps the rows for which the predicate is true (not false, not null).
struct FilterSpec {
  BoundExpr predicate;
};

struct ProjectSpec {
  std::vector<BoundExpr> expressions;  ///< one per output column
  SchemaRef output;
};

/// What a pair of rows must meet beside equal keys to match. The predicate sees `stream_columns`
/// then `table_columns`.
struct ResidualSpec {
  BoundExpr predicate;
  std::vector<std::size_t> stream_columns;
  std::vector<std::size_t> table_columns;
  SchemaRef columns;
};

/// Which rows a static join lets out.
enum class StaticJoinKind {
  kInner,  ///< every match
  kLeft,   ///< every match, and the stream's rows without one beside nulls
  kSemi,   ///< the stream's rows with a match, each once
  kAnti,   ///< the stream's rows without one
};

/// Join of the stream with a table held in memory, on equality of key lists; without keys every row
/// of the table is compared. Output: `stream_columns` then `table_columns` (semi, anti: none of
/// the table). Matches come in the table's row order; a null key matches nothing, unless the key is
/// null-safe.
struct StaticJoinSpec {
  TableDefinition table;
  std::vector<Field> table_schema;      ///< what is read
  std::vector<BoundExpr> stream_keys;   ///< over the stream's columns; types equal the table's
  std::vector<std::size_t> table_keys;  ///< columns of the table
  std::vector<std::size_t> stream_columns;
  std::vector<std::size_t> table_columns;
  SchemaRef output;
  StaticJoinKind kind = StaticJoinKind::kInner;
  std::set<std::size_t> null_safe_keys;  ///< places in table_keys for which nulls are equal
  std::optional<ResidualSpec> residual;  ///< inner: none, a filter behind the join does it
  /// Columns of the table behind those of table_schema, which are what they are made of when the
  /// table is read. A row on which one fails refuses the table.
  std::vector<BoundExpr> computed = {};
};

/// A row for every element of an array or every entry of a map. Output: `passed_columns`, then of
/// what is made (`pos` if has_position, then the element, or key and value) `made_columns`.
struct ExplodeSpec {
  BoundExpr list;
  bool keeps_empty = false;  ///< a row without elements stays, beside nulls
  bool has_position = false;
  std::vector<std::size_t> passed_columns;
  std::vector<std::size_t> made_columns;
  SchemaRef output;
};

/// A function of the user's over described structs. Its input is the columns of the struct, in
/// order.
struct TypedSpec {
  std::shared_ptr<const TypedFunction> function;
  SchemaRef output;
};

/// Columns to the sink's record: `value`, then, when given, key, headers, timestamp, topic,
/// partition under these names.
struct EncodeSpec {
  std::string format;  ///< "json" or "raw"
  Options options;
  std::vector<std::size_t> value_columns;  ///< fields of the JSON object, or raw's one column
  std::vector<std::string> value_names;    ///< their names in the output
  std::optional<std::size_t> key_column;
  std::optional<std::size_t> headers_column;
  std::optional<std::size_t> timestamp_column;
  std::optional<std::size_t> topic_column;
  std::optional<std::size_t> partition_column;
  SchemaRef output;
  /// The source record's value. Where it is null and so is every column of the payload, the record
  /// is the mark of a deleted key, and is written as one: with a null value.
  std::optional<std::size_t> source_value_column = {};
};

struct SinkSpec {
  TableDefinition table;
  std::string delivery;  ///< "none" (at least once); exactly once by "resume" or "transaction"
  SchemaRef schema;      ///< the encode step's output
};

using OperatorSpec = std::variant<DecodeSpec, FilterSpec, ProjectSpec, StaticJoinSpec, ExplodeSpec,
                                  TypedSpec, EncodeSpec, SinkSpec>;

/// One fused step and the steps its output goes to (several: a tree; none: a sink).
struct ChainNode {
  OperatorSpec spec;
  std::vector<std::size_t> targets;
};

/// Where bad records go as they came: a sink of its own, and the columns of the source's rows that
/// it takes them from (the connector may not have all).
struct DeadLetterSpec {
  SinkSpec sink;
  bool is_lines = false;  ///< JSON objects for a file; else records with headers of ours
  std::optional<std::size_t> value_column;
  std::optional<std::size_t> key_column;
  std::optional<std::size_t> headers_column;
  std::optional<std::size_t> timestamp_column;
  std::optional<std::size_t> topic_column;
};

/// What becomes of a source's bad records.
struct BadRecordSpec {
  BadRecordPolicy policy;
  std::optional<DeadLetterSpec> dead_letter;  ///< given when the policy has dead letters
};

/// What one source's tasks run: plain calls, no hop. nodes[0] takes what the reader gives.
struct ChainSpec {
  SourceSpec source;
  std::vector<ChainNode> nodes;
  BadRecordSpec bad_records;
};

struct PhysicalPlan {
  std::string name;  ///< the query's; default: its sink table
  std::vector<ChainSpec> chains;
};

}  // namespace millrace::stream
