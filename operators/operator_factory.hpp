#pragma once

#include "operators/chain_context.hpp"
#include "operators/operator.hpp"
#include "stream/physical_plan.hpp"

#include <memory>

namespace millrace::operators {

/// Makes the operator that a plan's step describes.
[[nodiscard]] Result<std::unique_ptr<Operator>> make_operator(const stream::OperatorSpec& spec,
                                                              const ChainContext& context);

}  // namespace millrace::operators
