#pragma once

#include "cli/arguments.hpp"

namespace millrace::cli {

/// Runs a job until its queries have ended or a signal asks for the end; gives the exit code. Plans
/// that EXPLAIN asks for go to standard output, everything else to standard error. Call it before
/// any thread is started (see StopSignals).
[[nodiscard]] int run_job(const Arguments& arguments);

/// Says whether a query of the job may go on from a checkpoint folder, and what differs; connects
/// to nothing. The query is the one that the folder is named after, or the job's only one.
[[nodiscard]] int check_job(const Arguments& arguments);

/// Prints the plans of every query of the job on standard output.
[[nodiscard]] int explain_job(const Arguments& arguments);

}  // namespace millrace::cli
