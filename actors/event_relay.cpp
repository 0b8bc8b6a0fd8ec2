#include "actors/event_relay.hpp"

namespace millrace::actors {

stream::SinkEvents EventRelay::events_of(const std::shared_ptr<EventRelay>& relay,
                                         std::size_t sink) {
  stream::SinkEvents events;
  events.on_flushed = [relay, sink](Epoch epoch) { relay->post(SinkFlushed{sink, epoch}); };
  events.on_failure = [relay](Error cause) { relay->post(QueryFailed{std::move(cause)}); };
  events.on_room = [relay] { relay->wake_all(); };
  return events;
}

void EventRelay::connect(PostEvent post, std::vector<Waker*> wakers) {
  const std::lock_guard lock(mutex_);
  post_ = std::move(post);
  wakers_ = std::move(wakers);
  for (CoordinatorEvent& event : early_) post_(std::move(event));
  early_.clear();
}

void EventRelay::add(Waker& waker) {
  const std::lock_guard lock(mutex_);
  if (!is_disconnected_) wakers_.push_back(&waker);
}

void EventRelay::disconnect() {
  const std::lock_guard lock(mutex_);
  is_disconnected_ = true;
  post_ = nullptr;
  wakers_.clear();
}

void EventRelay::post(CoordinatorEvent event) {
  const std::lock_guard lock(mutex_);
  if (post_)
    post_(std::move(event));
  else if (!is_disconnected_)
    early_.push_back(std::move(event));
}

void EventRelay::wake_all() {
  const std::lock_guard lock(mutex_);
  for (Waker* waker : wakers_) waker->wake();
}

}  // namespace millrace::actors
