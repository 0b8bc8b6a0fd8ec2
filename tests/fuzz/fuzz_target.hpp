#pragma once

#include "millrace/error.hpp"

#include <string_view>
#include <vector>

// Parsers of bytes that come from outside, each with what must hold for any bytes at all. libFuzzer
// makes up inputs (`./dev fuzz NAME SECONDS`); `./dev test` runs those in tests/fuzz/corpus.

namespace millrace::fuzz {

struct FuzzTarget {
  std::string_view name;  ///< also its folder in the corpus
  void (*run)(std::string_view input);
};

/// All of them.
[[nodiscard]] const std::vector<FuzzTarget>& fuzz_targets();

/// Says what does not hold and aborts, which is how a fuzzer learns of it.
void require(bool holds, std::string_view rule);

/// What any refusal must do: say why.
void require_readable(const Error& error);

void run_json(std::string_view input);
void run_csv(std::string_view input);
void run_sql(std::string_view input);
void run_options(std::string_view input);
void run_checkpoint(std::string_view input);
void run_kafka_offsets(std::string_view input);

}  // namespace millrace::fuzz
