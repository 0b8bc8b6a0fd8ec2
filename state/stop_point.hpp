#pragma once

namespace millrace::state {

/// A named place between two steps of the commit where a test may kill the process: when the
/// environment says MILLRACE_STOP_AT=<name>[:<times>], the process ends by SIGKILL the n-th time it
/// passes here. Does nothing unless built with MILLRACE_STOP_POINTS, as test builds are. Called on
/// the commit thread, a few times per epoch.
///
///   before_stage      nothing of the epoch is on disk
///   before_offsets    offsets and prepared are staged under temporary names
///   after_offsets     offsets/N is there, prepared/N is not
///   after_prepared    both are there
///   before_commit     both are durable
///   after_commit      commits/N is durable, retention has not run
void stop_point(const char* name);

}  // namespace millrace::state
