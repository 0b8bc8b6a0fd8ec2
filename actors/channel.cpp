#include "actors/channel.hpp"

#include "millrace/assert.hpp"

#include <concurrentqueue/concurrentqueue.h>

#include <atomic>

namespace millrace::actors {

struct Channel::Queue {
  explicit Queue(std::size_t bound)
      : capacity(bound), elements(2 * bound + 64, 1, 0), producer(elements) {}

  const std::size_t capacity;
  moodycamel::ConcurrentQueue<Element> elements;
  moodycamel::ProducerToken producer;
  Waker* sender = nullptr;
  Waker* receiver = nullptr;
  alignas(64) std::atomic<std::size_t> count{0};
  std::atomic<bool> sender_waits{false};
};

Channel::Channel(std::size_t capacity) : queue_(std::make_unique<Queue>(capacity)) {
  MILLRACE_ASSERT(capacity > 0);
}

Channel::~Channel() = default;

void Channel::connect(Waker* sender, Waker* receiver) {
  queue_->sender = sender;
  queue_->receiver = receiver;
}

bool Channel::has_room() {
  if (queue_->count.load() < queue_->capacity) return true;
  // Say that we wait, then look again: the receiver may have made room in between.
  queue_->sender_waits.store(true);
  return queue_->count.load() < queue_->capacity;
}

void Channel::push(Element&& element) {
  // Counted before it can be seen, so that the receiver never takes the count below zero.
  queue_->count.fetch_add(1);
  const bool pushed = queue_->elements.enqueue(queue_->producer, std::move(element));
  MILLRACE_ASSERT(pushed);
  if (queue_->receiver != nullptr) queue_->receiver->wake();
}

bool Channel::pop(Element& element) {
  if (!queue_->elements.try_dequeue_from_producer(queue_->producer, element)) return false;
  const std::size_t before = queue_->count.fetch_sub(1);
  MILLRACE_ASSERT(before > 0);
  if (before <= queue_->capacity && queue_->sender_waits.load() &&
      queue_->sender_waits.exchange(false) && queue_->sender != nullptr)
    queue_->sender->wake();
  return true;
}

std::size_t Channel::size() const { return queue_->count.load(); }

}  // namespace millrace::actors
