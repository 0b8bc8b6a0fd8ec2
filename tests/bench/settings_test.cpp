#include "bench/latency/settings.hpp"

#include <gtest/gtest.h>

namespace millrace::bench {
namespace {

std::string error_of(const std::vector<std::string>& arguments) {
  const auto settings = parse_settings(arguments);
  return settings ? "" : settings.error().message;
}

TEST(Settings, TakeValuesWithAndWithoutAnEqualsSign) {
  const auto settings =
      parse_settings({"--bootstrap-servers", "host:1", "--rate=1000,5000", "--in-flight", "1,2"});

  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->rates, (std::vector<int>{1000, 5000}));
  EXPECT_EQ(settings->in_flight, (std::vector<int>{1, 2}));
  EXPECT_EQ(settings->size_bytes, 1200);
  EXPECT_EQ(settings->partitions, 4);
}

TEST(Settings, OfABacklogAreSmallRecordsInEightPartitions) {
  const auto settings = parse_settings({"--bootstrap-servers", "host:1", "--backlog", "1000"});

  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->mode, Mode::kBacklog);
  EXPECT_EQ(settings->size_bytes, 200);
  EXPECT_EQ(settings->partitions, 8);
}

TEST(Settings, GiveATablePerPartitionCount) {
  const auto settings = parse_settings({"--bootstrap-servers", "host:1", "--partitions", "1,40"});

  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->partition_counts, (std::vector<int>{1, 40}));
}

TEST(Settings, HoldTheBarsOfTheHighestRateNotAbove) {
  const auto settings = parse_settings(
      {"--bootstrap-servers", "host:1", "--bars", "5000:1.3:1.4:1.5,1000:1.1:1.2:1.4"});

  ASSERT_TRUE(settings);
  EXPECT_EQ(bars_at(*settings, 500), (Bars{1000, 1.1, 1.2, 1.4}));
  EXPECT_EQ(bars_at(*settings, 4999), (Bars{1000, 1.1, 1.2, 1.4}));
  EXPECT_EQ(bars_at(*settings, 10'000), (Bars{5000, 1.3, 1.4, 1.5}));
}

TEST(Settings, BeginWithTheBarsOfTheMainJob) {
  const Settings settings;

  EXPECT_EQ(bars_at(settings, 1000), (Bars{1000, 1.10, 1.15, 1.4}));
  EXPECT_EQ(bars_at(settings, 10'000), (Bars{5000, 1.15, 1.20, 1.4}));
}

TEST(Settings, TakeSettingsOfTheJobARowEach) {
  const auto settings = parse_settings(
      {"--bootstrap-servers", "host:1", "--with", "wait_policy=spin;task_threads=per_task"});

  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->with,
            (std::vector<std::string>{"wait_policy=spin", "task_threads=per_task"}));
}

TEST(Settings, RefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(error_of({"--bootstrap-servers", "host:1", "--bars", "1000:1.1"}),
            "--bars takes RATE:P50:P99:CPU: 1000:1.1");
  EXPECT_EQ(error_of({"--bootstrap-servers", "host:1", "--bars", "1000:1.1:no:1"}),
            "--bars takes ratios above zero: no");
  EXPECT_EQ(error_of({"--bootstrap-servers", "host:1", "--with", "spin"}),
            "--with takes NAME=VALUE: spin");
  EXPECT_EQ(error_of({"--bootstrap-servers", "host:1", "--rates", "5"}),
            "unknown option (see --help): --rates");
  EXPECT_EQ(error_of({"--bootstrap-servers", "host:1", "--rate", "fast"}),
            "--rate takes a positive number: fast");
  EXPECT_EQ(error_of({"--bootstrap-servers", "host:1", "--rate"}),
            "option without a value (see --help): --rate");
  EXPECT_EQ(error_of({}), "--bootstrap-servers is missing (see --help)");
}

}  // namespace
}  // namespace millrace::bench
