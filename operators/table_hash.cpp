#include "operators/table_hash.hpp"

#include "millrace/value.hpp"

#include <xxhash.h>

#include <memory>
#include <string>

namespace millrace::operators {

std::uint64_t hash_rows(const StaticTable& table) {
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              &XXH3_freeState);
  XXH3_64bits_reset(state.get());
  const auto add = [&](const std::string& text) {
    // With its length, so that no two lists of texts run into the same bytes.
    const std::uint64_t size = text.size();
    XXH3_64bits_update(state.get(), &size, sizeof(size));
    XXH3_64bits_update(state.get(), text.data(), text.size());
  };
  for (const Field& field : table.schema().fields()) {
    add(field.name);
    add(field.type.to_string());
  }
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t column = 0; column < table.schema().size(); ++column)
      add(value_of(table.column(column), row).to_string());
  return XXH3_64bits_digest(state.get());
}

}  // namespace millrace::operators
