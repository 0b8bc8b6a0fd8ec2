#include "connectors/row_check.hpp"

#include <fmt/format.h>

namespace millrace::connectors {

Status check_row(const Row& row, const std::string& name, const std::vector<Field>& fields) {
  if (row.size() != fields.size()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a row of {} has {} values, the table has {} columns", name, row.size(),
                            fields.size()));
  }
  for (std::size_t column = 0; column < fields.size(); ++column) {
    const Value& value = row[column];
    if (value.is_null() || value.type == fields[column].type) continue;
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("column {}.{} is {}, the value given is {}", name, fields[column].name,
                            fields[column].type.to_string(), value.type.to_string()));
  }
  return {};
}

}  // namespace millrace::connectors
