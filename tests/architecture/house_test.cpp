#include "tests/architecture/house_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>

// The house itself, held to its rules. Runs from the top of the repository.

namespace millrace::architecture {
namespace {

const std::vector<SourceFile>& house() {
  static const auto files = read_sources(".", source_folders());
  return files;
}

std::string listed(const std::vector<std::string>& breaches) {
  std::string text;
  for (const auto& breach : breaches) text += breach + "\n";
  return text;
}

TEST(House, IsWhatTheRulesLookAt) {
  EXPECT_TRUE(std::ranges::any_of(
      house(), [](const auto& file) { return file.path == "include/millrace/batch.hpp"; }));
  EXPECT_TRUE(std::ranges::any_of(
      house(), [](const auto& file) { return file.path == "tests/architecture/house_test.cpp"; }));
}

TEST(House, HasNoUpwardOrSidewaysEdge) { EXPECT_EQ(listed(check_room_edges(house())), ""); }

TEST(House, KeepsEveryLibraryInItsPlace) { EXPECT_EQ(listed(check_library_places(house())), ""); }

TEST(House, UsesOneWordPerIdea) { EXPECT_EQ(listed(check_words(house())), ""); }

TEST(House, HasNoFileThatHidesASecondNoun) { EXPECT_EQ(listed(check_file_sizes(house())), ""); }

TEST(House, KeepsItsPublicHeadersFewAndShort) {
  EXPECT_EQ(listed(check_public_headers(house())), "");
}

}  // namespace
}  // namespace millrace::architecture
