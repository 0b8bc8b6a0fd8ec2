#pragma once

#include "millrace/log.hpp"
#include "millrace/session.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace millrace::session {

/// Brings what happens to a session's queries to its listeners, on a thread of its own, which is
/// there once there is a listener. One of a session; thread-safe.
class ListenerBus {
 public:
  /// One call to every listener.
  using Call = std::function<void(QueryListener&)>;

  /// Calls that wait for slow listeners, at most, apart from those that may not be left out.
  static constexpr std::size_t kWaitingMax = 10'000;

  explicit ListenerBus(LogFunction log) : log_(std::move(log)) {}
  ~ListenerBus() { stop(); }
  ListenerBus(const ListenerBus&) = delete;
  ListenerBus& operator=(const ListenerBus&) = delete;

  /// Makes every call on the thread that brings it, for who runs everything on one.
  void deliver_at_once() { delivers_at_once_ = true; }

  void add(std::shared_ptr<QueryListener> listener);
  void remove(const std::shared_ptr<QueryListener>& listener);
  /// Calls every listener now, on this thread.
  void call(const Call& call);
  /// The same on the bus's thread, behind what was posted before; never blocks. One that may be
  /// left out is, when so many wait.
  void post(Call call, bool may_be_left_out);
  /// Makes the calls that wait, and ends the thread; then posts are dropped. Idempotent.
  void stop();

 private:
  void run();
  void call_one(QueryListener& listener, const Call& call) const;
  [[nodiscard]] bool is_own_thread() const;

  const LogFunction log_;
  bool delivers_at_once_ = false;
  std::mutex call_mutex_;     ///< held while the bus's thread calls listeners
  mutable std::mutex mutex_;  ///< guards what follows
  std::condition_variable posted_;
  std::vector<std::shared_ptr<QueryListener>> listeners_;
  std::deque<Call> waiting_;
  std::int64_t left_out_ = 0;  ///< since that was said
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace millrace::session
