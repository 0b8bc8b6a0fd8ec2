#include "tests/support/lying_disk.hpp"

#include "millrace/assert.hpp"

#include <utility>

namespace millrace::support {
namespace {

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string name_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

tl::unexpected<Error> refuse(const std::string& verb, const std::string& path,
                             const std::string& reason, ErrorCode code = ErrorCode::kIo) {
  return fail(code, "cannot " + verb + " " + path + ": " + reason);
}

constexpr const char* kNoSuchFile = "no such file or directory";
constexpr const char* kFull = "no space left on device";
constexpr const char* kBroken = "input/output error";

}  // namespace

class LyingDisk::Lock final : public state::DiskLock {
 public:
  Lock(std::shared_ptr<std::set<std::string>> held, std::string path)
      : held_(std::move(held)), path_(std::move(path)) {}
  ~Lock() override { held_->erase(path_); }

 private:
  std::shared_ptr<std::set<std::string>> held_;
  std::string path_;
};

LyingDisk::LyingDisk(std::uint64_t seed)
    : random_(seed), locks_(std::make_shared<std::set<std::string>>()) {
  folders_["."];
}

// -- faults ---------------------------------------------------------------------------------------

void LyingDisk::stop_at(std::int64_t operation) { stop_operation_ = operations_ + operation; }
void LyingDisk::fail_at(std::int64_t operation) { fail_operation_ = operations_ + operation; }
void LyingDisk::fill_at(std::int64_t write) { full_write_ = writes_ + write; }
void LyingDisk::free_space() { full_write_ = -1; }

void LyingDisk::crash() {
  for (auto& [path, folder] : folders_) lose_names(folder);
  for (auto& [path, folder] : folders_) {
    for (auto& [name, file] : folder.names) lose_bytes(*file);
  }
  locks_ = std::make_shared<std::set<std::string>>();
  stop_operation_ = -1;
  fail_operation_ = -1;
  is_stopped_ = false;
}

/// Each change reached the platter or did not; those that did, did so in order.
void LyingDisk::lose_names(Folder& folder) {
  for (const Change& change : std::exchange(folder.changes, {})) {
    if (draw(2) == 0) continue;
    for (const auto& [name, file] : change.names) {
      if (file == nullptr) {
        folder.durable_names.erase(name);
      } else {
        folder.durable_names[name] = file;
      }
    }
  }
  folder.names = folder.durable_names;
}

/// A file that was not synced holds its old bytes, nothing, the front of the new ones (perhaps with
/// zeros where the rest should be), or all of them.
void LyingDisk::lose_bytes(File& file) {
  if (file.is_synced) return;
  const std::string written = std::exchange(file.bytes, file.durable_bytes);
  switch (draw(5)) {
    case 0:
      break;
    case 1:
      file.bytes.clear();
      break;
    case 2:
      file.bytes = written.substr(0, draw(written.size() + 1));
      break;
    case 3:
      file.bytes = written.substr(0, draw(written.size() + 1));
      file.bytes.resize(written.size(), '\0');
      break;
    default:
      file.bytes = written;
  }
  file.durable_bytes = file.bytes;
  file.is_synced = true;
}

std::size_t LyingDisk::draw(std::size_t bound) { return random_() % bound; }

Status LyingDisk::begin(const std::string& verb, const std::string& path, bool* effect_anyway) {
  const std::int64_t operation = operations_++;
  if (is_stopped_) return refuse(verb, path, "the power is off");
  if (operation == stop_operation_) {
    is_stopped_ = true;
    if (effect_anyway != nullptr) *effect_anyway = draw(2) == 0;
    return refuse(verb, path, "the power is off");
  }
  if (operation == fail_operation_) return refuse(verb, path, kBroken);
  return {};
}

bool LyingDisk::is_unsynced(const std::string& path) const {
  return !unsynced_part_.empty() && path.find(unsynced_part_) != std::string::npos;
}

// -- observers ------------------------------------------------------------------------------------

std::int64_t LyingDisk::file_count(const std::string& folder) const {
  std::int64_t count = 0;
  for (const auto& [path, content] : folders_) {
    if (path == folder || path.starts_with(folder + "/")) {
      count += static_cast<std::int64_t>(content.names.size());
    }
  }
  return count;
}

void LyingDisk::plant(const std::string& path, std::string bytes) {
  auto file = std::make_shared<File>(File{bytes, bytes, true});
  Folder& folder = folders_[parent_of(path)];
  folder.names[name_of(path)] = file;
  folder.durable_names[name_of(path)] = file;
}

void LyingDisk::take_away(const std::string& path) {
  Folder& folder = folders_[parent_of(path)];
  folder.names.erase(name_of(path));
  folder.durable_names.erase(name_of(path));
}

// -- Disk -----------------------------------------------------------------------------------------

Status LyingDisk::create_folders(const std::string& path) {
  MILLRACE_TRY(begin("make folder", path));
  for (std::string folder = path; folder != "." && !folder.empty(); folder = parent_of(folder)) {
    folders_[folder];
  }
  return {};
}

Status LyingDisk::write_file(const std::string& path, std::string_view bytes,
                             state::Durability durability) {
  bool effect_anyway = false;
  const Status begun = begin("write", path, &effect_anyway);
  if (!begun && !effect_anyway) return begun;
  MILLRACE_ASSIGN(Folder * folder, folder_of("write", path));
  FileRef& file = folder->names[name_of(path)];
  if (file == nullptr) {
    file = std::make_shared<File>();
    Change created;
    created.names[name_of(path)] = file;
    folder->changes.push_back(std::move(created));
  }
  const bool is_full = full_write_ >= 0 && writes_++ >= full_write_;
  file->is_synced = false;
  file->bytes = is_full ? bytes.substr(0, draw(bytes.size() + 1)) : bytes;
  if (!begun) return begun;
  if (is_full) return refuse("write", path, kFull);
  if (durability == state::Durability::kCached || is_unsynced(path)) return {};
  file->durable_bytes = file->bytes;
  file->is_synced = true;
  return {};
}

Status LyingDisk::rename_new(const std::string& from, const std::string& to) {
  if (!is_stopped_ && operations_ != stop_operation_) {
    MILLRACE_ASSIGN(Folder * folder, folder_of("rename " + from + " to", to));
    if (folder->names.contains(name_of(to))) {
      MILLRACE_TRY(begin("rename " + from + " to", to));
      return refuse("rename " + from + " to", to, "file exists", ErrorCode::kAlreadyExists);
    }
  }
  return rename(from, to);
}

Status LyingDisk::rename_over(const std::string& from, const std::string& to) {
  return rename(from, to);
}

Status LyingDisk::rename(const std::string& from, const std::string& to) {
  bool effect_anyway = false;
  const Status begun = begin("rename " + from + " to", to, &effect_anyway);
  if (!begun && !effect_anyway) return begun;
  MILLRACE_ASSERT(parent_of(from) == parent_of(to));
  MILLRACE_ASSIGN(const FileRef file, find("rename " + from + " to", from));
  Change renamed;
  renamed.names[name_of(from)] = nullptr;
  renamed.names[name_of(to)] = file;
  apply(folders_[parent_of(to)], std::move(renamed));
  return begun;
}

Status LyingDisk::sync_folder(const std::string& path) {
  bool effect_anyway = false;
  const Status begun = begin("sync folder", path, &effect_anyway);
  if (!begun && !effect_anyway) return begun;
  const auto found = folders_.find(path);
  if (found == folders_.end()) return refuse("sync folder", path, kNoSuchFile);
  if (is_unsynced(path)) return begun;
  found->second.durable_names = found->second.names;
  found->second.changes.clear();
  return begun;
}

Result<std::string> LyingDisk::read_file(const std::string& path) {
  MILLRACE_TRY(begin("read", path));
  MILLRACE_ASSIGN(const FileRef file, find("read", path));
  return file->bytes;
}

Result<std::vector<std::string>> LyingDisk::list_folder(const std::string& path) {
  MILLRACE_TRY(begin("list folder", path));
  const auto found = folders_.find(path);
  if (found == folders_.end()) {
    return refuse("list folder", path, kNoSuchFile, ErrorCode::kNotFound);
  }
  std::set<std::string> names;
  for (const auto& [name, file] : found->second.names) names.insert(name);
  for (const auto& [other, folder] : folders_) {
    if (other != "." && parent_of(other) == path) names.insert(name_of(other));
  }
  return std::vector<std::string>(names.begin(), names.end());
}

Status LyingDisk::remove_file(const std::string& path) {
  bool effect_anyway = false;
  const Status begun = begin("remove", path, &effect_anyway);
  if (!begun && !effect_anyway) return begun;
  MILLRACE_ASSIGN(Folder * folder, folder_of("remove", path));
  if (!folder->names.contains(name_of(path))) return begun;
  Change removed;
  removed.names[name_of(path)] = nullptr;
  apply(*folder, std::move(removed));
  return begun;
}

Result<std::unique_ptr<state::DiskLock>> LyingDisk::lock(const std::string& path) {
  MILLRACE_TRY(begin("lock", path));
  if (!locks_->insert(path).second) return fail(ErrorCode::kLocked, "4711");
  return std::make_unique<Lock>(locks_, path);
}

Result<LyingDisk::FileRef> LyingDisk::find(const std::string& verb, const std::string& path) {
  MILLRACE_ASSIGN(Folder * folder, folder_of(verb, path));
  const auto found = folder->names.find(name_of(path));
  if (found == folder->names.end()) {
    return refuse(verb, path, kNoSuchFile, ErrorCode::kNotFound);
  }
  return found->second;
}

Result<LyingDisk::Folder*> LyingDisk::folder_of(const std::string& verb, const std::string& path) {
  const auto found = folders_.find(parent_of(path));
  if (found == folders_.end()) return refuse(verb, path, kNoSuchFile, ErrorCode::kNotFound);
  return &found->second;
}

void LyingDisk::apply(Folder& folder, Change change) {
  for (const auto& [name, file] : change.names) {
    if (file == nullptr) {
      folder.names.erase(name);
    } else {
      folder.names[name] = file;
    }
  }
  folder.changes.push_back(std::move(change));
}

}  // namespace millrace::support
