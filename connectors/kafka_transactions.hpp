#pragma once

#include "millrace/error.hpp"
#include "millrace/options.hpp"

#include "connectors/connector_context.hpp"
#include "connectors/kafka_producer.hpp"
#include "connectors/kafka_settings.hpp"
#include "connectors/kafka_transaction.hpp"
#include "operators/epoch_rotation.hpp"
#include "stream/decider.hpp"
#include "stream/sink.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace millrace::connectors {

/// What the Kafka sinks of one query that write by transactions must agree on, since they share
/// them.
struct KafkaTransactionSpec {
  KafkaSettings settings;
  Options reader_options;  ///< for the client that reads the mark
  std::string prefix;      ///< of transactional ids and of the group that bears the mark
  std::string mark_topic;  ///< a topic that is there, whose partition 0 bears the mark
  bool goes_on_without_mark = false;
};

/// The transactional producers behind all Kafka sinks of one query that write exactly once by
/// transactions: one transaction an epoch, whatever topics its rows go to. The decider of the
/// query: its mark is a committed offset of a group of its own, sent within the transaction, so
/// that both become visible together or not at all.
///
/// Three producers take turns (EpochRotation), for at most two epochs are closed and undecided
/// while one is written: only the deciding overlaps. Rows that may not be written yet wait in the
/// sources.
///
/// Made by the first sink of a query and shared by the others. Verbs of writers: any task's thread.
class KafkaTransactions final : public stream::Decider {
 public:
  static constexpr std::size_t kProducers = 3;

  KafkaTransactions(std::string first_sink, KafkaTransactionSpec spec, ConnectorContext context);
  ~KafkaTransactions() override;

  /// kInvalidArgument names what a further sink does not agree on.
  [[nodiscard]] Status check_agrees(const std::string& sink,
                                    const KafkaTransactionSpec& spec) const;
  /// Counts one more sink, before names(); gives its number.
  [[nodiscard]] std::size_t add_sink(KafkaOutputTopic topic);
  void set_events(std::size_t sink, stream::SinkEvents events);
  /// Makes the producers ready but for their transactions. The first of the sinks' calls does it.
  [[nodiscard]] Status prime();

  // stream::Decider
  [[nodiscard]] std::string title() const override;
  [[nodiscard]] stream::DeciderNames names(const std::string& checkpoint_id) override;
  [[nodiscard]] Result<std::optional<std::string>> take_over(
      const stream::DeciderNames& names) override;
  [[nodiscard]] bool goes_on_without_mark() const override { return spec_.goes_on_without_mark; }
  [[nodiscard]] Status start(Epoch first, stream::MarkOf mark_of) override;
  [[nodiscard]] Result<bool> commit(Epoch epoch) override;
  void give_up() override;

  /// The producer that an epoch's rows go to; behind prime().
  [[nodiscard]] KafkaProducer& producer_of(Epoch epoch) { return *slot_of(epoch).producer; }
  /// The same by its number.
  [[nodiscard]] KafkaProducer& producer(std::size_t number) { return *slots_[number].producer; }
  /// Whether rows of this epoch may be written yet; on_room comes when they may.
  [[nodiscard]] bool may_write(Epoch epoch) const { return rotation_.may_write(epoch); }
  /// Says that the epoch has rows, before the first of them is handed over.
  void note_written(Epoch epoch) {
    if (!slot_of(epoch).has_rows.load(std::memory_order_relaxed)) [[unlikely]]
      send_mark(epoch);
  }
  /// Hand-over to acknowledgement, of all producers.
  [[nodiscard]] stream::LatencySnapshot acknowledge_latency() const;
  /// A sink gets no more rows of this epoch.
  void seal(Epoch epoch);
  /// A sink is done with; the last one ends the producers.
  void close();

 private:
  struct Slot {
    std::unique_ptr<KafkaProducer> producer;
    std::unique_ptr<KafkaTransaction> transaction;
    std::atomic<bool> has_rows{false};
    // Guarded by mutex_.
    std::optional<Epoch> mark_wanted;
    bool is_mark_sent = false;
  };

  [[nodiscard]] Slot& slot_of(Epoch epoch) { return slots_[rotation_.producer_of(epoch)]; }
  [[nodiscard]] Status open_producers();
  [[nodiscard]] Status shut_out(const std::string& id);
  [[nodiscard]] Status warm_up(Slot& slot) const;
  [[nodiscard]] Result<std::optional<std::string>> read_mark() const;
  [[nodiscard]] KafkaSettings settings_of(const std::string& id) const;
  [[nodiscard]] KafkaMark mark_of(Epoch epoch) const;
  void send_mark(Epoch epoch);
  void send_marks();
  [[nodiscard]] Status await_mark(Slot& slot);
  [[nodiscard]] Error explain(const Slot& slot, Error error) const;
  void note_flushed(Epoch epoch);
  void seal_what_is_begun();
  void tell_room();
  void report_failure(Error error);

  const std::string first_sink_;
  const KafkaTransactionSpec spec_;
  const ConnectorContext context_;
  std::chrono::milliseconds timeout_{};  ///< of a transaction
  std::string group_;                    ///< that bears the mark
  stream::DeciderNames names_;  ///< of this start; once taken over, with those of earlier ones
  stream::MarkOf mark_of_;
  std::vector<KafkaOutputTopic> topics_;
  std::vector<stream::SinkEvents> events_;
  std::array<Slot, kProducers> slots_;
  bool is_primed_ = false;

  operators::EpochRotation rotation_{kProducers};
  std::atomic<bool> has_failed_{false};
  std::atomic<bool> is_closing_{false};

  std::mutex mutex_;  ///< guards what follows, and of the slots what says so
  std::condition_variable changed_;
  std::map<Epoch, std::size_t> sealed_by_;  ///< so many sinks; until all have
  std::set<Epoch> sealed_;                  ///< by all sinks, and not by their producer yet
  std::size_t open_sinks_ = 0;
  std::thread mark_thread_;
};

}  // namespace millrace::connectors
