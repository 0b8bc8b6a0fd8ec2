#pragma once

#include "millrace/batch.hpp"

namespace millrace::actors {

/// What travels in a channel: rows, a watermark, or the barrier that ends an epoch, in one order.
/// Move-only; a plain value.
struct Element {
  enum class Kind : std::uint8_t { kRows, kWatermark, kBarrier };

  Kind kind = Kind::kRows;
  Batch rows;             ///< kRows
  EventTime watermark{};  ///< kWatermark: no row below it follows
  Epoch epoch{};          ///< kBarrier: the epoch that ends here
  WallTime time{};        ///< kBarrier: the epoch's time

  static Element of_rows(Batch&& batch) {
    Element element;
    element.rows = std::move(batch);
    return element;
  }
  static Element of_watermark(EventTime time) {
    Element element;
    element.kind = Kind::kWatermark;
    element.watermark = time;
    return element;
  }
  static Element of_barrier(Epoch ended, WallTime at) {
    Element element;
    element.kind = Kind::kBarrier;
    element.epoch = ended;
    element.time = at;
    return element;
  }
};

}  // namespace millrace::actors
