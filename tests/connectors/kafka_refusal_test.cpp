#include "connectors/kafka_refusal.hpp"

#include <gtest/gtest.h>

#include <string>

namespace millrace::connectors {
namespace {

constexpr auto kSsl = RD_KAFKA_RESP_ERR__SSL;
constexpr auto kTransport = RD_KAFKA_RESP_ERR__TRANSPORT;

// The reasons are the client's, word for word.
TEST(KafkaRefusal, SaysWhatToDoAboutACertificateThatIsNotTrusted) {
  EXPECT_EQ(refusal_of(kSsl,
                       "ssl://h:1/bootstrap: SSL handshake failed: error:0A000086:SSL "
                       "routines::certificate verify failed: broker certificate could not be "
                       "verified, verify that ssl.ca.location is correctly configured or root CA "
                       "certificates are installed (install ca-certificates package) (after 15ms "
                       "in state SSL_HANDSHAKE)"),
            "shows a certificate that cannot be trusted: kafka.ssl.ca.location must name the file "
            "of the authority that signed it, and it must be made out to this host");
}

TEST(KafkaRefusal, SaysWhatToDoAboutOneOfOursThatIsMissingOrNotTrusted) {
  for (const char* alert :
       {"sslv3 alert bad certificate: SSL alert number 42",
        "tlsv13 alert certificate required: SSL alert number 116 (after 3ms in state UP)"}) {
    EXPECT_EQ(refusal_of(kTransport,
                         std::string("Receive failed: error:0A000412:SSL routines::") + alert),
              "takes no client without a certificate that it trusts: set "
              "kafka.ssl.keystore.location, or kafka.ssl.certificate.location and "
              "kafka.ssl.key.location")
        << alert;
  }
}

TEST(KafkaRefusal, PointsToTheSettingsForWhatElseTlsCannotDo) {
  constexpr auto kWords =
      "makes no TLS connection with us (see the options kafka.security.protocol and kafka.ssl.*)";

  EXPECT_EQ(refusal_of(kTransport, "tlsv1 alert protocol version: SSL alert number 70"), kWords);
  EXPECT_EQ(refusal_of(kSsl,
                       "SSL handshake failed: error:0A00010B:SSL routines::wrong version "
                       "number"),
            kWords);
}

TEST(KafkaRefusal, WaitsForABrokerThatWentAway) {
  EXPECT_EQ(refusal_of(kTransport, "Connect to ipv4#127.0.0.1:1 failed: Connection refused"), "");
  EXPECT_EQ(refusal_of(kTransport,
                       "SSL handshake failed: Disconnected: connecting to a PLAINTEXT "
                       "broker listener?"),
            "");
  EXPECT_EQ(refusal_of(kSsl,
                       "SSL handshake failed: error:0A000126:SSL routines::unexpected eof "
                       "while reading"),
            "");
  EXPECT_EQ(lasting_refusal_of("Connect to ipv4#127.0.0.1:1 failed: Connection refused"), "");
}

TEST(KafkaRefusal, KnowsWhatMayBeTlsOnOneSideOnly) {
  EXPECT_TRUE(
      may_be_wrong_layer("h:1/bootstrap: Disconnected while requesting ApiVersion: might "
                         "be caused by incorrect security.protocol configuration"));
  EXPECT_TRUE(
      may_be_wrong_layer("SSL handshake failed: error:0A000126:SSL routines::unexpected "
                         "eof while reading"));
  EXPECT_FALSE(may_be_wrong_layer("Connect to ipv4#127.0.0.1:1 failed: Connection refused"));
}

}  // namespace
}  // namespace millrace::connectors
