// Two processes on one checkpoint, by a copy of its folder: resume cannot see that, and a reader
// that drops replays can.

#include "tests/broker/job_fixture.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <thread>

namespace millrace::support {
namespace {

constexpr const char* kReader = R"(
CREATE TABLE twice (seq bigint)
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${TWICE}', format = 'json',
        starting_offsets = 'earliest', drop_replays = 'true');
CREATE TABLE once ()
  WITH (connector = 'kafka', bootstrap_servers = '${SERVERS}', topic = '${ONCE}', format = 'json',
        exactly_once = 'resume');
SET checkpoint_location = 'chk';
SET trigger = '${TRIGGER}';
INSERT INTO once SELECT seq FROM twice;
)";

class ReplayTest : public CrashTest {
 protected:
  void SetUp() override {
    CrashTest::SetUp();
    if (!broker().is_available()) return;
    std::string job = kJob;
    const std::string sink = "topic = '${ENRICHED}', format = 'json'";
    job.replace(job.find(sink), sink.size(), sink + ", exactly_once = 'resume'");
    const std::string folder = "'chk/enrich'";
    job.replace(job.find(folder), folder.size(), "'${FOLDER}'");
    std::ofstream(folder_ / "job.sql") << job;
    std::ofstream(folder_ / "reader.sql") << kReader;
    once_ = create("once", 1);
  }
  std::unique_ptr<EngineProcess> start_on(const std::string& folder) {
    auto engine = JobTest::start({{"FOLDER", folder}});
    EXPECT_TRUE(engine->await_ready()) << engine->said();
    return engine;
  }
  std::unique_ptr<EngineProcess> start_reader(const std::string& trigger) {
    auto engine = std::make_unique<EngineProcess>(
        std::vector<std::string>{
            "run", "reader.sql", "--set", "SERVERS=" + broker().bootstrap_servers(), "--set",
            "TWICE=" + enriched_, "--set", "ONCE=" + once_, "--set", "TRIGGER=" + trigger},
        folder_, std::map<std::string, std::string>{});
    EXPECT_TRUE(engine->await_ready()) << engine->said();
    return engine;
  }

  std::string once_;
};

TEST_F(ReplayTest, AReaderSeesOnceWhatACopiedFolderWroteTwice) {
  constexpr int kClicks = 2000;
  { stop(*start_on("one")); }
  std::filesystem::copy(folder_ / "one", folder_ / "two", std::filesystem::copy_options::recursive);
  auto first = start_on("one");
  auto second = start_on("two");
  std::mt19937 random(5);
  auto reader = start_reader("real_time 20 ms");
  for (int written = 0; written < kClicks; ++written) {
    write_click({"k" + std::to_string(written % 13),
                 click(written, written % 3 + 1, "view"),
                 {},
                 written % kPartitions});
    if (written % 200 != 199) continue;
    ASSERT_TRUE(probe_->flush());
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 100));
    reader->kill();
    reader = start_reader(written % 400 == 199 ? "processing_time" : "real_time 20 ms");
  }
  await_output(2 * kClicks);
  stop(*first);
  stop(*second);
  EXPECT_EQ(output().size(), 2U * kClicks) << "the folder's copy did not write all again";

  await_until(once_, [&](const Records& seen) {
    return static_cast<int>(seqs_of(seen).size()) >= kClicks;
  });
  stop(*reader);
  const Records once = read(once_);
  EXPECT_EQ(seqs_of(once).size(), static_cast<std::size_t>(kClicks));
  EXPECT_EQ(once.size(), static_cast<std::size_t>(kClicks)) << "some were seen twice";
}

}  // namespace
}  // namespace millrace::support
