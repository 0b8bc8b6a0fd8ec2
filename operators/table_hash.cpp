#include "operators/table_hash.hpp"

#include "millrace/value.hpp"

#include "stream/xx_hash.hpp"

#include <string_view>

namespace millrace::operators {

std::uint64_t hash_rows(const StaticTable& table) {
  std::uint64_t hash = 0;
  // Text by text, each seeded with what came before, so that no two lists run into the same bytes.
  const auto add = [&](std::string_view text) { hash = stream::xxh3(text, hash); };
  for (const Field& field : table.schema().fields()) {
    add(field.name);
    add(field.type.to_string());
  }
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t column = 0; column < table.schema().size(); ++column)
      add(value_of(table.column(column), row).to_string());
  return hash;
}

}  // namespace millrace::operators
