#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace {

/// Brings an option key to its canonical form: lower case, no underscores, no dashes
/// ("startingOffsets", "starting_offsets" -> "startingoffsets"). A "kafka." or "kafka_" prefix
/// becomes "kafka." and the rest keeps its dots; underscores in it become dots.
[[nodiscard]] std::string canonical_option_key(std::string_view key);

/// The key-value settings of a source, sink or session. Keys match without regard to case and
/// underscores; the last value given wins. A plain value.
class Options {
 public:
  struct Entry {
    std::string key;  ///< as the user wrote it
    std::string canonical;
    std::string value;
  };

  Options() = default;
  Options(std::initializer_list<std::pair<std::string_view, std::string_view>> entries);

  void set(std::string_view key, std::string_view value);
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] std::optional<std::string> get(std::string_view key) const;
  [[nodiscard]] std::string get_or(std::string_view key, std::string_view fallback) const;
  /// 'true' or 'false' in any case; anything else is an error that names the key.
  [[nodiscard]] Result<bool> get_bool(std::string_view key, bool fallback) const;
  [[nodiscard]] Result<std::int64_t> get_int(std::string_view key, std::int64_t fallback) const;
  /// A duration in ms ("5 seconds", "100 ms", "2 minutes", "250" = ms).
  [[nodiscard]] Result<std::int64_t> get_duration_ms(std::string_view key,
                                                     std::int64_t fallback) const;
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// Refuses any key not among `known` (written in their documented spelling), naming `owner`
  /// ("kafka source") and the nearest known key. Keys starting with "kafka." pass when
  /// `allow_client_settings`.
  [[nodiscard]] Status check_known(std::string_view owner, std::span<const std::string_view> known,
                                   bool allow_client_settings = false) const;

 private:
  [[nodiscard]] const Entry* find(std::string_view key) const;
  std::vector<Entry> entries_;
};

/// Reads "5 seconds", "10 ms", "1 minute 30 seconds", "1h"; a bare number is ms. In ms.
[[nodiscard]] Result<std::int64_t> parse_duration_ms(std::string_view text);

/// The candidate nearest to `name` by edit distance, when near enough to be a slip; else none.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      std::span<const std::string_view> candidates);

}  // namespace millrace
