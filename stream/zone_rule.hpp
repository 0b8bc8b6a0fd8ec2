#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// From when on which offset holds.
struct ZoneChange {
  std::int64_t at_seconds = 0;      ///< since 1970-01-01 UTC
  std::int64_t offset_seconds = 0;  ///< local time minus UTC
  std::string abbreviation;         ///< "CEST"; a number such as "-03" where there is none

  friend bool operator==(const ZoneChange&, const ZoneChange&) = default;
};

/// How a zone's clocks go on for ever, as the last line of a file of the time zone database says it
/// in the words of POSIX: "CET-1CEST,M3.5.0,M10.5.0/3". An immutable value.
class ZoneRule {
 public:
  /// Nothing if the text is no such rule.
  [[nodiscard]] static std::optional<ZoneRule> parse(std::string_view text);

  /// Whether clocks are changed at all.
  [[nodiscard]] bool has_changes() const { return has_changes_; }
  /// What holds where no change says otherwise.
  [[nodiscard]] const ZoneChange& standard() const { return standard_; }
  /// Adds the two changes of a year, in order.
  void add_changes(std::int64_t year, std::vector<ZoneChange>& changes) const;

 private:
  friend class ZoneRuleReader;

  /// A day of the year and a time on that day's clock, which may be of a day before or after.
  struct Moment {
    enum class Kind {
      kWeekday,     ///< the `week`-th `weekday` of `month`, 5 for the last
      kDay,         ///< `day` from 0 to 365, leap days counted
      kDayNoLeaps,  ///< `day` from 1 to 365, 29 February never counted
    };
    Kind kind = Kind::kWeekday;
    std::int64_t month = 1;
    std::int64_t week = 1;
    std::int64_t weekday = 0;  ///< 0 for Sunday
    std::int64_t day = 0;
    std::int64_t time_seconds = 2 * 3600;

    [[nodiscard]] std::int64_t local_seconds(std::int64_t year) const;
  };

  ZoneChange standard_;
  ZoneChange daylight_;
  Moment daylight_begin_;
  Moment daylight_end_;
  bool has_changes_ = false;
};

}  // namespace millrace::stream
