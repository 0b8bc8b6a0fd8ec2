#pragma once

#include "connectors/channel_sink.hpp"
#include "stream/sink.hpp"

#include <memory>

namespace millrace::connectors {

/// The sink of one query over a channel. The clock outlives it.
[[nodiscard]] std::unique_ptr<stream::Sink> make_channel_sink(std::shared_ptr<ChannelTarget> target,
                                                              const Clock& clock);

}  // namespace millrace::connectors
