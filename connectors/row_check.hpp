#pragma once

#include "millrace/memory.hpp"

#include <string>
#include <vector>

namespace millrace::connectors {

/// Refuses a row that does not fit the columns of a table called `name`: another number of values,
/// or a value of another type than its column (a null fits any), naming column and both types.
[[nodiscard]] Status check_row(const Row& row, const std::string& name,
                               const std::vector<Field>& fields);

}  // namespace millrace::connectors
