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

TEST(Settings, RefuseWhatTheyDoNotKnow) {
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
