// What libFuzzer calls. MILLRACE_FUZZ_TARGET names the target, so that one binary serves all.

#include "tests/fuzz/fuzz_target.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto run = [] {
    const char* const wanted = std::getenv("MILLRACE_FUZZ_TARGET");
    for (const auto& target : millrace::fuzz::fuzz_targets())
      if (wanted != nullptr && target.name == wanted) return target.run;
    millrace::fuzz::require(false, "MILLRACE_FUZZ_TARGET names a target");
    std::abort();
  }();
  run({reinterpret_cast<const char*>(data), size});
  return 0;
}
