#include "millrace/described.hpp"

#include "millrace/options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace {

Result<std::vector<std::size_t>> match_columns(std::string_view owner,
                                               const std::vector<Field>& wanted,
                                               const std::vector<Field>& columns) {
  std::vector<std::size_t> places;
  for (const Field& field : wanted) {
    const auto found = std::ranges::find(columns, field.name, &Field::name);
    if (found == columns.end()) {
      std::vector<std::string_view> names;
      for (const Field& column : columns) names.push_back(column.name);
      const auto nearest = nearest_name(field.name, names);
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}.{} is {}, the rows have no such column; {}", owner, field.name,
                              field.type.to_string(),
                              nearest ? fmt::format("did you mean {}?", *nearest)
                                      : fmt::format("they have {}", fmt::join(names, ", "))));
    }
    if (found->type != field.type) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}.{} is {}, the column is {}: cast one to the other", owner,
                              field.name, field.type.to_string(), found->type.to_string()));
    }
    places.push_back(static_cast<std::size_t>(found - columns.begin()));
  }
  return places;
}

Error null_in(std::string_view owner, std::string_view member, std::size_t row) {
  return {ErrorCode::kBadRecord,
          fmt::format("{}.{} is null in row {} of a batch: make it a std::optional, or drop such "
                      "rows before",
                      owner, member, row)};
}

}  // namespace millrace
