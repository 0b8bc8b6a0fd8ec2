#pragma once

namespace millrace::state {

/// A named place between two steps of the commit where a test may kill the process: when the
/// environment says MILLRACE_STOP_AT=<name>[:<times>], the process ends by SIGKILL the n-th time it
/// passes here. Compiled in only with MILLRACE_STOP_POINTS (test builds); costs nothing else.
#ifdef MILLRACE_STOP_POINTS
void stop_point(const char* name);
#else
inline void stop_point(const char* /*name*/) {}
#endif

}  // namespace millrace::state
