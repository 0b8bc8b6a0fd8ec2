#include "stream/functions/call.hpp"

#include "millrace/batch.hpp"

#include <algorithm>

namespace millrace::stream {

void RowSet::clear_to(std::size_t rows) {
  rows_ = rows;
  words_.reserve(kBatchRowsMax / 64);
  words_.assign((rows + 63) / 64, 0);
}

void RowSet::fill_to(std::size_t rows) {
  rows_ = rows;
  words_.reserve(kBatchRowsMax / 64);
  words_.assign((rows + 63) / 64, ~std::uint64_t{0});
  if (rows % 64 != 0) words_.back() = (std::uint64_t{1} << (rows % 64)) - 1;
}

bool RowSet::is_empty() const {
  const auto all = words();
  return std::all_of(all.begin(), all.end(), [](std::uint64_t word) { return word == 0; });
}

}  // namespace millrace::stream
