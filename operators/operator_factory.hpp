#pragma once

#include "operators/chain_context.hpp"
#include "operators/operator.hpp"
#include "stream/plan/physical_plan.hpp"

#include <functional>
#include <memory>

namespace millrace::operators {

/// How a chain gets its operators.
using MakeOperator = std::function<Result<std::unique_ptr<Operator>>(const stream::OperatorSpec&,
                                                                     const ChainContext&)>;

/// Makes the operator that a plan's step describes.
[[nodiscard]] Result<std::unique_ptr<Operator>> make_operator(const stream::OperatorSpec& spec,
                                                              const ChainContext& context);

}  // namespace millrace::operators
