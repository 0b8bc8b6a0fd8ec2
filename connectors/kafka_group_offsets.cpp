#include "connectors/kafka_group_offsets.hpp"

#include "connectors/kafka_client.hpp"

#include <fmt/format.h>

namespace millrace::connectors {
namespace {

constexpr std::int64_t kWarningIntervalNs = 60'000'000'000;
constexpr int kLastAnswerMs = 1'000;

struct ListDeleter {
  void operator()(rd_kafka_topic_partition_list_t* list) const {
    rd_kafka_topic_partition_list_destroy(list);
  }
};
using List = std::unique_ptr<rd_kafka_topic_partition_list_t, ListDeleter>;

List list_of(const KafkaGroupOffsets::Offsets& offsets) {
  List list(rd_kafka_topic_partition_list_new(static_cast<int>(offsets.size())));
  for (const auto& [place, offset] : offsets)
    rd_kafka_topic_partition_list_add(list.get(), place.first.c_str(), place.second)->offset =
        offset;
  return list;
}

/// What is wrong with a commit as a whole, or with the first partition that is refused.
rd_kafka_resp_err_t error_of(rd_kafka_event_t* event) {
  const auto error = rd_kafka_event_error(event);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return error;
  const auto* const list = rd_kafka_event_topic_partition_list(event);
  for (int i = 0; list != nullptr && i < list->cnt; ++i)
    if (list->elems[i].err != RD_KAFKA_RESP_ERR_NO_ERROR) return list->elems[i].err;
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

}  // namespace

Result<std::unique_ptr<KafkaGroupOffsets>> KafkaGroupOffsets::open(
    std::string owner, std::string group, KafkaSettings settings, const ConnectorContext& context) {
  std::unique_ptr<KafkaGroupOffsets> opened(
      new KafkaGroupOffsets(std::move(owner), group, context));
  KafkaClientSpec spec;
  spec.owner = opened->owner_;
  spec.role = KafkaRole::kSource;
  spec.settings = std::move(settings);
  spec.settings.emplace_back("group.id", std::move(group));
  spec.cancelled = context.cancelled;
  MILLRACE_ASSIGN(opened->client_, KafkaClient::create(std::move(spec)));
  opened->answers_ = rd_kafka_queue_new(opened->client_->handle());
  return opened;
}

KafkaGroupOffsets::KafkaGroupOffsets(std::string owner, std::string group,
                                     const ConnectorContext& context)
    : owner_(std::move(owner)),
      group_(std::move(group)),
      clock_(context.clock),
      log_(context.log) {}

KafkaGroupOffsets::~KafkaGroupOffsets() {
  if (answers_ == nullptr) return;
  take_answer(kLastAnswerMs);
  if (!is_under_way_ && !waiting_.empty()) {
    send();
    take_answer(kLastAnswerMs);
  }
  rd_kafka_queue_destroy(answers_);
}

void KafkaGroupOffsets::commit(const Offsets& offsets) {
  for (const auto& [place, offset] : offsets) waiting_[place] = offset;
  take_answer(0);
  if (!is_under_way_ && !waiting_.empty()) send();
}

void KafkaGroupOffsets::send() {
  const List list = list_of(std::exchange(waiting_, {}));
  const auto error =
      rd_kafka_commit_queue(client_->handle(), list.get(), answers_, nullptr, nullptr);
  is_under_way_ = error == RD_KAFKA_RESP_ERR_NO_ERROR;
  if (!is_under_way_) note_failure(rd_kafka_err2str(error));
}

void KafkaGroupOffsets::take_answer(int wait_ms) {
  if (!is_under_way_) return;
  rd_kafka_event_t* const event = rd_kafka_queue_poll(answers_, wait_ms);
  if (event == nullptr) return;
  is_under_way_ = false;
  const auto error = error_of(event);
  rd_kafka_event_destroy(event);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return note_success();
  note_failure(rd_kafka_err2str(error));
}

void KafkaGroupOffsets::note_failure(const std::string& reason) {
  has_failed_ = true;
  const SteadyTime now = clock_.steady();
  if (last_warning_ && now.value - last_warning_->value < kWarningIntervalNs) return;
  last_warning_ = now;
  if (log_)
    log_(
        LogLevel::kWarning,
        fmt::format("{}: the offsets of group {} cannot be committed: {}. The query goes on, which "
                    "does not need them; what watches the group sees old ones",
                    owner_, group_, reason));
}

void KafkaGroupOffsets::note_success() {
  if (!std::exchange(has_failed_, false)) return;
  if (log_)
    log_(LogLevel::kInfo,
         fmt::format("{}: the offsets of group {} are committed again", owner_, group_));
}

}  // namespace millrace::connectors
