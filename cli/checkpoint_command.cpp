#include "cli/checkpoint_command.hpp"

#include "state/checkpoint_tools.hpp"
#include "state/posix_disk.hpp"

#include <filesystem>
#include <iostream>
#include <system_error>

namespace millrace::cli {
namespace {

int complain(const Error& error) {
  std::cerr << "millrace: " << error.message << '\n';
  return error.code == ErrorCode::kIo ? kQueryFailed : kRefused;
}

// Only what is a checkpoint, and only when nobody runs on it.
Result<std::string> delete_checkpoint(state::Disk& disk, const std::string& folder) {
  MILLRACE_TRY(state::describe_checkpoint(disk, folder));
  {
    const auto lock = disk.lock(folder + "/lock");
    if (!lock && lock.error().code == ErrorCode::kLocked) {
      return fail(ErrorCode::kLocked,
                  "checkpoint " + folder + " is in use by process " + lock.error().message);
    }
    MILLRACE_TRY(lock);
  }
  std::error_code problem;
  std::filesystem::remove_all(folder, problem);
  if (problem) return fail(ErrorCode::kIo, "cannot remove " + folder + ": " + problem.message());
  return "checkpoint " + folder + " is removed";
}

}  // namespace

int run_checkpoint_command(const Arguments& arguments) {
  state::PosixDisk disk;
  const CheckpointRequest& request = *arguments.checkpoint;
  Result<std::string> result = [&] {
    switch (request.verb) {
      case CheckpointRequest::Verb::kRollBack:
        return state::roll_back_checkpoint(disk, request.folder, Epoch(request.to));
      case CheckpointRequest::Verb::kDelete:
        return delete_checkpoint(disk, request.folder);
      case CheckpointRequest::Verb::kShow:
      case CheckpointRequest::Verb::kCheck:  // is the job runner's, for it needs the job
        break;
    }
    return state::describe_checkpoint(disk, request.folder);
  }();
  if (!result) return complain(result.error());
  std::cout << *result << (result->ends_with('\n') ? "" : "\n");
  return kOk;
}

}  // namespace millrace::cli
