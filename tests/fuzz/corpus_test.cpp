// Runs every input of tests/fuzz/corpus, and every beginning of it, through its target. One that
// does not hold ends the process: the line before says which. Runs from the top of the repository.

#include "tests/fuzz/fuzz_target.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace millrace::fuzz {
namespace {

// Beginnings of longer inputs cost too much; these are run whole.
constexpr std::size_t kPrefixesMax = 300;

std::vector<std::filesystem::path> inputs_of(std::string_view target) {
  std::vector<std::filesystem::path> paths;
  const std::filesystem::path folder = "tests/fuzz/corpus";
  for (const auto& entry : std::filesystem::directory_iterator(folder / target))
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

class Corpus : public testing::TestWithParam<FuzzTarget> {};

TEST_P(Corpus, HoldsForEveryInputAndItsBeginnings) {
  const auto paths = inputs_of(GetParam().name);
  ASSERT_FALSE(paths.empty());
  for (const std::filesystem::path& path : paths) {
    SCOPED_TRACE(path.string());
    std::ifstream file(path, std::ios::binary);
    const std::string input(std::istreambuf_iterator<char>(file), {});
    GetParam().run(input);
    for (std::size_t size = 0; size < std::min(input.size(), kPrefixesMax); ++size)
      GetParam().run(std::string_view(input).substr(0, size));
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(fuzz_targets()),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace millrace::fuzz
