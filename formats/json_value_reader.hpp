#pragma once

#include "millrace/arena.hpp"
#include "millrace/column.hpp"

#include "formats/json_scanner.hpp"

#include <cstddef>
#include <string_view>

namespace millrace::formats {

/// Reads one JSON value into a row of a column of any type, what is nested included. The value has
/// been validated: the scanner stands before it once more (JsonScanner::return_to). Of the members
/// of an object that have one name the last counts, be the others what they may. Made for one
/// batch; a borrow of its arena.
class JsonValueReader {
 public:
  JsonValueReader(JsonScanner& scanner, Arena& arena) : scanner_(scanner), arena_(arena) {}

  /// Sets the row, to null for a JSON null. False if the value does not fit the type; the row is
  /// unspecified then, and the scanner somewhere inside.
  [[nodiscard]] bool read(Column& column, std::size_t row);

 private:
  bool read_number(Column& column, std::size_t row);
  bool read_boolean(Column& column, std::size_t row);
  bool read_text(Column& column, std::size_t row);
  bool read_from_text(Column& column, std::size_t row);
  bool read_array(Column& column, std::size_t row);
  bool read_map(Column& column, std::size_t row);
  bool read_struct(Column& column, std::size_t row);
  bool read_element(Column& elements);
  bool read_member(Column& column, std::size_t row, std::string_view name);
  bool is_named_again(std::string_view name);
  std::string_view take_string();

  JsonScanner& scanner_;
  Arena& arena_;
};

/// Whether JSON can fill the type: the keys of maps are strings.
[[nodiscard]] bool is_json_type(const DataType& type);

}  // namespace millrace::formats
