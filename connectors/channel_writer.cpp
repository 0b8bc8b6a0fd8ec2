#include "connectors/channel_writer.hpp"

#include "connectors/channel_lane.hpp"
#include "operators/batch_copy.hpp"

#include <deque>
#include <exception>
#include <utility>

namespace millrace::connectors {
namespace {

/// Puts copies of what a task writes into its lane: a row's text may lie in a static table or the
/// query's own memory, which the program's threads may outlive.
class LaneWriter final : public stream::SinkWriter {
 public:
  LaneWriter(std::shared_ptr<ChannelTarget> target, std::shared_ptr<ChannelLane> lane,
             const Clock& clock)
      : target_(std::move(target)), lane_(std::move(lane)), clock_(clock) {}

  [[nodiscard]] bool is_ready() override {
    if (put_left_over()) return true;
    lane_->is_task_waiting.store(true, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return put_left_over();
  }

  Status write(const Batch& rows, Epoch epoch) override {
    MILLRACE_TRY(lane_->delivery->ledger().add(epoch, static_cast<std::int64_t>(rows.rows())));
    lane_->delivery->written.fetch_add(static_cast<std::int64_t>(rows.rows()));
    Batch copy = lane_->pool.take();
    operators::copy_batch(rows, copy);
    copy.set_origin(nullptr);  // the query's own
    if (left_over_.empty() && lane_->queue.has_room()) {
      lane_->queue.put(std::move(copy), epoch, clock_.steady());
      target_->announce();
    } else {
      left_over_.emplace_back(std::move(copy), epoch);
    }
    return {};
  }

 private:
  // One batch of input may become many: those that found no room go before any other.
  bool put_left_over() {
    for (; !left_over_.empty() && lane_->queue.has_room(); left_over_.pop_front()) {
      lane_->queue.put(std::move(left_over_.front().first), left_over_.front().second,
                       clock_.steady());
      target_->announce();
    }
    return left_over_.empty() && lane_->queue.has_room();
  }

  const std::shared_ptr<ChannelTarget> target_;
  const std::shared_ptr<ChannelLane> lane_;
  const Clock& clock_;
  std::deque<std::pair<Batch, Epoch>> left_over_;
};

/// Hands what a task writes to the program's callback: delivered when that returns.
class CallbackWriter final : public stream::SinkWriter {
 public:
  CallbackWriter(std::shared_ptr<ChannelTarget> target, std::shared_ptr<ChannelDelivery> delivery)
      : target_(std::move(target)), delivery_(std::move(delivery)) {}

  [[nodiscard]] bool is_ready() override { return true; }
  Status write(const Batch& rows, Epoch /*epoch*/) override {
    delivery_->written.fetch_add(static_cast<std::int64_t>(rows.rows()));
    try {
      target_->callback()(rows);
    } catch (const std::exception& exception) {
      return threw(exception.what());
    } catch (...) {
      return threw("something that is no std::exception");
    }
    delivery_->delivered.fetch_add(static_cast<std::int64_t>(rows.rows()));
    return {};
  }

 private:
  [[nodiscard]] Status threw(const std::string& what) const {
    return fail(ErrorCode::kBadRecord,
                "the callback of channel " + target_->name() + " threw: " + what);
  }

  const std::shared_ptr<ChannelTarget> target_;
  const std::shared_ptr<ChannelDelivery> delivery_;
};

class ChannelTargetSink final : public stream::Sink {
 public:
  ChannelTargetSink(std::shared_ptr<ChannelTarget> target, const Clock& clock)
      : target_(std::move(target)),
        clock_(clock),
        delivery_(std::make_shared<ChannelDelivery>(clock)) {}
  ~ChannelTargetSink() override { close(); }

  void set_events(stream::SinkEvents events) override { delivery_->set_events(std::move(events)); }
  Result<std::unique_ptr<stream::SinkWriter>> open_writer(SchemaRef schema) override {
    if (target_->callback()) return std::make_unique<CallbackWriter>(target_, delivery_);
    return std::make_unique<LaneWriter>(target_, target_->add_lane(std::move(schema), delivery_),
                                        clock_);
  }
  Status prime() override { return {}; }
  void seal(Epoch epoch) override { delivery_->ledger().seal(epoch); }
  [[nodiscard]] std::int64_t in_flight() const override {
    return delivery_->written.load() - delivery_->delivered.load();
  }
  [[nodiscard]] std::int64_t acknowledged() const override { return delivery_->delivered.load(); }
  [[nodiscard]] stream::LatencySnapshot acknowledge_latency() const override {
    return delivery_->latency.snapshot();
  }
  void close() override {
    if (std::exchange(is_closed_, true)) return;
    delivery_->close();
    target_->end_query();
  }

 private:
  const std::shared_ptr<ChannelTarget> target_;
  const Clock& clock_;
  const std::shared_ptr<ChannelDelivery> delivery_;
  bool is_closed_ = false;
};

}  // namespace

std::unique_ptr<stream::Sink> make_channel_sink(std::shared_ptr<ChannelTarget> target,
                                                const Clock& clock) {
  return std::make_unique<ChannelTargetSink>(std::move(target), clock);
}

}  // namespace millrace::connectors
