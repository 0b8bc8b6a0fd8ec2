#pragma once

#include "stream/bad_record_policy.hpp"
#include "stream/bound_expression.hpp"
#include "stream/table.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// A query after analysis, in one flat form that every tree of scans, filters, projections, joins
// and explodes can be brought to: the relations it reads, the conditions that a combination of
// their rows must meet, and expressions over those rows. An outer, semi or anti join belongs to the
// one relation on its far side, with the conditions that decide what matches; what is exploded is a
// relation that each row brings along. A union is several such queries
// (stream/plan/union_branches.hpp). Projections are gone (their expressions stand where their
// columns were used), so that pushing filters below joins and projections, and not building what
// nobody reads, need no rewriting rules. That is sound because a registered function is a pure
// function of its arguments, but for those that draw (rand, uuid): what they give is made a
// relation's column where somebody reads it (stream/plan/drawn_values.hpp), and a condition that
// draws is tested where it stands.
//
// Column numbers in a ResolvedQuery count through all relations: relation.first_column + index.

namespace millrace::stream {

/// One column of a relation: in the value (declared), or of the connector's record.
struct RelationColumn {
  Field field;
  bool is_record = false;
  /// Of a static table, over its columns before, counted from 0: made when the table is read.
  std::optional<BoundExpr> computed = {};
};

/// One conjunct of all the WHEREs and ONs. An equality shows its sides: a join may use them as
/// keys.
struct Condition {
  /// The sides before any implicit cast.
  struct Equality {
    BoundExpr left;
    BoundExpr right;
    bool is_null_safe = false;  ///< `<=>`: two nulls are equal
  };

  BoundExpr predicate;
  std::optional<Equality> equality;
  std::int32_t position = -1;
  std::size_t behind = 0;  ///< tested when the relations before this one are there
};

/// How a relation comes to the rows before it.
enum class MatchKind { kInner, kLeft, kSemi, kAnti };

/// What is exploded: the rows of the relation are a list's elements.
struct ExplodedList {
  BoundExpr list;             ///< over relations before; an array or a map
  bool keeps_empty = false;   ///< a row without elements stays, beside nulls
  bool has_position = false;  ///< the first column is the element's place, from 0
};

/// A table that the query reads, or a list that each row brings along.
struct Relation {
  TableDefinition table;
  TableTraits traits;
  std::vector<RelationColumn> columns;
  std::size_t first_column = 0;
  std::string format;       ///< of the record's `value`; empty: the connector gives columns
  bool is_decoded = false;  ///< declared columns are decoded from `value`
  BadRecordPolicy bad_records;
  std::optional<TableDefinition> dead_letters;  ///< the table that they are written to
  std::optional<ExplodedList> exploded;
  MatchKind kind = MatchKind::kInner;
  std::vector<Condition> on;     ///< of a join that is not inner: what decides what matches
  std::set<std::size_t> behind;  ///< relations that must come before: an inner join needs none
  std::int32_t position = -1;    ///< byte in the SQL text
};

/// A column that leaves the query.
struct OutputColumn {
  std::string name;  ///< empty: an expression that nobody named
  BoundExpr expression;
  std::int32_t position = -1;
};

/// Their names and types.
[[nodiscard]] std::vector<Field> columns_of(const std::vector<OutputColumn>& outputs);

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

  /// Adds a relation behind the others and numbers its columns.
  void add(Relation relation);
  /// The relation that a column number belongs to.
  [[nodiscard]] std::size_t relation_of(std::size_t column) const;
  [[nodiscard]] const RelationColumn& column(std::size_t column) const;
  /// Else it reads static tables alone.
  [[nodiscard]] bool has_stream() const;
};

}  // namespace millrace::stream
