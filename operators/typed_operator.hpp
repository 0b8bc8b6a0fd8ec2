#pragma once

#include "millrace/typed_function.hpp"

#include "operators/operator.hpp"
#include "stream/plan/physical_plan.hpp"

#include <memory>
#include <vector>

namespace millrace::operators {

/// Runs a user function over described structs, a batch at a time. What it throws fails the query:
/// no exception leaves this room.
class TypedOperator final : public Operator, private TypedOutput {
 public:
  explicit TypedOperator(const stream::TypedSpec& spec);

  [[nodiscard]] Status on_batch(Port port, Batch&& rows, Emitter& out) override;

 private:
  [[nodiscard]] Batch& begin() override;
  [[nodiscard]] Arena& arena() override { return input_->arena(); }
  [[nodiscard]] Status send_mapped() override;
  [[nodiscard]] Status send_part(std::span<const std::uint32_t> made_from) override;
  [[nodiscard]] Status send_last(std::span<const std::uint32_t> made_from) override;
  [[nodiscard]] Status keep(std::span<const std::uint32_t> rows) override;

  void set_positions(std::span<const std::uint32_t> made_from);
  [[nodiscard]] Status threw(const char* what) const;

  const std::shared_ptr<const TypedFunction> function_;
  std::unique_ptr<TypedStep> step_;
  BatchPool pool_;
  Batch result_;
  Batch* input_ = nullptr;  ///< of the call at hand
  Emitter* out_ = nullptr;
  std::vector<std::int64_t> positions_;
};

}  // namespace millrace::operators
