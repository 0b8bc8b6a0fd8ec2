#pragma once

#include "actors/task_input.hpp"
#include "stream/source.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace millrace::actors {

/// What an epoch reads of the partition, fixed before it is read: the epoch was planned, or closed
/// before a crash and not committed. It is read exactly; of what is gone by now nothing is read,
/// and the epoch is the same.
struct FixedRange {
  Epoch epoch;
  WallTime time{};
  std::int64_t from = 0;
  std::int64_t to = 0;   ///< first position that is not part of it
  bool is_gone = false;  ///< the partition's history began anew behind it: there is nothing to read
  bool is_planned = false;      ///< `time` is the epoch's from its first row on
  bool is_new_history = false;  ///< it is the one that begins anew, below where the reader stands
};

/// What a task does behind the ranges that are fixed.
enum class SourceDrive {
  kOpen,     ///< reads what comes; epochs end where close_epoch finds it
  kPlanned,  ///< waits for the next planned epoch
};

/// A task's input from one source partition: reads rows and cuts epochs where it is told to.
///
///   fixed      [from .. to) B(n)   [.. to') B(n+1)   ...
///   then open  rows until close_epoch, B(n+2), ...
///
/// An epoch holds rows of one history of its partition. When that history is lost and another one
/// begins, rows wait until the epoch that has some of the old one is closed.
///
/// Owned and called by the task's thread.
class SourceInput final : public TaskInput {
 public:
  /// `source` is the source's name in the plan. Behind the fixed ranges the open drive reads up to
  /// `end` and is then exhausted.
  SourceInput(std::string source, stream::SourcePartition partition,
              std::unique_ptr<stream::SourceReader> reader, std::deque<FixedRange> fixed,
              std::size_t rows_max = kBatchRowsMax, std::int64_t end = stream::kNoLimit,
              SourceDrive drive = SourceDrive::kOpen);

  void connect(Waker& waker) override;
  [[nodiscard]] Result<InputEvent::Kind> next(InputEvent& event) override;
  void close_epoch(const CloseEpoch& request) override;
  void run_epoch(const PlannedEpoch& epoch) override;
  [[nodiscard]] JoinedPartition partition() const override {
    return {source_, partition_.name, from_};
  }

 private:
  [[nodiscard]] Result<InputEvent::Kind> read(InputEvent& event, std::int64_t limit);
  [[nodiscard]] Result<InputEvent::Kind> read_fixed(InputEvent& event);
  [[nodiscard]] Result<InputEvent::Kind> look_ahead(InputEvent& event);
  void put_fixed(InputEvent& event);
  void begin_history(std::int64_t ended_at);
  void put_barrier(InputEvent& event, Epoch epoch, WallTime time, std::int64_t to);

  const std::string source_;
  const stream::SourcePartition partition_;
  std::unique_ptr<stream::SourceReader> reader_;
  std::deque<FixedRange> fixed_;
  std::deque<CloseEpoch> requests_;
  const std::size_t rows_max_;
  std::int64_t from_;                     ///< where the running epoch began
  bool has_rows_ = false;                 ///< the running epoch has
  std::optional<std::int64_t> ended_at_;  ///< of the history before the one that comes next
  const std::int64_t end_;
  const SourceDrive drive_;
  bool has_told_ = false;   ///< that rows wait for an epoch
  bool has_ended_ = false;  ///< stopped or exhausted: reads nothing more
  BatchPool pool_;
  Batch spare_;  ///< an empty batch kept for the next read
};

}  // namespace millrace::actors
