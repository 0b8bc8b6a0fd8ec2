#pragma once

#include "millrace/error.hpp"

#include "stream/plan/logical_plan.hpp"
#include "stream/table.hpp"

#include <string_view>

namespace millrace::stream {

/// What a query does with a table.
enum class TableRole { kSource, kSink };

/// What analysis asks about tables. The session implements it over its tables and the connectors.
/// A borrow for the time of one analysis.
class Catalog {
 public:
  virtual ~Catalog() = default;
  /// The table of that name; kNotFound names the nearest.
  [[nodiscard]] virtual Result<TableDefinition> table(std::string_view name) const = 0;
  /// The query behind a view of that name; null when there is none.
  [[nodiscard]] virtual LogicalPlan view(std::string_view name) const = 0;
  /// What its connector is like in that role; an unknown connector names the nearest. Options that
  /// cannot be right are refused here.
  [[nodiscard]] virtual Result<TableTraits> traits(const TableDefinition& table,
                                                   TableRole role) const = 0;
};

}  // namespace millrace::stream
