#pragma once

#include "actors/channel.hpp"

#include <cstdint>
#include <vector>

namespace millrace::actors {

/// What a gate gives next.
enum class GateOutcome {
  kRows,     ///< element.rows, from `edge`
  kBarrier,  ///< every edge has shown the barrier of element.epoch
  kIdle,     ///< nothing can be taken now
};

/// The entrance of a task with several inputs: merges channels and aligns their barriers.
///
///   edge 0   r r B5 r r          B5 seen: edge 0 is held, not drained, until
///   edge 1   r r r r B5 r        edge 1 has shown B5 too; then kBarrier(5) once,
///                                and both are open again
///
/// A held edge fills up and its sender pauses: that is the back-pressure. Fair: edges are asked in
/// turn. Watermarks are merged to the minimum over the edges. Owned and called by its task's
/// thread.
class Gate {
 public:
  /// The channels are borrows, one per edge, in edge order; there is at least one.
  explicit Gate(std::vector<Channel*> edges);

  /// Takes the next element that may be taken. `edge` is set for kRows.
  [[nodiscard]] GateOutcome next(Element& element, std::size_t& edge);
  /// The minimum over all edges of the newest watermark; INT64_MIN until every edge has shown one.
  [[nodiscard]] EventTime watermark() const { return watermark_; }
  /// Edges that are held because they showed the barrier first.
  [[nodiscard]] std::size_t held() const { return held_count_; }

 private:
  void hold(std::size_t edge, const Element& barrier);
  void release();
  void merge_watermark(std::size_t edge, EventTime watermark);

  std::vector<Channel*> edges_;
  std::vector<bool> held_;
  std::vector<EventTime> watermarks_;
  std::size_t held_count_ = 0;
  std::size_t turn_ = 0;
  Epoch aligning_{};
  EventTime watermark_{INT64_MIN};
};

}  // namespace millrace::actors
