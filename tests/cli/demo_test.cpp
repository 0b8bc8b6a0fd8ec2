// The demo as `./dev demo` starts it, with a shorter table.

#include "tests/support/engine_process.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <regex>
#include <string>

namespace millrace::cli {
namespace {

using support::EngineProcess;

EngineProcess start(const std::vector<std::string>& arguments) {
  return {arguments, ".", {}, "millrace_demo"};
}

std::ptrdiff_t count_of(const std::string& pattern, const std::string& text) {
  const std::regex expression(pattern, std::regex::multiline);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), expression), {});
}

TEST(Demo, ShowsRecordsThatComeInAndOutAndATableAndEndsWell) {
  auto demo = start({"--seconds", "2"});

  EXPECT_EQ(demo.wait(), 0) << demo.said();
  const std::string& shown = demo.shown();
  EXPECT_NE(shown.find("The latencies of fetch and produce-ack below are the mock's"),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("ready: enriched ("), std::string::npos) << shown;
  EXPECT_EQ(
      count_of(R"(^  out  \{"ts":\d+,"seq":\d+,.*,"country":"[A-Z]+","tier":[123]\}$)", shown), 4)
      << shown;
  EXPECT_GE(count_of(R"(^  in   \{"ts":\d+,"seq":\d+,)", shown), 4) << shown;
  EXPECT_NE(shown.find("records/s |       fetch, ms        |       decode, ms       |"),
            std::string::npos)
      << shown;
  EXPECT_GE(count_of(R"(^ +\d+ +\d+( \| +\d+\.\d+ +\d+\.\d+ +\d+\.\d+){4}$)", shown), 2) << shown;
  std::smatch totals;
  ASSERT_TRUE(std::regex_search(shown, totals,
                                std::regex("Stopped: (\\d+) records in, (\\d+) out, everything")))
      << shown;
  EXPECT_GT(std::stoi(totals[2]), 0);
  EXPECT_GT(std::stoi(totals[1]), std::stoi(totals[2]));
}

TEST(Demo, RefusesWhatItDoesNotKnow) {
  auto demo = start({"--seconds", "none"});

  EXPECT_EQ(demo.wait(), 2);
  EXPECT_EQ(demo.said(), "usage: millrace_demo [--bootstrap-servers HOST:PORT] [--seconds N]\n");
}

}  // namespace
}  // namespace millrace::cli
