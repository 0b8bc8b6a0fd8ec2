#include "millrace/schema.hpp"

namespace millrace {

std::optional<std::size_t> Schema::find(std::string_view name) const {
  for (std::size_t index = 0; index < fields_.size(); ++index) {
    if (fields_[index].name == name) return index;
  }
  return std::nullopt;
}

std::string Schema::to_string() const {
  std::string text;
  for (const Field& field : fields_) {
    if (!text.empty()) text += ", ";
    text += field.name + " " + field.type.to_string();
  }
  return text;
}

SchemaRef make_schema(std::vector<Field> fields) {
  return std::make_shared<const Schema>(std::move(fields));
}

}  // namespace millrace
