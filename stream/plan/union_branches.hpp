#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/catalog.hpp"
#include "stream/plan/logical_plan.hpp"

#include <vector>

namespace millrace::stream {

/// Puts views' queries in their place and takes a plan with unions apart into plans without, whose
/// rows together are the plan's: what stands above a union is done in each branch. A plan without
/// unions and views comes back as it is. Columns of the sides go by place, take the left's names
/// and the narrowest type that holds both. kInvalidArgument when they are not as many, have no
/// common type, or a stream is united with a table.
[[nodiscard]] Result<std::vector<LogicalPlan>> expand_unions(const LogicalPlan& plan,
                                                             const Catalog& catalog,
                                                             const Dialect& dialect);

/// What a plan without a sink gives.
struct PlanShape {
  std::vector<Field> columns;
  bool has_stream = false;  ///< else it is a static table
};

/// Of a plan with unions and views in it or without: all branches of a union are alike.
[[nodiscard]] Result<PlanShape> shape_of(const LogicalPlan& plan, const Catalog& catalog,
                                         const Dialect& dialect);

}  // namespace millrace::stream
