#include "state/posix_disk.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace millrace::state {
namespace {

/// "cannot <verb> <path>: <reason>", the reason as the system words it, in lower case.
tl::unexpected<Error> system_failure(std::string_view verb, const std::string& path, int number) {
  std::string reason = std::generic_category().message(number);
  if (!reason.empty()) {
    reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  }
  const ErrorCode code = number == ENOENT   ? ErrorCode::kNotFound
                         : number == EEXIST ? ErrorCode::kAlreadyExists
                                            : ErrorCode::kIo;
  return fail(code, fmt::format("cannot {} {}: {}", verb, path, reason));
}

/// Owns a file descriptor. `close` reports what the destructor would swallow.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(retry_open(path, flags)) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  static int retry_open(const std::string& path, int flags) {
    int number = -1;
    do {
      number = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
    } while (number < 0 && errno == EINTR);
    return number;
  }

  int number_;
};

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string parent_of(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// Holds the flock of an open file; closing the file gives it back.
class PosixLock final : public DiskLock {
 public:
  explicit PosixLock(Descriptor file) : file_(std::move(file)) {}

 private:
  Descriptor file_;
};

/// Reads the number that the lock's holder wrote; it may be a moment away from writing it.
std::string read_holder(int descriptor) {
  char text[32] = {};
  const ssize_t size = ::pread(descriptor, text, sizeof(text) - 1, 0);
  std::string holder(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  while (!holder.empty() && std::isspace(static_cast<unsigned char>(holder.back()))) {
    holder.pop_back();
  }
  return holder.empty() ? "(unknown)" : holder;
}

}  // namespace

Status PosixDisk::create_folders(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0) return sync_folder(parent_of(path));
  if (errno == ENOENT && parent_of(path) != path) {
    MILLRACE_TRY(create_folders(parent_of(path)));
    if (::mkdir(path.c_str(), 0755) == 0) return sync_folder(parent_of(path));
  }
  if (errno != EEXIST) return system_failure("make folder", path, errno);
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0) return system_failure("make folder", path, errno);
  if (!S_ISDIR(there.st_mode)) return system_failure("make folder", path, ENOTDIR);
  return {};
}

Status PosixDisk::write_file(const std::string& path, std::string_view bytes,
                             Durability durability) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.is_open()) return system_failure("write", path, errno);
  if (!write_all(file.number(), bytes)) return system_failure("write", path, errno);
  if (durability == Durability::kSynced && ::fdatasync(file.number()) != 0) {
    return system_failure("sync", path, errno);
  }
  if (!file.close()) return system_failure("write", path, errno);
  return {};
}

Status PosixDisk::rename_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  // Some file systems (NFS) know no such flag; a hard link refuses to replace just as well.
  if (errno == EINVAL && ::link(from.c_str(), to.c_str()) == 0) return remove_file(from);
  return system_failure("rename " + from + " to", to, errno);
}

Status PosixDisk::rename_over(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return system_failure("rename " + from + " to", to, errno);
}

Status PosixDisk::sync_folder(const std::string& path) {
  const Descriptor folder(path, O_RDONLY | O_DIRECTORY);
  if (!folder.is_open() || ::fsync(folder.number()) != 0) {
    return system_failure("sync folder", path, errno);
  }
  return {};
}

Result<std::string> PosixDisk::read_file(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  if (!file.is_open()) return system_failure("read", path, errno);
  std::string bytes;
  char piece[16 * 1024];
  while (true) {
    const ssize_t size = ::read(file.number(), piece, sizeof(piece));
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return system_failure("read", path, errno);
    if (size == 0) return bytes;
    bytes.append(piece, static_cast<std::size_t>(size));
  }
}

Result<std::vector<std::string>> PosixDisk::list_folder(const std::string& path) {
  std::error_code error;
  std::vector<std::string> names;
  std::filesystem::directory_iterator entry(path, error);
  while (!error && entry != std::filesystem::directory_iterator()) {
    names.push_back(entry->path().filename().string());
    entry.increment(error);
  }
  if (error) return system_failure("list folder", path, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

Status PosixDisk::remove_file(const std::string& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return system_failure("remove", path, errno);
}

Result<std::unique_ptr<DiskLock>> PosixDisk::lock(const std::string& path) {
  Descriptor file(path, O_RDWR | O_CREAT);
  if (!file.is_open()) return system_failure("lock", path, errno);
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return fail(ErrorCode::kLocked, read_holder(file.number()));
    return system_failure("lock", path, errno);
  }
  if (::ftruncate(file.number(), 0) != 0 ||
      !write_all(file.number(), fmt::format("{}\n", ::getpid()))) {
    return system_failure("lock", path, errno);
  }
  return std::make_unique<PosixLock>(std::move(file));
}

}  // namespace millrace::state
