#include "connectors/kafka_reader.hpp"

#include "connectors/kafka_client.hpp"
#include "connectors/kafka_offsets.hpp"
#include "connectors/kafka_record_position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

// How a poll and the client's thread meet, so that no wake-up is lost and few are idle:
//
//   poll:    look at the queue; empty -> arm -> look again; still empty -> kIdle
//   client:  queue goes from empty to filled -> was armed? -> wake, once
//
// The second look comes after arming, so a message that arrived in between is either seen by it or
// wakes the task.

namespace millrace::connectors {
namespace {

using stream::PollOutcome;

// A full queue stops the fetcher; it is told of room each time so many bytes were taken, or so many
// records while there are more. Well below what the queue holds (queued.*), so that it never runs
// dry meanwhile.
constexpr std::size_t kNudgeBytes = 1 << 20;
constexpr std::size_t kNudgeRows = 4096;

// In microseconds, a time still fits into 64 bits; its distance from now, in nanoseconds.
constexpr std::int64_t kTimeMsMax = std::numeric_limits<std::int64_t>::max() / 1000;
constexpr std::int64_t kLatencyTimeMsMax = 4'000'000'000'000;  // until the year 2096

// Errors that the client gets over by itself.
bool is_passing(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__WAIT_COORD:
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_BROKER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
    case RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION:
    case RD_KAFKA_RESP_ERR_KAFKA_STORAGE_ERROR:
    case RD_KAFKA_RESP_ERR_FENCED_LEADER_EPOCH:
    case RD_KAFKA_RESP_ERR_UNKNOWN_LEADER_EPOCH:
    case RD_KAFKA_RESP_ERR_OFFSET_NOT_AVAILABLE:
      return true;
    default:
      return false;
  }
}

bool is_missing_topic(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC ||
         error == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION ||
         error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
}

}  // namespace

KafkaReader::KafkaReader(KafkaReaderSpec spec)
    : spec_(std::move(spec)),
      columns_(spec_.columns),
      reads_time_(std::ranges::find(spec_.columns, KafkaColumn::kTimestamp) != spec_.columns.end()),
      position_(spec_.position) {}

KafkaReader::~KafkaReader() {
  if (queue_ == nullptr) return;
  // Disabling waits for a callback that runs, so none comes after it.
  rd_kafka_queue_cb_event_enable(queue_, nullptr, nullptr);
  while (first_ < end_) drop_first();
  if (is_started_) rd_kafka_consume_stop(spec_.topic, spec_.partition);
  rd_kafka_queue_destroy(queue_);
}

Status KafkaReader::start() {
  queue_ = rd_kafka_queue_new(spec_.client->handle());
  rd_kafka_queue_cb_event_enable(
      queue_,
      [](rd_kafka_t*, void* reader) { static_cast<KafkaReader*>(reader)->on_queue_event(); }, this);
  return begin_at(position_);
}

Status KafkaReader::begin_at(std::int64_t position) {
  const std::int64_t offset = awaits_topic_ ? RD_KAFKA_OFFSET_BEGINNING : position;
  if (rd_kafka_consume_start_queue(spec_.topic, spec_.partition, offset, queue_) != 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} cannot be read from {}: {}", spec_.origin->label, position,
                            rd_kafka_err2str(rd_kafka_last_error())));
  }
  is_started_ = true;
  position_ = position;
  spec_.reached->store(position, std::memory_order_relaxed);
  return {};
}

void KafkaReader::on_wake(std::function<void()> wake) { wake_ = std::move(wake); }

// On the client's thread, under the queue's lock, when the queue stops being empty.
void KafkaReader::on_queue_event() {
  spec_.has_fetched->store(true, std::memory_order_release);
  if (is_armed_.load() && is_armed_.exchange(false)) wake_();
}

Result<PollOutcome> KafkaReader::poll(Batch& out, std::size_t rows_max, std::int64_t limit) {
  while (true) {
    // Markers and aborted records leave gaps, so a limit can lie where no record is.
    position_ = std::max(position_, std::min(end_seen_, limit));
    if (position_ >= limit) return PollOutcome::kLimit;
    if (first_ == end_ && !refill_or_arm()) {
      const auto error = std::exchange(queue_error_, RD_KAFKA_RESP_ERR_NO_ERROR);
      MILLRACE_TRY(check(error, rd_kafka_err2str(error)));
      return std::exchange(has_restarted_, false) ? PollOutcome::kRestarted : PollOutcome::kIdle;
    }
    MILLRACE_ASSIGN(const bool has_record, skip_events());
    if (std::exchange(has_restarted_, false)) return PollOutcome::kRestarted;
    if (!has_record) continue;
    if (held().front()->offset >= limit) {
      position_ = limit;
      return PollOutcome::kLimit;
    }
    auto count = select(rows_max, limit);
    if (spec_.drops_replays) count = drop_replays(count);
    if (count == 0) continue;
    MILLRACE_TRY(note_times(held().first(count)));
    give(count, out);
    return PollOutcome::kRows;
  }
}

// Looks at what has arrived as a poll would, and keeps it: records that are held, and word of where
// the partition ends, are taken out of the queue, so that the next arrival is a wake.
Result<bool> KafkaReader::has_rows() {
  while (!has_restarted_) {
    if (first_ == end_ && !refill_or_arm()) {
      const auto error = std::exchange(queue_error_, RD_KAFKA_RESP_ERR_NO_ERROR);
      MILLRACE_TRY(check(error, rd_kafka_err2str(error)));
      return has_restarted_;
    }
    MILLRACE_ASSIGN(const bool has_record, skip_events());
    if (has_record) return true;
  }
  return true;  // another history: whoever plans must learn of it
}

Status KafkaReader::begin_history(std::int64_t position) {
  while (first_ < end_) drop_first();
  MILLRACE_TRY(leave_history(position, "another history of it begins"));
  has_restarted_ = false;
  return {};
}

// Takes what the queue holds, at most one batch. True when there was something.
bool KafkaReader::refill() {
  const auto count = rd_kafka_consume_batch_queue(queue_, 0, held_.data(), held_.size());
  first_ = 0;
  end_ = count > 0 ? static_cast<std::size_t>(count) : 0;
  expects_more_ = end_ == held_.size();
  const auto error = KafkaClient::take_queue_error();
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) [[unlikely]]
    queue_error_ = error;
  return end_ > 0;
}

bool KafkaReader::refill_or_arm() {
  // After a look that reached the end of the queue the next one most likely finds nothing.
  if (expects_more_ && refill()) return true;
  is_armed_.store(true);
  if (!refill()) {
    expects_more_ = true;  // what comes next is a wake
    return false;
  }
  is_armed_.store(false);
  return true;
}

void KafkaReader::drop_first() { rd_kafka_message_destroy(held_[first_++]); }

// Handles what is not a record, and records below the position. True when a record comes first.
Result<bool> KafkaReader::skip_events() {
  while (first_ < end_) {
    const auto& message = *held_[first_];
    const bool is_event = message.err != RD_KAFKA_RESP_ERR_NO_ERROR;
    if (!is_event && message.offset >= position_) return true;
    if (is_event) MILLRACE_TRY(read_event(message));
    drop_first();
    // What was taken together with the end of a history is none of the next one's.
    while (has_restarted_ && first_ < end_) drop_first();
  }
  return false;
}

Status KafkaReader::read_event(const rd_kafka_message_t& event) {
  if (event.err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
    if (is_settled_loss(event)) return {};
    if (event.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) lost_position_ = event.offset;
    return check(event.err, rd_kafka_message_errstr(&event));
  }
  end_seen_ = std::max(end_seen_, event.offset);
  return {};
}

// The client may say several times that a position is lost: of what was asked for before the reader
// went on elsewhere, it speaks on.
bool KafkaReader::is_settled_loss(const rd_kafka_message_t& event) const {
  return event.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET && event.offset == lost_position_ &&
         event.offset != position_;
}

Status KafkaReader::check(rd_kafka_resp_err_t error, std::string_view reason) {
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR || is_passing(error)) return {};
  const auto& label = spec_.origin->label;
  if (error == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET) return on_lost_position();
  if (is_missing_topic(error)) return on_gone_topic();
  return fail(ErrorCode::kIo,
              fmt::format("{} cannot be read at offset {}: {}", label, position_, reason));
}

// How many of the held records make the next batch.
std::size_t KafkaReader::select(std::size_t rows_max, std::int64_t limit) const {
  const auto messages = held();
  const auto end = std::min(rows_max, messages.size());
  std::size_t count = 0;
  std::size_t bytes = 0;
  while (count < end) {
    const auto& message = *messages[count];
    if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR || message.offset >= limit) break;
    bytes += byte_count(message);
    if (count > 0 && bytes > kBatchBytesMax) break;
    ++count;
  }
  return count;
}

Status KafkaReader::recall(std::string_view memo) {
  if (!spec_.drops_replays) return {};  // it did when that was written
  auto filter = formats::PositionFilter::parse(memo);
  if (!filter) {
    return fail(
        filter.error().code,
        fmt::format("{}: the checkpoint's numbers by which replays are dropped are damaged: {}",
                    spec_.origin->label, filter.error().message));
  }
  filter_ = *std::move(filter);
  return {};
}

// Of the next `count` records those that were there before go, and the others move up to what comes
// behind them. Gives how many are left. The reader has passed all of them: the position, and with
// it the end of an epoch, may lie behind a replay.
std::size_t KafkaReader::drop_replays(std::size_t count) {
  const std::size_t end = first_ + count;
  const std::int64_t passed = held_[end - 1]->offset + 1;
  const std::int64_t forgotten = filter_.forgotten();
  std::size_t kept = end;
  std::size_t bytes = 0;
  std::array<bool, kBatchRowsMax> is_replay{};
  for (std::size_t i = first_; i < end; ++i) {
    const auto position = record_position_of(*held_[i]);
    is_replay[i] = position && filter_.is_replay(*position);
    if (is_replay[i]) tell_of_replay(held_[i]->offset);
  }
  for (std::size_t i = end; i-- > first_;) {
    if (!is_replay[i]) {
      held_[--kept] = held_[i];
      continue;
    }
    bytes += byte_count(*held_[i]);
    rd_kafka_message_destroy(held_[i]);
  }
  const std::size_t dropped = kept - first_;
  first_ = kept;
  if (kept == end) {
    position_ = std::max(position_, passed);
    spec_.reached->store(position_, std::memory_order_relaxed);
  } else {
    passed_ = passed;
  }
  if (dropped > 0) note_drained(dropped, bytes);
  if (filter_.forgotten() > forgotten && forgotten == 0 && spec_.log)
    spec_.log(
        LogLevel::kWarning,
        fmt::format("{}: records of more than {} sources of writers come here: replays of those "
                    "longest not seen are no longer dropped",
                    spec_.origin->label, formats::PositionFilter::kSourcesMax));
  return end - kept;
}

void KafkaReader::tell_of_replay(std::int64_t offset) {
  if (std::exchange(has_told_of_replays_, true) || !spec_.log) return;
  spec_.log(
      LogLevel::kInfo,
      fmt::format("{}, offset {}: a record that was there before, and is dropped; so are those "
                  "that follow, without a word (drop_replays)",
                  spec_.origin->label, offset));
}

void KafkaReader::give(std::size_t count, Batch& out) {
  const auto messages = held().first(count);
  columns_.fill(messages, out);
  out.set_origin(spec_.origin);
  out.set_ingest(spec_.clock->steady());
  position_ = std::max(messages.back()->offset + 1, std::exchange(passed_, 0));
  awaits_topic_ = false;
  spec_.reached->store(position_, std::memory_order_relaxed);
  std::size_t bytes = 0;
  for (const auto* message : messages) bytes += byte_count(*message);
  for (std::size_t i = 0; i < count; ++i) drop_first();
  note_drained(count, bytes);
}

// Record time is in ms, so is this; one look at the clock per batch. A producer may have written
// anything for a time (microseconds, say): such a one tells no latency, and what no timestamp of
// ours can hold is a bad record where the time is read.
Status KafkaReader::note_times(Messages messages) {
  const std::int64_t now_us = spec_.clock->wall().value;
  for (const auto* message : messages) {
    rd_kafka_timestamp_type_t type{};
    const auto ms = rd_kafka_message_timestamp(message, &type);
    if (type == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE) continue;
    if (ms < kLatencyTimeMsMax && ms > -kLatencyTimeMsMax) [[likely]] {
      spec_.fetch_latency->record((now_us - ms * 1000) * 1000);
    } else if (reads_time_ && (ms > kTimeMsMax || ms < -kTimeMsMax)) {
      return fail(
          ErrorCode::kBadRecord,
          fmt::format("{}, offset {}: the record's timestamp, {} ms, is more than a timestamp can "
                      "hold (did its producer write nanoseconds?)",
                      spec_.origin->label, message->offset, ms));
    }
  }
  return {};
}

void KafkaReader::note_drained(std::size_t rows, std::size_t bytes) {
  drained_rows_ = expects_more_ ? drained_rows_ + rows : 0;
  drained_bytes_ += bytes;
  if (drained_bytes_ < kNudgeBytes && drained_rows_ < kNudgeRows) return;
  drained_rows_ = 0;
  drained_bytes_ = 0;
  spec_.client->nudge_fetchers();
}

std::optional<KafkaRange> KafkaReader::ask_range() const {
  constexpr int kAskMsMax = 2000;
  KafkaRange range;
  const auto error =
      rd_kafka_query_watermark_offsets(spec_.client->handle(), spec_.topic_name.c_str(),
                                       spec_.partition, &range.first, &range.end, kAskMsMax);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return std::nullopt;
  return range;
}

// Deleted, and perhaps there again by now: another topic of that name, whatever it holds. The
// client says so each time it looks for the topic in vain.
Status KafkaReader::on_gone_topic() {
  if (awaits_topic_) return {};
  const auto& label = spec_.origin->label;
  const auto range = ask_range();
  if (spec_.skips_lost) {
    awaits_topic_ = true;
    return leave_history(range ? range->first : 0,
                         range ? "the topic was created anew; goes on at its beginning"
                               : "the topic was deleted; goes on at the beginning of the next one "
                                 "of that name");
  }
  if (range && !range->takes(position_)) return fail(lost_records(label, position_, *range));
  return fail(ErrorCode::kDataLoss,
              fmt::format("{} {}; records from offset {} on are lost", label,
                          range ? "was created anew" : "no longer exists", position_));
}

// Cold, so it may ask the broker what is left: the query dies of it, or a line is said.
Status KafkaReader::on_lost_position() {
  const auto& label = spec_.origin->label;
  const auto range = ask_range();
  if (!range) {
    // Between one topic and the next of that name nobody can tell; the client will report it again.
    if (spec_.skips_lost) return begin_again_at(position_);
    return fail(ErrorCode::kDataLoss,
                fmt::format("{}: offset {} is no longer there", label, position_));
  }
  if (!spec_.skips_lost) return fail(lost_records(label, position_, *range));
  // The broker has not got the position, so when it is not below the first record, it was above the
  // last one, even if records have come since.
  if (position_ >= range->first) {
    return leave_history(range->first,
                         fmt::format("the partition ends at {} (was its topic created anew?); goes "
                                     "on at its beginning, {}",
                                     range->end, range->first));
  }
  if (spec_.log) {
    spec_.log(
        LogLevel::kWarning,
        fmt::format("{}: {} records are lost, of offsets {} to {} (retention?); goes on from "
                    "{}",
                    label, range->first - position_, position_, range->first - 1, range->first));
  }
  return begin_again_at(range->first);
}

Status KafkaReader::begin_again_at(std::int64_t position) {
  rd_kafka_consume_stop(spec_.topic, spec_.partition);
  is_started_ = false;
  return begin_at(position);
}

Status KafkaReader::leave_history(std::int64_t position, std::string_view words) {
  if (spec_.log) {
    spec_.log(LogLevel::kWarning, fmt::format("{}: what it held from offset {} on is lost: {}",
                                              spec_.origin->label, position_, words));
  }
  end_seen_ = 0;
  has_restarted_ = position < position_;
  return begin_again_at(position);
}

}  // namespace millrace::connectors
