#include "connectors/channel_source.hpp"

#include "millrace/assert.hpp"

#include "connectors/channel_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::connectors {
namespace {

// Rows added before the reader may come for them: it shall not wait for the last of thousands.
constexpr std::size_t kRowsAtOnce = 128;
constexpr std::size_t kSlotsMin = 8;

std::size_t slots_for(std::size_t rows_max) {
  return std::max(kSlotsMin, (rows_max + kRowsAtOnce - 1) / kRowsAtOnce);
}

}  // namespace

ChannelStream::ChannelStream(std::string name, std::vector<Field> columns,
                             ChannelSourceOptions options)
    : name_(std::move(name)),
      columns_(std::move(columns)),
      options_(options),
      pool_(make_schema(columns_)),
      queue_(slots_for(options.rows_max)) {
  MILLRACE_ASSERT(options_.rows_max > 0);
}

Result<std::unique_ptr<stream::Source>> ChannelStream::open_source(const Clock& clock) {
  return make_channel_source(shared_from_this(), clock);
}

// -- the host's threads ---------------------------------------------------------------------------

Result<std::int64_t> ChannelStream::give_all(const ChannelFill& fill, std::size_t count) {
  std::unique_lock lock(mutex_);
  std::int64_t first = -1;
  for (std::size_t given = 0; given < count || first < 0;) {
    MILLRACE_TRY(check_attached());
    if (first < 0) first = next_;
    const std::size_t taken = append(fill, given, count - given);
    given += taken;
    if (given == count) break;
    // The reader must know of what it has before this thread sleeps.
    lock.unlock();
    wake_reader();
    lock.lock();
    senders_waiting_.fetch_add(1);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    room_made_.wait(lock, [this] { return clock_ == nullptr || room() > 0; });
    senders_waiting_.fetch_sub(1);
  }
  lock.unlock();
  wake_reader();
  return first;
}

Result<ChannelStream::Given> ChannelStream::give_some(const ChannelFill& fill, std::size_t count) {
  Given given;
  {
    const std::lock_guard lock(mutex_);
    MILLRACE_TRY(check_attached());
    given.first = next_;
    given.rows = append(fill, 0, count);
  }
  if (given.rows > 0) wake_reader();
  return given;
}

std::int64_t ChannelStream::next_sequence() const {
  const std::lock_guard lock(mutex_);
  return next_;
}

void ChannelStream::on_committed(std::function<void(std::int64_t)> callback) {
  const std::lock_guard lock(callback_mutex_);
  callback_ = std::move(callback);
}

std::size_t ChannelStream::rows_waiting() const {
  const std::lock_guard lock(mutex_);
  return rows_given_ - rows_taken_.load();
}

Status ChannelStream::check_attached() const {
  if (clock_ != nullptr) return {};
  return fail(ErrorCode::kUnavailable, fmt::format("no query reads channel {}", name_));
}

// Zero while the ring is full of batches, however few rows they have.
std::size_t ChannelStream::room() const {
  const std::size_t waiting = rows_given_ - rows_taken_.load(std::memory_order_acquire);
  return waiting < options_.rows_max && queue_.has_room() ? options_.rows_max - waiting : 0;
}

std::size_t ChannelStream::append(const ChannelFill& fill, std::size_t first, std::size_t count) {
  std::size_t given = 0;
  while (given < count) {
    const std::size_t room_now = room();
    if (room_now == 0) break;
    Batch fresh;
    Batch* rows = queue_.reopen();
    const bool is_open = rows != nullptr;
    if (!is_open) {
      fresh = pool_.take();
      rows = &fresh;
    }
    const std::size_t added =
        std::min({count - given, room_now, kRowsAtOnce, kBatchRowsMax - rows->rows()});
    fill.append(fill.rows, first + given, added, *rows);
    rows->set_rows(rows->rows() + added);
    MILLRACE_DEBUG_ASSERT(rows->column(0).size() == rows->rows());
    if (is_open) {
      queue_.publish();
    } else {
      queue_.put(std::move(fresh), Epoch(), clock_->steady());
    }
    given += added;
    rows_given_ += added;
    next_ += static_cast<std::int64_t>(added);
  }
  return given;
}

void ChannelStream::wake_reader() {
  // Pairs with the fence in front(): either the reader sees the rows, or this sees it waiting.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!is_reader_waiting_.load(std::memory_order_relaxed)) return;
  if (!is_reader_waiting_.exchange(false)) return;
  const std::lock_guard lock(wake_mutex_);
  if (wake_) wake_();
}

// -- the query ------------------------------------------------------------------------------------

Status ChannelStream::attach(const Clock& clock, std::int64_t position, std::int64_t known) {
  const std::lock_guard lock(mutex_);
  if (clock_ != nullptr) {
    return fail(ErrorCode::kConflict,
                fmt::format("channel {} is read by another query already", name_));
  }
  queue_.clear();
  rows_given_ = 0;
  rows_taken_.store(0);
  next_ = options_.is_resent ? position : known;
  committed_.store(position);
  clock_ = &clock;
  return {};
}

void ChannelStream::detach() {
  {
    const std::lock_guard lock(wake_mutex_);
    wake_ = nullptr;
  }
  {
    const std::lock_guard lock(mutex_);
    clock_ = nullptr;
  }
  room_made_.notify_all();
}

void ChannelStream::commit(std::int64_t up_to) {
  if (up_to <= committed_.load()) return;
  committed_.store(up_to);
  const std::lock_guard lock(callback_mutex_);
  if (callback_) callback_(up_to);
}

// -- the task that reads --------------------------------------------------------------------------

ChannelQueue::Slot* ChannelStream::front() {
  if (ChannelQueue::Slot* slot = queue_.front()) return slot;
  is_reader_waiting_.store(true, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  ChannelQueue::Slot* slot = queue_.front();
  if (slot != nullptr) is_reader_waiting_.store(false, std::memory_order_relaxed);
  return slot;
}

void ChannelStream::pop() {
  queue_.pop();
  wake_senders();
}

void ChannelStream::note_taken(std::size_t rows, SteadyTime since) {
  waiting_time_.record(clock_->steady().value - since.value, rows);
  rows_taken_.store(rows_taken_.load(std::memory_order_relaxed) + rows, std::memory_order_release);
}

void ChannelStream::wake_senders() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (senders_waiting_.load(std::memory_order_relaxed) == 0) return;
  { const std::lock_guard lock(mutex_); }  // a sender that has looked is asleep now
  room_made_.notify_all();
}

void ChannelStream::on_wake(std::function<void()> wake) {
  const std::lock_guard lock(wake_mutex_);
  wake_ = std::move(wake);
}

}  // namespace millrace::connectors
