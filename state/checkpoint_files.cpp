#include "state/checkpoint_files.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

namespace millrace::state {
namespace {

constexpr std::string_view kTemporarySuffix = ".tmp";
constexpr std::array kParts = {kSourcesPart, kOffsetsPart, kPreparedPart, kCommitsPart};

std::string temporary_name(std::string_view name) {
  return fmt::format(".{}{}", name, kTemporarySuffix);
}

/// Reads a plain decimal name; none for anything that we would not have written ("07", "7~").
std::optional<Epoch> parse_epoch(std::string_view name) {
  std::int64_t number = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  if (number < 0 || std::to_string(number) != name) return std::nullopt;
  return Epoch(number);
}

}  // namespace

CheckpointFiles::CheckpointFiles(Disk& disk, std::string folder)
    : disk_(disk), folder_(std::move(folder)) {}

std::string CheckpointFiles::path(std::string_view part, std::string_view name) const {
  std::string result = folder_;
  for (const std::string_view piece : {part, name}) {
    if (!piece.empty()) result.append("/").append(piece);
  }
  return result;
}

Result<std::unique_ptr<DiskLock>> CheckpointFiles::lock() {
  MILLRACE_TRY(disk_.create_folders(folder_));
  auto lock = disk_.lock(path(kRootPart, "lock"));
  if (!lock && lock.error().code == ErrorCode::kLocked) {
    return fail(ErrorCode::kLocked,
                fmt::format("checkpoint {} is in use by process {}; stop it or choose another "
                            "checkpoint_location",
                            folder_, lock.error().message));
  }
  return lock;
}

Status CheckpointFiles::settle() {
  for (const std::string_view part : kParts) {
    MILLRACE_TRY(disk_.create_folders(path(part, "")));
    MILLRACE_TRY(sweep(part));
    MILLRACE_TRY(sync(part));
  }
  MILLRACE_TRY(sweep(kRootPart));
  return sync(kRootPart);
}

Status CheckpointFiles::sweep(std::string_view part) {
  MILLRACE_ASSIGN(const std::vector<std::string> names, list(part));
  for (const std::string& name : names) {
    if (name.ends_with(kTemporarySuffix)) MILLRACE_TRY(remove(part, name));
  }
  return {};
}

Status CheckpointFiles::stage(std::string_view part, std::string_view name,
                              std::string_view bytes) {
  return disk_.write_file(path(part, temporary_name(name)), bytes, Durability::kSynced);
}

Status CheckpointFiles::reveal(std::string_view part, std::string_view name) {
  Status renamed = disk_.rename_new(path(part, temporary_name(name)), path(part, name));
  if (!renamed && renamed.error().code == ErrorCode::kAlreadyExists) {
    return fail(ErrorCode::kConflict,
                fmt::format("another process writes to checkpoint {}: {}/{} has appeared while "
                            "this query runs; stop one of the two",
                            folder_, part, name));
  }
  return renamed;
}

Status CheckpointFiles::sync(std::string_view part) { return disk_.sync_folder(path(part, "")); }

Status CheckpointFiles::write_new(std::string_view part, std::string_view name,
                                  std::string_view bytes) {
  MILLRACE_TRY(stage(part, name, bytes));
  MILLRACE_TRY(reveal(part, name));
  return sync(part);
}

Status CheckpointFiles::replace(std::string_view name, std::string_view bytes) {
  MILLRACE_TRY(stage(kRootPart, name, bytes));
  MILLRACE_TRY(disk_.rename_over(path(kRootPart, temporary_name(name)), path(kRootPart, name)));
  return sync(kRootPart);
}

Result<std::string> CheckpointFiles::read(std::string_view part, std::string_view name) const {
  return disk_.read_file(path(part, name));
}

Result<std::vector<std::string>> CheckpointFiles::list(std::string_view part) const {
  return disk_.list_folder(path(part, ""));
}

Status CheckpointFiles::remove(std::string_view part, std::string_view name) {
  return disk_.remove_file(path(part, name));
}

Result<std::set<Epoch>> CheckpointFiles::list_epochs(std::string_view part) const {
  MILLRACE_ASSIGN(const std::vector<std::string> names, list(part));
  std::set<Epoch> epochs;
  for (const std::string& name : names) {
    if (const auto epoch = parse_epoch(name)) epochs.insert(*epoch);
  }
  return epochs;
}

Result<std::map<Epoch, std::vector<std::string>>> CheckpointFiles::list_prepared() const {
  MILLRACE_ASSIGN(const std::vector<std::string> names, list(kPreparedPart));
  std::map<Epoch, std::vector<std::string>> prepared;
  for (const std::string& name : names) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) continue;
    const auto epoch = parse_epoch(std::string_view(name).substr(0, dot));
    if (epoch) prepared[*epoch].push_back(name.substr(dot + 1));
  }
  return prepared;
}

std::string entry_name(Epoch epoch) { return std::to_string(epoch.value); }

std::string entry_name(Epoch epoch, std::string_view attempt) {
  return fmt::format("{}.{}", epoch.value, attempt);
}

}  // namespace millrace::state
