#pragma once

#include "millrace/arena.hpp"
#include "millrace/column.hpp"
#include "millrace/schema.hpp"

#include <cstddef>
#include <vector>

namespace millrace::formats {

/// A whole table in memory, of any number of rows: what a static source is read into. The text of
/// its columns lies in its arena. Move-only.
struct TableRows {
  SchemaRef schema;
  std::vector<Column> columns;
  Arena arena;
  std::size_t rows = 0;

  explicit TableRows(SchemaRef table_schema) : schema(std::move(table_schema)) {
    for (const Field& field : schema->fields()) columns.emplace_back(field.type);
  }
};

}  // namespace millrace::formats
