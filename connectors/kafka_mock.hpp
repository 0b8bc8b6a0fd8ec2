#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <memory>
#include <string>

struct rd_kafka_s;
struct rd_kafka_mock_cluster_s;

namespace millrace::connectors {

/// What a mock broker can be told to answer.
enum class KafkaMockError {
  kNone,               ///< answers well: leaves a request alone between two that fail
  kNotLeader,          ///< another broker leads the partition now
  kRequestTimedOut,    ///< the broker gave up waiting, perhaps after it had written
  kTopicUnauthorized,  ///< the client may not write there: permanent
  kTooLarge,           ///< a record of the request is larger than its topic takes: permanent
  kDuplicate           ///< it takes the request for one that it has: a success without an offset
};

/// A Kafka cluster inside this process, for the demo and for tests of plumbing. It speaks the real
/// protocol on a port of 127.0.0.1, keeps at most 5 MiB per partition, knows no transactions, and
/// answers a waiting fetch only when its time is up: its latencies say nothing about the engine.
/// Started by the constructor, stopped by the destructor; thread-safe.
class KafkaMock {
 public:
  [[nodiscard]] static Result<std::unique_ptr<KafkaMock>> start();
  ~KafkaMock();
  KafkaMock(const KafkaMock&) = delete;
  KafkaMock& operator=(const KafkaMock&) = delete;

  /// "host:port", for bootstrap_servers.
  [[nodiscard]] std::string bootstrap_servers() const;
  [[nodiscard]] Status create_topic(const std::string& topic, std::int32_t partitions);
  /// The next `count` produce requests get this answer, behind those pushed before.
  void push_produce_answer(KafkaMockError error, int count = 1);
  /// Forgets the answers that no request has got yet.
  void clear_produce_answers();
  /// The next `count` commits of a group's offsets are refused: the client has no right to it.
  void push_group_commit_refusals(int count);
  /// Takes the cluster's one broker away, connections and all, and brings it back.
  void set_broker_up(bool is_up);

 private:
  KafkaMock(rd_kafka_s* handle, rd_kafka_mock_cluster_s* cluster)
      : handle_(handle), cluster_(cluster) {}

  rd_kafka_s* handle_;
  rd_kafka_mock_cluster_s* cluster_;
};

}  // namespace millrace::connectors
