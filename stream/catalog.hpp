#pragma once

#include "millrace/error.hpp"

#include "stream/table.hpp"

#include <string_view>

namespace millrace::stream {

/// What analysis asks about tables. The session implements it over its tables and the connectors.
/// A borrow for the time of one analysis.
class Catalog {
 public:
  virtual ~Catalog() = default;
  /// The table of that name; kNotFound names the nearest.
  [[nodiscard]] virtual Result<TableDefinition> table(std::string_view name) const = 0;
  /// What its connector is like; an unknown connector names the nearest.
  [[nodiscard]] virtual Result<TableTraits> traits(const TableDefinition& table) const = 0;
};

}  // namespace millrace::stream
