#pragma once

#include "state/disk.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace millrace::support {

/// A disk in memory that keeps no promise it did not make. It is the platter: it lives on while the
/// checkpoints on it come and go. What was not synced may be lost when the power goes: bytes torn
/// or gone, names of a folder lost or there in any combination, by a seeded choice.
///
/// The power goes at a chosen operation (`stop_at`), which then happened in part or not at all;
/// every later operation fails until `crash` brings the power back over what was durable. A process
/// that dies alone loses nothing: just destroy its objects. One thread.
class LyingDisk final : public state::Disk {
 public:
  explicit LyingDisk(std::uint64_t seed);

  // -- faults -----------------------------------------------------------------------------------

  /// The power goes at operation number `operation` from now (0: the next one).
  void stop_at(std::int64_t operation);
  /// That operation alone fails, without effect ("input/output error").
  void fail_at(std::int64_t operation);
  /// From the n-th write from now (0: the next one) on the disk is full, until `free_space`.
  void fill_at(std::int64_t write);
  void free_space();
  /// From now on nothing below a path with this in it is ever synced, whatever is asked.
  void ignore_syncs_of(std::string part) { unsynced_part_ = std::move(part); }
  /// Takes the power and gives it back: forgets what was not durable, locks too, and disarms
  /// stop_at and fail_at.
  void crash();

  // -- observers --------------------------------------------------------------------------------

  /// Operations so far; a refused one counts.
  [[nodiscard]] std::int64_t operations() const { return operations_; }
  /// Whether the power went at the operation that stop_at chose.
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }
  /// Files under a folder, however deep.
  [[nodiscard]] std::int64_t file_count(const std::string& folder) const;
  /// Puts bytes where a bug, a person or another process would; durable at once.
  void plant(const std::string& path, std::string bytes);
  /// Takes a file away in the same manner.
  void take_away(const std::string& path);

  // -- Disk -------------------------------------------------------------------------------------

  [[nodiscard]] Status create_folders(const std::string& path) override;
  [[nodiscard]] Status write_file(const std::string& path, std::string_view bytes,
                                  state::Durability durability) override;
  [[nodiscard]] Status rename_new(const std::string& from, const std::string& to) override;
  [[nodiscard]] Status rename_over(const std::string& from, const std::string& to) override;
  [[nodiscard]] Status sync_folder(const std::string& path) override;
  [[nodiscard]] Result<std::string> read_file(const std::string& path) override;
  [[nodiscard]] Result<std::vector<std::string>> list_folder(const std::string& path) override;
  [[nodiscard]] Status remove_file(const std::string& path) override;
  [[nodiscard]] Result<std::unique_ptr<state::DiskLock>> lock(const std::string& path) override;

 private:
  struct File {
    std::string bytes;
    std::string durable_bytes;
    bool is_synced = false;
  };
  using FileRef = std::shared_ptr<File>;
  using Names = std::map<std::string, FileRef>;

  /// One change to a folder's names that is not durable yet: what the names become.
  struct Change {
    std::map<std::string, FileRef> names;  ///< null: the name goes away
  };
  struct Folder {
    Names names;
    Names durable_names;
    std::vector<Change> changes;
  };
  class Lock;

  /// Counts an operation and says whether it may run; `effect_anyway` is set when the power goes
  /// after the effect and before the answer.
  [[nodiscard]] Status begin(const std::string& verb, const std::string& path,
                             bool* effect_anyway = nullptr);
  [[nodiscard]] Result<FileRef> find(const std::string& verb, const std::string& path);
  [[nodiscard]] Result<Folder*> folder_of(const std::string& verb, const std::string& path);
  [[nodiscard]] Status rename(const std::string& from, const std::string& to);
  void apply(Folder& folder, Change change);
  void lose_names(Folder& folder);
  void lose_bytes(File& file);
  [[nodiscard]] std::size_t draw(std::size_t bound);
  [[nodiscard]] bool is_unsynced(const std::string& path) const;

  std::mt19937_64 random_;
  std::map<std::string, Folder> folders_;
  std::shared_ptr<std::set<std::string>> locks_;  ///< replaced at a crash: old handles mean nothing
  std::int64_t operations_ = 0;
  std::int64_t writes_ = 0;
  std::int64_t stop_operation_ = -1;
  std::int64_t fail_operation_ = -1;
  std::int64_t full_write_ = -1;
  bool is_stopped_ = false;
  std::string unsynced_part_;
};

}  // namespace millrace::support
