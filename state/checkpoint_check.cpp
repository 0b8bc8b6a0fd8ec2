#include "state/checkpoint_check.hpp"

#include "state/checkpoint.hpp"
#include "state/checkpoint_files.hpp"
#include "state/checkpoint_tools.hpp"
#include "state/memory_disk.hpp"
#include "state/plan_record.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace millrace::state {
namespace {

/// Copies the files that a start reads.
Status copy_checkpoint(const CheckpointFiles& from, Disk& to) {
  for (const std::string_view part :
       {kRootPart, kSourcesPart, kOffsetsPart, kPreparedPart, kCommitsPart}) {
    const auto names = from.list(part);
    if (!names && names.error().code == ErrorCode::kNotFound) continue;
    MILLRACE_TRY(names);
    MILLRACE_TRY(to.create_folders(part.empty() ? from.folder() : from.path(kRootPart, part)));
    for (const std::string& name : *names) {
      if (part.empty() && name != "metadata" && name != "plan.json") continue;
      const auto bytes = from.read(part, name);
      if (!bytes && bytes.error().code == ErrorCode::kNotFound) continue;
      MILLRACE_TRY(bytes);
      MILLRACE_TRY(to.write_file(from.path(part, name), *bytes, Durability::kSynced));
    }
  }
  return {};
}

/// The differences that are in the way, and those that are not; both empty where there is nothing
/// to compare with.
struct Differences {
  std::vector<std::string> identity;
  std::vector<std::string> details;
};

Differences differences_of(const CheckpointFiles& files, const std::string& identity,
                           const std::string& details) {
  const auto bytes = files.read(kRootPart, "plan.json");
  if (!bytes) return {};
  const auto there = decode_plan(*bytes);
  const auto here_identity = formats::JsonValue::parse(identity);
  const auto here_details = formats::JsonValue::parse(details);
  if (!there || !here_identity || !here_details) return {};
  return {plan_differences(there->identity, *here_identity),
          plan_differences(there->details, *here_details)};
}

std::string listed(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "    " + line + "\n";
  return text;
}

std::string described(const RestartPoint& point, const CheckpointMetadata& metadata) {
  std::string text;
  if (point.committed) {
    text += fmt::format("  goes on behind epoch {}, generation {}\n",
                        point.committed->commit.epoch.value, metadata.generation.value);
  } else {
    text += "  no epoch is committed: begins where it first began\n";
  }
  if (!point.open.empty()) {
    const std::int64_t first = point.open.front().offsets.epoch.value;
    const std::int64_t last = point.open.back().offsets.epoch.value;
    text += first == last ? fmt::format("  epoch {} runs again\n", first)
                          : fmt::format("  epochs {} to {} run again\n", first, last);
  }
  for (const auto& [source, partitions] : point.positions()) {
    text += fmt::format("  source {} goes on at\n", source);
    for (const auto& [partition, position] : partitions)
      text += fmt::format("    {}  {}\n", partition, position);
  }
  return text;
}

}  // namespace

Result<std::string> check_checkpoint(Disk& disk, const std::string& folder,
                                     const std::string& plan_identity,
                                     const std::string& plan_details) {
  MILLRACE_TRY(describe_checkpoint(disk, folder));  // a folder that is none is not made one
  CheckpointFiles files(disk, folder);
  MILLRACE_ASSIGN(const auto lock, files.lock());
  MemoryDisk copy;
  MILLRACE_TRY(copy_checkpoint(files, copy));
  const Differences differences = differences_of(files, plan_identity, plan_details);

  CheckpointOptions options;
  options.folder = folder;
  options.plan_identity = plan_identity;
  options.plan_details = plan_details;
  const ManualClock clock;
  auto checkpoint = Checkpoint::open(copy, clock, std::move(options));
  if (!checkpoint) {
    Error refusal = std::move(checkpoint).error();
    if (differences.identity.size() > 1)
      refusal.message += fmt::format("; all that is in the way:\n{}", listed(differences.identity));
    return fail(std::move(refusal));
  }
  MILLRACE_ASSIGN(const RestartPoint point, (*checkpoint)->restart());
  std::string text = fmt::format("checkpoint {}: the job may go on from it\n", folder) +
                     described(point, (*checkpoint)->metadata());
  if (!differences.details.empty())
    text +=
        "  differs from the job that wrote it, which is allowed:\n" + listed(differences.details);
  for (const std::string& notice : point.notices) text += "  note: " + notice + "\n";
  return text;
}

}  // namespace millrace::state
