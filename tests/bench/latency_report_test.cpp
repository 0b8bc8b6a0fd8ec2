#include "bench/latency/latency_report.hpp"

#include "bench/latency/output_audit.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace::bench {
namespace {

// A run whose 20,000 records all took so long, and whose process used so much of a core.
LatencyRun run_of(std::uint64_t latency_us, double cpu_seconds) {
  stream::LatencyHistogram histogram;
  for (int i = 0; i < 20'000; ++i) histogram.record(static_cast<std::int64_t>(latency_us) * 1000);
  LatencyRun run;
  run.latency = histogram.snapshot();
  run.cpu_seconds = cpu_seconds;
  return run;
}

LatencyTable table_of(std::uint64_t forwarder_us, std::uint64_t again_us,
                      std::uint64_t millrace_us) {
  LatencyTable table{1000, 4, {}};
  const auto thrice = [](const LatencyRun& run) { return std::vector<LatencyRun>(3, run); };
  table.rows.push_back({{"forwarder", 2, false}, thrice(run_of(forwarder_us, 2.0))});
  table.rows.push_back({{"forwarder (A/A)", 2, true}, thrice(run_of(again_us, 2.0))});
  table.rows.push_back({{"millrace", 0, false}, thrice(run_of(millrace_us, 2.5))});
  return table;
}

// The lines that begin with "Verdict".
std::string verdicts_in(const std::string& text) {
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    const auto line = text.substr(begin, end + 1 - begin);
    if (line.starts_with("Verdict")) lines += line;
    begin = end + 1;
  }
  return lines;
}

TEST(LatencyReport, GivesEachFigureOfMillraceAVerdict) {
  EXPECT_EQ(verdicts_in(to_text(Settings{}, table_of(1000, 1000, 1040))),
            "Verdict, millrace: p50 1.04x, bar 1.10x: met (A/A spread of medians 1.00 to 1.00)\n"
            "Verdict, millrace: p99 1.04x, bar 1.15x: met (A/A spread of medians 1.00 to 1.00)\n"
            "Verdict, millrace: CPU 1.25x, bar 1.40x: met (A/A spread of medians 1.00 to 1.00)\n");
}

TEST(LatencyReport, DecidesNothingInsideTheSpread) {
  const auto text = to_text(Settings{}, table_of(1000, 1300, 1250));

  EXPECT_NE(text.find("p50 1.25x, bar 1.10x: not decidable here (A/A spread of medians 0.78 to "
                      "1.29)\n"),
            std::string::npos)
      << text;
}

TEST(LatencyReport, ClosesTheRowWithItsWorstVerdict) {
  const auto text = to_text(Settings{}, table_of(1000, 1000, 2000));

  EXPECT_NE(text.find("p50 2.00x, bar 1.10x: missed"), std::string::npos) << text;
  EXPECT_NE(text.find("  missed\n"), std::string::npos) << text;
}

TEST(LatencyReport, DecidesNothingWithoutAnAaRow) {
  auto table = table_of(1000, 1000, 1000);
  table.rows.erase(table.rows.begin() + 1);

  EXPECT_NE(to_text(Settings{}, table)
                .find("Verdict, millrace: p50 1.00x, bar 1.10x: not decidable here (no A/A row of "
                      "enough runs)\n"),
            std::string::npos);
}

TEST(LatencyReport, DecidesNothingOnTwoRuns) {
  auto table = table_of(1000, 1000, 1000);
  for (auto& row : table.rows) row.runs.pop_back();

  EXPECT_NE(to_text(Settings{}, table)
                .find("Verdict, millrace: p50 1.00x, bar 1.10x: not decidable here (no A/A row of "
                      "enough runs)\n"),
            std::string::npos);
}

TEST(LatencyReport, PutsTheVerdictsIntoTheJson) {
  const auto json = to_json(Settings{}, MachineNoise{}, {table_of(1000, 1000, 1250)});

  EXPECT_NE(json.find("{\"figure\":\"CPU\",\"ratio\":1.250,\"bar\":1.40,\"spread\":[1.000,1.000],"
                      "\"verdict\":\"met\"}"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find("\"rate\":1000,\"partitions\":4"), std::string::npos) << json;
}

TEST(LatencyReport, CountsTheFaultsOfEveryRunAndFailsForThem) {
  auto table = table_of(1000, 1000, 1000);
  EXPECT_EQ(faults_in({table}), 0U);
  EXPECT_TRUE(check_output(0).has_value());

  table.rows[0].runs[1].missing = 3;
  table.rows[2].runs[0].doubled = 1;
  table.rows[2].runs[2].unexpected = 2;

  EXPECT_EQ(faults_in({table, table}), 12U);
  EXPECT_NE(to_text(Settings{}, table)
                .find("FAULT, millrace: 0 records missing, 1 doubled, 0 unexpected\n"),
            std::string::npos);
  EXPECT_EQ(check_output(12).error().message,
            "12 records were missing, doubled or unexpected in the output; what is expected of a "
            "job, --help says");
}

}  // namespace
}  // namespace millrace::bench
