#pragma once

#include "millrace/channel.hpp"

#include "connectors/channel_queue.hpp"
#include "connectors/channel_sink.hpp"

#include <atomic>
#include <deque>
#include <memory>

namespace millrace {

/// One task's way to the receivers of a channel sink. Kept alive by whoever holds rows of it.
struct ChannelLane {
  ChannelLane(SchemaRef schema, std::size_t slots,
              std::shared_ptr<connectors::ChannelDelivery> shared)
      : pool(std::move(schema)), queue(slots), delivery(std::move(shared)) {}

  BatchPool pool;  ///< the task's; before the queue, which holds its batches
  connectors::ChannelQueue queue;
  std::atomic<bool> is_task_waiting{false};  ///< for room
  const std::shared_ptr<connectors::ChannelDelivery> delivery;
};

}  // namespace millrace
