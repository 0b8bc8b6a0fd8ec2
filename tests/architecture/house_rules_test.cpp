#include "tests/architecture/house_rules.hpp"

#include <gtest/gtest.h>

// Checks the checker on made-up trees: a rule that cannot fail protects nothing.

namespace millrace::architecture {
namespace {

using Breaches = std::vector<std::string>;

TEST(HouseRules, LetARoomIncludeItselfAndEveryRoomBelow) {
  EXPECT_EQ(check_room_edges({{"sql/parser.cpp",
                               "#include \"sql/parser.hpp\"\n"
                               "#include \"millrace/schema.hpp\"\n"
                               "#include \"actors/task.hpp\"\n"
                               "#include \"stream/sink.hpp\"\n"}}),
            Breaches{});
}

TEST(HouseRules, RefuseAnUpwardEdge) {
  EXPECT_EQ(
      check_room_edges({{"stream/plan.hpp", "#pragma once\n#include \"session/query.hpp\"\n"}}),
      Breaches{"stream/plan.hpp:2: stream may not include \"session/query.hpp\": session is "
               "not below it"});
}

TEST(HouseRules, RefuseASidewaysEdge) {
  EXPECT_EQ(check_room_edges({{"actors/task.cpp", "#include \"connectors/file_source.hpp\"\n"}}),
            Breaches{"actors/task.cpp:1: actors may not include \"connectors/file_source.hpp\": "
                     "connectors is not below it"});
  EXPECT_EQ(check_room_edges({{"operators/filter.cpp", "#include \"state/store.hpp\"\n"}}).size(),
            1u);
}

TEST(HouseRules, RefuseARoomThatLooksIntoTheTests) {
  EXPECT_EQ(
      check_room_edges({{"session/query.cpp", "#include \"tests/support/fake.hpp\"\n"}}),
      Breaches{"session/query.cpp:1: session may not include \"tests/support/fake.hpp\": tests "
               "is not below it"});
}

TEST(HouseRules, RefuseAnIncludeThatNamesNoRoom) {
  EXPECT_EQ(check_room_edges({{"session/query.cpp", "#include \"query.hpp\"\n"}}),
            Breaches{"session/query.cpp:1: \"query.hpp\" does not begin with a room's name"});
}

TEST(HouseRules, LetThePublicHeadersIncludeOnlyEachOther) {
  EXPECT_EQ(
      check_room_edges({{"include/millrace/batch.hpp", "#include \"millrace/column.hpp\"\n"}}),
      Breaches{});
  EXPECT_EQ(check_room_edges({{"include/millrace/batch.hpp", "#include \"stream/table.hpp\"\n"}}),
            Breaches{"include/millrace/batch.hpp:1: include may not include \"stream/table.hpp\": "
                     "stream is not below it"});
}

TEST(HouseRules, LetTestsBenchAndExamplesLookIntoEveryRoom) {
  EXPECT_EQ(check_room_edges({{"tests/sql/parser_test.cpp", "#include \"cli/arguments.hpp\"\n"},
                              {"bench/hop.cpp", "#include \"actors/channel.hpp\"\n"}}),
            Breaches{});
}

TEST(HouseRules, LetALibraryStandInItsPlace) {
  EXPECT_EQ(
      check_library_places({{"actors/task_actor.hpp", "#include <caf/actor.hpp>\n"},
                            {"actors/actor_runtime.cpp", "#include <caf/all.hpp>\n"},
                            {"connectors/kafka_source.cpp", "#include <librdkafka/rdkafka.h>\n"},
                            {"bench/latency/kafka_reader.cpp", "#include <librdkafka/rdkafka.h>\n"},
                            {"formats/json_decoder.cpp", "#include <simdjson.h>\n"},
                            {"include/millrace/error.hpp", "#include <tl/expected.hpp>\n"},
                            {"cli/arguments.cpp", "#include <CLI/CLI.hpp>\n"},
                            {"state/log.cpp", "#include <sys/stat.h>\n#include <vector>\n"}}),
      Breaches{});
}

TEST(HouseRules, RefuseALibraryOutsideItsPlace) {
  EXPECT_EQ(check_library_places({{"actors/task.cpp", "\n\n#include <caf/actor.hpp>\n"}}),
            Breaches{"actors/task.cpp:3: CAF is used outside its place: actors/*_actor.?pp"});
  EXPECT_EQ(check_library_places({{"tests/sql/parser_test.cpp", "#include \"simdjson.h\"\n"}}),
            Breaches{"tests/sql/parser_test.cpp:1: simdjson is used outside its place: "
                     "formats/json_*"});
  EXPECT_EQ(
      check_library_places({{"bench/latency/reader.cpp", "#include <librdkafka/rdkafka.h>\n"}}),
      Breaches{"bench/latency/reader.cpp:1: librdkafka is used outside its place: "
               "connectors/kafka_*"});
}

TEST(HouseRules, RefuseALibraryThatHasNoPlace) {
  EXPECT_EQ(
      check_library_places({{"session/query.cpp", "#  include <spdlog/spdlog.h>\n"}}),
      Breaches{"session/query.cpp:1: <spdlog/spdlog.h> belongs to a library that has no place "
               "in the house"});
  EXPECT_EQ(check_library_places({{"session/query.cpp", "#include <boost/asio.hpp>\n"}}).size(),
            1u);
}

TEST(HouseRules, RefuseAHeaderOfTheSystemThatIsNotListed) {
  EXPECT_EQ(check_library_places({{"state/log.cpp", "#include <fcntl.h>\n#include <lz4.h>\n"}}),
            Breaches{"state/log.cpp:2: <lz4.h> belongs to a library that has no place in the "
                     "house"});
  EXPECT_EQ(check_library_places({{"state/log.cpp", "#include <sys/inotify.h>\n"}}).size(), 1u);
}

TEST(HouseRules, RefuseAFileNamedForADrawer) {
  EXPECT_EQ(check_words({{"state/string_utils.hpp", ""}}),
            Breaches{"state/string_utils.hpp: a file is named after the noun it holds, not "
                     "\"utils\""});
  EXPECT_EQ(check_words({{"tests/support/common.cpp", ""}}).size(), 1u);
  EXPECT_EQ(check_words({{"state/utility_meter.hpp", ""}}), Breaches{});
}

TEST(HouseRules, RefuseTheSecondWordForABatch) {
  const std::string word = std::string("Chu") + "nk";

  EXPECT_EQ(check_words({{"stream/plan.cpp", "int one;\nstruct " + word + " {};\n"}}),
            Breaches{"stream/plan.cpp:2: \"chu"
                     "nk\" is not a word of ours; rows travel in batches"});
}

TEST(HouseRules, RefuseASecondWordForAnIdea) {
  EXPECT_EQ(check_words({{"triggers/once.hpp", "#pragma once\nstruct MicroBatchTrigger {};\n"}}),
            Breaches{"triggers/once.hpp:2: MicroBatchTrigger: one idea has one word, ours is "
                     "\"epoch\""});
  EXPECT_EQ(check_words({{"actors/task.cpp",
                          "int row_group = 0;\nint kKeyRangesMax;\nvoid partition_task();\n"
                          "class Pipeline;\nauto savepoint_path() -> int;\n"}}),
            (Breaches{"actors/task.cpp:1: row_group: one idea has one word, ours is \"batch\"",
                      "actors/task.cpp:2: kKeyRangesMax: one idea has one word, ours is \"key "
                      "group\"",
                      "actors/task.cpp:3: partition_task: one idea has one word, ours is \"source "
                      "task\"",
                      "actors/task.cpp:4: Pipeline: one idea has one word, ours is \"chain\"",
                      "actors/task.cpp:5: savepoint_path: one idea has one word, ours is "
                      "\"checkpoint\""}));
}

TEST(HouseRules, LetWordsStandThatAreNoNamesOfOurs) {
  EXPECT_EQ(check_words({{"triggers/trigger.cpp",
                          "#include <pipeline.h>\n"
                          "// a pipeline, as others say\n/* MicroBatch\n MicroBatch */\n"
                          "auto kName = \"micro_batch \\\" microbatch\";\nchar kTick = '\"';\n"
                          "auto kText = R\"sql(\" pipeline)\" )sql\";\nint kMax = 1'000;\n"
                          "int pipe2(int*);\nLatencySnapshot snapshot();\n"
                          "rd_kafka_topic_partition_t* partition_of_task;\n"}}),
            Breaches{});
}

TEST(HouseRules, RefuseAFileOverSixHundredLines) {
  EXPECT_EQ(check_file_sizes({{"sql/analyzer.cpp", std::string(600, '\n')}}), Breaches{});
  EXPECT_EQ(check_file_sizes({{"sql/analyzer.cpp", std::string(601, '\n')}}),
            Breaches{"sql/analyzer.cpp: 601 lines; which second noun is hiding in it?"});
}

TEST(HouseRules, KeepThePublicHeadersFewAndShort) {
  const std::vector<SourceFile> enough(24, {"include/millrace/a.hpp", std::string(125, '\n')});
  const std::vector<SourceFile> more(25, {"include/millrace/a.hpp", std::string(121, '\n')});

  EXPECT_EQ(check_public_headers(enough), Breaches{});
  EXPECT_EQ(check_public_headers(more), (Breaches{"include/millrace: 25 headers, at most 24",
                                                  "include/millrace: 3025 lines, at most 3000"}));
}

}  // namespace
}  // namespace millrace::architecture
