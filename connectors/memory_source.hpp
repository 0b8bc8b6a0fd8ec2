#pragma once

#include "connectors/memory_log.hpp"
#include "stream/host_table.hpp"

#include <memory>
#include <string>
#include <vector>

namespace millrace::connectors {

/// What stands behind a MemorySource: a log per partition. Thread-safe.
class MemoryStream final : public stream::HostTable,
                           public std::enable_shared_from_this<MemoryStream> {
 public:
  MemoryStream(std::string name, std::vector<Field> columns, std::int32_t partitions);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::string_view connector() const override { return "memory"; }
  [[nodiscard]] stream::HostRole role() const override { return stream::HostRole::kSource; }
  [[nodiscard]] const std::vector<Field>& columns() const override { return columns_; }
  [[nodiscard]] Result<std::unique_ptr<stream::Source>> open_source(const Clock& clock) override;

  [[nodiscard]] std::int32_t partition_count() const {
    return static_cast<std::int32_t>(logs_.size());
  }
  /// kNotFound for a partition that is not there.
  [[nodiscard]] Result<MemoryLog*> log(std::int32_t partition);

 private:
  const std::string name_;
  const std::vector<Field> columns_;
  std::vector<std::unique_ptr<MemoryLog>> logs_;
};

}  // namespace millrace::connectors
