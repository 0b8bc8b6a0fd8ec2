#pragma once

#include "millrace/batch.hpp"

namespace millrace::operators {

/// Makes `target`, an empty batch of the same schema, a copy that shares nothing with `source`:
/// text goes into the target's own arena.
void copy_batch(const Batch& source, Batch& target);

}  // namespace millrace::operators
