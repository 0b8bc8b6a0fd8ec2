#pragma once

#include <cstdint>

namespace millrace::hot_path {

/// What happened on the hot path since the last reset, over all threads.
struct CallCounts {
  std::int64_t allocations = 0;  ///< malloc, calloc, realloc, aligned forms, operator new
  std::int64_t frees = 0;
  std::int64_t locks = 0;  ///< pthread_mutex_lock and the read-write kind
  std::int64_t system_calls = 0;
  std::int64_t log_lines = 0;  ///< given to note_log_line
};

/// Marks this thread as being on the hot path, or not. Calls count only while it is, and not while
/// a call into the Kafka client is under way.
void enter_hot_path();
void leave_hot_path();

/// Stands around a call into the Kafka client: what happens inside is the client's.
class ClientCall {
 public:
  ClientCall();
  ~ClientCall();
  ClientCall(const ClientCall&) = delete;
  ClientCall& operator=(const ClientCall&) = delete;

 private:
  bool was_on_;
};

/// Counts a line that the engine says, for the log function of a test.
void note_log_line();

[[nodiscard]] CallCounts counts();
void reset_counts();
/// False where the kernel cannot tell us of system calls; then they are not counted.
[[nodiscard]] bool counts_system_calls();

}  // namespace millrace::hot_path
