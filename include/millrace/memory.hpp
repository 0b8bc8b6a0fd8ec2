#pragma once

#include "millrace/error.hpp"
#include "millrace/host_table.hpp"
#include "millrace/schema.hpp"
#include "millrace/value.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace millrace {

/// One row as values, in the order of the columns.
using Row = std::vector<Value>;

/// A stream for tests: the rows that were added, kept for ever, so that a query can read them again
/// after a restart. Each partition is read by a task of its own, in the order of adding. Every
/// function may be called from any thread. Not made for speed: a channel is (channel.hpp).
///
///     millrace::MemorySource orders("orders", {{"id", TypeKind::kInt64}});
///     auto frame = session.read_stream(orders);
///     MILLRACE_TRY(orders.add({Value::int64(1)}));
class MemorySource final : public HostTable {
 public:
  /// `partitions` is at least 1.
  MemorySource(std::string name, std::vector<Field> columns, std::int32_t partitions = 1);

  /// Adds a row behind the others of its partition. A row with another number of values, or a value
  /// of another type than its column, is refused: kInvalidArgument names column and both types. A
  /// null fits any column.
  [[nodiscard]] Status add(const Row& row, std::int32_t partition = 0);
  /// Adds rows that become visible at the same moment. When one is refused, none is added.
  [[nodiscard]] Status add_rows(const std::vector<Row>& rows, std::int32_t partition = 0);
  /// Rows added to a partition so far; the newest has position size - 1.
  [[nodiscard]] std::int64_t size(std::int32_t partition = 0) const;
};

/// A static table for tests: the rows that it has when a query starts.
class MemoryTable final : public HostTable {
 public:
  MemoryTable(std::string name, std::vector<Field> columns);

  /// As for MemorySource.
  [[nodiscard]] Status add(const Row& row);
  [[nodiscard]] Status add_rows(const std::vector<Row>& rows);
};

/// A sink for tests: it keeps what queries write. A row is acknowledged as soon as it is kept; like
/// every sink that delivers at least once it gets the rows of an epoch that was not committed again
/// after a restart. Every function may be called from any thread.
class MemorySink final : public HostTable {
 public:
  explicit MemorySink(std::string name);

  /// Everything written so far, in the order of arrival.
  [[nodiscard]] std::vector<Row> rows() const;
  /// The same, and forgets it.
  std::vector<Row> take_rows();
  /// The columns of the query that writes; none before the first has started.
  [[nodiscard]] Schema schema() const;
};

}  // namespace millrace
