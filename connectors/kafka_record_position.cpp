#include "connectors/kafka_record_position.hpp"

#include <cstddef>

namespace millrace::connectors {

std::optional<formats::RecordPosition> record_position_of(const rd_kafka_message_t& message) {
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(&message, &headers) != RD_KAFKA_RESP_ERR_NO_ERROR) return {};
  const void* value = nullptr;
  std::size_t size = 0;
  // The last of that name: somebody's copy of a record may bring one along.
  if (rd_kafka_header_get_last(headers, formats::kRecordPositionHeader.data(), &value, &size) !=
      RD_KAFKA_RESP_ERR_NO_ERROR) {
    return {};
  }
  return formats::decode_record_position({static_cast<const char*>(value), size});
}

}  // namespace millrace::connectors
