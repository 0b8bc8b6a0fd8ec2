#include "connectors/kafka_refusal.hpp"

#include <algorithm>
#include <array>

namespace millrace::connectors {
namespace {

constexpr std::string_view kCredentials =
    "refuses our credentials (see the options kafka.security.* and kafka.sasl.*)";
constexpr std::string_view kTheirCertificate =
    "shows a certificate that cannot be trusted: kafka.ssl.ca.location must name the file of the "
    "authority that signed it, and it must be made out to this host";
constexpr std::string_view kOurCertificate =
    "takes no client without a certificate that it trusts: set kafka.ssl.keystore.location, or "
    "kafka.ssl.certificate.location and kafka.ssl.key.location";
constexpr std::string_view kNoTls =
    "makes no TLS connection with us (see the options kafka.security.protocol and kafka.ssl.*)";
constexpr std::string_view kWantsCredentials =
    "hangs up on who does not say who it is: set kafka.security.protocol to 'sasl_plaintext' or "
    "'sasl_ssl', and kafka.sasl.*";

constexpr std::string_view kAlert = "SSL alert number ";

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// An alert is the other side's word: bad_certificate, unsupported_certificate, certificate_revoked,
// certificate_expired, certificate_unknown, unknown_ca, certificate_required.
bool is_about_our_certificate(std::string_view reason) {
  constexpr std::array kAlerts = {"42", "43", "44", "45", "46", "48", "116"};
  const auto at = reason.find(kAlert);
  if (at == std::string_view::npos) return false;
  auto number = reason.substr(at + kAlert.size());
  number = number.substr(0, number.find_first_not_of("0123456789"));
  return std::ranges::find(kAlerts, number) != kAlerts.end();
}

bool is_cut_off(std::string_view reason) {
  return has(reason, "unexpected eof") || has(reason, "SSL handshake failed: Disconnected");
}

}  // namespace

std::string_view refusal_of(rd_kafka_resp_err_t error, std::string_view reason) {
  if (error == RD_KAFKA_RESP_ERR__AUTHENTICATION) return kCredentials;
  if (has(reason, "certificate verify failed")) return kTheirCertificate;
  if (is_about_our_certificate(reason)) return kOurCertificate;
  if (is_refused_in_tls(reason)) return kNoTls;
  if (error == RD_KAFKA_RESP_ERR__SSL && !is_cut_off(reason)) return kNoTls;
  return "";
}

std::string_view lasting_refusal_of(std::string_view reason) {
  return has(reason, "might require SASL authentication") ? kWantsCredentials : "";
}

bool may_be_wrong_layer(std::string_view reason) {
  return is_cut_off(reason) || has(reason, "Disconnected while requesting ApiVersion");
}

// "Disconnected: verify that ... (after 3ms in state UP)": the advice stands between the two.
std::string without_advice(std::string_view reason) {
  constexpr std::array<std::string_view, 2> kBeginnings = {": verify that security.protocol",
                                                           ": might be caused by"};
  for (const auto beginning : kBeginnings) {
    const auto begin = reason.find(beginning);
    if (begin == std::string_view::npos) continue;
    const auto end = std::min(reason.find(" (after ", begin), reason.size());
    return std::string(reason.substr(0, begin)).append(reason.substr(end));
  }
  return std::string(reason);
}

bool is_refused_in_tls(std::string_view reason) { return has(reason, kAlert); }

}  // namespace millrace::connectors
