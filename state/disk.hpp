#pragma once

#include "millrace/error.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::state {

/// Whether bytes must be on the platter when a write returns.
enum class Durability {
  kCached,  ///< the operating system has them; a power cut loses them
  kSynced,  ///< they survive a power cut (fsync); the file's name may not, see `sync_folder`
};

/// Held while a lock is held; the destructor gives the lock back.
class DiskLock {
 public:
  virtual ~DiskLock() = default;
};

/// Everything the commit path does to a file system, so that a test can put a disk in its place
/// that forgets, tears and is full. Paths are plain text with '/' between the parts, relative to
/// the process or absolute.
///
/// Called by one thread at a time; every call may block. A new or renamed name is durable only
/// after `sync_folder` of the folder that holds it. Errors are kIo unless said otherwise and read
/// "cannot <verb> <path>: <the system's reason>" with the reason in lower case; a full disk is
/// "no space left on device" (see `is_disk_full`).
class Disk {
 public:
  virtual ~Disk() = default;

  /// Makes the folder and its missing parents, all of them durable. There already: fine.
  [[nodiscard]] virtual Status create_folders(const std::string& path) = 0;
  /// Writes a whole file, in place of one of that name. Never used on a file that others rely on:
  /// those are written under a temporary name and renamed.
  [[nodiscard]] virtual Status write_file(const std::string& path, std::string_view bytes,
                                          Durability durability) = 0;
  /// Renames within one file system and refuses to replace: kAlreadyExists when `to` is there.
  [[nodiscard]] virtual Status rename_new(const std::string& from, const std::string& to) = 0;
  /// Renames and replaces: a reader sees the old file or the new one, nothing between.
  [[nodiscard]] virtual Status rename_over(const std::string& from, const std::string& to) = 0;
  /// Makes every name in this folder durable as it is now (created, renamed, removed).
  [[nodiscard]] virtual Status sync_folder(const std::string& path) = 0;
  /// The whole file; kNotFound when there is none.
  [[nodiscard]] virtual Result<std::string> read_file(const std::string& path) = 0;
  /// Names of the files and folders in a folder, sorted; kNotFound when there is none.
  [[nodiscard]] virtual Result<std::vector<std::string>> list_folder(const std::string& path) = 0;
  /// Removes a file; one that is not there counts as removed.
  [[nodiscard]] virtual Status remove_file(const std::string& path) = 0;
  /// Takes the exclusive lock on a file, making it when there is none, and writes this process's
  /// number into it. The lock ends with the handle or the process, however that dies. kLocked when
  /// a live process holds it; the message is then that process's number alone.
  [[nodiscard]] virtual Result<std::unique_ptr<DiskLock>> lock(const std::string& path) = 0;
};

/// Whether an error means that the disk is full.
[[nodiscard]] bool is_disk_full(const Error& error);

}  // namespace millrace::state
