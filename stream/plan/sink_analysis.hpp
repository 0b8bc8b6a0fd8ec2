#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/resolved_query.hpp"
#include "stream/plan/scope.hpp"

namespace millrace::stream {

/// Decides what becomes of the query's outputs in a sink. For a sink whose records have more than a
/// value (Kafka):
///
///   topic or topic_column   where the record goes
///   key_column              string or bytes; not named: the source record's key is passed on
///   headers_column          array<struct<key: string, value: bytes>>; not named: the source's
///   timestamp_column        timestamp; not named: the source's
///   partition_column        int; not named: by key, as the client does
///   key = 'none', headers = 'none', timestamp = 'none'   pass nothing on
///   payload_columns         'a, b': what the value holds, in this order
///   value_column            format 'raw': the column that is the value; not named: the only one,
///                           or the one called value
///
/// The options name output columns of the query, or else the source record's own columns by their
/// names (partition_column = 'partition'). Without payload_columns the value holds every output
/// column but those of topic_column, partition_column and headers_column: they say where the record
/// goes and what it carries along, while a key or a time is part of what it says.
///
/// A sink with declared columns takes the query's by order; an output that has a name of its own
/// must have the declared one, types must be equal or safely cast.
[[nodiscard]] Result<ResolvedSink> resolve_sink(const ResolvedQuery& query, const Scope& scope,
                                                TableDefinition table, TableTraits traits,
                                                const Dialect& dialect);

}  // namespace millrace::stream
