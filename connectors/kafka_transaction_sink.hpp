#pragma once

#include "millrace/error.hpp"

#include "connectors/connector_context.hpp"
#include "connectors/kafka_transactions.hpp"
#include "stream/sink.hpp"

#include <memory>
#include <string>

namespace millrace::connectors {

/// What one Kafka sink that writes by transactions is, beside what all of a query share.
struct KafkaTransactionSinkSpec {
  std::string name;              ///< of the table
  std::string topic;             ///< empty: each row names its own
  std::int32_t partitions_made;  ///< of a topic that is missing; 0: then it is an error
  bool keeps_partitions = true;  ///< see KafkaWriter::open
};

/// A Kafka sink whose rows become visible, to who reads committed records, with their epoch's
/// commit: one face of the transactions that all such sinks of the query share. The context's
/// shared clients hold those; the first sink makes them, a further one must agree with it.
[[nodiscard]] Result<std::unique_ptr<stream::Sink>> make_kafka_transaction_sink(
    KafkaTransactionSinkSpec spec, KafkaTransactionSpec shared, const ConnectorContext& context);

}  // namespace millrace::connectors
