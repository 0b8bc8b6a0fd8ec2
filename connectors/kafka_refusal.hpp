#pragma once

#include <librdkafka/rdkafka.h>

#include <string>
#include <string_view>

// What a connection that failed means to whoever starts a query: to wait, or to change something.
// The client's own words are the only place where most of it can be read.

namespace millrace::connectors {

/// What is to be done when a broker refuses us, in words that follow "127.0.0.1:9092 "; empty for a
/// failure that may pass by itself.
[[nodiscard]] std::string_view refusal_of(rd_kafka_resp_err_t error, std::string_view reason);

/// The same for a failure that says so only by happening again and again: once, it may as well be
/// a broker that went away at that moment.
[[nodiscard]] std::string_view lasting_refusal_of(std::string_view reason);

/// Whether it looks as if one side speaks TLS and the other does not. A broker that went away at
/// that moment looks the same, and so does a proxy that has none behind it.
[[nodiscard]] bool may_be_wrong_layer(std::string_view reason);

/// Whether the other side has refused us in TLS, which it speaks then.
[[nodiscard]] bool is_refused_in_tls(std::string_view reason);

/// The client's words without its advice on settings, for who has been served with the same ones.
[[nodiscard]] std::string without_advice(std::string_view reason);

}  // namespace millrace::connectors
