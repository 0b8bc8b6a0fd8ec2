#pragma once

#include "millrace/error.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::bench {

/// What the program measures.
enum class Mode {
  kLatency,    ///< open loop: the forwarder, the forwarder again, Millrace, in turn
  kBacklog,    ///< topics filled first, then the drain is timed
  kIdle,       ///< CPU and memory of a query with nothing to do
  kReady,      ///< process start to the `ready:` line
  kForwarder,  ///< this process is the bare forwarder that the others start
};

/// What is asked of Millrace's ratios to the best forwarder, at this rate and above.
struct Bars {
  int rate = 0;
  double p50 = 0;
  double p99 = 0;
  double cpu = 0;

  bool operator==(const Bars&) const = default;
};

/// The command line, checked. Every default is here.
struct Settings {
  Mode mode = Mode::kLatency;
  std::string bootstrap_servers;
  std::string job = "bench/latency/enrich.sql";
  std::string keeps = "view,click";   ///< the events that it passes on
  std::vector<std::string> millrace;  ///< paths of binaries, a row each; empty: beside this program
  std::vector<std::string> with;      ///< "name=value": settings of the job, a Millrace row each
  bool without_millrace = false;      ///< forwarder rows only
  std::string output;                 ///< JSON file; empty: none
  std::vector<int> rates = {1000};    ///< records a second, each a table of its own
  std::vector<int> in_flight = {2};   ///< max.in.flight of the forwarder, each a row (and its A/A)
  int size_bytes = 1200;
  int seconds = 20;
  int warm_up_seconds = 5;
  int repeats = 5;
  int partitions = 4;                       ///< of both topics
  std::vector<int> partition_counts = {4};  ///< of the latency runs, each a table of its own
  std::vector<Bars> bars = {{1000, 1.10, 1.15, 1.4}, {5000, 1.15, 1.20, 1.4}};  ///< rates rise
  std::int64_t backlog_bytes = 0;

  // Of the forwarder's own process.
  std::string input_topic;
  std::string output_topic;
  bool from_start = false;
};

/// The bars that hold at a rate: those of the highest rate not above it, else the first.
[[nodiscard]] const Bars& bars_at(const Settings& settings, int rate);

/// Parses `--name value` and `--name=value`; "--help" gives kCancelled with the help as message.
Result<Settings> parse_settings(const std::vector<std::string>& arguments);

}  // namespace millrace::bench
