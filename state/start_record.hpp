#pragma once

#include "millrace/error.hpp"

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
  /// Output topic -> partition number -> high watermark: everything below was there before us.
  std::map<std::string, std::map<std::int32_t, std::int64_t>> outputs;

  friend bool operator==(const StartRecord&, const StartRecord&) = default;
};

[[nodiscard]] std::string encode(const StartRecord& record);
/// kCorrupt, with the reason only, for any file that is not exactly what was written.
[[nodiscard]] Result<StartRecord> decode_start(std::string_view bytes);

}  // namespace millrace::state
