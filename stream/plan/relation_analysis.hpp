#pragma once

#include "millrace/error.hpp"

#include "stream/plan/logical_plan.hpp"
#include "stream/plan/resolved_query.hpp"
#include "stream/plan/scope.hpp"

#include <string>

namespace millrace::stream {

/// Decides what columns a table gives when it is read: those declared, then the connector's record.
/// Refuses a table that cannot be read as it is described.
[[nodiscard]] Result<Relation> resolve_relation(TableDefinition table, TableTraits traits,
                                                Reading reading);

/// The names that a scan of the relation brings: declared columns, and the record's as hidden ones
/// (visible when nothing is declared).
[[nodiscard]] Scope scope_of(const Relation& relation, const std::string& qualifier);

}  // namespace millrace::stream
