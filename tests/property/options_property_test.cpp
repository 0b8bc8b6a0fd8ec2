#include "millrace/options.hpp"

#include "connectors/kafka_bound.hpp"
#include "formats/json_document.hpp"
#include "tests/property/any_value.hpp"
#include "triggers/trigger.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cctype>

namespace millrace {
namespace {

using property::any_int64;
using property::any_text;

rc::Gen<std::string> any_word(int letters_min = 1) {
  return rc::gen::suchThat(
      rc::gen::container<std::string>(rc::gen::inRange('a', static_cast<char>('z' + 1))),
      [letters_min](const std::string& word) {
        return static_cast<int>(word.size()) >= letters_min && !word.starts_with("kafka");
      });
}

/// The word as somebody else would write it.
std::string respelled(const std::string& word) {
  std::string result;
  for (const char letter : word) {
    const int how = *rc::gen::inRange(0, 4);
    if (how == 1 && !result.empty()) result += '_';
    if (how == 2 && !result.empty()) result += '-';
    result += how == 3 ? static_cast<char>(std::toupper(letter)) : letter;
  }
  return result;
}

RC_GTEST_PROP(OptionsProperty, AKeyIsFoundHoweverItIsSpelled, ()) {
  const std::string key = *any_word();
  const std::string value = *any_text();
  Options options;
  options.set(respelled(key), "another");
  options.set(respelled(key), value);
  RC_ASSERT(options.get(respelled(key)) == value);
  RC_ASSERT(options.entries().size() == 1U);
}

RC_GTEST_PROP(OptionsProperty, AClientSettingIsFoundWithDotsOrUnderscores, ()) {
  const auto words = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(any_word()));
  std::string dotted = "kafka", underscored = "kafka";
  for (const std::string& word : words) {
    dotted += "." + word;
    underscored += "_" + word;
  }
  Options options;
  options.set(dotted, "value");
  RC_ASSERT(options.get(underscored) == "value");
}

RC_GTEST_PROP(OptionsProperty, AnInt64IsReadToTheLastDigit, ()) {
  const std::int64_t value = *any_int64();
  Options options;
  options.set("number", std::to_string(value));
  RC_ASSERT(options.get_int("number", 0) == value);
}

RC_GTEST_PROP(OptionsProperty, ADurationIsTheSumOfItsParts, ()) {
  struct Unit {
    const char* name;
    std::int64_t ms;
  };
  const auto units = {Unit{"ms", 1}, Unit{"second", 1000}, Unit{"s", 1000}, Unit{"minutes", 60'000},
                      Unit{"h", 3'600'000}};
  std::string text;
  std::int64_t expected_ms = 0;
  for (int parts = *rc::gen::inRange(1, 4); parts > 0; --parts) {
    const Unit unit = *rc::gen::elementOf(std::vector<Unit>(units));
    const int count = *rc::gen::inRange(0, 10'000);
    const std::string blank(static_cast<std::size_t>(*rc::gen::inRange(0, 3)), ' ');
    text += (text.empty() ? "" : " ") + std::to_string(count) + blank + unit.name;
    expected_ms += count * unit.ms;
  }
  RC_ASSERT(parse_duration_ms(text) == expected_ms);
}

RC_GTEST_PROP(OptionsProperty, ATriggerReadsBackAsItWas, ()) {
  const triggers::Trigger trigger{triggers::TriggerKind::kRealTime,
                                  *rc::gen::inRange<std::int64_t>(10, 10'000'000'000)};
  RC_ASSERT(triggers::parse_trigger(triggers::to_string(trigger)) == trigger);
}

RC_GTEST_PROP(OptionsProperty, ASlipOfOneLetterNamesTheOptionThatWasMeant, ()) {
  constexpr std::string_view kKnown[] = {"startingoffsets", "bootstrapservers", "checkpoint",
                                         "delimiter"};
  const std::string meant(
      *rc::gen::elementOf(std::vector<std::string_view>(std::begin(kKnown), std::end(kKnown))));
  std::string slip = meant;
  const auto at =
      static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(meant.size())));
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      slip.erase(at, 1);
      break;
    case 1:
      slip.insert(at, 1, 'x');
      break;
    default:
      slip[at] = 'x';
  }
  RC_ASSERT(nearest_name(slip, kKnown) == meant);
}

RC_GTEST_PROP(OptionsProperty, StartingOffsetsReadBackAsTheyWereWritten, ()) {
  connectors::KafkaBound::ByPartition points;
  formats::JsonValue document = formats::JsonValue::object();
  const auto topics = *rc::gen::scale(0.1, rc::gen::unique<std::vector<std::string>>(any_word()));
  for (const std::string& topic : topics) {
    formats::JsonValue offsets = formats::JsonValue::object();
    const auto partitions = *rc::gen::nonEmpty(rc::gen::scale(
        0.1, rc::gen::unique<std::vector<std::int32_t>>(rc::gen::inRange(0, INT32_MAX))));
    for (const std::int32_t partition : partitions) {
      const std::int64_t offset = *rc::gen::inRange<std::int64_t>(-2, INT64_MAX);
      offsets.set(std::to_string(partition), offset);
      points[topic][partition] = {offset, false};
    }
    document.set(topic, std::move(offsets));
  }
  RC_PRE(!topics.empty());
  const auto read = connectors::read_kafka_start({{"starting_offsets", document.dump()}});
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->points == points);
}

}  // namespace
}  // namespace millrace
