#include "connectors/kafka_producer.hpp"

#include "connectors/kafka_offsets.hpp"
#include "connectors/kafka_topic_limit.hpp"
#include "connectors/kafka_topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

// The end of a record, on a thread of the client:
//
//   response to a produce request (or the client gives the record up)
//     -> on_acknowledgement(record)           no lock of ours, no allocation
//          ledger: the epoch's own count - 1  -> perhaps on_flushed(epoch)
//          in flight - 1                      -> perhaps on_room()
//
// The client calls it exactly once for each record that produce() has accepted, whatever becomes of
// it; and, on the calling thread, for a record refused because its partition does not exist.

namespace millrace::connectors {
namespace {

// The word that goes with a record: the time of hand-over, how it was produced, its epoch's slot.
constexpr int kSlotBits = 4;
constexpr std::int64_t kWithCare = 1 << kSlotBits;
constexpr std::int64_t kAlone = 1 << (kSlotBits + 1);
constexpr int kTimeShift = kSlotBits + 2;
static_assert(EpochLedger::kSlots <= 1 << kSlotBits);

// What this thread's produce() is at: a record refused on the way in may come through the
// interceptor, and is then told of by produce(), which knows more of it.
struct HandOver {
  bool is_under_way = false;
  bool is_given_back = false;
};
thread_local HandOver hand_over;

std::string shown_key(const rd_kafka_message_t& message) {
  constexpr std::size_t kShownMax = 40;
  if (message.key == nullptr) return "no key";
  const std::string_view key(static_cast<const char*>(message.key), message.key_len);
  const bool is_plain = std::ranges::all_of(key, [](char c) { return c >= 0x20 && c != 0x7f; }) &&
                        key.size() <= kShownMax;
  return is_plain ? fmt::format("key {}", key) : fmt::format("a key of {} bytes", key.size());
}

constexpr std::int64_t kDefaultBatchBytes = 1'000'000;

std::int64_t number_of(const KafkaSettings& settings, std::string_view name,
                       std::int64_t fallback) {
  const std::string text = setting_of(settings, name);
  return text.empty() ? fallback : std::atoll(text.c_str());
}

bool compression_in(const KafkaSettings& settings) {
  for (const char* name : {"compression.codec", "compression.type"}) {
    const std::string codec = setting_of(settings, name);
    if (!codec.empty() && codec != "none") return true;
  }
  return false;
}

Error failure_of(const rd_kafka_message_t& message) {
  const bool is_missing = message.err == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC ||
                          message.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART;
  // The broker refuses all that came in one request, and does not say which it means.
  const char* hint =
      message.err == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE
          ? ", it or one sent with it. Either max.message.bytes of the topic was lowered a moment "
            "ago: then the next start runs the epoch again, and a record that is too large goes as "
            "on_bad_record says. Or the brokers do not tell us that limit: then set "
            "kafka.batch.size to it"
          : "";
  return {is_missing ? ErrorCode::kNotFound : ErrorCode::kIo,
          fmt::format("topic {}, partition {}: a record ({}, value of {} bytes) cannot be written: "
                      "{}{}",
                      rd_kafka_topic_name(message.rkt), message.partition, shown_key(message),
                      message.len, rd_kafka_err2str(message.err), hint)};
}

Error doubt_of(const rd_kafka_message_t& message) {
  return {ErrorCode::kIo,
          fmt::format("topic {}, partition {}: the first records written there may be lost: the "
                      "broker took later ones before them, or its answer was lost; the open epoch "
                      "runs again at the next start",
                      rd_kafka_topic_name(message.rkt), message.partition)};
}

}  // namespace

void* KafkaProducer::pack(SteadyTime now, EpochLedger::Slot slot) {
  return reinterpret_cast<void*>((now.value << kTimeShift) | slot);
}

void* KafkaProducer::with_care(void* word, Care care) {
  const auto flags = kWithCare | (care == Care::kAlone ? kAlone : 0);
  return reinterpret_cast<void*>(reinterpret_cast<std::int64_t>(word) | flags);
}

Result<std::unique_ptr<KafkaProducer>> KafkaProducer::create(const std::string& sink,
                                                             KafkaSettings settings,
                                                             const ConnectorContext& context) {
  std::unique_ptr<KafkaProducer> producer(new KafkaProducer(sink, std::move(settings), context));
  MILLRACE_TRY(producer->open_client());
  return producer;
}

KafkaProducer::KafkaProducer(const std::string& sink, KafkaSettings settings,
                             const ConnectorContext& context)
    : owner_("sink " + sink),
      settings_(std::move(settings)),
      context_(context),
      clock_(context.clock),
      payload_bytes_max_(number_of(settings_, "message.max.bytes", INT64_MAX)),
      compresses_(compression_in(settings_)),
      is_transactional_(!setting_of(settings_, "transactional.id").empty()),
      batch_bytes_(number_of(settings_, "batch.size", kDefaultBatchBytes)) {}

Status KafkaProducer::open_client() {
  KafkaClientSpec spec;
  spec.owner = owner_;
  spec.role = KafkaRole::kSink;
  spec.settings = settings_;
  spec.log = context_.log;
  spec.cancelled = context_.cancelled;
  spec.on_fatal = [this](Error error) { report_failure(std::move(error)); };
  spec.on_acknowledgement = &KafkaProducer::on_acknowledgement;
  spec.opaque = this;
  MILLRACE_ASSIGN(client_, KafkaClient::create(std::move(spec)));
  return {};
}

KafkaProducer::~KafkaProducer() { close(); }

void KafkaProducer::set_events(stream::SinkEvents events) {
  events_ = std::move(events);
  ledger_.on_flushed(events_.on_flushed);
}

bool KafkaProducer::is_low(std::int64_t both) {
  return records_of(both) < kRecordsMax / 2 && bytes_of(both) < kBytesMax / 2;
}

bool KafkaProducer::is_ready() {
  const auto now = in_flight_.load(std::memory_order_relaxed);
  if (records_of(now) < kRecordsMax && bytes_of(now) < kBytesMax) [[likely]]
    return true;
  // Asked for before looking again, so that room made in between is seen here or there.
  is_waited_for_.store(true);
  if (!is_low(in_flight_.load())) return false;
  is_waited_for_.store(false);
  return true;
}

Result<EpochLedger::Slot> KafkaProducer::reserve(Epoch epoch, std::int64_t records,
                                                 std::int64_t bytes) {
  MILLRACE_ASSIGN(const auto slot, ledger_.add(epoch, records));
  reserved_.fetch_add(records, std::memory_order_relaxed);
  in_flight_.fetch_add(both(records, bytes), std::memory_order_relaxed);
  return slot;
}

void KafkaProducer::withdraw(EpochLedger::Slot slot, std::int64_t bytes) {
  not_written_.fetch_add(1, std::memory_order_relaxed);
  release(1, bytes);
  ledger_.subtract(slot, 1);
}

void KafkaProducer::give_back(EpochLedger::Slot slot, std::int64_t records, std::int64_t bytes) {
  ledger_.stop();  // this epoch lacks records
  not_written_.fetch_add(records, std::memory_order_relaxed);
  release(records, bytes);
  ledger_.subtract(slot, records);
}

void KafkaProducer::release(std::int64_t records, std::int64_t bytes) {
  const auto change = both(records, bytes);
  const auto left = in_flight_.fetch_sub(change) - change;
  if (is_waited_for_.load() && is_low(left) && is_waited_for_.exchange(false) &&
      !is_closing_.load() && events_.on_room) {
    events_.on_room();
  }
}

Status KafkaProducer::produce(const KafkaHandOver& record) {
  hand_over = {true, false};
  rd_kafka_error_t* error = rd_kafka_produceva(client_->handle(), record.fields, record.count);
  hand_over.is_under_way = false;
  if (error == nullptr) [[likely]]
    return {};
  if (!hand_over.is_given_back) give_back(record.slot, 1, record.bytes);
  if (record.headers != nullptr) rd_kafka_headers_destroy(record.headers);
  const std::string reason = rd_kafka_err2str(rd_kafka_error_code(error));
  rd_kafka_error_destroy(error);
  return fail(ErrorCode::kInvalidArgument, reason);
}

KafkaProducer::Care KafkaProducer::care_at(std::int64_t limit, std::int64_t in_batch) const {
  if (limit == KafkaTarget::kUnknown) return in_batch > batch_bytes_ ? Care::kAlone : Care::kNone;
  if (in_batch > limit) return compresses_ ? Care::kAlone : Care::kTooLarge;
  return batch_bytes_ < limit ? Care::kNone : Care::kRoom;
}

Status KafkaProducer::produce_with_care(const KafkaHandOver& record, KafkaTarget& target,
                                        Care care) {
  const auto turn = target.take_turn();
  // What is alone travels beside nothing, and nothing joins it: it is not done with before the next
  // one has its turn.
  const std::int64_t room = care == Care::kAlone ? 0 : target.record_bytes_max();
  if (const auto waited = target.await_room(record.in_batch, room); !waited) {
    give_back(record.slot, 1, record.bytes);
    if (record.headers != nullptr) rd_kafka_headers_destroy(record.headers);
    return waited;
  }
  MILLRACE_TRY(hand_over_with_care(record, target));
  if (care != Care::kAlone) return {};
  MILLRACE_ASSIGN(const auto outcome, target.await_outcome());
  if (outcome == RD_KAFKA_RESP_ERR_NO_ERROR) return {};
  return fail(
      outcome == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE ? ErrorCode::kBadRecord : ErrorCode::kIo,
      rd_kafka_err2str(outcome));
}

Status KafkaProducer::hand_over_with_care(const KafkaHandOver& record, KafkaTarget& target) {
  target.depart(record.in_batch);
  const Status outcome = produce(record);
  // One that the client refused on the way in, without its interceptor.
  if (!outcome && !hand_over.is_given_back) target.arrive(record.in_batch);
  return outcome;
}

rd_kafka_resp_err_t KafkaProducer::on_acknowledgement(rd_kafka_t*, rd_kafka_message_t* message,
                                                      void* producer) {
  static_cast<KafkaProducer*>(producer)->note_done(*message);
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

// The totals first, so that they are right when an epoch is reported as flushed.
void KafkaProducer::note_done(const rd_kafka_message_t& message) {
  const auto word = reinterpret_cast<std::int64_t>(message._private);
  const auto slot = static_cast<EpochLedger::Slot>(word & ((1 << kSlotBits) - 1));
  const auto bytes = static_cast<std::int64_t>(message.key_len + message.len);
  KafkaTarget& target = KafkaTarget::of(message);
  const bool is_refused = message.err != RD_KAFKA_RESP_ERR_NO_ERROR;
  const bool has_failed = is_refused || target.is_doubtful(message);
  const bool is_too_large =
      (word & kAlone) != 0 && message.err == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE;
  if (is_too_large) [[unlikely]] {
    withdraw(slot, bytes);
  } else {
    if (has_failed) [[unlikely]] {
      hand_over.is_given_back = true;
      ledger_.stop();
      not_written_.fetch_add(1, std::memory_order_relaxed);
    } else {
      latency_.record_shared(clock_.steady().value - (word >> kTimeShift));
      target.note_end(message);
    }
    release(1, bytes);
    ledger_.subtract(slot, 1);
  }
  if ((word & kWithCare) != 0) [[unlikely]]
    target.arrive(kafka_batch_size(message));
  if ((word & kAlone) != 0) [[unlikely]]
    target.settle(message.err);
  if (has_failed && !is_too_large && !hand_over.is_under_way) [[unlikely]]
    report_failure(is_refused ? failure_of(message) : doubt_of(message));
}

void KafkaProducer::report_failure(Error error) {
  ledger_.stop();
  if (is_closing_.load() || has_failed_.exchange(true) || !events_.on_failure) return;
  events_.on_failure(std::move(error));
}

std::map<std::int32_t, std::int64_t> KafkaProducer::acknowledged_ends(const std::string& topic,
                                                                      std::int32_t partitions) {
  const std::lock_guard lock(mutex_);
  const auto found = targets_.find(topic);
  if (found == targets_.end()) return {};
  return found->second->acknowledged_ends(partitions);
}

std::int64_t KafkaProducer::acknowledged() const {
  return reserved_.load(std::memory_order_relaxed) - in_flight() -
         not_written_.load(std::memory_order_relaxed);
}

Result<KafkaTarget*> KafkaProducer::target(const std::string& name) {
  constexpr std::chrono::seconds kMissingFor(5);
  const std::lock_guard lock(mutex_);
  if (const auto found = targets_.find(name); found != targets_.end()) return found->second.get();
  if (const auto problem = topic_name_problem(name); !problem.empty())
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", owner_, problem));
  if (const auto known = missing_.find(name);
      known != missing_.end() &&
      std::chrono::steady_clock::now() - known->second.found_out < kMissingFor)
    return fail(known->second.error);
  auto found = find_target(name);
  if (!found && found.error().code == ErrorCode::kNotFound) remember_missing(name, found.error());
  return found;
}

// Rows may name one topic after the other that is not there.
void KafkaProducer::remember_missing(const std::string& name, const Error& error) {
  if (missing_.size() >= kTopicsMax) missing_.clear();
  missing_.insert_or_assign(name, Missing{std::chrono::steady_clock::now(), error});
}

// With no broker there nobody can say whether there is such a topic; the client goes on asking
// then, and gives the record up when there is none.
Result<KafkaTarget*> KafkaProducer::find_target(const std::string& name) {
  KafkaTopics topics(*client_);
  const Status there = await_topic(name, topics);
  if (!there && there.error().code == ErrorCode::kUnavailable)
    return add_target(name, 0, KafkaTarget::kUnknown);
  MILLRACE_TRY(there);
  MILLRACE_ASSIGN(const auto partitions, topics.partitions_of(name));
  MILLRACE_TRY(await_leaders(name, partitions));
  return add_target(name, partitions, ask_limit(name));
}

// A topic that was made a moment ago may not be known everywhere yet. Who has just waited for one
// in vain does not wait for the next.
Status KafkaProducer::await_topic(const std::string& name, KafkaTopics& topics) {
  constexpr std::chrono::seconds kWaitMax(1);
  constexpr std::chrono::seconds kPatienceBack(10);
  const auto begin = std::chrono::steady_clock::now();
  const bool is_patient = std::ranges::none_of(missing_, [&](const auto& missing) {
    return begin - missing.second.found_out < kPatienceBack;
  });
  for (;;) {
    MILLRACE_TRY(topics.refresh(kWaitMax));
    if (topics.has(name)) return {};
    if (partitions_made_ > 0) return topics.create(name, partitions_made_);
    if (!is_patient || std::chrono::steady_clock::now() - begin > kWaitMax)
      return fail(topics.missing(name));
    MILLRACE_TRY(client_->wait_a_moment());
  }
}

// Waits until every leader knows that it is one, which opens the connections that records will
// take. A broker that has never heard of this producer takes any request as its first one: of two
// in flight to a partition that has just come, it could refuse the first and take the second, and
// then the first, sent again, for a copy.
Status KafkaProducer::await_leaders(const std::string& name, std::int32_t partitions) {
  constexpr std::chrono::seconds kWaitMax(10);
  std::vector<stream::SourcePartition> all;
  for (std::int32_t number = 0; number < partitions; ++number) all.push_back({"", name, number});
  const auto begin = std::chrono::steady_clock::now();
  while (!resolve_everywhere(*client_, all, KafkaPoint::kLatest, kWaitMax) &&
         std::chrono::steady_clock::now() - begin < kWaitMax) {
    MILLRACE_TRY(client_->wait_a_moment());
  }
  return {};
}

Result<KafkaTarget*> KafkaProducer::add_target(const std::string& name, std::int32_t partitions,
                                               std::int64_t limit) {
  if (targets_.size() >= kTopicsMax) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("a sink writes to at most {} topics; one more is {}", kTopicsMax, name));
  }
  auto target = std::make_unique<KafkaTarget>(
      *client_, name, rd_kafka_default_topic_conf_dup(client_->handle()), partitions, limit);
  if (!target->is_valid()) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("topic name not accepted: {}: {}", name,
                                                         rd_kafka_err2str(rd_kafka_last_error())));
  }
  missing_.erase(name);
  return (targets_[name] = std::move(target)).get();
}

Result<std::int32_t> KafkaProducer::partitions_now(const std::string& name) {
  constexpr std::chrono::seconds kWaitMax(1);
  KafkaTopics topics(*client_);
  MILLRACE_TRY(topics.refresh(kWaitMax));
  return topics.partitions_of(name);
}

Result<std::map<std::int32_t, std::int64_t>> KafkaProducer::ends_of(const std::string& topic) {
  MILLRACE_ASSIGN(const KafkaTarget* const found, target(topic));
  std::vector<stream::SourcePartition> all;
  for (std::int32_t number = 0; number < found->partitions(); ++number)
    all.push_back({std::to_string(number), topic, number});
  MILLRACE_ASSIGN(const auto ends, resolve_everywhere(*client_, all, KafkaPoint::kLatest));
  std::map<std::int32_t, std::int64_t> result;
  for (const auto& partition : all) result[partition.number] = ends.at(partition.name);
  return result;
}

Status KafkaProducer::prime(const std::vector<KafkaOutputTopic>& wanted) {
  MILLRACE_ASSIGN(const auto partitions, partitions_of(wanted));
  MILLRACE_ASSIGN(const auto limits, learn_limits(partitions));
  for (const auto& [name, count] : partitions) {
    MILLRACE_TRY(await_leaders(name, count));
    const std::lock_guard lock(mutex_);
    MILLRACE_TRY(add_target(name, count, limits.at(name)));
  }
  while (!is_transactional_ && !client_->watch().has_producer_id())
    MILLRACE_TRY(client_->wait_a_moment());
  watch_limits();
  return {};
}

// Makes those that are missing and may be made.
Result<std::map<std::string, std::int32_t>> KafkaProducer::partitions_of(
    const std::vector<KafkaOutputTopic>& wanted) {
  KafkaTopics topics(*client_);
  MILLRACE_TRY(topics.refresh());
  std::map<std::string, std::int32_t> partitions;
  for (const KafkaOutputTopic& topic : wanted) {
    partitions_made_ = std::max(partitions_made_, topic.partitions_made);
    if (topic.name.empty()) continue;
    const bool is_there = topics.has(topic.name);
    if (!is_there && topic.partitions_made == 0) return fail(topics.missing(topic.name));
    if (!is_there) MILLRACE_TRY(topics.create(topic.name, topic.partitions_made));
    MILLRACE_ASSIGN(partitions[topic.name], topics.partitions_of(topic.name));
  }
  return partitions;
}

std::int64_t KafkaProducer::ask_limit(const std::string& topic) const {
  const auto limits = fetch_kafka_topic_limits(*client_, {topic});
  const auto limit = limits.find(topic);
  return limit == limits.end() ? KafkaTarget::kUnknown : limit->second;
}

// What a broker refuses is the batch, so batches must stay below the limits too: a client takes
// that setting only when it is made.
Result<std::map<std::string, std::int64_t>> KafkaProducer::learn_limits(
    const std::map<std::string, std::int32_t>& topics) {
  constexpr std::int64_t kMargin = 128;  // more than a batch's own bytes
  std::map<std::string, std::int64_t> limits;
  std::int64_t least = KafkaTarget::kUnknown;
  for (const auto& [name, count] : topics) least = std::min(least, limits[name] = ask_limit(name));
  if (batch_bytes_ < least) return limits;
  batch_bytes_ = std::max<std::int64_t>(1, least - kMargin);
  settings_.emplace_back("batch.size", std::to_string(batch_bytes_));
  client_.reset();
  MILLRACE_TRY(open_client());
  return limits;
}

// As often as the client looks at topics; not when it does not.
void KafkaProducer::watch_limits() {
  const std::int64_t every = number_of(settings_, "topic.metadata.refresh.interval.ms", 0);
  if (every <= 0) return;
  limit_watch_ = std::make_unique<KafkaLimitWatch>(std::chrono::milliseconds(every),
                                                   [this] { look_at_limits(); });
}

void KafkaProducer::look_at_limits() {
  std::vector<std::string> names;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, target] : targets_) names.push_back(name);
  }
  const auto limits = fetch_kafka_topic_limits(*client_, names);
  const std::lock_guard lock(mutex_);
  for (const auto& [name, limit] : limits) {
    const auto known = targets_.find(name);
    if (known == targets_.end()) continue;
    const std::int64_t before = known->second->record_bytes_max();
    if (limit == before) continue;
    known->second->set_record_bytes_max(limit);
    context_.say(LogLevel::kInfo,
                 fmt::format("{}: topic {} takes records of up to {} bytes now (max.message.bytes)",
                             owner_, name, limit));
  }
}

void KafkaProducer::close() {
  if (is_closing_.exchange(true) || !client_) return;
  ledger_.stop();
  limit_watch_.reset();
  rd_kafka_purge(client_->handle(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  for (const auto& [name, target] : targets_) target->close();
  client_.reset();
  targets_.clear();
}

}  // namespace millrace::connectors
