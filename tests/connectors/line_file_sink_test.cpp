#include "connectors/line_file_sink.hpp"

#include "tests/support/kafka_tap.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace millrace::connectors {
namespace {

using namespace support;

stream::SinkSpec spec_of(const std::string& path) {
  stream::SinkSpec spec;
  spec.table = {"dead letters of t", "dead_letter_file", {}, {{"path", path}}};
  spec.schema = make_schema({{"value", TypeKind::kBytes}});
  return spec;
}

std::string content_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class LineFileSinkTest : public testing::Test {
 protected:
  LineFileSinkTest() {
    std::string name = (std::filesystem::temp_directory_path() / "millrace-lines.XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~LineFileSinkTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<stream::Sink> open(const std::string& path) {
    auto sink = make_line_file_sink(spec_of(path), {clock_, {}}).value();
    stream::SinkEvents events;
    events.on_flushed = [this](Epoch epoch) {
      flushed_.push_back(epoch.value);
      signal_.raise();
    };
    events.on_failure = [](const Error&) {};
    events.on_room = [] {};
    sink->set_events(std::move(events));
    return sink;
  }
  void write(stream::SinkWriter& writer, const std::string& line, std::int64_t epoch) {
    Batch batch = pool_.take();
    batch.column(0).append(batch.arena().store(line));
    batch.set_rows(1);
    ASSERT_TRUE(writer.write(batch, Epoch(epoch)));
  }

  SystemClock clock_;
  std::filesystem::path folder_;
  BatchPool pool_{make_schema({{"value", TypeKind::kBytes}})};
  std::vector<std::int64_t> flushed_;
  Signal signal_;
};

TEST_F(LineFileSinkTest, AnEpochIsFlushedWhenItsLinesAreInTheFile) {
  const std::string path = folder_ / "bad.jsonl";
  std::ofstream(path) << "{\"old\":1}\n";
  const auto sink = open(path);
  auto writer = sink->open_writer(spec_of(path).schema).value();
  ASSERT_TRUE(sink->prime());

  write(*writer, "{\"a\":1}", 5);
  write(*writer, "{\"a\":2}", 5);
  sink->seal(Epoch(5));
  ASSERT_TRUE(signal_.wait());

  EXPECT_EQ(content_of(path), "{\"old\":1}\n{\"a\":1}\n{\"a\":2}\n");
  EXPECT_EQ(sink->acknowledged(), 2);
  EXPECT_EQ(sink->in_flight(), 0);
  sink->seal(Epoch(6));
  ASSERT_TRUE(signal_.wait());
  EXPECT_EQ(flushed_, (std::vector<std::int64_t>{5, 6}));
  writer.reset();
  sink->close();
}

TEST_F(LineFileSinkTest, SaysThatItsFolderIsMissing) {
  const std::string path = folder_ / "none" / "bad.jsonl";

  const Status status = open(path)->prime();

  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "cannot open the file of option dead_letter_path: No such file or directory: " + path);
}

}  // namespace
}  // namespace millrace::connectors
