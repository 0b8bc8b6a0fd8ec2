#include "bench/latency/chain_rate.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace millrace::bench {
namespace {

struct PipeCloser {
  void operator()(std::FILE* pipe) const { pclose(pipe); }
};

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, PipeCloser> pipe(popen(command.c_str(), "r"));
  std::string output;
  std::array<char, 4096> bytes{};
  while (pipe != nullptr) {
    const auto count = std::fread(bytes.data(), 1, bytes.size(), pipe.get());
    if (count == 0) break;
    output.append(bytes.data(), count);
  }
  return output;
}

}  // namespace

std::optional<double> measure_chain_rate(int size_bytes) {
  const auto program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "millrace_bench";
  if (!std::filesystem::exists(program)) return std::nullopt;
  const auto output = output_of(
      fmt::format("'{}' '--benchmark_filter=^enrich/rows:1024/bytes:{}$' --benchmark_format=json "
                  "2>/dev/null",
                  program.string(), size_bytes));
  constexpr std::string_view kCounter = "\"rec/s\":";
  const auto found = output.find(kCounter);
  if (found == std::string::npos) return std::nullopt;
  const auto rate = std::strtod(output.c_str() + found + kCounter.size(), nullptr);
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

}  // namespace millrace::bench
