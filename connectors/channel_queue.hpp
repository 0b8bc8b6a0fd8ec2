#pragma once

#include "millrace/batch.hpp"
#include "millrace/strong.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::connectors {

/// Batches from one thread to another, in order, in a bounded ring of slots: no lock, no
/// allocation, no system call on either side. The newest batch stays open: rows are added to it in
/// place for as long as the taker has not come for it, so that single rows become batches under
/// load and travel alone otherwise.
///
///   slot   free --giver--> busy --giver--> open --taker--> taken --taker--> free
///                            ^-------------- giver adds ---|
///
/// One giver and one taker at a time; whoever has several of them brings a lock of its own.
class ChannelQueue {
 public:
  explicit ChannelQueue(std::size_t slots);

  // -- the giver ----------------------------------------------------------------------------------

  /// The open batch, when it has room for another row and the taker has not come for it: null, or
  /// to be given back with `publish`.
  [[nodiscard]] Batch* reopen();
  /// Whether a batch can be put.
  [[nodiscard]] bool has_room() const;
  /// Puts a batch into the next slot, which has room. It stays open for `reopen`.
  void put(Batch&& rows, Epoch epoch, SteadyTime since);
  /// Shows the taker what was added to the reopened batch.
  void publish();

  // -- the taker ----------------------------------------------------------------------------------

  /// One batch and what was put with it.
  struct Slot {
    Batch rows;
    Epoch epoch{};
    SteadyTime since{};  ///< when its first row came
  };
  /// The oldest batch, which is the taker's until `pop`; null when there is none, or when the giver
  /// is just adding to it.
  [[nodiscard]] Slot* front();
  /// Gives the front's slot free, its memory to its pool.
  void pop();

  /// Forgets everything. Neither giver nor taker may be at work.
  void clear();

 private:
  enum State : std::uint8_t { kFree, kBusy, kOpen, kTaken };
  struct alignas(64) Cell {
    std::atomic<std::uint8_t> state{kFree};
    Slot slot;
  };

  [[nodiscard]] Cell& cell(std::size_t number) { return cells_[number % cells_.size()]; }
  [[nodiscard]] const Cell& cell(std::size_t number) const {
    return cells_[number % cells_.size()];
  }

  std::vector<Cell> cells_;
  alignas(64) std::size_t put_ = 0;     ///< the giver's: batches put so far
  alignas(64) std::size_t popped_ = 0;  ///< the taker's: batches popped so far
};

}  // namespace millrace::connectors
