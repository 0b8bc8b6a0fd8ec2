#pragma once

#include "formats/record_position.hpp"
#include "stream/sink.hpp"
#include "stream/source.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace millrace::support {

/// One record as the simulated broker keeps it.
struct SimulatedRecord {
  std::optional<std::string> key;
  std::optional<std::string> value;
  std::int64_t timestamp_us = 0;
  std::optional<formats::RecordPosition> position = {};  ///< of one that was written by resuming

  friend bool operator==(const SimulatedRecord&, const SimulatedRecord&) = default;
};

class SimulatedSink;
class SimulatedTransactions;

/// What has been written in one transaction and is not decided: nobody sees it.
struct PendingTransaction {
  struct Entry {
    std::string topic;
    std::int32_t partition = 0;
    SimulatedRecord record;
  };
  std::vector<Entry> entries;
  std::string mark;         ///< empty: none was sent
  bool is_decided = false;  ///< committed or aborted: nothing joins it any more
};

/// How a transactional broker may lie, drawn for each commit.
enum class CommitFate {
  kDone,       ///< committed, and said so
  kLostReply,  ///< committed, and nobody hears of it
  kHeld,       ///< the request is on its way; it arrives, if at all, before the next take-over
  kTimedOut,   ///< the transaction was too old: aborted
};

/// An honest broker in memory: topics are logs that outlive every client. It acknowledges when told
/// to (`deliver`), so that a test or a seed decides what is in flight when a client dies. What it
/// acknowledged is never lost. Its verbs and its clients' may be called from several threads; `log`
/// gives the bare log, for when no client runs.
class SimulatedBroker {
 public:
  /// A partition of a topic, made on first use.
  [[nodiscard]] std::vector<SimulatedRecord>& log(const std::string& topic, std::int32_t partition);
  void create_topic(const std::string& topic, std::int32_t partitions);
  [[nodiscard]] std::int32_t partition_count(const std::string& topic) const;

  /// Records in all partitions of a topic.
  [[nodiscard]] std::size_t record_count(const std::string& topic) const;

  /// Adds a record and wakes who reads there.
  void produce(const std::string& topic, std::int32_t partition, SimulatedRecord record);
  /// Deletes a topic and makes it anew, empty; who reads there notices at the next look.
  void recreate_topic(const std::string& topic);
  /// Gives nothing of a partition to its readers until `release`: a fetch that takes long.
  void stall(const std::string& topic, std::int32_t partition);
  void release();
  /// Appends up to `count` records that a sink has handed over and acknowledges them. Gives how
  /// many.
  std::size_t deliver(std::size_t count);
  /// A fault on purpose: sinks that resume tell how far they are acknowledged before all that was
  /// written behind the newest commit has come again.
  void tell_ends_early() { tells_ends_early_ = true; }
  /// Another: nobody hears of a mark.
  void forget_marks() { forgets_marks_ = true; }
  /// Another: commits of a client that is gone may arrive when the next one has taken over.
  void let_the_dead_decide() { lets_the_dead_decide_ = true; }
  /// What a client handed over and did not see acknowledged: at its death some prefix of each
  /// partition's part arrives all the same, drawn from `random`; the rest is gone.
  void drop_client(std::mt19937_64& random);

  /// The decider of a query that writes by transactions, and a sink that writes in them. `fates`
  /// draws what becomes of a commit.
  [[nodiscard]] std::shared_ptr<SimulatedTransactions> make_transactions(
      std::function<CommitFate()> fates);
  [[nodiscard]] std::unique_ptr<stream::Sink> make_sink(
      const std::string& topic, std::shared_ptr<SimulatedTransactions> transactions);
  /// The mark that the newest committed transaction left.
  [[nodiscard]] std::optional<std::string> mark() const;

  /// Begins at the topic's first record, or behind its newest one when it is opened.
  [[nodiscard]] std::unique_ptr<stream::Source> make_source(const std::string& topic,
                                                            bool begins_at_latest = false);
  /// How many readers were given, at their start, what they knew at a commit.
  [[nodiscard]] int recalls() const { return recalls_; }
  /// Writes to `topic`; the partition is hash(key) or, without a key, 0.
  [[nodiscard]] std::unique_ptr<stream::Sink> make_sink(const std::string& topic);

 private:
  friend class SimulatedReader;
  friend class SimulatedSink;
  friend class SimulatedTransactions;

  struct Waiting {
    std::string topic;
    std::int32_t partition = 0;
    SimulatedRecord record;
    Epoch epoch{};
    SimulatedSink* sink = nullptr;
    std::shared_ptr<PendingTransaction> transaction = nullptr;  ///< null: visible at once
  };
  void commit(PendingTransaction& transaction);

  mutable std::recursive_mutex mutex_;
  std::map<std::string, std::vector<std::vector<SimulatedRecord>>> topics_;
  std::map<std::string, int> histories_;  ///< how often a topic was made anew
  std::deque<Waiting> waiting_;
  std::optional<std::pair<std::string, std::int32_t>> stalled_;
  std::vector<std::shared_ptr<PendingTransaction>> held_;  ///< their commits are on their way
  std::optional<std::string> mark_;
  bool tells_ends_early_ = false;
  int recalls_ = 0;
  bool forgets_marks_ = false;
  bool lets_the_dead_decide_ = false;
  std::vector<class SimulatedReader*> readers_;
};

/// The layout that simulated sources give and sinks take by name.
[[nodiscard]] DataType simulated_column_type(const std::string& name);

}  // namespace millrace::support
