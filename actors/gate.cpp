#include "actors/gate.hpp"

#include "millrace/assert.hpp"

#include <algorithm>

namespace millrace::actors {

Gate::Gate(std::vector<Channel*> edges)
    : edges_(std::move(edges)),
      held_(edges_.size(), false),
      watermarks_(edges_.size(), EventTime(INT64_MIN)) {
  MILLRACE_ASSERT(!edges_.empty());
}

GateOutcome Gate::next(Element& element, std::size_t& edge) {
  for (std::size_t asked = 0; asked < edges_.size();) {
    const std::size_t current = turn_;
    turn_ = (turn_ + 1) % edges_.size();
    if (held_[current] || !edges_[current]->pop(element)) {
      ++asked;
      continue;
    }
    asked = 0;
    switch (element.kind) {
      case Element::Kind::kRows:
        edge = current;
        return GateOutcome::kRows;
      case Element::Kind::kWatermark:
        merge_watermark(current, element.watermark);
        break;
      case Element::Kind::kBarrier:
        hold(current, element);
        if (held_count_ < edges_.size()) break;
        release();
        return GateOutcome::kBarrier;
    }
  }
  return GateOutcome::kIdle;
}

void Gate::hold(std::size_t edge, const Element& barrier) {
  // The first edge to show a barrier says which epoch is being aligned; the others must agree, or
  // an edge has lost or doubled a barrier and no epoch means anything any more.
  if (held_count_ == 0) aligning_ = barrier.epoch;
  MILLRACE_ASSERT(barrier.epoch == aligning_);
  held_[edge] = true;
  ++held_count_;
}

void Gate::release() {
  std::fill(held_.begin(), held_.end(), false);
  held_count_ = 0;
}

void Gate::merge_watermark(std::size_t edge, EventTime watermark) {
  watermarks_[edge] = std::max(watermarks_[edge], watermark);
  watermark_ = *std::min_element(watermarks_.begin(), watermarks_.end());
}

}  // namespace millrace::actors
