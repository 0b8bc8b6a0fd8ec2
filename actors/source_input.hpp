#pragma once

#include "actors/task_input.hpp"
#include "stream/source.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace millrace::actors {

/// An epoch that was closed before a crash and not committed: read again, exactly; of what is gone
/// by now nothing is read, and the epoch is the same.
struct ReplayRange {
  Epoch epoch;
  WallTime time{};
  std::int64_t from = 0;
  std::int64_t to = 0;   ///< first position that is not part of it
  bool is_gone = false;  ///< the partition's history began anew behind it: there is nothing to read
};

/// A task's input from one source partition: reads rows and cuts epochs where it is told to.
///
///   replay     [from .. to) B(n)   [.. to') B(n+1)   then open: rows until close_epoch, B(n+2),
///   ...
///
/// An epoch holds rows of one history of its partition. When that history is lost and another one
/// begins, rows wait until the epoch that has some of the old one is closed.
///
/// Owned and called by the task's thread.
class SourceInput final : public TaskInput {
 public:
  /// `source` is the source's name in the plan. Behind the replay it reads up to `end` and is then
  /// exhausted.
  SourceInput(std::string source, stream::SourcePartition partition,
              std::unique_ptr<stream::SourceReader> reader, std::deque<ReplayRange> replay,
              std::size_t rows_max = kBatchRowsMax, std::int64_t end = stream::kNoLimit);

  void connect(Waker& waker) override;
  [[nodiscard]] Result<InputEvent::Kind> next(InputEvent& event) override;
  void close_epoch(const CloseEpoch& request) override;

 private:
  [[nodiscard]] Result<InputEvent::Kind> read(InputEvent& event, std::int64_t limit);
  [[nodiscard]] Result<InputEvent::Kind> replay(InputEvent& event);
  void put_replayed(InputEvent& event);
  void begin_history(std::int64_t ended_at);
  void put_barrier(InputEvent& event, Epoch epoch, WallTime time, std::int64_t to);

  const std::string source_;
  const stream::SourcePartition partition_;
  std::unique_ptr<stream::SourceReader> reader_;
  std::deque<ReplayRange> replay_;
  std::deque<CloseEpoch> requests_;
  const std::size_t rows_max_;
  std::int64_t from_;                     ///< where the running epoch began
  bool has_rows_ = false;                 ///< the running epoch has
  std::optional<std::int64_t> ended_at_;  ///< of the history before the one that comes next
  const std::int64_t end_;
  bool has_ended_ = false;  ///< stopped or exhausted: reads nothing more
  BatchPool pool_;
  Batch spare_;  ///< an empty batch kept for the next read
};

}  // namespace millrace::actors
