// A broker that wants to know who asks: the right password works, a wrong one is refused at the
// start, and neither is told to anybody.

#include "tests/broker/job_fixture.hpp"

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
};

TEST_F(SaslTest, RunsWithTheRightPasswordAndTellsItToNobody) {
  write_job(KafkaBroker::kSaslPassword);
  write(clicks_, {value_in(0, R"({"seq":1})")});
  const auto engine = start_sasl();
  ASSERT_TRUE(engine->await_ready()) << engine->said();

  await_output(1);
  stop(*engine);

  EXPECT_EQ(values_of(output()), std::vector<std::string>({R"({"seq":1})"}));
  EXPECT_EQ(engine->said().find(KafkaBroker::kSaslPassword), std::string::npos) << engine->said();
  EXPECT_EQ(files_with(KafkaBroker::kSaslPassword), std::vector<std::string>());
  const auto explanation = explained({{"SASL_SERVERS", broker().sasl_servers()}});
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
