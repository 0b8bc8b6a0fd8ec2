#include "connectors/channel_sink.hpp"

#include "millrace/assert.hpp"

#include "connectors/channel_lane.hpp"
#include "connectors/channel_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::connectors {

// -- ChannelDelivery ------------------------------------------------------------------------------

void ChannelDelivery::set_events(stream::SinkEvents events) {
  ledger_.on_flushed(events.on_flushed);
  events_ = std::move(events);
}

void ChannelDelivery::deliver(Epoch epoch, std::size_t rows, SteadyTime since) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  latency.record(clock_.steady().value - since.value, rows);
  delivered.fetch_add(static_cast<std::int64_t>(rows));
  ledger_.subtract(EpochLedger::slot_of(epoch), static_cast<std::int64_t>(rows));
}

void ChannelDelivery::make_room() {
  const std::lock_guard lock(mutex_);
  if (!is_closed_ && events_.on_room) events_.on_room();
}

void ChannelDelivery::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
}

// -- ChannelTarget --------------------------------------------------------------------------------

ChannelTarget::ChannelTarget(std::string name, ChannelSinkOptions options,
                             std::function<void(const Batch&)> callback)
    : name_(std::move(name)), options_(options), callback_(std::move(callback)) {
  MILLRACE_ASSERT(options_.batches_max > 0);
}

Result<std::unique_ptr<stream::Sink>> ChannelTarget::open_sink(const SchemaRef& /*schema*/,
                                                               const Clock& clock) {
  const std::lock_guard lock(mutex_);
  if (has_query_) {
    return fail(ErrorCode::kConflict,
                fmt::format("channel {} is written by another query already", name_));
  }
  has_query_ = true;
  had_query_ = true;
  return make_channel_sink(shared_from_this(), clock);
}

std::shared_ptr<ChannelLane> ChannelTarget::add_lane(SchemaRef schema,
                                                     std::shared_ptr<ChannelDelivery> delivery) {
  const std::lock_guard lock(mutex_);
  return lanes_.emplace_back(
      std::make_shared<ChannelLane>(std::move(schema), options_.batches_max, std::move(delivery)));
}

void ChannelTarget::end_query() {
  {
    const std::lock_guard lock(mutex_);
    lanes_.clear();
    has_query_ = false;
  }
  arrived_.notify_all();
}

std::optional<ReceivedRows> ChannelTarget::try_receive() {
  const std::lock_guard lock(mutex_);
  for (std::size_t tried = 0; tried < lanes_.size(); ++tried) {
    const std::shared_ptr<ChannelLane>& lane = lanes_[next_lane_++ % lanes_.size()];
    ChannelQueue::Slot* const slot = lane->queue.front();
    if (slot == nullptr) continue;
    ReceivedRows received(lane, std::move(slot->rows), slot->epoch, slot->since);
    lane->queue.pop();
    // Pairs with the fence of the writer: either it sees the room, or this sees it waiting.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (lane->is_task_waiting.load(std::memory_order_relaxed) &&
        lane->is_task_waiting.exchange(false))
      lane->delivery->make_room();
    return received;
  }
  return std::nullopt;
}

Result<std::optional<ReceivedRows>> ChannelTarget::receive(
    std::optional<std::chrono::steady_clock::time_point> limit) {
  while (true) {
    if (auto received = try_receive()) return received;
    std::unique_lock lock(mutex_);
    receivers_waiting_.fetch_add(1);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const auto may_go_on = [this] {
      return (had_query_ && !has_query_) || std::ranges::any_of(lanes_, [](const auto& lane) {
               return lane->queue.front() != nullptr;
             });
    };
    bool has_waited_long = false;
    if (limit) {
      has_waited_long = !arrived_.wait_until(lock, *limit, may_go_on);
    } else {
      arrived_.wait(lock, may_go_on);
    }
    receivers_waiting_.fetch_sub(1);
    if (has_waited_long) return std::nullopt;
    if (had_query_ && !has_query_) {
      return fail(ErrorCode::kCancelled,
                  fmt::format("the query that wrote to channel {} has ended", name_));
    }
  }
}

void ChannelTarget::announce() {
  // Pairs with the fence in receive().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (receivers_waiting_.load(std::memory_order_relaxed) == 0) return;
  { const std::lock_guard lock(mutex_); }  // a receiver that has looked is asleep now
  arrived_.notify_one();
}

}  // namespace millrace::connectors
