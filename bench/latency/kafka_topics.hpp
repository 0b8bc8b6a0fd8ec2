#pragma once

#include "millrace/error.hpp"

#include <string>
#include <vector>

namespace millrace::bench {

/// Creates topics and waits until the broker serves them.
Status create_kafka_topics(const std::string& servers, const std::vector<std::string>& topics,
                           int partitions);

/// Deletes topics.
Status delete_kafka_topics(const std::string& servers, const std::vector<std::string>& topics);

}  // namespace millrace::bench
