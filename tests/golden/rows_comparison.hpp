#pragma once

#include "millrace/memory.hpp"

#include <string>
#include <vector>

namespace millrace::golden {

/// How rows that came out are held against those expected.
enum class RowOrder { kAny, kAsExpected };

/// Says the first difference; empty when there is none.
[[nodiscard]] std::string difference_of(const std::vector<Row>& expected,
                                        const std::vector<Row>& actual, RowOrder order);

}  // namespace millrace::golden
