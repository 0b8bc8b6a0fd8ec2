#pragma once

#include "millrace/options.hpp"
#include "millrace/schema.hpp"

#include <memory>
#include <string>
#include <vector>

namespace millrace::stream {

class HostTable;

/// A table as CREATE TABLE or read_stream describes it: which connector, which columns, which
/// settings. Not checked; a plain value.
struct TableDefinition {
  std::string name;
  std::string connector;       ///< "kafka", "file", ...
  std::vector<Field> columns;  ///< declared; empty: a sink takes the query's, raw sources have none
  Options options;             ///< everything but `connector`
  std::shared_ptr<HostTable> host = nullptr;  ///< the program's own object, where it is one
};

/// What analysis must know of a connector to plan a table on it; the session asks the connector.
struct TableTraits {
  bool is_stream = false;     ///< read without end; else a static table
  bool has_format = false;    ///< rows are decoded from a `value` column by option `format`
  std::vector<Field> record;  ///< the connector's own columns (Kafka: key, value, topic, ...)
  /// Of a source: options of a sink of the same connector beside it, but for where it writes.
  /// Empty: there is none.
  Options sink_beside = {};
};

}  // namespace millrace::stream
