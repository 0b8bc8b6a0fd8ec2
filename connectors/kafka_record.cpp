#include "connectors/kafka_record.hpp"

#include "millrace/options.hpp"

namespace millrace::connectors {

const DataType& kafka_headers_type() {
  static const DataType type = DataType::array(
      DataType::structure({{"key", TypeKind::kString}, {"value", TypeKind::kBytes}}));
  return type;
}

const std::vector<Field>& kafka_record_fields() {
  static const std::vector<Field> fields = {
      {"key", TypeKind::kBytes},           {"value", TypeKind::kBytes},
      {"topic", TypeKind::kString},        {"partition", TypeKind::kInt32},
      {"offset", TypeKind::kInt64},        {"timestamp", TypeKind::kTimestamp},
      {"timestampType", TypeKind::kInt32}, {"headers", kafka_headers_type()},
  };
  return fields;
}

stream::TableTraits kafka_table_traits() {
  stream::TableTraits traits;
  traits.is_stream = true;
  traits.has_format = true;
  traits.record = kafka_record_fields();
  return traits;
}

std::optional<KafkaColumn> kafka_column(std::string_view name) {
  const auto& fields = kafka_record_fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (canonical_option_key(fields[i].name) == canonical_option_key(name)) {
      return static_cast<KafkaColumn>(i);
    }
  }
  return std::nullopt;
}

}  // namespace millrace::connectors
