#pragma once

#include "actors/gate.hpp"
#include "actors/task_input.hpp"

#include <vector>

namespace millrace::actors {

/// A task's input behind channels: a gate, and for each of its edges the operator port it feeds.
class GateInput final : public TaskInput {
 public:
  /// `ports[i]` is where the rows of `edges[i]` go.
  GateInput(std::vector<Channel*> edges, std::vector<Port> ports);

  [[nodiscard]] Result<InputEvent::Kind> next(InputEvent& event) override;

 private:
  Gate gate_;
  std::vector<Port> ports_;
  Element element_;
};

}  // namespace millrace::actors
