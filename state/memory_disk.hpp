#pragma once

#include "state/disk.hpp"

#include <map>
#include <set>
#include <string>

namespace millrace::state {

/// A disk in memory: checkpoints for tests of users' jobs, gone with the object. What was written
/// is there, at once and for good. One thread at a time.
class MemoryDisk final : public Disk {
 public:
  [[nodiscard]] Status create_folders(const std::string& path) override;
  [[nodiscard]] Status write_file(const std::string& path, std::string_view bytes,
                                  Durability durability) override;
  [[nodiscard]] Status rename_new(const std::string& from, const std::string& to) override;
  [[nodiscard]] Status rename_over(const std::string& from, const std::string& to) override;
  [[nodiscard]] Status sync_folder(const std::string& path) override;
  [[nodiscard]] Result<std::string> read_file(const std::string& path) override;
  [[nodiscard]] Result<std::vector<std::string>> list_folder(const std::string& path) override;
  [[nodiscard]] Status remove_file(const std::string& path) override;
  [[nodiscard]] Result<std::unique_ptr<DiskLock>> lock(const std::string& path) override;

 private:
  class Lock;

  std::map<std::string, std::string> files_;
  std::set<std::string> folders_;
  std::set<std::string> locks_;
};

}  // namespace millrace::state
