#pragma once

#include "millrace/error.hpp"

#include "formats/record_position.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace millrace::formats {

/// Tells the replays among the records of one partition that others have written exactly once by
/// resuming: per writer and source, a record that is not above the highest position seen is one
/// that was there before. A new generation of a writer is another history, which begins anew; what
/// comes of an older one behind that belongs to a history that was left, and is a replay too. One
/// per partition; used by one thread; allocates only when it meets a new source of a writer.
class PositionFilter {
 public:
  /// So many sources of writers are told apart; beyond that the one that was longest not seen is
  /// forgotten, and what of it is replayed then is not noticed.
  static constexpr std::size_t kSourcesMax = 10'000;

  explicit PositionFilter(std::size_t sources_max = kSourcesMax) : sources_max_(sources_max) {}

  /// Whether the record is one that was there before. If not, it is the newest from now on.
  [[nodiscard]] bool is_replay(const RecordPosition& position);
  /// How many sources have been forgotten.
  [[nodiscard]] std::int64_t forgotten() const { return forgotten_; }

  /// All that it knows, as text: "checkpoint/writer/source=generation:offset:index", blanks
  /// between.
  [[nodiscard]] std::string to_text() const;
  /// kCorrupt for another text.
  [[nodiscard]] static Result<PositionFilter> parse(std::string_view text);

 private:
  struct Source {
    std::array<std::uint8_t, 16> checkpoint{};
    std::uint32_t writer = 0;
    std::uint64_t source = 0;

    friend auto operator<=>(const Source&, const Source&) = default;
  };
  struct Newest {
    std::uint32_t generation = 0;
    stream::OutputMark mark;
    std::int64_t seen = 0;  ///< when, in records of this filter
  };

  void forget_one();

  std::size_t sources_max_;
  std::map<Source, Newest> newest_;
  std::int64_t seen_ = 0;
  std::int64_t forgotten_ = 0;
};

}  // namespace millrace::formats
