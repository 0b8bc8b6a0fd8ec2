#pragma once

#include "cli/arguments.hpp"

namespace millrace::cli {

/// `millrace checkpoint show|rollback|delete DIR`. Gives the process's exit code.
[[nodiscard]] int run_checkpoint_command(const Arguments& arguments);

}  // namespace millrace::cli
