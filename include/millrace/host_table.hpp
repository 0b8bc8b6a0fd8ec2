#pragma once

#include "millrace/schema.hpp"

#include <memory>
#include <string>
#include <vector>

namespace millrace {

namespace stream {
class HostTable;  // the implementation's part
}

/// A table whose rows the host program gives or takes itself: the base of MemorySource, MemorySink,
/// MemoryTable, ChannelSource and ChannelSink. A handle: copies mean the same table, and it lives
/// as long as a handle, a session or a query knows it.
///
///     session.read_stream(orders)                    // a stream, in the DataFrame API
///     frame.write_stream().to(answers).start()       // a sink
///     session.create_table(orders)                   // known by name, in SQL too
class HostTable {
 public:
  /// Its name: in plans, messages and checkpoints, and in SQL once a session knows it.
  [[nodiscard]] const std::string& name() const;

  /// Its columns; none for a sink, which takes the query's.
  [[nodiscard]] const std::vector<Field>& columns() const;

  /// The implementation's view.
  [[nodiscard]] const std::shared_ptr<stream::HostTable>& host() const { return host_; }

 protected:
  explicit HostTable(std::shared_ptr<stream::HostTable> host) : host_(std::move(host)) {}

 private:
  std::shared_ptr<stream::HostTable> host_;
};

}  // namespace millrace
