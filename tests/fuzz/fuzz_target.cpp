#include "tests/fuzz/fuzz_target.hpp"

#include <cstdio>
#include <cstdlib>

namespace millrace::fuzz {

const std::vector<FuzzTarget>& fuzz_targets() {
  static const std::vector<FuzzTarget> targets = {
      {"json", run_json},
      {"csv", run_csv},
      {"sql", run_sql},
      {"options", run_options},
      {"checkpoint", run_checkpoint},
      {"kafka_offsets", run_kafka_offsets},
  };
  return targets;
}

void require(bool holds, std::string_view rule) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(rule.size()), rule.data());
  std::abort();
}

void require_readable(const Error& error) { require(!error.message.empty(), "a refusal says why"); }

}  // namespace millrace::fuzz
