#include "bench/latency/verdict.hpp"

#include "millrace/assert.hpp"

#include <algorithm>
#include <cstddef>
#include <random>

namespace millrace::bench {
namespace {

constexpr std::size_t kDealtInFull = 14;  // 3,432 ways; above that, as many are drawn
constexpr int kDrawn = 3432;

// The ratio of medians when the first `count` figures make one row and the rest the other.
double ratio_of_deal(const std::vector<double>& figures, std::size_t count) {
  const auto middle = figures.begin() + static_cast<std::ptrdiff_t>(count);
  return median_of({middle, figures.end()}) / median_of({figures.begin(), middle});
}

std::vector<double> ratios_of_all_deals(const std::vector<double>& figures, std::size_t count) {
  std::vector<char> second(figures.size(), 1);
  std::fill_n(second.begin(), count, 0);
  std::vector<double> ratios;
  do {
    std::vector<double> dealt;
    for (const int row : {0, 1})
      for (std::size_t i = 0; i < figures.size(); ++i)
        if (second[i] == row) dealt.push_back(figures[i]);
    ratios.push_back(ratio_of_deal(dealt, count));
  } while (std::ranges::next_permutation(second).found);
  return ratios;
}

std::vector<double> ratios_of_drawn_deals(std::vector<double> figures, std::size_t count) {
  std::mt19937 random(301);
  std::vector<double> ratios;
  for (int draw = 0; draw < kDrawn; ++draw) {
    std::ranges::shuffle(figures, random);
    ratios.push_back(ratio_of_deal(figures, count));
  }
  return ratios;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMet:
      return "met";
    case Verdict::kNotDecidable:
      return "not decidable here";
    case Verdict::kMissed:
      return "missed";
  }
  return "";
}

Spread spread_of(const std::vector<double>& runs, const std::vector<double>& again) {
  MILLRACE_ASSERT(!runs.empty() && !again.empty());
  std::vector<double> figures = runs;
  figures.insert(figures.end(), again.begin(), again.end());
  auto ratios = figures.size() <= kDealtInFull ? ratios_of_all_deals(figures, runs.size())
                                               : ratios_of_drawn_deals(figures, runs.size());
  std::ranges::sort(ratios);
  const auto outside = ratios.size() / 20;
  return {ratios[outside], ratios[ratios.size() - 1 - outside]};
}

Verdict judge(double ratio, double bar, Spread spread) {
  if (ratio / spread.low <= bar) return Verdict::kMet;
  return ratio / spread.high > bar ? Verdict::kMissed : Verdict::kNotDecidable;
}

double median_of(std::vector<double> figures) {
  MILLRACE_ASSERT(!figures.empty());
  std::ranges::sort(figures);
  const auto middle = figures.size() / 2;
  return figures.size() % 2 == 1 ? figures[middle] : (figures[middle - 1] + figures[middle]) / 2;
}

}  // namespace millrace::bench
