#pragma once

#include "millrace/query.hpp"

#include "actors/query_parts.hpp"
#include "operators/stage_metrics.hpp"
#include "session/query_builder.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace millrace::session {

/// Reads a query's counters and histograms from outside and makes progress of them: totals, and
/// what came since the last epoch. Thread-safe; touches nothing that a task writes but by relaxed
/// reads.
class ProgressProbe {
 public:
  /// All borrows; the parts until `detach`.
  ProgressProbe(ProgressLabels labels, const Clock& clock, const actors::QueryParts& parts,
                const std::vector<std::unique_ptr<operators::StageMetrics>>& metrics);

  /// One more task's counters, a borrow as the others.
  void add(const operators::StageMetrics& metrics);
  /// Totals since construction.
  [[nodiscard]] QueryProgress totals() const;
  /// The record of an epoch that has just become durable: its own rows and bad records, and what
  /// else came since the last call (the first: since construction). Epochs in order.
  [[nodiscard]] QueryProgress of_epoch(const actors::ClosedEpoch& closed);
  /// Takes the last look at the parts, which go away: totals stay as they are then.
  void detach();

 private:
  struct Reading {
    std::int64_t rows_in = 0;
    std::int64_t rows_out = 0;
    std::optional<std::int64_t> rows_behind;
    std::map<std::string, stream::Positions> ends;  ///< by source, as far as known
    SteadyTime at{};
    std::vector<stream::LatencySnapshot> stages;  ///< fetch, decode, chain, produce-ack
    /// By source and reason.
    std::map<std::string, std::array<std::int64_t, stream::kBadRecordReasons>> bad_records;
  };
  [[nodiscard]] Reading read() const;
  [[nodiscard]] Reading look() const;
  [[nodiscard]] QueryProgress progress_between(const Reading& from, const Reading& to) const;

  [[nodiscard]] std::vector<SourceProgress> sources_of(const actors::ClosedEpoch& closed) const;

  const ProgressLabels labels_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  const actors::QueryParts* parts_;  ///< null once detached
  std::vector<const operators::StageMetrics*> metrics_;
  Reading start_;
  Reading last_;
  Reading final_;
  std::optional<SteadyTime> last_begun_;  ///< of the epoch before
};

}  // namespace millrace::session
