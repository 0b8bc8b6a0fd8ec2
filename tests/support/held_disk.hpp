#pragma once

#include "state/disk.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace millrace::support {

/// A disk whose every write and sync waits while it is held: a slow fsync whose length the test
/// decides.
/// Everything goes on to another disk, which outlives it.
class HeldDisk final : public state::Disk {
 public:
  explicit HeldDisk(state::Disk& inner) : inner_(inner) {}

  void hold() {
    const std::lock_guard lock(mutex_);
    is_held_ = true;
  }
  void release() {
    {
      const std::lock_guard lock(mutex_);
      is_held_ = false;
    }
    changed_.notify_all();
  }
  /// Waits until a write or sync waits.
  void await_waiting() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }

  Status create_folders(const std::string& path) override { return inner_.create_folders(path); }
  Status write_file(const std::string& path, std::string_view bytes,
                    state::Durability durability) override {
    wait();
    return inner_.write_file(path, bytes, durability);
  }
  Status rename_new(const std::string& from, const std::string& to) override {
    return inner_.rename_new(from, to);
  }
  Status rename_over(const std::string& from, const std::string& to) override {
    return inner_.rename_over(from, to);
  }
  Status sync_folder(const std::string& path) override {
    wait();
    return inner_.sync_folder(path);
  }
  Result<std::string> read_file(const std::string& path) override { return inner_.read_file(path); }
  Result<std::vector<std::string>> list_folder(const std::string& path) override {
    return inner_.list_folder(path);
  }
  Status remove_file(const std::string& path) override { return inner_.remove_file(path); }
  Result<std::unique_ptr<state::DiskLock>> lock(const std::string& path) override {
    return inner_.lock(path);
  }

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !is_held_; });
    --waiting_;
  }

  state::Disk& inner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_held_ = false;
  int waiting_ = 0;
};

}  // namespace millrace::support
