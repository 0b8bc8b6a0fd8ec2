#include "bench/latency/latency_report.hpp"
#include "bench/latency/modes.hpp"
#include "bench/latency/output_audit.hpp"

#include <cstdio>
#include <fstream>

namespace millrace::bench {
namespace {

constexpr double kNoiseSeconds = 3;

// Every repeat begins with another subject, so that no row always follows the same one.
Status run_all(const Settings& settings, Workspace& workspace, LatencyTable& table) {
  const auto count = table.rows.size();
  for (int repeat = 0; repeat < settings.repeats; ++repeat) {
    for (std::size_t i = 0; i < count; ++i) {
      auto& row = table.rows[(i + static_cast<std::size_t>(repeat)) % count];
      std::fprintf(stderr, "run %d of %d at %d rec/s: %s\n", repeat + 1, settings.repeats,
                   table.rate, row.subject.name.c_str());
      MILLRACE_ASSIGN(auto run, run_latency(settings, workspace, row.subject, table.rate));
      row.runs.push_back(std::move(run));
    }
  }
  return {};
}

}  // namespace

Status measure_latency(const Settings& settings) {
  const auto noise = measure_machine_noise(kNoiseSeconds);
  std::printf("%s\n", describe(noise).c_str());
  std::vector<LatencyTable> tables;
  for (const int partitions : settings.partition_counts) {
    Settings own = settings;
    own.partitions = partitions;
    Workspace workspace(own);
    for (const int rate : settings.rates) {
      auto& table = tables.emplace_back(LatencyTable{rate, partitions, {}});
      for (auto& subject : subjects_of(own, true)) table.rows.push_back({subject, {}});
      MILLRACE_TRY(run_all(own, workspace, table));
      std::fputs(to_text(own, table).c_str(), stdout);
      std::fflush(stdout);
    }
  }
  MILLRACE_TRY(write_output(settings, to_json(settings, noise, tables)));
  return check_output(faults_in(tables));
}

Status write_output(const Settings& settings, const std::string& text) {
  if (settings.output.empty()) return {};
  std::ofstream stream(settings.output);
  stream << text;
  if (!stream.flush()) return fail(ErrorCode::kIo, "cannot write: " + settings.output);
  return {};
}

}  // namespace millrace::bench
