#include "actors/gate_input.hpp"

#include "millrace/assert.hpp"

namespace millrace::actors {

GateInput::GateInput(std::vector<Channel*> edges, std::vector<Port> ports)
    : gate_(std::move(edges)), ports_(std::move(ports)) {}

Result<InputEvent::Kind> GateInput::next(InputEvent& event) {
  std::size_t edge = 0;
  switch (gate_.next(element_, edge)) {
    case GateOutcome::kRows:
      event.kind = InputEvent::Kind::kRows;
      event.port = ports_[edge];
      event.rows = std::move(element_.rows);
      break;
    case GateOutcome::kBarrier:
      event.kind = InputEvent::Kind::kBarrier;
      event.epoch = element_.epoch;
      event.time = element_.time;
      event.ranges.clear();
      break;
    case GateOutcome::kIdle:
      event.kind = InputEvent::Kind::kIdle;
      break;
  }
  return event.kind;
}

}  // namespace millrace::actors
