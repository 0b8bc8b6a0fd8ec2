#include "state/memory_disk.hpp"

namespace millrace::state {
namespace {

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

tl::unexpected<Error> not_found(std::string_view verb, const std::string& path) {
  return fail(ErrorCode::kNotFound,
              "cannot " + std::string(verb) + " " + path + ": no such file or directory");
}

}  // namespace

/// Gives the path free again. The disk outlives it.
class MemoryDisk::Lock final : public DiskLock {
 public:
  Lock(std::set<std::string>& locks, std::string path) : locks_(locks), path_(std::move(path)) {}
  ~Lock() override { locks_.erase(path_); }

 private:
  std::set<std::string>& locks_;
  const std::string path_;
};

Status MemoryDisk::create_folders(const std::string& path) {
  folders_.insert(path);
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1))
    folders_.insert(path.substr(0, slash));
  return {};
}

Status MemoryDisk::write_file(const std::string& path, std::string_view bytes,
                              Durability /*durability*/) {
  if (!folders_.contains(parent_of(path))) return not_found("write", path);
  files_[path] = bytes;
  return {};
}

Status MemoryDisk::rename_new(const std::string& from, const std::string& to) {
  if (files_.contains(to)) {
    return fail(ErrorCode::kAlreadyExists, "cannot rename " + from + " to " + to + ": file exists");
  }
  return rename_over(from, to);
}

Status MemoryDisk::rename_over(const std::string& from, const std::string& to) {
  auto file = files_.extract(from);
  if (file.empty()) return not_found("rename", from);
  files_[to] = std::move(file.mapped());
  return {};
}

Status MemoryDisk::sync_folder(const std::string& path) {
  if (!folders_.contains(path)) return not_found("sync folder", path);
  return {};
}

Result<std::string> MemoryDisk::read_file(const std::string& path) {
  const auto found = files_.find(path);
  if (found == files_.end()) return not_found("read", path);
  return found->second;
}

Result<std::vector<std::string>> MemoryDisk::list_folder(const std::string& path) {
  if (!folders_.contains(path)) return not_found("list folder", path);
  std::set<std::string> names;
  const std::string prefix = path + "/";
  for (const auto& [name, bytes] : files_)
    if (parent_of(name) == path) names.insert(name.substr(prefix.size()));
  for (const std::string& name : folders_)
    if (parent_of(name) == path) names.insert(name.substr(prefix.size()));
  return std::vector<std::string>(names.begin(), names.end());
}

Status MemoryDisk::remove_file(const std::string& path) {
  files_.erase(path);
  return {};
}

Result<std::unique_ptr<DiskLock>> MemoryDisk::lock(const std::string& path) {
  if (!locks_.insert(path).second) return fail(ErrorCode::kLocked, "of this program");
  return std::make_unique<Lock>(locks_, path);
}

}  // namespace millrace::state
