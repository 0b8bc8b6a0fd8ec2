#pragma once

#include "stream/bad_record_policy.hpp"
#include "stream/bound_expression.hpp"
#include "stream/table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// A query after analysis, in one flat form that every tree of scans, filters, projections and inner
// joins can be brought to: the relations it reads, the conditions that a combination of their rows
// must meet, and expressions over those rows. Projections are gone (their expressions stand where
// their columns were used), so that pushing filters below joins and projections, and not building
// what nobody reads, need no rewriting rules. That is sound because every registered function is a
// pure function of its arguments.
//
// Column numbers in a ResolvedQuery count through all relations: relation.first_column + index.

namespace millrace::stream {

/// One column of a relation: in the value (declared), or of the connector's record.
struct RelationColumn {
  Field field;
  bool is_record = false;
};

/// A table that the query reads.
struct Relation {
  TableDefinition table;
  TableTraits traits;
  std::vector<RelationColumn> columns;
  std::size_t first_column = 0;
  std::string format;       ///< of the record's `value`; empty: the connector gives columns
  bool is_decoded = false;  ///< declared columns are decoded from `value`
  BadRecordPolicy bad_records;
  std::optional<TableDefinition> dead_letters;  ///< the table that they are written to
  std::int32_t position = -1;                   ///< byte in the SQL text
};

/// One conjunct of all the WHEREs and ONs. An equality shows its sides: a join may use them as
/// keys.
struct Condition {
  BoundExpr predicate;
  std::optional<std::pair<BoundExpr, BoundExpr>> equality;  ///< sides before any implicit cast
  std::int32_t position = -1;
};

/// A column that leaves the query.
struct OutputColumn {
  std::string name;  ///< empty: an expression that nobody named
  BoundExpr expression;
  std::int32_t position = -1;
};

/// Where the rows go and what becomes of them there. Of the envelope, only what is set is written.
struct ResolvedSink {
  TableDefinition table;  ///< its options are those for the connector and the format
  TableTraits traits;
  std::string format;    ///< "json", "raw"; empty: the sink takes columns
  std::string delivery;  ///< "none"
  std::vector<OutputColumn> payload;
  std::optional<BoundExpr> key;
  std::optional<BoundExpr> headers;
  std::optional<BoundExpr> timestamp;
  std::optional<BoundExpr> topic;
  std::optional<BoundExpr> partition;
  std::vector<std::string> passed_on;  ///< of the envelope: taken from the source's record
};

/// The whole query.
struct ResolvedQuery {
  std::vector<Relation> relations;  ///< in the order written
  std::vector<Condition> conditions;
  std::vector<OutputColumn> outputs;
  std::optional<ResolvedSink> sink;

  /// The relation that a column number belongs to.
  [[nodiscard]] std::size_t relation_of(std::size_t column) const;
  [[nodiscard]] const RelationColumn& column(std::size_t column) const;
};

}  // namespace millrace::stream
