#pragma once

#include "millrace/error.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/catalog.hpp"
#include "stream/plan/physical_plan.hpp"

namespace millrace::stream {

/// Puts what lies below user functions into a plan that reads their rows: each chain whose source
/// is such a function becomes the chain of the real source, the function, and the rest.
/// kInvalidArgument names a field of the struct that the rows below do not have, or have in another
/// type.
[[nodiscard]] Result<PhysicalPlan> expand_typed(PhysicalPlan plan, const Catalog& catalog,
                                                const Dialect& dialect);

}  // namespace millrace::stream
