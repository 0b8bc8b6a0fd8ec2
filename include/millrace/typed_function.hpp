#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"
#include "millrace/schema.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace millrace {

/// Where a typed step puts its rows. Lent for the length of one call.
class TypedOutput {
 public:
  /// An empty batch of the step's output columns, to be filled and sent.
  [[nodiscard]] virtual Batch& begin() = 0;
  /// Where text lies that was made for its rows.
  [[nodiscard]] virtual Arena& arena() = 0;
  /// Sends it on, one row for each row of the input, in order.
  [[nodiscard]] virtual Status send_mapped() = 0;
  /// Sends it on; row i was made from row `made_from[i]` of the input (empty: unknown). More may
  /// follow.
  [[nodiscard]] virtual Status send_part(std::span<const std::uint32_t> made_from) = 0;
  /// The same for the last batch made from this input.
  [[nodiscard]] virtual Status send_last(std::span<const std::uint32_t> made_from) = 0;
  /// Sends on these rows of the input, which ascend, and no others.
  [[nodiscard]] virtual Status keep(std::span<const std::uint32_t> rows) = 0;

 protected:
  ~TypedOutput() = default;
};

/// A user function at work in one task, on its thread: a copy of the function of its own.
class TypedStep {
 public:
  virtual ~TypedStep() = default;
  /// Runs over a whole batch whose columns are the function's inputs in order. What it throws
  /// becomes the query's error.
  [[nodiscard]] virtual Status run(const Batch& rows, TypedOutput& out) = 0;
};

/// A user function over described structs, as a query knows it. Immutable, shared by the frames
/// that use it. Made by TypedFrame.
class TypedFunction {
 public:
  virtual ~TypedFunction() = default;

  [[nodiscard]] virtual std::unique_ptr<TypedStep> make_step() const = 0;

  std::string verb;              ///< "map", for the plan
  std::string row_name;          ///< of the struct it takes, for messages
  std::vector<Field> inputs;     ///< the columns it takes, by name
  std::vector<Field> outputs;    ///< those it makes
  bool is_reproducible = false;  ///< whether the same rows always give the same rows
};

}  // namespace millrace
