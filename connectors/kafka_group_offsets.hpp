#pragma once

#include "millrace/clock.hpp"
#include "millrace/error.hpp"
#include "millrace/log.hpp"

#include "connectors/connector_context.hpp"
#include "connectors/kafka_settings.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

struct rd_kafka_queue_s;

namespace millrace::connectors {

class KafkaClient;

/// Tells a consumer group how far a query has come, for tools that show the lag of groups. Nobody
/// ever reads it here. One commit is under way at a time; what comes meanwhile goes with the next.
/// A failure is a warning, at most one a minute. Used by one thread at a time.
class KafkaGroupOffsets {
 public:
  /// (topic, partition) -> the next record to read.
  using Offsets = std::map<std::pair<std::string, std::int32_t>, std::int64_t>;

  /// A client of its own, for this group. `owner` begins each line: "source clicks".
  [[nodiscard]] static Result<std::unique_ptr<KafkaGroupOffsets>> open(
      std::string owner, std::string group, KafkaSettings settings,
      const ConnectorContext& context);
  /// Sees what is under way and what waits through, for two seconds at most.
  ~KafkaGroupOffsets();
  KafkaGroupOffsets(const KafkaGroupOffsets&) = delete;
  KafkaGroupOffsets& operator=(const KafkaGroupOffsets&) = delete;

  /// Commits these, and what waits; does not block.
  void commit(const Offsets& offsets);

 private:
  KafkaGroupOffsets(std::string owner, std::string group, const ConnectorContext& context);
  void send();
  /// Takes the answer, if it is there within so many ms.
  void take_answer(int wait_ms);
  void note_failure(const std::string& reason);
  void note_success();

  const std::string owner_;
  const std::string group_;
  const Clock& clock_;
  const LogFunction log_;
  std::unique_ptr<KafkaClient> client_;
  rd_kafka_queue_s* answers_ = nullptr;
  Offsets waiting_;
  bool is_under_way_ = false;
  bool has_failed_ = false;  ///< the newest one
  std::optional<SteadyTime> last_warning_;
};

}  // namespace millrace::connectors
