#pragma once

#include "millrace/error.hpp"
#include "millrace/strong.hpp"

#include "state/disk.hpp"

#include <string>

// What people do to a checkpoint folder from outside, by `millrace checkpoint`. Each blocks on the
// disk.

namespace millrace::state {

/// What a folder holds, in words: whose it is, its newest epochs, and where each source goes on.
/// Reads only, and beside a query that runs; what is damaged is said.
///   kNotFound   there is no checkpoint
[[nodiscard]] Result<std::string> describe_checkpoint(Disk& disk, const std::string& folder);

/// Makes epoch `to` the newest one: the query then goes on from its end, and what was written since
/// is written again. The generation is raised first, durably; then the entries of later epochs move
/// to undone/<the new generation>/, the highest first, so that a crash leaves a folder that can be
/// rolled back again. Gives a sentence of what was done.
///   kLocked           a query runs on it
///   kInvalidArgument  no committed epoch of that number is kept; names those that are
[[nodiscard]] Result<std::string> roll_back_checkpoint(Disk& disk, const std::string& folder,
                                                       Epoch to);

}  // namespace millrace::state
