#pragma once

#include "millrace/batch.hpp"

#include <cstddef>
#include <vector>

namespace millrace::operators {

/// Columns that an operator hands on unchanged: the first use of an input column moves it, any
/// further use copies it (values, not text).
class PassedColumns {
 public:
  /// Column `source` of the input goes on as column `target` of the output; the types are equal.
  void add(std::size_t target, std::size_t source);
  /// Fills the columns of `to`. Those that are moved are gone from `from`, so whatever else reads
  /// it comes first; `to` adopts `from` afterwards.
  void pass(Batch& from, Batch& to) const;

 private:
  struct Passed {
    std::size_t target;
    std::size_t source;
  };

  std::vector<Passed> moved_;
  std::vector<Passed> copied_;
};

}  // namespace millrace::operators
