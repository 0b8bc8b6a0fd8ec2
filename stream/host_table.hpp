#pragma once

#include "millrace/arena.hpp"
#include "millrace/clock.hpp"
#include "millrace/column.hpp"
#include "millrace/error.hpp"
#include "millrace/schema.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

class Sink;
class Source;

/// What a table of the host program can be used for.
enum class HostRole {
  kSource,  ///< a stream that queries read
  kSink,    ///< where queries write
  kStatic,  ///< a static table
};

/// A table whose rows the host program holds: it gives or takes them through an object of its own
/// (memory, channel), which a table definition carries along. Shared by the program's handles and
/// the queries that use it; thread-safe. What its role does not have gives kNotSupported.
class HostTable {
 public:
  virtual ~HostTable() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  /// The connector's name: "memory", "channel".
  [[nodiscard]] virtual std::string_view connector() const = 0;
  [[nodiscard]] virtual HostRole role() const = 0;
  /// The columns; a sink without any takes the query's.
  [[nodiscard]] virtual const std::vector<Field>& columns() const = 0;
  /// Whether a stream's rows can be read again after a restart.
  [[nodiscard]] virtual bool is_replayable() const { return true; }

  /// Opens the stream for one query. The clock outlives the source.
  [[nodiscard]] virtual Result<std::unique_ptr<Source>> open_source(const Clock& clock);
  /// Opens the sink for one query that gives rows of `schema`.
  [[nodiscard]] virtual Result<std::unique_ptr<Sink>> open_sink(const SchemaRef& schema,
                                                                const Clock& clock);
  /// Adds every row of a static table to `columns`, text to `arena`; gives how many.
  [[nodiscard]] virtual Result<std::size_t> load(std::vector<Column>& columns, Arena& arena);
};

}  // namespace millrace::stream
