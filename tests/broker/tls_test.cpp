// A broker that speaks TLS, with keys made for this test: who has the right ones gets through from
// end to end, who has not is told at the start what is wrong, and no password is told to anybody.

#include "tests/broker/job_fixture.hpp"
#include "tests/support/kafka_script.hpp"

#include <unistd.h>

namespace millrace::support {
namespace {

constexpr const char* kKeyPassword = "key-word-4714";

class TlsTest : public JobTest {
 protected:
  // A broker of its own: its keys take seconds to make, which other tests need not wait for.
  static void SetUpTestSuite() {
    if (!broker().is_available()) return;
    kafka_folder() = make_kafka_folder();
    places() = run_kafka_script("start --dir " + kafka_folder() + " --owner " +
                                std::to_string(::getpid()) + " --sasl " + KafkaBroker::kSaslUser +
                                ":" + KafkaBroker::kSaslPassword + " --tls " + kKeyPassword)
                   .places;
  }
  static void TearDownTestSuite() { remove_kafka(kafka_folder()); }

  void SetUp() override {
    JobTest::SetUp();
    if (!broker().is_available()) return;
    ASSERT_TRUE(places().contains("sasl_tls")) << "scripts/kafka start failed";
    probe_ = KafkaProbe::open(places()["bootstrap"]).value();
    for (const std::string& topic : {clicks_, enriched_})
      ASSERT_TRUE(probe_->create_topic(topic, 1).has_value());
  }

  /// A job whose client has these settings, at the broker's door of this name.
  std::unique_ptr<EngineProcess> start_at(const std::string& door, const std::string& settings) {
    std::ofstream(folder_ / "job.sql") << R"(
CREATE TABLE clicks (seq bigint)
  WITH (connector = 'kafka', bootstrap_servers = '${DOOR}', topic = '${CLICKS}', format = 'json',
        starting_offsets = 'earliest')" << settings
                                       << R"();
CREATE TABLE enriched ()
  WITH (connector = 'kafka', bootstrap_servers = '${DOOR}', topic = '${ENRICHED}', format = 'json')"
                                       << settings << R"();
SET checkpoint_location = 'chk';
SET trigger = 'real_time 20 ms';
INSERT INTO enriched SELECT * FROM clicks;
)";
    door_ = places()[door];
    return start({{"DOOR", door_}});
  }
  /// A record goes through from end to end, and the query ends well.
  void expect_to_run(const std::string& door, const std::string& settings) {
    write(clicks_, {value_in(0, R"({"seq":1})")});
    const auto engine = start_at(door, settings);
    ASSERT_TRUE(engine->await_ready()) << engine->said();
    await_output(1);
    stop(*engine);
    EXPECT_EQ(values_of(output()), std::vector<std::string>({R"({"seq":1})"}));
    said_ = engine->said() + explained({{"DOOR", door_}});
    EXPECT_NE(said_.find("enriched"), std::string::npos) << said_;
  }
  /// The start is refused, with these words behind the broker's name.
  void expect_refusal(const std::string& door, const std::string& settings,
                      const std::string& words) {
    const auto engine = start_at(door, settings);
    EXPECT_EQ(engine->wait(), 2) << engine->said();
    said_ = engine->said();
    EXPECT_NE(said_.find("source clicks: " + door_ + " " + words), std::string::npos) << said_;
  }
  void expect_untold(const std::string& secret) const {
    EXPECT_EQ(said_.find(secret), std::string::npos) << said_;
    EXPECT_EQ(files_with(secret), std::vector<std::string>());
  }

  /// Settings that trust the authority of the broker's key, or one of this name.
  static std::string trusting(const std::string& authority = "authority") {
    return ", kafka_security_protocol = 'ssl', kafka_ssl_ca_location = '" +
           key(authority + ".pem") + "'";
  }
  static std::string with_key(const std::string& password) {
    return ", kafka_ssl_keystore_location = '" + key("client.p12") +
           "', kafka_ssl_keystore_password = '" + password + "'";
  }
  static std::string with_sasl(const std::string& password) {
    return ", kafka_security_protocol = 'sasl_ssl', kafka_sasl_mechanisms = 'PLAIN', "
           "kafka_sasl_username = 'alice', kafka_sasl_password = '" +
           password + "', kafka_ssl_ca_location = '" + key("authority.pem") + "'";
  }

  static std::string& kafka_folder() {
    static std::string folder;
    return folder;
  }
  static std::map<std::string, std::string>& places() {
    static std::map<std::string, std::string> places;
    return places;
  }
  static std::string key(const std::string& file) { return kafka_folder() + "/tls/" + file; }

  std::string door_;
  std::string said_;
};

TEST_F(TlsTest, RunsThroughTlsWithTheRightAuthority) { expect_to_run("tls", trusting()); }

TEST_F(TlsTest, RunsWithAKeyOfItsOwnWhoseWordIsToldToNobody) {
  expect_to_run("mtls", trusting() + with_key(kKeyPassword));

  expect_untold(kKeyPassword);
}

TEST_F(TlsTest, RunsWithAPasswordThroughTlsAndTellsItToNobody) {
  expect_to_run("sasl_tls", with_sasl(KafkaBroker::kSaslPassword));

  expect_untold(KafkaBroker::kSaslPassword);
}

TEST_F(TlsTest, RefusesABrokerThatAStrangerVouchesFor) {
  expect_refusal("tls", trusting("stranger"),
                 "shows a certificate that cannot be trusted: kafka.ssl.ca.location must name the "
                 "file of the authority that signed it");
}

TEST_F(TlsTest, SaysThatABrokerWantsAKeyOfOurs) {
  expect_refusal("mtls", trusting(),
                 "takes no client without a certificate that it trusts: set "
                 "kafka.ssl.keystore.location");
}

TEST_F(TlsTest, SaysThatABrokerSpeaksTlsWhenWeDoNot) {
  expect_refusal("tls", "", "speaks TLS: set kafka.security.protocol to 'ssl'");
  expect_refusal("mtls", "", "speaks TLS: set kafka.security.protocol to 'ssl'");
}

TEST_F(TlsTest, SaysThatABrokerDoesNotSpeakTlsWhenWeDo) {
  expect_refusal("bootstrap", trusting(),
                 "does not speak TLS: set kafka.security.protocol to 'plaintext'");
}

TEST_F(TlsTest, SaysThatABrokerWantsAPassword) {
  expect_refusal("sasl_tls", trusting(),
                 "hangs up on who does not say who it is: set "
                 "kafka.security.protocol to 'sasl_plaintext' or "
                 "'sasl_ssl'");
}

TEST_F(TlsTest, RefusesAWrongPasswordAndTellsItToNobody) {
  expect_refusal("sasl_tls", with_sasl("guessed-4715"), "refuses our credentials");

  expect_untold("guessed-4715");
}

TEST_F(TlsTest, RefusesAKeyThatItsWordDoesNotOpenAndTellsItToNobody) {
  const auto engine = start_at("mtls", trusting() + with_key("guessed-4716"));

  EXPECT_EQ(engine->wait(), 2) << engine->said();
  said_ = engine->said();
  EXPECT_NE(said_.find("source clicks: the Kafka client cannot start: Failed to parse "
                       "ssl.keystore.location"),
            std::string::npos)
      << said_;
  expect_untold("guessed-4716");
}

}  // namespace
}  // namespace millrace::support
