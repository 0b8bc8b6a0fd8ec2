#include "connectors/kafka_transactions.hpp"

#include "millrace/assert.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <future>
#include <utility>

namespace millrace::connectors {
namespace {

constexpr const char* kTimeoutName = "transaction.timeout.ms";

}  // namespace

KafkaTransactions::KafkaTransactions(std::string first_sink, KafkaTransactionSpec spec,
                                     ConnectorContext context)
    : first_sink_(std::move(first_sink)),
      spec_(std::move(spec)),
      context_(std::move(context)),
      timeout_(std::atoll(setting_of(spec_.settings, kTimeoutName).c_str())) {}

KafkaTransactions::~KafkaTransactions() { MILLRACE_ASSERT(!mark_thread_.joinable()); }

Status KafkaTransactions::check_agrees(const std::string& sink,
                                       const KafkaTransactionSpec& spec) const {
  const auto differs = [&](std::string_view option) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("tables {} and {} are written by one query with exactly_once = "
                            "'transaction', so that one transaction holds both: option {} must be "
                            "the same (the query's output has one decider)",
                            first_sink_, sink, option));
  };
  for (const auto& [name, value] : spec.settings)
    if (setting_of(spec_.settings, name) != value)
      return differs(name == "bootstrap.servers" ? "bootstrap_servers" : "kafka." + name);
  for (const auto& [name, value] : spec_.settings)
    if (setting_of(spec.settings, name) != value) return differs("kafka." + name);
  if (spec.prefix != spec_.prefix) return differs("transaction_prefix");
  if (spec.goes_on_without_mark != spec_.goes_on_without_mark) return differs("on_lost_mark");
  return {};
}

std::size_t KafkaTransactions::add_sink(KafkaOutputTopic topic) {
  topics_.push_back(std::move(topic));
  events_.emplace_back();
  ++open_sinks_;
  return events_.size() - 1;
}

void KafkaTransactions::set_events(std::size_t sink, stream::SinkEvents events) {
  events_[sink] = std::move(events);
}

std::string KafkaTransactions::title() const {
  return "Kafka cluster " + setting_of(spec_.settings, "bootstrap.servers");
}

// -- starting -------------------------------------------------------------------------------------

stream::DeciderNames KafkaTransactions::names(const std::string& checkpoint_id) {
  group_ = spec_.prefix + "-" + checkpoint_id;
  names_.writers.clear();
  for (std::size_t number = 0; number < kProducers; ++number)
    names_.writers.push_back(fmt::format("{}-{}", group_, number));
  names_.mark_topic = spec_.mark_topic;
  return names_;
}

KafkaSettings KafkaTransactions::settings_of(const std::string& id) const {
  KafkaSettings settings = spec_.settings;
  settings.emplace_back("transactional.id", id);
  // The client refuses a record that may outlive its transaction.
  settings.emplace_back("message.timeout.ms", std::to_string(timeout_.count()));
  return settings;
}

Status KafkaTransactions::prime() {
  if (std::exchange(is_primed_, true)) return {};
  MILLRACE_ASSERT(!names_.writers.empty());
  MILLRACE_TRY(open_producers());
  for (Slot& slot : slots_) MILLRACE_TRY(slot.producer->prime(topics_));
  return {};
}

Status KafkaTransactions::open_producers() {
  for (std::size_t number = 0; number < kProducers; ++number) {
    Slot& slot = slots_[number];
    MILLRACE_ASSIGN(slot.producer, KafkaProducer::create(
                                       first_sink_, settings_of(names_.writers[number]), context_));
    stream::SinkEvents events;
    events.on_flushed = [this](Epoch epoch) { note_flushed(epoch); };
    events.on_failure = [this, &slot](Error error) { report_failure(explain(slot, error)); };
    events.on_room = [this] { tell_room(); };
    slot.producer->set_events(std::move(events));
  }
  return {};
}

// A client that another has fenced says so in one word.
Error KafkaTransactions::explain(const Slot& slot, Error error) const {
  std::array<char, 512> reason{};
  const auto code = rd_kafka_fatal_error(slot.producer->handle(), reason.data(), reason.size());
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR || !slot.transaction) return error;
  return slot.transaction->explain(code, "write", reason.data());
}

Result<std::optional<std::string>> KafkaTransactions::take_over(const stream::DeciderNames& names) {
  for (const std::string& id : names.writers)
    if (std::ranges::find(names_.writers, id) == names_.writers.end()) MILLRACE_TRY(shut_out(id));
  names_.mark_topic = names.mark_topic;
  names_.mark_partition = names.mark_partition;
  // The first call of an id takes up to a second: all at once.
  std::array<std::future<Status>, kProducers> outcomes;
  for (std::size_t number = 0; number < kProducers; ++number) {
    Slot& slot = slots_[number];
    slot.transaction = std::make_unique<KafkaTransaction>(
        slot.producer->handle(), names_.writers[number], timeout_, context_.cancelled);
    outcomes[number] = std::async(std::launch::async, [&slot] { return slot.transaction->init(); });
  }
  Status all;
  for (std::future<Status>& outcome : outcomes)
    if (Status one = outcome.get(); all && !one) all = std::move(one);
  MILLRACE_TRY(all);
  return read_mark();
}

// An id of an earlier start that this one does not use.
Status KafkaTransactions::shut_out(const std::string& id) {
  KafkaClientSpec spec;
  spec.owner = "sink " + first_sink_;
  spec.role = KafkaRole::kSink;
  spec.settings = settings_of(id);
  spec.log = context_.log;
  spec.cancelled = context_.cancelled;
  MILLRACE_ASSIGN(const auto client, KafkaClient::create(std::move(spec)));
  return KafkaTransaction(client->handle(), id, timeout_, context_.cancelled).init();
}

Result<std::optional<std::string>> KafkaTransactions::read_mark() const {
  KafkaClientSpec spec;
  spec.owner = "sink " + first_sink_;
  MILLRACE_ASSIGN(spec.settings, kafka_settings(spec_.reader_options, KafkaRole::kSource));
  spec.settings.emplace_back("isolation.level", "read_committed");
  spec.settings.emplace_back("group.id", group_);
  spec.log = context_.log;
  spec.cancelled = context_.cancelled;
  MILLRACE_ASSIGN(const auto client, KafkaClient::create(std::move(spec)));
  return read_kafka_mark(*client, mark_of(Epoch()));
}

KafkaMark KafkaTransactions::mark_of(Epoch epoch) const {
  KafkaMark mark{group_, names_.mark_topic, names_.mark_partition, epoch.value, {}};
  if (mark_of_) mark.text = mark_of_(epoch);
  return mark;
}

Status KafkaTransactions::start(Epoch first, stream::MarkOf mark_of) {
  std::array<std::future<Status>, kProducers> outcomes;
  for (std::size_t number = 0; number < kProducers; ++number)
    outcomes[number] =
        std::async(std::launch::async, [this, number] { return warm_up(slots_[number]); });
  Status all;
  for (std::future<Status>& outcome : outcomes)
    if (Status one = outcome.get(); all && !one) all = std::move(one);
  MILLRACE_TRY(all);
  mark_of_ = std::move(mark_of);
  rotation_.start(first);
  mark_thread_ = std::thread([this] { send_marks(); });
  pthread_setname_np(mark_thread_.native_handle(), "mr-mark");
  return {};
}

// A transaction that comes to nothing: it finds the coordinators, of transactions and of the group.
Status KafkaTransactions::warm_up(Slot& slot) const {
  MILLRACE_TRY(slot.transaction->begin());
  MILLRACE_TRY(slot.transaction->send_mark(mark_of(Epoch())));
  slot.transaction->abort();
  return slot.transaction->begin();
}

// -- writing --------------------------------------------------------------------------------------

// On the thread of the task whose row is the epoch's first.
void KafkaTransactions::send_mark(Epoch epoch) {
  Slot& slot = slot_of(epoch);
  if (slot.has_rows.exchange(true)) return;
  slot.transaction->note_begun();
  {
    const std::lock_guard lock(mutex_);
    slot.mark_wanted = epoch;
  }
  changed_.notify_all();
}

// The mark travels while rows are written: to commit asks for one answer less then.
void KafkaTransactions::send_marks() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto wants = [](const Slot& slot) { return slot.mark_wanted.has_value(); };
    changed_.wait(lock, [&] { return is_closing_.load() || std::ranges::any_of(slots_, wants); });
    if (is_closing_.load()) return;
    Slot& slot = *std::ranges::find_if(slots_, wants);
    const KafkaMark mark = mark_of(*std::exchange(slot.mark_wanted, {}));
    lock.unlock();
    Status sent = slot.transaction->send_mark(mark);
    if (!sent) report_failure(std::move(sent).error());
    lock.lock();
    slot.is_mark_sent = sent.has_value();
    changed_.notify_all();
  }
}

void KafkaTransactions::seal(Epoch epoch) {
  {
    const std::lock_guard lock(mutex_);
    if (++sealed_by_[epoch] < events_.size()) return;
    sealed_by_.erase(epoch);
    sealed_.insert(epoch);
  }
  seal_what_is_begun();
}

// An epoch of which no writer has a row may be sealed before it could have been written.
void KafkaTransactions::seal_what_is_begun() {
  for (;;) {
    Epoch epoch;
    {
      const std::lock_guard lock(mutex_);
      if (sealed_.empty() || !may_write(*sealed_.begin())) return;
      epoch = *sealed_.begin();
      sealed_.erase(sealed_.begin());
    }
    producer_of(epoch).seal(epoch);
  }
}

void KafkaTransactions::note_flushed(Epoch epoch) {
  for (const stream::SinkEvents& events : events_)
    if (events.on_flushed) events.on_flushed(epoch);
  if (!rotation_.note_flushed(epoch)) return;
  seal_what_is_begun();
  tell_room();
}

// -- deciding -------------------------------------------------------------------------------------

Result<bool> KafkaTransactions::commit(Epoch epoch) {
  Slot& slot = slot_of(epoch);
  const bool has_rows = slot.has_rows.load();
  if (has_rows) {
    MILLRACE_TRY(await_mark(slot));
    MILLRACE_TRY(slot.transaction->commit());
    MILLRACE_TRY(slot.transaction->begin());
  }
  {
    const std::lock_guard lock(mutex_);
    slot.has_rows.store(false);
    slot.is_mark_sent = false;
  }
  if (rotation_.note_decided(epoch)) {
    seal_what_is_begun();
    tell_room();
  }
  return has_rows;
}

Status KafkaTransactions::await_mark(Slot& slot) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return slot.is_mark_sent || has_failed_.load() || is_closing_.load(); });
  if (slot.is_mark_sent) return {};
  return fail(ErrorCode::kCancelled, "the mark of a transaction was not sent");
}

void KafkaTransactions::give_up() {
  for (Slot& slot : slots_)
    if (slot.transaction) slot.transaction->give_up();
  has_failed_.store(true);
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

// -- ending ---------------------------------------------------------------------------------------

void KafkaTransactions::close() {
  if (open_sinks_ == 0 || --open_sinks_ > 0) return;
  is_closing_.store(true);
  {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  for (Slot& slot : slots_)
    if (slot.transaction) slot.transaction->give_up();
  if (mark_thread_.joinable()) mark_thread_.join();
  for (Slot& slot : slots_) {
    if (!slot.producer) continue;
    if (slot.has_rows.load() && slot.transaction) slot.transaction->abort();
    slot.producer->close();
  }
}

// -- telling --------------------------------------------------------------------------------------

stream::LatencySnapshot KafkaTransactions::acknowledge_latency() const {
  stream::LatencySnapshot all;
  for (const Slot& slot : slots_)
    if (slot.producer) all.merge(slot.producer->acknowledge_latency());
  return all;
}

void KafkaTransactions::tell_room() {
  // Whoever is asked wakes all tasks of the query.
  if (!events_.empty() && events_.front().on_room) events_.front().on_room();
}

void KafkaTransactions::report_failure(Error error) {
  if (is_closing_.load() || has_failed_.exchange(true)) return;
  {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  if (!events_.empty() && events_.front().on_failure) events_.front().on_failure(std::move(error));
}

}  // namespace millrace::connectors
