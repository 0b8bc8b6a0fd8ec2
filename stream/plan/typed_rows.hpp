#pragma once

#include "millrace/typed_function.hpp"

#include "stream/host_table.hpp"
#include "stream/plan/logical_plan.hpp"
#include "stream/table.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// The rows that a user function makes of a plan, standing in a plan above it as a stream of their
/// own: what is above knows nothing of what is below. Planning puts the two together again
/// (typed_planning). Immutable.
class TypedRows final : public HostTable {
 public:
  TypedRows(LogicalPlan input, std::shared_ptr<const TypedFunction> function)
      : name_(function->verb), input_(std::move(input)), function_(std::move(function)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::string_view connector() const override { return "typed"; }
  [[nodiscard]] HostRole role() const override { return HostRole::kSource; }
  [[nodiscard]] const std::vector<Field>& columns() const override { return function_->outputs; }
  [[nodiscard]] const LogicalPlan& input() const { return input_; }
  [[nodiscard]] const std::shared_ptr<const TypedFunction>& function() const { return function_; }

 private:
  const std::string name_;
  const LogicalPlan input_;
  const std::shared_ptr<const TypedFunction> function_;
};

/// The traits of a table that stands for a user function's rows, or none for any other.
[[nodiscard]] std::optional<TableTraits> typed_traits(const TableDefinition& table);

}  // namespace millrace::stream
