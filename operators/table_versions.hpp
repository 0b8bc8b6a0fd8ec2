#pragma once

#include "millrace/strong.hpp"

#include "operators/static_table.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace millrace::operators {

/// A static table that is read anew while the query runs. Which version an epoch sees is settled by
/// the first task that asks, so that all rows of an epoch meet the same one; a version lives as
/// long as an epoch that saw it may still be uncommitted. Any thread; asked once an epoch, never a
/// row.
class TableVersions {
 public:
  /// The open epoch, and those that are closed and not committed.
  static constexpr std::size_t kEpochsKept = 3;

  explicit TableVersions(std::shared_ptr<const StaticTable> first) : newest_(std::move(first)) {}

  /// The version that the rows of this epoch see. Never null.
  [[nodiscard]] std::shared_ptr<const StaticTable> version(Epoch epoch);
  /// Makes a new version known: epochs that nobody has asked for yet will see it.
  void replace(std::shared_ptr<const StaticTable> newest);

 private:
  std::mutex mutex_;
  std::shared_ptr<const StaticTable> newest_;
  std::map<Epoch, std::shared_ptr<const StaticTable>> by_epoch_;
};

}  // namespace millrace::operators
