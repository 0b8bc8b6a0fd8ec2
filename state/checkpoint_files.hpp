#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include "state/disk.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::state {

/// The parts of a checkpoint folder; "" is the folder itself.
inline constexpr std::string_view kRootPart = "";
inline constexpr std::string_view kSourcesPart = "sources";
inline constexpr std::string_view kOffsetsPart = "offsets";
inline constexpr std::string_view kPreparedPart = "prepared";
inline constexpr std::string_view kCommitsPart = "commits";

/// Names and moves the files of one checkpoint folder: where each lies, and the steps by which one
/// comes to be there (staged under a temporary name, revealed by a rename, its folder synced). It
/// knows nothing of what is in them. Owned by the checkpoint, called on its thread.
class CheckpointFiles {
 public:
  CheckpointFiles(Disk& disk, std::string folder);

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string path(std::string_view part, std::string_view name) const;

  /// Makes the folder and takes the lock in it. kLocked says who has it and what to do.
  [[nodiscard]] Result<std::unique_ptr<DiskLock>> lock();
  /// Makes the parts, removes temporary files, and makes every name durable: what the last process
  /// renamed but did not live to sync would otherwise be trusted too early.
  [[nodiscard]] Status settle();

  /// Writes a file under a temporary name; its bytes are durable.
  [[nodiscard]] Status stage(std::string_view part, std::string_view name, std::string_view bytes);
  /// Gives a staged file its name. There already: kConflict, another owner is at work.
  [[nodiscard]] Status reveal(std::string_view part, std::string_view name);
  /// Makes the names in a part durable.
  [[nodiscard]] Status sync(std::string_view part);
  /// stage, reveal, sync.
  [[nodiscard]] Status write_new(std::string_view part, std::string_view name,
                                 std::string_view bytes);
  /// Replaces a file of the root, durably: metadata and plan.json alone.
  [[nodiscard]] Status replace(std::string_view name, std::string_view bytes);

  [[nodiscard]] Result<std::string> read(std::string_view part, std::string_view name) const;
  [[nodiscard]] Result<std::vector<std::string>> list(std::string_view part) const;
  [[nodiscard]] Status remove(std::string_view part, std::string_view name);

  /// The epochs that have an entry in a part whose names are plain numbers.
  [[nodiscard]] Result<std::set<Epoch>> list_epochs(std::string_view part) const;
  /// Epoch -> attempts that have a prepared entry.
  [[nodiscard]] Result<std::map<Epoch, std::vector<std::string>>> list_prepared() const;

 private:
  [[nodiscard]] Status sweep(std::string_view part);

  Disk& disk_;
  std::string folder_;
};

/// "7" and "7.<attempt>": the names of an epoch's entries.
[[nodiscard]] std::string entry_name(Epoch epoch);
[[nodiscard]] std::string entry_name(Epoch epoch, std::string_view attempt);

}  // namespace millrace::state
