#pragma once

#include "stream/zone_rule.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// What a compiled file of the time zone database says (RFC 8536, versions 2 and later). A value.
struct ZoneFile {
  ZoneChange first;                 ///< what holds before the first change; its time says nothing
  std::vector<ZoneChange> changes;  ///< in order
  std::optional<ZoneRule> rule;     ///< what holds behind the last one

  /// Takes the bytes of a file apart. Nothing if they are none, whatever they are.
  [[nodiscard]] static std::optional<ZoneFile> parse(std::string_view bytes);
  /// Reads the zone of that name from the system's database. Nothing if there is none.
  [[nodiscard]] static std::optional<ZoneFile> load(const std::string& name);
};

}  // namespace millrace::stream
