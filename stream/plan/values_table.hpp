#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/logical_plan.hpp"
#include "stream/table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// The connector of a table whose rows are written in the query. Not for tables of users'.
inline constexpr std::string_view kInlineConnector = "inline";

/// Makes the static table of rows that are written in a query. Every value is computed here, once;
/// a column takes the narrowest type that holds all of its values. `names` are those of the first
/// columns; behind them come column3, column4, ... kInvalidArgument when rows differ in length, a
/// column's values have no common type or are all null, a value cannot be computed, needs columns,
/// or is made anew at every start (uuid).
[[nodiscard]] Result<TableDefinition> values_table(const ValuesNode& values,
                                                   std::vector<std::string> names,
                                                   const Dialect& dialect);

}  // namespace millrace::stream
