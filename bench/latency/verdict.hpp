#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace millrace::bench {

/// What a run can say about a ratio and its bar.
enum class Verdict {
  kMet,
  kNotDecidable,  ///< the bar lies within what the machine makes of one program measured twice
  kMissed,
};

/// "met", "not decidable here", "missed".
[[nodiscard]] std::string_view to_string(Verdict verdict);

/// With fewer runs of a row than this nothing is decided: two of them may agree by chance.
inline constexpr std::size_t kRunsMin = 3;

/// How far the ratio of two medians lies from 1 although both are of the same program.
struct Spread {
  double low = 1;
  double high = 1;
};

/// The A/A spread: all runs of both rows are of one program, so any way of dealing them into two
/// rows could have happened. Gives the middle nine tenths of the ratios of medians that this makes.
/// Few or unlike runs make it wide. Neither row is empty; all figures are above zero.
[[nodiscard]] Spread spread_of(const std::vector<double>& runs, const std::vector<double>& again);

/// Met or missed only where the spread cannot turn it around: the true ratio lies between
/// ratio / high and ratio / low.
[[nodiscard]] Verdict judge(double ratio, double bar, Spread spread);

/// The median; of an even number, the middle between two. Not of none.
[[nodiscard]] double median_of(std::vector<double> figures);

}  // namespace millrace::bench
