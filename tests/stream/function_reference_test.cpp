#include "stream/functions/reference.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace millrace::stream {
namespace {

TEST(FunctionReference, IsWhatTheRegistrySays) {
  std::ifstream file("docs/functions.md");
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_FALSE(text.str().empty()) << "run the test from the top folder";

  EXPECT_TRUE(text.str() == function_reference(FunctionRegistry::builtin()))
      << "docs/functions.md is out of date: ./dev docs writes it anew";
}

TEST(FunctionReference, KnowsEveryFunctionsWords) {
  const FunctionRegistry& registry = FunctionRegistry::builtin();
  for (const std::string_view name : registry.names()) {
    for (const FunctionOverload* overload : registry.overloads(name)) {
      EXPECT_FALSE(overload->description.empty()) << signature_of(*overload);
      EXPECT_FALSE(overload->family.empty()) << signature_of(*overload);
      EXPECT_EQ(overload->can_fail, !overload->errors.empty()) << signature_of(*overload);
      EXPECT_TRUE(overload->is_strict || !overload->nulls.empty()) << signature_of(*overload);
    }
  }
}

}  // namespace
}  // namespace millrace::stream
