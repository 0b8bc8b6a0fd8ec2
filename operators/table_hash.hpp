#pragma once

#include "operators/static_table.hpp"

#include <cstdint>

namespace millrace::operators {

/// A fingerprint of a table's rows, in their order, and of its columns: XXH3-64 of their text. The
/// same in every version of Millrace; checkpoints hold it.
[[nodiscard]] std::uint64_t hash_rows(const StaticTable& table);

}  // namespace millrace::operators
