#include "millrace/options.hpp"

#include <gtest/gtest.h>

#include <array>

namespace millrace {
namespace {

TEST(Options, MatchesKeysWithoutCaseUnderscoresAndDashes) {
  const Options options{{"startingOffsets", "latest"}};
  EXPECT_EQ(options.get("starting_offsets"), "latest");
  EXPECT_EQ(options.get("STARTING-OFFSETS"), "latest");
  EXPECT_EQ(options.get("endingOffsets"), std::nullopt);
}

TEST(Options, KeepsTheDotsOfClientSettings) {
  EXPECT_EQ(canonical_option_key("kafka.Fetch.Min.Bytes"), "kafka.fetch.min.bytes");
  EXPECT_EQ(canonical_option_key("kafka_fetch_min_bytes"), "kafka.fetch.min.bytes");
  EXPECT_EQ(canonical_option_key("Max-Rows_perEpoch"), "maxrowsperepoch");
}

TEST(Options, LetsTheLastValueWin) {
  Options options{{"topic", "a"}};
  options.set("TOPIC", "b");
  EXPECT_EQ(options.get_or("topic", ""), "b");
  EXPECT_EQ(options.entries().size(), 1u);
}

TEST(Options, ReadsBooleansNumbersAndDurations) {
  const Options options{{"header", "TRUE"}, {"rows", " -12 "}, {"wait", "2 minutes"}};
  EXPECT_EQ(options.get_bool("header", false), true);
  EXPECT_EQ(options.get_int("rows", 0), -12);
  EXPECT_EQ(options.get_duration_ms("wait", 0), 120'000);
  EXPECT_EQ(options.get_bool("other", true), true);
}

TEST(Options, NamesTheKeyOfAValueThatCannotBeRead) {
  const Options options{{"header", "maybe"}, {"rows", "12x"}, {"wait", "soon"}};
  EXPECT_EQ(options.get_bool("header", false).error().message,
            "option header must be 'true' or 'false', not 'maybe'");
  EXPECT_EQ(options.get_int("rows", 0).error().message,
            "option rows must be a whole number, not '12x'");
  EXPECT_EQ(options.get_duration_ms("wait", 0).error().message,
            "option wait: not a duration: 'soon'; write a number and a unit (ms, seconds, minutes, "
            "hours, days), as in '5 seconds' or '1 minute 30 seconds'");
}

TEST(Options, RefusesAnUnknownKeyWithTheNearest) {
  constexpr std::array<std::string_view, 2> kKnown{"topic", "starting_offsets"};
  const Options slip{{"strating_offsets", "latest"}};
  EXPECT_EQ(slip.check_known("kafka source", kKnown).error().message,
            "kafka source has no option strating_offsets; nearest: starting_offsets");

  const Options strange{{"colour", "red"}};
  EXPECT_EQ(strange.check_known("kafka source", kKnown).error().message,
            "kafka source has no option colour; options: topic, starting_offsets");

  const Options client{{"kafka.fetch.wait.max.ms", "1"}, {"startingOffsets", "latest"}};
  EXPECT_TRUE(client.check_known("kafka source", kKnown, true));
  EXPECT_FALSE(client.check_known("kafka source", kKnown));
}

TEST(Duration, ReadsPartsAndBareMilliseconds) {
  EXPECT_EQ(parse_duration_ms("250"), 250);
  EXPECT_EQ(parse_duration_ms("100 ms"), 100);
  EXPECT_EQ(parse_duration_ms("1 minute 30 seconds"), 90'000);
  EXPECT_EQ(parse_duration_ms("1h30m"), 5'400'000);
  EXPECT_EQ(parse_duration_ms("0 seconds"), 0);
}

TEST(Duration, RefusesWhatIsNone) {
  EXPECT_FALSE(parse_duration_ms(""));
  EXPECT_FALSE(parse_duration_ms("-5 seconds"));
  EXPECT_FALSE(parse_duration_ms("5 fortnights"));
  EXPECT_FALSE(parse_duration_ms("9223372036854775807 days"));
  EXPECT_FALSE(parse_duration_ms("99999999999999999999"));
}

TEST(NearestName, FindsSlipsAndNothingElse) {
  constexpr std::array<std::string_view, 3> kNames{"price", "quantity", "id"};
  EXPECT_EQ(nearest_name("prise", kNames), "price");
  EXPECT_EQ(nearest_name("PRICE", kNames), "price");
  EXPECT_EQ(nearest_name("di", kNames), "id");
  EXPECT_EQ(nearest_name("qauntity", kNames), "quantity");
  EXPECT_EQ(nearest_name("country", kNames), std::nullopt);
}

}  // namespace
}  // namespace millrace
