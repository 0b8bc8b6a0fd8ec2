#include "connectors/kafka_layer_check.hpp"

#include "connectors/kafka_client.hpp"
#include "connectors/kafka_refusal.hpp"
#include "stream/ascii.hpp"

#include <fmt/format.h>

#include <string>

namespace millrace::connectors {
namespace {

bool has_tls(const KafkaSettings& settings) {
  const std::string protocol = stream::lower_case(setting_of(settings, "security.protocol"));
  return protocol == "ssl" || protocol == "sasl_ssl";
}

// A broker says which requests it knows to anybody, before it asks for a password or a certificate;
// one that wants a certificate may also refuse us, in TLS.
Result<bool> answers(const KafkaClient& client) {
  constexpr int kTries = 20;
  constexpr int kTryMs = 100;
  for (int i = 0; i < kTries; ++i) {
    const rd_kafka_metadata_t* metadata = nullptr;
    if (rd_kafka_metadata(client.handle(), 0, nullptr, &metadata, kTryMs) ==
        RD_KAFKA_RESP_ERR_NO_ERROR)
      rd_kafka_metadata_destroy(metadata);
    if (client.watch().has_answered() || is_refused_in_tls(client.watch().last_failure()))
      return true;
    MILLRACE_TRY(client.wait_a_moment());
  }
  return false;
}

}  // namespace

Status check_kafka_layer(const KafkaSettings& settings, std::stop_token cancelled) {
  const bool is_tls = has_tls(settings);
  KafkaClientSpec spec;
  spec.owner = "a look at the brokers";
  spec.settings = {{"bootstrap.servers", setting_of(settings, "bootstrap.servers")},
                   {"security.protocol", is_tls ? "plaintext" : "ssl"},
                   {"enable.ssl.certificate.verification", "false"}};
  spec.cancelled = std::move(cancelled);
  MILLRACE_ASSIGN(const auto client, KafkaClient::create(std::move(spec)));
  MILLRACE_ASSIGN(const bool is_other, answers(*client));
  if (!is_other) return {};
  return fail(ErrorCode::kInvalidArgument,
              is_tls ? "does not speak TLS: set kafka.security.protocol to 'plaintext', or to "
                       "'sasl_plaintext' where it asks for a password"
                     : "speaks TLS: set kafka.security.protocol to 'ssl', or to 'sasl_ssl' where "
                       "it asks for a password");
}

}  // namespace millrace::connectors
