#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"
#include "millrace/schema.hpp"

#include "stream/latency_histogram.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// One piece of a source that is read in order by one task.
struct SourcePartition {
  std::string name;   ///< stable text, part of checkpoints: "clicks-3"
  std::string topic;  ///< what it is a part of ("clicks"); the partition's number is unique in it
  std::int32_t number = 0;

  friend auto operator<=>(const SourcePartition&, const SourcePartition&) = default;
};

/// One that came while the query ran, and its first record.
struct NewPartition {
  SourcePartition partition;
  std::int64_t first = 0;
};

/// Position of the next record to read, per partition name. Positions only grow, until the
/// partition's history is lost and another one begins (a topic that was created anew); records may
/// be missing between two positions (compaction, transaction markers).
using Positions = std::map<std::string, std::int64_t>;

/// What one poll did.
enum class PollOutcome {
  kRows,   ///< rows were put into the batch; there may be more
  kIdle,   ///< nothing there now; the wake function is called when there may be
  kLimit,  ///< every record below the limit has been given; position() is at the limit
  /// What was read has become another history, by the user's leave: position() is where that one
  /// begins, which lies before where the reader stood. The next poll reads it.
  kRestarted,
};

/// How much of a source one epoch of the planned drive reads, and how little is not worth one.
struct ReadLimit {
  std::optional<std::int64_t> offsets_max;  ///< over all partitions
  std::optional<std::int64_t> offsets_min;  ///< an epoch waits for so many...
  std::chrono::milliseconds delay_max = std::chrono::minutes(15);  ///< ...but no longer than this
};

/// Reads one partition. Owned and called by one task's thread; never blocks; allocates nothing per
/// record once warm.
class SourceReader {
 public:
  virtual ~SourceReader() = default;

  /// Layout of the batches it fills: the columns asked for at `open_reader`, in that order.
  [[nodiscard]] virtual const SchemaRef& schema() const = 0;
  /// Appends nothing to a batch that has rows: `out` is empty on call. Puts up to `rows_max` rows
  /// (or kBatchBytesMax bytes) with positions below `limit`, sets rows, positions, origin, ingest.
  [[nodiscard]] virtual Result<PollOutcome> poll(Batch& out, std::size_t rows_max,
                                                 std::int64_t limit) = 0;
  /// Next position to read: everything below has been given.
  [[nodiscard]] virtual std::int64_t position() const = 0;
  /// Whether a poll without a limit would give rows. When not, the wake function is called as after
  /// an idle poll. Readers that cannot tell say yes.
  [[nodiscard]] virtual Result<bool> has_rows() { return true; }
  /// What it must know besides its position to read on as if it had never stopped; empty: nothing.
  /// Part of the checkpoint of the epoch that ends there.
  [[nodiscard]] virtual std::string memo() const { return {}; }
  /// Takes back what `memo` gave at the position where it is opened. Before the first poll.
  [[nodiscard]] virtual Status recall(std::string_view memo);
  /// Goes on at `position`, which lies before where the reader stands: another history of the
  /// partition begins there, by the user's leave. kNotSupported where no history ever ends.
  [[nodiscard]] virtual Status begin_history(std::int64_t position);
  /// Installs the function that is called, from any thread and at most once per idle poll, when a
  /// poll may give rows again. Must not block.
  virtual void on_wake(std::function<void()> wake) = 0;
};

/// No limit: read on for ever.
inline constexpr std::int64_t kNoLimit = INT64_MAX;

/// A source as a whole: what partitions it has, where to begin, and readers for them. Called on the
/// starting thread (may block, bounded by time-outs) unless said otherwise.
class Source {
 public:
  virtual ~Source() = default;

  /// The partitions there are now. A topic that does not exist: kNotFound, naming the nearest.
  [[nodiscard]] virtual Result<std::vector<SourcePartition>> partitions() = 0;
  /// Turns the user's starting option into one position per partition. Asked once in a
  /// checkpoint's life; the answer is made durable before anything is read.
  [[nodiscard]] virtual Result<Positions> start_positions() = 0;
  /// Where the query ends by itself: the first position of each partition that is not read any
  /// more. Nothing: it reads on until it is stopped. Asked at every start.
  [[nodiscard]] virtual Result<std::optional<Positions>> ending_positions() { return std::nullopt; }
  /// Positions of the oldest records there are: where partitions begin that the checkpoint does not
  /// know (they came after the start positions were resolved).
  [[nodiscard]] virtual Result<Positions> earliest_positions() = 0;
  /// Where to go on for who stands at `positions`: there, unless its records are gone. Then it is
  /// kDataLoss, naming the lost range, or, where the user wants that, the first record that is
  /// left.
  [[nodiscard]] virtual Result<Positions> surviving(Positions positions) { return positions; }
  /// Partitions that came since partitions() or this was last called; empty too when nobody can
  /// say. For a query that runs: on one thread, blocks at most a few seconds.
  [[nodiscard]] virtual std::vector<NewPartition> new_partitions() { return {}; }
  /// How often that is worth asking; 0: never.
  [[nodiscard]] virtual std::chrono::milliseconds watch_interval() const { return {}; }
  /// Positions just past the newest record that can be read now, per partition.
  [[nodiscard]] virtual Result<Positions> end_positions() = 0;
  /// What the planned drive's epochs are held to; the open drive refuses a source that has one.
  [[nodiscard]] virtual ReadLimit read_limit() const { return {}; }
  /// Says, before a partition's reader is opened, that the checkpoint's closed epochs end at `to`
  /// while not all of them are committed: the reader will be asked for the rows up to there again.
  virtual void expect_replay(const SourcePartition& /*partition*/, std::int64_t /*to*/) {}
  /// Opens a reader at `position` giving the named record columns. Fetching begins at once.
  [[nodiscard]] virtual Result<std::unique_ptr<SourceReader>> open_reader(
      const SourcePartition& partition, std::int64_t position,
      const std::vector<std::string>& columns) = 0;
  /// An epoch is durable whose rows end at these positions. On the commit thread; must not block
  /// for long. Not called after `close`.
  virtual void committed(const Positions& /*positions*/) {}
  /// Whether the same range can be read again after a restart.
  [[nodiscard]] virtual bool is_replayable() const = 0;
  /// Waits until connections are up and readers fetch, so that the first record is not slow.
  [[nodiscard]] virtual Status prime() = 0;
  /// Stops background work. After it no wake function is called. Readers must be gone first.
  virtual void close() = 0;
  /// Records that are there and not read yet, as of the last answer of the source; nothing when it
  /// cannot say. Any thread.
  [[nodiscard]] virtual std::optional<std::int64_t> lag() const { return std::nullopt; }
  /// Where its partitions end, as of its last answers; those that it cannot say of are missing. Any
  /// thread, as lag().
  [[nodiscard]] virtual Positions known_ends() const { return {}; }
  /// Record time (as the source stamps it) to engine; scraped by copy from any thread.
  [[nodiscard]] virtual LatencySnapshot fetch_latency() const = 0;
};

}  // namespace millrace::stream
