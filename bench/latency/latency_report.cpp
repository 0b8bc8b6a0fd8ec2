#include "bench/latency/latency_report.hpp"

#include "bench/latency/percentile.hpp"
#include "bench/latency/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>

namespace millrace::bench {
namespace {

struct Percentile {
  const char* name;
  double quantile;
};
constexpr std::array<Percentile, 5> kPercentiles = {
    {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"p99.99", 0.9999}}};

using Figure = std::optional<double>;
using FigureOf = std::function<Figure(const LatencyRun&)>;

FigureOf percentile_of(double quantile) {
  return [quantile](const LatencyRun& run) { return percentile_us(run.latency, quantile); };
}

Figure max_us(const LatencyRun& run) { return static_cast<double>(run.latency.max_ns) / 1e3; }
Figure cpu_seconds(const LatencyRun& run) { return run.cpu_seconds; }
Figure resident_mib(const LatencyRun& run) {
  return static_cast<double>(run.resident_bytes) / (1024 * 1024);
}
Figure achieved_rate(const LatencyRun& run) { return run.achieved_rate; }

// One figure of every run; empty when a run lacks it.
std::vector<double> figures_of(const LatencyRow& row, const FigureOf& figure_of) {
  std::vector<double> figures;
  for (const auto& run : row.runs) {
    const auto figure = figure_of(run);
    if (!figure) return {};
    figures.push_back(*figure);
  }
  return figures;
}

// Median over the runs; nothing when a run lacks the figure.
Figure median(const LatencyRow& row, const FigureOf& figure_of) {
  const auto figures = figures_of(row, figure_of);
  return figures.empty() ? std::nullopt : Figure(median_of(figures));
}

// What ratios refer to: the forwarder's setting of the lowest median, A/A rows left out. Its A/A
// row is the next one, where there is one.
const LatencyRow* best_forwarder_row(const LatencyTable& table, const FigureOf& figure_of) {
  const LatencyRow* best = nullptr;
  for (const auto& row : table.rows) {
    if (row.subject.is_millrace() || row.subject.is_again || !median(row, figure_of)) continue;
    if (best == nullptr || *median(row, figure_of) < *median(*best, figure_of)) best = &row;
  }
  return best;
}

Figure best_forwarder(const LatencyTable& table, const FigureOf& figure_of) {
  const auto* const row = best_forwarder_row(table, figure_of);
  return row == nullptr ? std::nullopt : median(*row, figure_of);
}

// A figure of Millrace against its bar. Without an A/A row, or with few runs, nothing is decidable.
struct Judgement {
  const char* figure = "";
  double ratio = 0;
  double bar = 0;
  std::optional<Spread> spread;
  Verdict verdict = Verdict::kNotDecidable;
};

std::optional<Spread> spread_at(const LatencyTable& table, const LatencyRow& forwarder,
                                const FigureOf& figure_of) {
  const auto next = static_cast<std::size_t>(&forwarder - table.rows.data()) + 1;
  if (next == table.rows.size() || !table.rows[next].subject.is_again) return std::nullopt;
  const auto again = figures_of(table.rows[next], figure_of);
  if (again.size() < kRunsMin || forwarder.runs.size() < kRunsMin) return std::nullopt;
  return spread_of(figures_of(forwarder, figure_of), again);
}

std::vector<Judgement> judge_row(const Settings& settings, const LatencyTable& table,
                                 const LatencyRow& row) {
  if (!row.subject.is_millrace()) return {};
  const auto& bars = bars_at(settings, table.rate);
  std::vector<Judgement> judgements;
  const auto add = [&](const char* name, const FigureOf& figure_of, double bar) {
    const auto* const forwarder = best_forwarder_row(table, figure_of);
    const auto figure = median(row, figure_of);
    if (forwarder == nullptr || !figure || *median(*forwarder, figure_of) <= 0) return;
    Judgement judgement{name, *figure / *median(*forwarder, figure_of), bar,
                        spread_at(table, *forwarder, figure_of), Verdict::kNotDecidable};
    if (judgement.spread) judgement.verdict = judge(judgement.ratio, bar, *judgement.spread);
    judgements.push_back(judgement);
  };
  add("p50", percentile_of(0.5), bars.p50);
  add("p99", percentile_of(0.99), bars.p99);
  add("CPU", cpu_seconds, bars.cpu);
  return judgements;
}

std::string verdict_cell(const std::vector<Judgement>& judgements) {
  if (judgements.empty()) return "";
  return std::string(
      to_string(std::ranges::max_element(judgements, {}, &Judgement::verdict)->verdict));
}

std::string verdict_lines(const Settings& settings, const LatencyTable& table) {
  std::string text;
  for (const auto& row : table.rows) {
    for (const auto& one : judge_row(settings, table, row)) {
      text += fmt::format("Verdict, {}: {} {:.2f}x, bar {:.2f}x: {}", row.subject.name, one.figure,
                          one.ratio, one.bar, to_string(one.verdict));
      text += one.spread ? fmt::format(" (A/A spread of medians {:.2f} to {:.2f})\n",
                                       one.spread->low, one.spread->high)
                         : " (no A/A row of enough runs)\n";
    }
  }
  return text;
}

std::string cell(Figure figure, int decimals) {
  return figure ? fmt::format("{:.{}f}", *figure, decimals) : "-";
}

std::string ratio_cell(Figure figure, Figure base) {
  return figure && base && *base > 0 ? fmt::format("{:.2f}x", *figure / *base) : "-";
}

// A/A: how far the same forwarder lies from itself, by medians and run by run.
std::string describe_spread(const LatencyRow& row, const LatencyRow& again, const char* name,
                            const FigureOf& figure_of) {
  const auto first = median(row, figure_of);
  const auto second = median(again, figure_of);
  if (!first || !second || *first <= 0) return {};
  double low = std::numeric_limits<double>::max();
  double high = 0;
  for (std::size_t i = 0; i < std::min(row.runs.size(), again.runs.size()); ++i) {
    const auto ratio = *figure_of(again.runs[i]) / std::max(*figure_of(row.runs[i]), 1e-9);
    low = std::min(low, ratio);
    high = std::max(high, ratio);
  }
  return fmt::format("  {} {:.2f}x (run by run {:.2f} to {:.2f})", name, *second / *first, low,
                     high);
}

std::string spread_lines(const LatencyTable& table) {
  std::string text;
  for (std::size_t i = 0; i + 1 < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    const auto& again = table.rows[i + 1];
    if (!again.subject.is_again) continue;
    text += fmt::format("A/A spread, {}:{}{}{}\n", row.subject.name,
                        describe_spread(row, again, "p50", percentile_of(0.5)),
                        describe_spread(row, again, "p99", percentile_of(0.99)),
                        describe_spread(row, again, "CPU", cpu_seconds));
  }
  return text;
}

stream::LatencySnapshot merged(const LatencyRow& row) {
  stream::LatencySnapshot all;
  for (const auto& run : row.runs) {
    if (all.buckets.empty()) {
      all = run.latency;
    } else {
      all.merge(run.latency);
    }
  }
  return all;
}

std::string merged_lines(const LatencyTable& table) {
  std::string text = "All repeats together, us:\n";
  for (const auto& row : table.rows) {
    const auto all = merged(row);
    text += fmt::format("  {:<28}", row.subject.name);
    for (const auto& [name, quantile] : kPercentiles) {
      const auto figure = percentile_us(all, quantile);
      if (figure) text += fmt::format(" {} {:.0f}", name, *figure);
    }
    text +=
        fmt::format(" max {:.0f} ({} samples)\n", static_cast<double>(all.max_ns) / 1e3, all.count);
  }
  return text;
}

std::uint64_t faults_of(const LatencyRun& run) {
  return run.missing + run.doubled + run.unexpected;
}

std::string fault_lines(const LatencyTable& table) {
  std::string text;
  for (const auto& row : table.rows) {
    for (const auto& run : row.runs) {
      if (faults_of(run) == 0) continue;
      text += fmt::format("FAULT, {}: {} records missing, {} doubled, {} unexpected\n",
                          row.subject.name, run.missing, run.doubled, run.unexpected);
    }
  }
  return text;
}

std::string run_json(const LatencyRun& run) {
  std::string json = "{";
  for (const auto& [name, quantile] : kPercentiles) {
    const auto figure = percentile_us(run.latency, quantile);
    json += fmt::format("\"{}_us\":{},", name, figure ? fmt::format("{:.1f}", *figure) : "null");
  }
  return json + fmt::format(
                    "\"max_us\":{:.1f},\"samples\":{},\"offered_rate\":{:.0f},"
                    "\"achieved_rate\":{:.1f},\"cpu_seconds\":{:.2f},\"resident_bytes\":{},"
                    "\"peak_resident_bytes\":{},\"missing\":{},\"doubled\":{},"
                    "\"unexpected\":{}}}",
                    *max_us(run), run.latency.count, run.offered_rate, run.achieved_rate,
                    run.cpu_seconds, run.resident_bytes, run.peak_resident_bytes, run.missing,
                    run.doubled, run.unexpected);
}

template <typename Items, typename ToJson>
std::string list_json(const Items& items, const ToJson& to_json_of) {
  std::string json = "[";
  for (const auto& item : items) json += (json.size() > 1 ? "," : "") + to_json_of(item);
  return json + "]";
}

std::string judgement_json(const Judgement& one) {
  return fmt::format(
      "{{\"figure\":\"{}\",\"ratio\":{:.3f},\"bar\":{:.2f},\"spread\":{},\"verdict\":\"{}\"}}",
      one.figure, one.ratio, one.bar,
      one.spread ? fmt::format("[{:.3f},{:.3f}]", one.spread->low, one.spread->high) : "null",
      to_string(one.verdict));
}

std::string table_json(const Settings& settings, const LatencyTable& table) {
  const auto row_json = [&](const LatencyRow& row) {
    return fmt::format("{{\"subject\":\"{}\",\"verdicts\":{},\"runs\":{}}}", row.subject.name,
                       list_json(judge_row(settings, table, row), judgement_json),
                       list_json(row.runs, run_json));
  };
  return fmt::format("{{\"rate\":{},\"partitions\":{},\"rows\":{}}}", table.rate, table.partitions,
                     list_json(table.rows, row_json));
}

}  // namespace

std::string to_text(const Settings& settings, const LatencyTable& table) {
  std::string text = fmt::format(
      "\n{} rec/s offered, {} B, {} partitions; {} s after a warm-up of {} s; medians of {} runs, "
      "us from due to read\n",
      table.rate, settings.size_bytes, table.partitions, settings.seconds, settings.warm_up_seconds,
      settings.repeats);
  text +=
      fmt::format("{:<34}{:>8}{:>8}{:>8}{:>8}{:>10}{:>10}{:>10}{:>8}{:>8}{:>8}{:>8}  {}\n", "",
                  "p50", "", "p99", "", "p99.9", "max", "rec/s", "CPU s", "", "MiB", "", "verdict");
  const std::array<FigureOf, 4> with_ratio = {percentile_of(0.5), percentile_of(0.99), cpu_seconds,
                                              resident_mib};
  std::array<Figure, 4> base;
  std::ranges::transform(with_ratio, base.begin(),
                         [&](const auto& figure_of) { return best_forwarder(table, figure_of); });
  for (const auto& row : table.rows) {
    std::array<Figure, 4> figures;
    std::ranges::transform(with_ratio, figures.begin(),
                           [&](const auto& figure_of) { return median(row, figure_of); });
    text += fmt::format(
        "{:<34}{:>8}{:>8}{:>8}{:>8}{:>10}{:>10}{:>10}{:>8}{:>8}{:>8}{:>8}  {}\n", row.subject.name,
        cell(figures[0], 0), ratio_cell(figures[0], base[0]), cell(figures[1], 0),
        ratio_cell(figures[1], base[1]), cell(median(row, percentile_of(0.999)), 0),
        cell(median(row, max_us), 0), cell(median(row, achieved_rate), 0), cell(figures[2], 2),
        ratio_cell(figures[2], base[2]), cell(figures[3], 1), ratio_cell(figures[3], base[3]),
        verdict_cell(judge_row(settings, table, row)));
  }
  return text + verdict_lines(settings, table) + spread_lines(table) + merged_lines(table) +
         fault_lines(table);
}

std::string to_json(const Settings& settings, const MachineNoise& noise,
                    const std::vector<LatencyTable>& tables) {
  return fmt::format(
      "{{\"size_bytes\":{},\"seconds\":{},\"warm_up_seconds\":{},\"repeats\":{},"
      "\"noise_floor\":{{\"seconds\":{:.1f},\"gaps_over_100_us\":{},\"worst_gap_us\":{:.0f},"
      "\"load_average\":{:.2f}}},\"tables\":{}}}\n",
      settings.size_bytes, settings.seconds, settings.warm_up_seconds, settings.repeats,
      noise.seconds, noise.gaps_over_100_us, noise.worst_gap_us, noise.load_average,
      list_json(tables, [&](const LatencyTable& table) { return table_json(settings, table); }));
}

std::uint64_t faults_in(const std::vector<LatencyTable>& tables) {
  std::uint64_t faults = 0;
  for (const auto& table : tables)
    for (const auto& row : table.rows)
      for (const auto& run : row.runs) faults += faults_of(run);
  return faults;
}

}  // namespace millrace::bench
