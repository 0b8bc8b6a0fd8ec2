#pragma once

#include "actors/task_input.hpp"
#include "stream/source.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace millrace::actors {

/// An epoch that was closed before a crash and not committed: read again, exactly.
struct ReplayRange {
  Epoch epoch;
  WallTime time{};
  std::int64_t to = 0;  ///< first position that is not part of it
};

/// A task's input from one source partition: reads rows and cuts epochs where it is told to.
///
///   replay     [from .. to) B(n)   [.. to') B(n+1)   then open: rows until close_epoch, B(n+2),
///   ...
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
  void put_barrier(InputEvent& event, Epoch epoch, WallTime time, std::int64_t to);

  const std::string source_;
  const stream::SourcePartition partition_;
  std::unique_ptr<stream::SourceReader> reader_;
  std::deque<ReplayRange> replay_;
  std::deque<CloseEpoch> requests_;
  const std::size_t rows_max_;
  std::int64_t from_;  ///< where the running epoch began
  const std::int64_t end_;
  bool has_ended_ = false;  ///< stopped or exhausted: reads nothing more
  BatchPool pool_;
  Batch spare_;  ///< an empty batch kept for the next read
};

}  // namespace millrace::actors
