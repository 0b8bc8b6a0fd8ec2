#pragma once

#include "millrace/error.hpp"

#include "state/disk.hpp"

#include <string>

namespace millrace::state {

/// Says whether the query of this plan (see CheckpointOptions) may go on from a checkpoint folder,
/// and how: by what a start itself does, on a copy in memory. The folder stays as it is, nothing is
/// connected to. In words: where it goes on, what would be cut off, and each difference between the
/// plan that wrote the folder and this one.
///
/// Refused with what a start would be refused with, and every difference that is in the way:
///   kNotFound         there is no checkpoint
///   kLocked           a query runs on it
///   kInvalidArgument  it belongs to another plan
///   kCorrupt          a file is damaged or missing
///   kNotSupported     made by a newer Millrace
[[nodiscard]] Result<std::string> check_checkpoint(Disk& disk, const std::string& folder,
                                                   const std::string& plan_identity,
                                                   const std::string& plan_details);

}  // namespace millrace::state
