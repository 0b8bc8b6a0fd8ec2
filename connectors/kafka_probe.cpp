#include "connectors/kafka_probe.hpp"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <array>
#include <set>
#include <string_view>

namespace millrace::connectors {
namespace {

constexpr int kWaitMsMax = 30'000;

using Settings = std::vector<std::pair<std::string, std::string>>;

tl::unexpected<Error> refuse(std::string_view doing, rd_kafka_resp_err_t error) {
  return fail(ErrorCode::kUnavailable,
              fmt::format("probe cannot {}: {}", doing, rd_kafka_err2str(error)));
}

Status take(rd_kafka_error_t* error, std::string_view doing) {
  if (error == nullptr) return {};
  const std::string reason = rd_kafka_error_string(error);
  rd_kafka_error_destroy(error);
  return fail(ErrorCode::kUnavailable, fmt::format("probe cannot {}: {}", doing, reason));
}

Result<rd_kafka_t*> make_client(rd_kafka_type_t type, const Settings& settings) {
  std::array<char, 512> reason{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t*, int, const char*, const char*) {});
  for (const auto& [name, value] : settings) {
    rd_kafka_conf_set(conf, name.c_str(), value.c_str(), reason.data(), reason.size());
  }
  // A flush looks only every 10 ms when nobody wants the reports.
  if (type == RD_KAFKA_PRODUCER) {
    rd_kafka_conf_set_dr_msg_cb(conf, [](rd_kafka_t*, const rd_kafka_message_t*, void*) {});
  }
  rd_kafka_t* handle = rd_kafka_new(type, conf, reason.data(), reason.size());
  if (handle != nullptr) return handle;
  rd_kafka_conf_destroy(conf);
  return fail(ErrorCode::kInvalidArgument, fmt::format("probe: {}", reason.data()));
}

Status produce(rd_kafka_t* handle, rd_kafka_topic_t* topic, const KafkaProbeRecord& record) {
  static char empty = 0;
  std::array<rd_kafka_vu_t, 6> fields;
  const auto bytes = [](rd_kafka_vu_t& field, const std::optional<std::string>& text) {
    field.u.mem = {nullptr, 0};
    if (!text) return;
    field.u.mem = {text->empty() ? &empty : const_cast<char*>(text->data()), text->size()};
  };
  fields[0].vtype = RD_KAFKA_VTYPE_RKT;
  fields[0].u.rkt = topic;
  fields[1].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  fields[1].u.i = RD_KAFKA_MSG_F_COPY;
  fields[2].vtype = RD_KAFKA_VTYPE_PARTITION;
  fields[2].u.i32 = record.partition;
  fields[3].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  fields[3].u.i64 = record.timestamp_ms;
  fields[4].vtype = RD_KAFKA_VTYPE_KEY;
  bytes(fields[4], record.key);
  fields[5].vtype = RD_KAFKA_VTYPE_VALUE;
  bytes(fields[5], record.value);
  std::vector<rd_kafka_vu_t> all(fields.begin(), fields.end());
  for (const auto& [name, value] : record.headers) {
    rd_kafka_vu_t header;
    header.vtype = RD_KAFKA_VTYPE_HEADER;
    header.u.header = {name.c_str(), value ? value->c_str() : nullptr,
                       value ? static_cast<ssize_t>(value->size()) : 0};
    all.push_back(header);
  }
  return take(rd_kafka_produceva(handle, all.data(), all.size()), "write");
}

KafkaProbeRecord record_of(const rd_kafka_message_t& message) {
  const auto text = [](const void* data, std::size_t size) -> std::optional<std::string> {
    if (data == nullptr) return std::nullopt;
    return std::string(static_cast<const char*>(data), size);
  };
  KafkaProbeRecord record;
  record.key = text(message.key, message.key_len);
  record.value = text(message.payload, message.len);
  record.partition = message.partition;
  record.offset = message.offset;
  rd_kafka_timestamp_type_t type{};
  record.timestamp_ms = rd_kafka_message_timestamp(&message, &type);
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return record;
  const char* name = nullptr;
  const void* value = nullptr;
  std::size_t size = 0;
  for (std::size_t i = 0;
       rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
       ++i) {
    record.headers.emplace_back(name, text(value, size));
  }
  return record;
}

// Waits for an admin request's event and gives its error, of the request or of its one topic.
Status await_admin(rd_kafka_queue_t* queue, const std::string& doing) {
  rd_kafka_event_t* event = rd_kafka_queue_poll(queue, kWaitMsMax);
  if (event == nullptr) return refuse(doing, RD_KAFKA_RESP_ERR__TIMED_OUT);
  auto error = rd_kafka_event_error(event);
  std::size_t count = 0;
  const rd_kafka_topic_result_t** results = nullptr;
  if (const auto* created = rd_kafka_event_CreateTopics_result(event)) {
    results = rd_kafka_CreateTopics_result_topics(created, &count);
  } else if (const auto* grown = rd_kafka_event_CreatePartitions_result(event)) {
    results = rd_kafka_CreatePartitions_result_topics(grown, &count);
  } else if (const auto* deleted = rd_kafka_event_DeleteTopics_result(event)) {
    results = rd_kafka_DeleteTopics_result_topics(deleted, &count);
  }
  for (std::size_t i = 0; i < count && error == RD_KAFKA_RESP_ERR_NO_ERROR; ++i) {
    error = rd_kafka_topic_result_error(results[i]);
  }
  rd_kafka_event_destroy(event);
  return error == RD_KAFKA_RESP_ERR_NO_ERROR ? Status() : refuse(doing, error);
}

Status await_topic(rd_kafka_t* handle, const std::string& topic, std::int32_t partitions) {
  for (int attempt = 0; attempt < 500; ++attempt) {
    rd_kafka_topic_t* one = rd_kafka_topic_new(handle, topic.c_str(), nullptr);
    const rd_kafka_metadata_t* metadata = nullptr;
    const auto error = rd_kafka_metadata(handle, 0, one, &metadata, kWaitMsMax);
    rd_kafka_topic_destroy(one);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return refuse("see topic " + topic, error);
    bool is_there = metadata->topic_cnt == 1 && metadata->topics[0].partition_cnt == partitions;
    rd_kafka_metadata_destroy(metadata);
    // A leader that does not know it yet could refuse the first of two requests and take the
    // second.
    for (int i = 0; is_there && i < partitions; ++i) {
      std::int64_t low = 0;
      std::int64_t high = 0;
      is_there = rd_kafka_query_watermark_offsets(handle, topic.c_str(), i, &low, &high,
                                                  kWaitMsMax) == RD_KAFKA_RESP_ERR_NO_ERROR;
    }
    if (is_there) return {};
    rd_kafka_poll(handle, 20);
  }
  return refuse("see topic " + topic, RD_KAFKA_RESP_ERR__TIMED_OUT);
}

struct QueueDeleter {
  void operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }
};
using Queue = std::unique_ptr<rd_kafka_queue_t, QueueDeleter>;

// A consumer over every partition of one topic.
struct Reading {
  rd_kafka_t* handle = nullptr;
  int partitions = 0;

  ~Reading() {
    if (handle != nullptr) rd_kafka_destroy(handle);
  }

  Status assign(const std::string& topic, std::int64_t from) {
    const rd_kafka_metadata_t* metadata = nullptr;
    const auto error = rd_kafka_metadata(handle, 1, nullptr, &metadata, kWaitMsMax);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return refuse("list the topics", error);
    for (int i = 0; i < metadata->topic_cnt; ++i) {
      if (topic == metadata->topics[i].topic) partitions = metadata->topics[i].partition_cnt;
    }
    rd_kafka_metadata_destroy(metadata);
    if (partitions == 0) return refuse("read topic " + topic, RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC);
    rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(partitions);
    for (int i = 0; i < partitions; ++i) {
      rd_kafka_topic_partition_list_add(list, topic.c_str(), i)->offset = from;
    }
    const auto assigned = rd_kafka_assign(handle, list);
    rd_kafka_topic_partition_list_destroy(list);
    return assigned == RD_KAFKA_RESP_ERR_NO_ERROR ? Status() : refuse("assign " + topic, assigned);
  }
};

}  // namespace

Result<std::unique_ptr<KafkaProbe>> KafkaProbe::open(std::string bootstrap_servers) {
  return std::unique_ptr<KafkaProbe>(new KafkaProbe(std::move(bootstrap_servers)));
}

KafkaProbe::~KafkaProbe() {
  for (const auto& [name, topic] : topics_) rd_kafka_topic_destroy(topic);
  if (producer_ != nullptr) rd_kafka_destroy(producer_);
  if (transactional_producer_ != nullptr) rd_kafka_destroy(transactional_producer_);
}

Result<rd_kafka_t*> KafkaProbe::producer() {
  if (producer_ != nullptr) return producer_;
  MILLRACE_ASSIGN(producer_,
                  make_client(RD_KAFKA_PRODUCER, {{"bootstrap.servers", bootstrap_servers_},
                                                  {"socket.nagle.disable", "true"},
                                                  {"linger.ms", "0"},
                                                  {"enable.idempotence", "true"},
                                                  {"max.in.flight", "2"},
                                                  {"queue.buffering.max.messages", "0"}}));
  return producer_;
}

Result<rd_kafka_t*> KafkaProbe::transactional_producer() {
  if (transactional_producer_ != nullptr) return transactional_producer_;
  MILLRACE_ASSIGN(transactional_producer_,
                  make_client(RD_KAFKA_PRODUCER,
                              {{"bootstrap.servers", bootstrap_servers_},
                               {"transactional.id", fmt::format("probe-{}", fmt::ptr(this))}}));
  MILLRACE_TRY(take(rd_kafka_init_transactions(transactional_producer_, kWaitMsMax),
                    "begin with transactions"));
  return transactional_producer_;
}

Result<rd_kafka_t*> KafkaProbe::consumer() const {
  return make_client(RD_KAFKA_CONSUMER, {{"bootstrap.servers", bootstrap_servers_},
                                         {"group.id", "millrace-probe"},
                                         {"socket.nagle.disable", "true"},
                                         {"enable.auto.commit", "false"},
                                         {"enable.partition.eof", "true"},
                                         {"fetch.wait.max.ms", "50"},
                                         {"queued.min.messages", "20000"}});
}

Status KafkaProbe::create_topic(const std::string& topic, std::int32_t partitions,
                                const Settings& settings) {
  MILLRACE_ASSIGN(rd_kafka_t * handle, producer());
  std::array<char, 512> reason{};
  rd_kafka_NewTopic_t* request =
      rd_kafka_NewTopic_new(topic.c_str(), partitions, -1, reason.data(), reason.size());
  if (request == nullptr) return fail(ErrorCode::kInvalidArgument, reason.data());
  for (const auto& [name, value] : settings) {
    rd_kafka_NewTopic_set_config(request, name.c_str(), value.c_str());
  }
  const Queue queue(rd_kafka_queue_new(handle));
  rd_kafka_CreateTopics(handle, &request, 1, nullptr, queue.get());
  rd_kafka_NewTopic_destroy(request);
  MILLRACE_TRY(await_admin(queue.get(), "create topic " + topic));
  return await_topic(handle, topic, partitions);
}

Status KafkaProbe::alter_topic(const std::string& topic, const Settings& settings) {
  MILLRACE_ASSIGN(rd_kafka_t * handle, producer());
  rd_kafka_ConfigResource_t* request =
      rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str());
  for (const auto& [name, value] : settings)
    rd_kafka_ConfigResource_set_config(request, name.c_str(), value.c_str());
  const Queue queue(rd_kafka_queue_new(handle));
  rd_kafka_AlterConfigs(handle, &request, 1, nullptr, queue.get());
  rd_kafka_ConfigResource_destroy(request);
  return await_admin(queue.get(), "alter topic " + topic);
}

Status KafkaProbe::grow_topic(const std::string& topic, std::int32_t partitions) {
  MILLRACE_ASSIGN(rd_kafka_t * handle, producer());
  std::array<char, 512> reason{};
  rd_kafka_NewPartitions_t* request = rd_kafka_NewPartitions_new(
      topic.c_str(), static_cast<std::size_t>(partitions), reason.data(), reason.size());
  if (request == nullptr) return fail(ErrorCode::kInvalidArgument, reason.data());
  const Queue queue(rd_kafka_queue_new(handle));
  rd_kafka_CreatePartitions(handle, &request, 1, nullptr, queue.get());
  rd_kafka_NewPartitions_destroy(request);
  MILLRACE_TRY(await_admin(queue.get(), "grow topic " + topic));
  return await_topic(handle, topic, partitions);
}

Status KafkaProbe::delete_topic(const std::string& topic) {
  MILLRACE_ASSIGN(rd_kafka_t * handle, producer());
  rd_kafka_DeleteTopic_t* request = rd_kafka_DeleteTopic_new(topic.c_str());
  const Queue queue(rd_kafka_queue_new(handle));
  rd_kafka_DeleteTopics(handle, &request, 1, nullptr, queue.get());
  rd_kafka_DeleteTopic_destroy(request);
  return await_admin(queue.get(), "delete topic " + topic);
}

Status KafkaProbe::delete_records(const std::string& topic, std::int32_t partition,
                                  std::int64_t offset) {
  MILLRACE_ASSIGN(rd_kafka_t * handle, producer());
  rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(list, topic.c_str(), partition)->offset = offset;
  rd_kafka_DeleteRecords_t* request = rd_kafka_DeleteRecords_new(list);
  rd_kafka_topic_partition_list_destroy(list);
  const Queue queue(rd_kafka_queue_new(handle));
  rd_kafka_DeleteRecords(handle, &request, 1, nullptr, queue.get());
  rd_kafka_DeleteRecords_destroy(request);
  return await_admin(queue.get(), "delete records of topic " + topic);
}

Status KafkaProbe::write(const std::string& topic, const KafkaProbeRecord& record) {
  MILLRACE_ASSIGN(rd_kafka_t * handle, producer());
  rd_kafka_poll(handle, 0);
  auto& known = topics_[topic];
  if (known == nullptr) known = rd_kafka_topic_new(handle, topic.c_str(), nullptr);
  return produce(handle, known, record);
}

Status KafkaProbe::flush(int wait_ms_max) {
  MILLRACE_ASSIGN(rd_kafka_t * handle, producer());
  const auto error = rd_kafka_flush(handle, wait_ms_max);
  return error == RD_KAFKA_RESP_ERR_NO_ERROR ? Status() : refuse("flush", error);
}

Status KafkaProbe::write_transaction(const std::string& topic,
                                     const std::vector<KafkaProbeRecord>& records, bool commits) {
  MILLRACE_ASSIGN(rd_kafka_t * handle, transactional_producer());
  MILLRACE_TRY(take(rd_kafka_begin_transaction(handle), "begin a transaction"));
  rd_kafka_topic_t* one = rd_kafka_topic_new(handle, topic.c_str(), nullptr);
  for (const auto& record : records) MILLRACE_TRY(produce(handle, one, record));
  rd_kafka_topic_destroy(one);
  // Aborting drops what is not sent; a reader shall meet it.
  rd_kafka_flush(handle, kWaitMsMax);
  return commits ? take(rd_kafka_commit_transaction(handle, kWaitMsMax), "commit a transaction")
                 : take(rd_kafka_abort_transaction(handle, kWaitMsMax), "abort a transaction");
}

Result<std::vector<KafkaProbeRecord>> KafkaProbe::read_all(const std::string& topic) {
  Reading reading;
  MILLRACE_ASSIGN(reading.handle, consumer());
  MILLRACE_TRY(reading.assign(topic, RD_KAFKA_OFFSET_BEGINNING));
  std::vector<std::vector<KafkaProbeRecord>> by_partition(
      static_cast<std::size_t>(reading.partitions));
  std::set<std::int32_t> ended;
  while (ended.size() < by_partition.size()) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(reading.handle, kWaitMsMax);
    if (message == nullptr) return refuse("read topic " + topic, RD_KAFKA_RESP_ERR__TIMED_OUT);
    if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) ended.insert(message->partition);
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      by_partition[message->partition].push_back(record_of(*message));
    }
    rd_kafka_message_destroy(message);
  }
  std::vector<KafkaProbeRecord> all;
  for (auto& records : by_partition) {
    for (auto& record : records) all.push_back(std::move(record));
  }
  return all;
}

Status KafkaProbe::follow(const std::string& topic, bool from_beginning, int idle_ms_max,
                          const std::function<bool(const KafkaProbeRecord&)>& see) {
  Reading reading;
  MILLRACE_ASSIGN(reading.handle, consumer());
  MILLRACE_TRY(
      reading.assign(topic, from_beginning ? RD_KAFKA_OFFSET_BEGINNING : RD_KAFKA_OFFSET_END));
  bool goes_on = true;
  while (goes_on) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(reading.handle, idle_ms_max);
    if (message == nullptr) break;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) goes_on = see(record_of(*message));
    rd_kafka_message_destroy(message);
  }
  return {};
}

}  // namespace millrace::connectors
