#include "session/listener_bus.hpp"

#include "millrace/assert.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace millrace::session {

void ListenerBus::add(std::shared_ptr<QueryListener> listener) {
  const std::lock_guard lock(mutex_);
  listeners_.push_back(std::move(listener));
  if (delivers_at_once_ || thread_.joinable() || is_stopping_) return;
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "mr-listeners");
}

void ListenerBus::remove(const std::shared_ptr<QueryListener>& listener) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(listeners_, listener);
  }
  // A call that is under way ends first, unless it is the one that asks.
  if (!is_own_thread()) const std::lock_guard wait(call_mutex_);
}

void ListenerBus::call(const Call& call) {
  std::vector<std::shared_ptr<QueryListener>> listeners;
  {
    const std::lock_guard lock(mutex_);
    listeners = listeners_;
  }
  for (const std::shared_ptr<QueryListener>& listener : listeners) call_one(*listener, call);
}

void ListenerBus::post(Call call, bool may_be_left_out) {
  if (delivers_at_once_) return this->call(call);
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_ || listeners_.empty()) return;
    if (may_be_left_out && waiting_.size() >= kWaitingMax) {
      ++left_out_;
      return;
    }
    waiting_.push_back(std::move(call));
  }
  posted_.notify_one();
}

void ListenerBus::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  posted_.notify_one();
  if (!thread_.joinable()) return;
  MILLRACE_ASSERT(!is_own_thread());  // a listener ends the session
  thread_.join();
}

void ListenerBus::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    posted_.wait(lock, [this] { return is_stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Call next = std::move(waiting_.front());
    waiting_.pop_front();
    const std::int64_t left_out = std::exchange(left_out_, 0);
    lock.unlock();
    if (left_out > 0 && log_)
      log_(LogLevel::kWarning,
           fmt::format("a query listener is too slow: {} calls were left out", left_out));
    {
      const std::lock_guard calling(call_mutex_);
      call(next);
    }
    lock.lock();
  }
}

void ListenerBus::call_one(QueryListener& listener, const Call& call) const {
  std::string reason;
  try {
    return call(listener);
  } catch (const std::exception& thrown) {
    reason = thrown.what();
  } catch (...) {
    reason = "something that is no std::exception";
  }
  if (log_) log_(LogLevel::kWarning, "a query listener threw: " + reason);
}

bool ListenerBus::is_own_thread() const {
  const std::lock_guard lock(mutex_);
  return thread_.get_id() == std::this_thread::get_id();
}

}  // namespace millrace::session
