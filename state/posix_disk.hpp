#pragma once

#include "state/disk.hpp"

namespace millrace::state {

/// The host's file system (Linux: renameat2 and flock). Has no state of its own, so any number of
/// them may be used from any thread.
class PosixDisk final : public Disk {
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
};

}  // namespace millrace::state
