#pragma once

#include "actors/element.hpp"
#include "actors/waker.hpp"

#include <cstddef>
#include <memory>

namespace millrace::actors {

/// Row batches that may wait in a channel before its sender must pause.
inline constexpr std::size_t kChannelCapacity = 64;

/// The bounded, ordered, lock-free edge between two tasks: one sender, one receiver. Order per edge
/// is what barriers rest on, so each channel has exactly one producer token.
///
/// Back-pressure is asked for, not answered: a sender looks at `has_room` before it takes its next
/// input, and then `push` always succeeds. What one input turns into may pass the capacity by that
/// much; barriers and watermarks are few (two epochs at most are open) and always fit.
class Channel {
 public:
  explicit Channel(std::size_t capacity = kChannelCapacity);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Whom to wake: the receiver when something came, the sender when a full channel has room again.
  /// Both are borrows that outlive the channel; set before the first push.
  void connect(Waker* sender, Waker* receiver);

  // -- the sender's side, one thread at a time
  [[nodiscard]] bool has_room();
  void push(Element&& element);

  // -- the receiver's side, one thread at a time
  /// Takes the oldest element; false when there is none now.
  [[nodiscard]] bool pop(Element& element);

  /// Elements waiting, from any thread; only a moment's truth.
  [[nodiscard]] std::size_t size() const;

 private:
  struct Queue;
  std::unique_ptr<Queue> queue_;
};

}  // namespace millrace::actors
