#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace {

/// Where a query is in its life.
enum class QueryState {
  kStarting,  ///< connecting and priming; no row has been read
  kRunning,
  kStopping,    ///< draining: what was read is written and committed
  kStopped,     ///< ended on request, everything committed
  kFailed,      ///< ended with a cause: see Query::exception
  kRestarting,  ///< failed, and waits for its next start or goes through it (setting restart)
};

/// Gives the stable lower-case name of a state ("running").
[[nodiscard]] const char* to_string(QueryState state);

/// How long rows took in one stage of the query. Percentiles are at most 1/32 above the truth.
struct StageLatency {
  std::string stage;  ///< "fetch", "decode", "chain", "produce-ack"
  std::uint64_t count = 0;
  std::uint64_t p50_ns = 0;
  std::uint64_t p99_ns = 0;
  std::uint64_t max_ns = 0;

  friend bool operator==(const StageLatency&, const StageLatency&) = default;
};

/// How many records of a source were bad, and why.
struct BadRecordCount {
  std::string source;
  std::string reason;  ///< "malformed", "field", "expression", "oversized"
  std::int64_t count = 0;

  friend bool operator==(const BadRecordCount&, const BadRecordCount&) = default;
};

/// What one source gave to an epoch.
struct SourceProgress {
  std::string name;         ///< in the query
  std::string description;  ///< "kafka (topic clicks)"
  /// Per partition the next record to read when the epoch began, and when it ended, and where the
  /// source ends by its last answer (partitions that it cannot say of are missing).
  std::map<std::string, std::int64_t> start;
  std::map<std::string, std::int64_t> end;
  std::map<std::string, std::int64_t> latest;
  std::int64_t rows_in = 0;
};

/// What a query has done: since it started (Query::progress, with what is said of one epoch left
/// empty), or within one epoch that is committed: exactly its rows and bad records, whatever of the
/// next epoch has been read by then; latencies are of what happened since the commit before.
struct QueryProgress {
  std::string query;           ///< its name
  std::optional<Epoch> epoch;  ///< the newest committed epoch; none yet: empty
  std::int64_t rows_in = 0;    ///< read from sources
  std::int64_t rows_out = 0;   ///< acknowledged by sinks, dead letters not counted
  /// Records that the sources hold and that are not read yet, as of their last answers; nothing
  /// when a source cannot say.
  std::optional<std::int64_t> rows_behind;
  std::int64_t duration_ns = 0;  ///< the span that the numbers are about
  std::vector<StageLatency> stages;
  std::vector<BadRecordCount> bad_records;  ///< those that are not 0

  // Of one epoch.
  std::string id;        ///< of the query's checkpoint: the same at every start from it
  std::string run_id;    ///< of this start
  WallTime timestamp{};  ///< when the epoch began
  /// In ms: "triggerExecution" from its beginning until it was durable, and within that, where
  /// there is such a part, "latestOffset" (asking sources where they end), "walCommit" (offsets/N
  /// before it is read), "addBatch" (rows read, processed, acknowledged), "commitOffsets" (what
  /// makes it durable).
  std::map<std::string, std::int64_t> durations_ms;
  std::int64_t input_ns = 0;  ///< the span in which its rows came; 0: not known
  std::vector<SourceProgress> sources;
  std::string sink;           ///< "kafka (topic enriched)"; of several all, with commas
  std::int64_t restarts = 0;  ///< how often the query has failed and was started again (restart)

  /// The record of an epoch as one line of JSON, with the field names that Spark's streaming
  /// queries have (docs/operations.md).
  [[nodiscard]] std::string to_json() const;

  /// Rows read per second of that span; 0 for an empty span.
  [[nodiscard]] double rows_per_second() const {
    return duration_ns <= 0 ? 0.0
                            : static_cast<double>(rows_in) * 1e9 / static_cast<double>(duration_ns);
  }
};

struct QueryShared;  // the implementation's part

/// A running query. A handle: copies mean the same query, and the session that started it keeps it
/// running when every handle is gone. Every function may be called from any thread.
///
///     millrace::Result<millrace::Query> query = frame.write_stream()....start();
///     if (!query) return complain(query.error());
///     millrace::Status ended = query->await_termination();
class Query {
 public:
  explicit Query(std::shared_ptr<QueryShared> shared) : shared_(std::move(shared)) {}

  /// Blocks until the query has ended. Success after a stop, else the cause it failed with.
  [[nodiscard]] Status await_termination() const;
  /// The same for a bounded time; false when it still runs then.
  [[nodiscard]] Result<bool> await_termination(std::chrono::milliseconds limit) const;

  /// Takes no further input, writes and commits what was read, ends. Waits `stop_timeout` for that
  /// (kUnavailable when it was too short: the open epoch runs again at the next start); to end the
  /// clients may take a few seconds more. Ended already: success, or its cause.
  [[nodiscard]] Status stop() const;
  /// Ends at once, as a crash would: what is not committed runs again at the next start.
  void abort() const;

  /// Why the query failed; empty while it runs and after a clean stop.
  [[nodiscard]] std::optional<Error> exception() const;
  [[nodiscard]] QueryState status() const;
  [[nodiscard]] const std::string& name() const;
  /// Totals since the start.
  [[nodiscard]] QueryProgress progress() const;
  /// The record of the newest committed epoch; none yet: empty.
  [[nodiscard]] std::optional<QueryProgress> last_progress() const;
  /// The records of the newest epochs, oldest first: as many as the setting recent_progress says.
  [[nodiscard]] std::vector<QueryProgress> recent_progress() const;
  /// The plan as it runs: chains, tasks, delivery, trigger, checkpoint.
  [[nodiscard]] const std::string& explain() const;

  /// Ends the open epoch now and waits until it is committed; gives its number (the newest
  /// committed one when no row has come since). For tests: the trigger does this in real life.
  [[nodiscard]] Result<Epoch> close_epoch() const;

 private:
  std::shared_ptr<QueryShared> shared_;
};

}  // namespace millrace
