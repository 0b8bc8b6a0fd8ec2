#include "millrace/memory.hpp"

#include "connectors/memory_log.hpp"
#include "stream/host_table.hpp"

#include <memory>
#include <utility>

namespace millrace {
namespace {

/// What stands behind a MemoryTable: one log. Thread-safe.
class MemoryRows final : public stream::HostTable {
 public:
  MemoryRows(std::string name, std::vector<Field> columns)
      : name_(std::move(name)), columns_(std::move(columns)), log_(name_, columns_) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::string_view connector() const override { return "memory"; }
  [[nodiscard]] stream::HostRole role() const override { return stream::HostRole::kStatic; }
  [[nodiscard]] const std::vector<Field>& columns() const override { return columns_; }
  [[nodiscard]] Result<std::size_t> load(std::vector<Column>& columns, Arena& arena) override {
    return log_.copy_all(columns, arena);
  }
  [[nodiscard]] connectors::MemoryLog& log() { return log_; }

 private:
  const std::string name_;
  const std::vector<Field> columns_;
  connectors::MemoryLog log_;
};

}  // namespace

MemoryTable::MemoryTable(std::string name, std::vector<Field> columns)
    : HostTable(std::make_shared<MemoryRows>(std::move(name), std::move(columns))) {}

Status MemoryTable::add(const Row& row) { return add_rows({row}); }

Status MemoryTable::add_rows(const std::vector<Row>& rows) {
  return static_cast<MemoryRows&>(*host()).log().add(rows);
}

}  // namespace millrace
