#include "operators/table_versions.hpp"

namespace millrace::operators {

std::shared_ptr<const StaticTable> TableVersions::version(Epoch epoch) {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = by_epoch_.try_emplace(epoch, newest_);
  std::shared_ptr<const StaticTable> result = found->second;
  if (is_new)
    while (by_epoch_.size() > kEpochsKept) by_epoch_.erase(by_epoch_.begin());
  return result;
}

void TableVersions::replace(std::shared_ptr<const StaticTable> newest) {
  const std::lock_guard lock(mutex_);
  newest_ = std::move(newest);
}

}  // namespace millrace::operators
