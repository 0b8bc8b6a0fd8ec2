// A broker that wants to know who asks: the right password works, a wrong one is refused at the
// start, and neither is told to anybody.

#include "tests/broker/job_fixture.hpp"

#include <cstdio>

namespace millrace::support {
namespace {

class SaslTest : public JobTest {
 protected:
  void write_job(const std::string& password) {
    std::ofstream(folder_ / "job.sql") << R"(
CREATE TABLE clicks (seq bigint)
  WITH (connector = 'kafka', bootstrap_servers = '${SASL_SERVERS}', topic = '${CLICKS}', format = 'json',
        starting_offsets = 'earliest', kafka_security_protocol = 'sasl_plaintext',
        kafka_sasl_mechanisms = 'PLAIN', kafka_sasl_username = 'alice', kafka_sasl_password = ')"
                                       << password << R"(');
CREATE TABLE enriched ()
  WITH (connector = 'kafka', bootstrap_servers = '${SASL_SERVERS}', topic = '${ENRICHED}', format = 'json',
        kafka_security_protocol = 'sasl_plaintext', kafka_sasl_mechanisms = 'PLAIN',
        kafka_sasl_username = 'alice', kafka_sasl_password = ')"
                                       << password << R"(');
SET checkpoint_location = 'chk';
SET trigger = 'real_time 20 ms';
INSERT INTO enriched SELECT * FROM clicks;
)";
  }
  std::unique_ptr<EngineProcess> start_sasl() {
    return start({{"SASL_SERVERS", broker().sasl_servers()}});
  }
  /// What `millrace explain` prints, both streams.
  std::string explained() const {
    const std::string command = "cd " + folder_.string() +
                                " && SASL_SERVERS=" + broker().sasl_servers() +
                                " CLICKS=" + clicks_ + " ENRICHED=" + enriched_ + " " +
                                engine_path() + " explain job.sql 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string text;
    for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe))
      text.push_back(static_cast<char>(byte));
    ::pclose(pipe);
    return text;
  }
  /// The files below the job's folder, but the job itself, that hold this text.
  std::vector<std::string> files_with(const std::string& text) const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      if (!entry.is_regular_file() || entry.path().filename() == "job.sql") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(file)), {});
      if (bytes.find(text) != std::string::npos) found.push_back(entry.path().string());
    }
    return found;
  }
};

TEST_F(SaslTest, RunsWithTheRightPasswordAndTellsItToNobody) {
  write_job(KafkaBroker::kSaslPassword);
  write({std::nullopt, R"({"seq":1})", {}, 0});
  ASSERT_TRUE(probe_->flush());
  const auto engine = start_sasl();
  ASSERT_TRUE(engine->await_ready()) << engine->said();

  EXPECT_EQ(await_output(1).size(), 1U);

  engine->signal(SIGTERM);
  EXPECT_EQ(engine->wait(), 0) << engine->said();
  EXPECT_EQ(engine->said().find(KafkaBroker::kSaslPassword), std::string::npos) << engine->said();
  EXPECT_EQ(files_with(KafkaBroker::kSaslPassword), std::vector<std::string>());
  const auto explanation = explained();
  EXPECT_NE(explanation.find(enriched_), std::string::npos) << explanation;
  EXPECT_EQ(explanation.find(KafkaBroker::kSaslPassword), std::string::npos) << explanation;
}

TEST_F(SaslTest, RefusesAWrongPasswordAtTheStartAndTellsItToNobody) {
  write_job("guessed-4712");

  const auto engine = start_sasl();

  EXPECT_EQ(engine->wait(), 2) << engine->said();
  EXPECT_NE(
      engine->said().find("source clicks: " + broker().sasl_servers() + " refuses our credentials"),
      std::string::npos)
      << engine->said();
  EXPECT_EQ(engine->said().find("answers again"), std::string::npos) << engine->said();
  EXPECT_EQ(engine->said().find("guessed-4712"), std::string::npos) << engine->said();
  EXPECT_EQ(files_with("guessed-4712"), std::vector<std::string>());
}

TEST_F(SaslTest, TellsNoSecretWhenASettingIsWrong) {
  write_job("guessed-4713', kafka_sasl_mechanims = 'PLAIN");

  const auto engine = start_sasl();

  EXPECT_EQ(engine->wait(), 2) << engine->said();
  EXPECT_EQ(engine->said().find("guessed-4713"), std::string::npos) << engine->said();
}

}  // namespace
}  // namespace millrace::support
