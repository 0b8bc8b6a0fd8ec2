#pragma once

#include "connectors/channel_source.hpp"
#include "stream/source.hpp"

#include <memory>

namespace millrace::connectors {

/// The source of one query over a channel: one partition, read by one task. The clock outlives it.
[[nodiscard]] std::unique_ptr<stream::Source> make_channel_source(
    std::shared_ptr<ChannelStream> table, const Clock& clock);

}  // namespace millrace::connectors
