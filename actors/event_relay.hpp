#pragma once

#include "actors/events.hpp"
#include "actors/waker.hpp"
#include "stream/sink.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace millrace::actors {

/// Stands between a query's sinks, whose clients call from threads of their own, and the runtime,
/// which comes later and goes earlier. What happens before `connect` (a client that dies while the
/// query starts) is kept for it; after `disconnect` calls are dropped, and none is under way any
/// more when that returns. Thread-safe. A few calls per epoch, none per record, so a mutex is good
/// enough.
class EventRelay {
 public:
  /// The callbacks for sink number `sink`; they share the relay, which lives as long as they do.
  [[nodiscard]] static stream::SinkEvents events_of(const std::shared_ptr<EventRelay>& relay,
                                                    std::size_t sink);

  /// `post` must neither block nor call back into the relay; the wakers are borrows until
  /// `disconnect`.
  void connect(PostEvent post, std::vector<Waker*> wakers);
  /// One more to wake when there is room, as long as it is connected.
  void add(Waker& waker);
  void disconnect();

 private:
  void post(CoordinatorEvent event);
  void wake_all();

  std::mutex mutex_;
  bool is_disconnected_ = false;
  std::vector<CoordinatorEvent> early_;  ///< before connect: a failure, at most a few
  PostEvent post_;
  std::vector<Waker*> wakers_;
};

}  // namespace millrace::actors
