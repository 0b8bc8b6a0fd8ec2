#pragma once

#include "millrace/error.hpp"

#include "stream/sink.hpp"
#include "stream/source.hpp"

#include <map>
#include <string>
#include <string_view>

namespace millrace::state {

/// sources/start: where the query began. Resolved once in a checkpoint's life and durable before
/// the first record is read, so that `latest` is not resolved anew after an early crash. A plain
/// value.
struct StartRecord {
  std::map<std::string, stream::Positions> sources;  ///< source name -> partition name -> position
  /// High watermarks of the output topics: everything below was there before us.
  stream::OutputEnds outputs;

  friend bool operator==(const StartRecord&, const StartRecord&) = default;
};

[[nodiscard]] std::string encode(const StartRecord& record);
/// kCorrupt, with the reason only, for any file that is not exactly what was written.
[[nodiscard]] Result<StartRecord> decode_start(std::string_view bytes);

}  // namespace millrace::state
