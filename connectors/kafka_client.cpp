#include "connectors/kafka_client.hpp"

#include "connectors/kafka_layer_check.hpp"
#include "connectors/kafka_refusal.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <thread>
#include <utility>

namespace millrace::connectors {
namespace {

constexpr const char* kInterceptorName = "millrace";

rd_kafka_resp_err_t on_response(rd_kafka_t*, int, const char*, std::int32_t, std::int16_t api_key,
                                std::int16_t, std::int32_t, std::size_t, std::int64_t,
                                rd_kafka_resp_err_t error, void* opaque) {
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    static_cast<KafkaBrokerWatch*>(opaque)->note_response(api_key);
  }
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

// What the interceptors of one client need while it is made.
struct Interception {
  KafkaBrokerWatch* watch;
  rd_kafka_interceptor_f_on_acknowledgement_t* on_acknowledgement;
  void* opaque;
};

rd_kafka_resp_err_t on_new(rd_kafka_t* handle, const rd_kafka_conf_t*, void* opaque, char*,
                           std::size_t) {
  const auto& interception = *static_cast<const Interception*>(opaque);
  if (interception.on_acknowledgement != nullptr) {
    rd_kafka_interceptor_add_on_acknowledgement(
        handle, kInterceptorName, interception.on_acknowledgement, interception.opaque);
  }
  return rd_kafka_interceptor_add_on_response_received(handle, kInterceptorName, &on_response,
                                                       interception.watch);
}

// The library's own lines: what matters of them reaches the error events, in our words.
void drop_log(const rd_kafka_t*, int, const char*, const char*) {}

// Those that somebody has asked for, with kafka.debug.
void pass_log(const rd_kafka_t* handle, int, const char* facility, const char* line) {
  static_cast<const KafkaClient*>(rd_kafka_opaque(handle))->say(facility, line);
}

// What the library found wrong with a partition while this thread took messages from its queue.
thread_local rd_kafka_resp_err_t queue_error = RD_KAFKA_RESP_ERR_NO_ERROR;

// Somebody else has taken our place; or this client has lost its way (a sequence that does not fit,
// say), and a new one finds it again.
ErrorCode code_of_fatal(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR__FENCED:
    case RD_KAFKA_RESP_ERR_PRODUCER_FENCED:
    case RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH:
    case RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID:
      return ErrorCode::kConflict;
    default:
      return ErrorCode::kIo;
  }
}

void forward_to_background(rd_kafka_t* handle) {
  rd_kafka_queue_t* main = rd_kafka_queue_get_main(handle);
  rd_kafka_queue_t* background = rd_kafka_queue_get_background(handle);
  rd_kafka_queue_forward(main, background);
  rd_kafka_queue_destroy(background);
  rd_kafka_queue_destroy(main);
}

}  // namespace

Result<std::unique_ptr<KafkaClient>> KafkaClient::create(KafkaClientSpec spec) {
  std::unique_ptr<KafkaClient> client(new KafkaClient(std::move(spec)));
  MILLRACE_TRY(client->open());
  return client;
}

KafkaClient::KafkaClient(KafkaClientSpec spec)
    : spec_(std::move(spec)),
      watch_(spec_.owner, setting_of(spec_.settings, "bootstrap.servers"), spec_.log),
      sasl_username_(setting_of(spec_.settings, "sasl.username")),
      sasl_password_(setting_of(spec_.settings, "sasl.password")) {}

KafkaClient::~KafkaClient() {
  if (handle_ != nullptr) rd_kafka_destroy(handle_);
}

Status KafkaClient::open() {
  MILLRACE_ASSIGN(KafkaConf conf, kafka_conf(spec_.settings));
  Interception interception{&watch_, spec_.on_acknowledgement, spec_.opaque};
  rd_kafka_conf_set_opaque(conf.get(), this);
  rd_kafka_conf_set_log_cb(conf.get(),
                           setting_of(spec_.settings, "debug").empty() ? &drop_log : &pass_log);
  rd_kafka_conf_set_events(conf.get(), RD_KAFKA_EVENT_ERROR);
  // All errors go to the background thread, but for those that lie in a partition's own queue.
  rd_kafka_conf_set_error_cb(conf.get(), [](rd_kafka_t*, int error, const char*, void*) {
    queue_error = static_cast<rd_kafka_resp_err_t>(error);
  });
  rd_kafka_conf_set_background_event_cb(conf.get(),
                                        [](rd_kafka_t*, rd_kafka_event_t* event, void* opaque) {
                                          static_cast<KafkaClient*>(opaque)->serve(event);
                                          rd_kafka_event_destroy(event);
                                        });
  rd_kafka_conf_interceptor_add_on_new(conf.get(), kInterceptorName, &on_new, &interception);
  std::array<char, 512> reason{};
  const auto type = spec_.role == KafkaRole::kSource ? RD_KAFKA_CONSUMER : RD_KAFKA_PRODUCER;
  handle_ = rd_kafka_new(type, conf.get(), reason.data(), reason.size());
  if (handle_ == nullptr) {
    // The library has added its interceptors to a copy of the lists in `conf` and freed that, so
    // that to free `conf` as well would crash. These few bytes are given up.
    static_cast<void>(conf.release());
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the Kafka client cannot start: {}", spec_.owner, reason.data()));
  }
  static_cast<void>(conf.release());  // the handle owns it now
  forward_to_background(handle_);
  return {};
}

void KafkaClient::say(std::string_view facility, std::string_view line) const {
  if (spec_.log)
    spec_.log(LogLevel::kInfo, fmt::format("{}: librdkafka {}: {}", spec_.owner, facility, line));
}

rd_kafka_resp_err_t KafkaClient::take_queue_error() {
  return std::exchange(queue_error, RD_KAFKA_RESP_ERR_NO_ERROR);
}

void KafkaClient::serve(rd_kafka_event_t* event) {
  if (rd_kafka_event_type(event) != RD_KAFKA_EVENT_ERROR) return;
  // The event of a fatal error has the error itself for its code, not one that says "fatal".
  if (rd_kafka_event_error_is_fatal(event) != 0) return tell_of_fatal();
  switch (rd_kafka_event_error(event)) {
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
      return watch_.note_all_down();
    default:
      const char* const reason = rd_kafka_event_error_string(event);
      return watch_.note_failure(reason, refusal_of(rd_kafka_event_error(event), reason));
  }
}

void KafkaClient::tell_of_fatal() {
  std::array<char, 512> reason{};
  const auto error = rd_kafka_fatal_error(handle_, reason.data(), reason.size());
  if (!spec_.on_fatal) return;
  spec_.on_fatal({code_of_fatal(error), fmt::format("{}: the Kafka client cannot go on: {}",
                                                    spec_.owner, reason.data())});
}

// Setting the credentials that the client has already is the one public call of 2.0 that wakes its
// broker threads and changes nothing.
void KafkaClient::nudge_fetchers() const {
  if (rd_kafka_version() >= 0x02020000) return;
  rd_kafka_error_t* error =
      rd_kafka_sasl_set_credentials(handle_, sasl_username_.c_str(), sasl_password_.c_str());
  if (error != nullptr) rd_kafka_error_destroy(error);
}

Status KafkaClient::wait_a_moment() const {
  constexpr std::chrono::milliseconds kMoment(1);
  if (spec_.cancelled.stop_requested()) {
    return fail(ErrorCode::kCancelled,
                fmt::format("{}: called off while waiting for a broker of {}", spec_.owner,
                            watch_.bootstrap()));
  }
  std::this_thread::sleep_for(kMoment);
  return {};
}

Status KafkaClient::check_not_refused() const {
  if (!watch_.is_refused()) return {};
  return fail(refused(watch_.last_refusal()));
}

Status KafkaClient::check_not_refused_for_long() const {
  const std::string reason = watch_.telling_failure();
  if (const auto refusal = lasting_refusal_of(reason); !refusal.empty())
    return fail(refused(refusal));
  if (!may_be_wrong_layer(reason)) return {};
  const Status layer = check_kafka_layer(spec_.settings, spec_.cancelled);
  if (layer || layer.error().code != ErrorCode::kInvalidArgument) return layer;
  return fail(refused(layer.error().message));
}

Error KafkaClient::refused(std::string_view refusal) const {
  return {ErrorCode::kInvalidArgument, fmt::format("{}: {} {}: {}", spec_.owner, watch_.bootstrap(),
                                                   refusal, watch_.last_failure())};
}

Error KafkaClient::unreachable(std::string_view doing, std::string_view detail) const {
  const auto reason = watch_.last_failure();
  return {ErrorCode::kUnavailable,
          fmt::format("{}: cannot {} at {}: {}", spec_.owner, doing, watch_.bootstrap(),
                      reason.empty() ? std::string(detail) : reason)};
}

}  // namespace millrace::connectors
