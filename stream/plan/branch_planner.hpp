#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/optimizer.hpp"
#include "stream/plan/physical_plan.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace millrace::stream {

/// Rows at some point of a chain: the fields, and for each which column of the query it is.
struct RowLayout {
  /// A field that the query at hand does not read: the value before it is decoded, or what another
  /// one reads.
  static constexpr std::size_t kForeign = std::numeric_limits<std::size_t>::max();

  /// The undecoded value, which goes along to the sink as it is.
  static constexpr std::size_t kValue = kForeign - 1;

  std::vector<std::size_t> columns;
  std::vector<Field> fields;
};

/// Lays out what one query does with its stream's rows, from the decoded row down to the sink: its
/// conditions, its joins one by one, its outputs. The steps follow each other.
[[nodiscard]] Result<std::vector<OperatorSpec>> plan_branch(const OptimizedQuery& query,
                                                            RowLayout layout,
                                                            const Dialect& dialect);

}  // namespace millrace::stream
