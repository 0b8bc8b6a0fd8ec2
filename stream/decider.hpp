#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace millrace::stream {

/// Under which names a decider writes, and where it keeps its mark. Durable, in the checkpoint's
/// metadata, before the decider uses any of it.
struct DeciderNames {
  std::vector<std::string> writers;  ///< Kafka: transactional ids
  std::string mark_topic;            ///< the topic-partition whose committed offset bears the mark
  std::int32_t mark_partition = 0;
};

/// The words that a decider keeps for an epoch, together with its output.
using MarkOf = std::function<std::string(Epoch)>;

/// The one place that says whether an epoch's output is visible: it makes all of it visible at
/// once, together with a mark that names the epoch, or none of it. At most one per query.
///
///   [take_over -> start] -> per epoch N, in order: ...rows..., commit(N)
class Decider {
 public:
  virtual ~Decider() = default;

  /// How errors name it.
  [[nodiscard]] virtual std::string title() const = 0;
  /// What it will use under a checkpoint of this id. Before the sinks' prime().
  [[nodiscard]] virtual DeciderNames names(const std::string& checkpoint_id) = 0;
  /// Shuts out whoever wrote under these names before: what is undecided of theirs is given up, and
  /// they can decide nothing any more. Then gives the mark of the newest epoch that was made
  /// visible; none when there is none. Starting thread, behind the sinks' prime().
  [[nodiscard]] virtual Result<std::optional<std::string>> take_over(const DeciderNames& names) = 0;
  /// Whether a mark that is gone (it may expire) is taken for one that was never set.
  [[nodiscard]] virtual bool goes_on_without_mark() const { return false; }
  /// Lets rows of `first`, and then of the epochs behind it, be written. Starting thread, once.
  [[nodiscard]] virtual Status start(Epoch first, MarkOf mark_of) = 0;
  /// Makes the epoch's output visible, with its mark. Everything written in it is acknowledged.
  /// False: nothing was written, so that there is nothing to make visible and the mark stays what
  /// it was. After an error nobody knows whether it is visible but who takes over next. Commit
  /// thread.
  [[nodiscard]] virtual Result<bool> commit(Epoch epoch) = 0;
  /// Makes a commit() that waits for the other side return soon, with an error. Any thread.
  virtual void give_up() = 0;
};

}  // namespace millrace::stream
