#include "tests/hot_path/call_counter.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF 0
#define PR_SYS_DISPATCH_ON 1
#define SYSCALL_DISPATCH_FILTER_ALLOW 0
#define SYSCALL_DISPATCH_FILTER_BLOCK 1
#endif

// The functions below stand in for the C library's in the whole process; each hands over to the
// real one. They must not allocate, lock or call the system themselves.

namespace millrace::hot_path {

namespace {

std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> frees{0};
std::atomic<std::int64_t> locks{0};
std::atomic<std::int64_t> system_calls{0};
std::atomic<std::int64_t> log_lines{0};
std::atomic<bool> sees_system_calls{false};

thread_local bool is_on = false;
/// The kernel looks at this byte at every system call of the thread.
thread_local volatile char dispatch = SYSCALL_DISPATCH_FILTER_ALLOW;
thread_local bool is_watched = false;

/// The kernel stopped a system call on the hot path: count it, let this and the rest of the passage
/// through. The call itself is made again by the caller's retry on EINTR-like results, so it is
/// carried out here, by the number and arguments in the registers.
void on_system_call(int, siginfo_t* info, void* context) {
  dispatch = SYSCALL_DISPATCH_FILTER_ALLOW;
  system_calls.fetch_add(1);
  auto* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const long result =
      syscall(info->si_syscall, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
              registers[REG_R10], registers[REG_R8], registers[REG_R9]);
  registers[REG_RAX] = result == -1 ? -errno : result;
}

void watch_this_thread() {
  is_watched = true;
  struct sigaction action = {};
  action.sa_sigaction = on_system_call;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSYS, &action, nullptr);
  if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &dispatch) == 0)
    sees_system_calls.store(true);
}

void set_on(bool on) {
  if (on && !is_watched) watch_this_thread();
  is_on = on;
  dispatch = on ? SYSCALL_DISPATCH_FILTER_BLOCK : SYSCALL_DISPATCH_FILTER_ALLOW;
}

}  // namespace

void enter_hot_path() { set_on(true); }
void leave_hot_path() { set_on(false); }

ClientCall::ClientCall() : was_on_(is_on) {
  if (was_on_) set_on(false);
}
ClientCall::~ClientCall() {
  if (was_on_) set_on(true);
}

CallCounts counts() {
  return {allocations.load(), frees.load(), locks.load(), system_calls.load(), log_lines.load()};
}

void reset_counts() {
  allocations = 0;
  frees = 0;
  locks = 0;
  system_calls = 0;
  log_lines = 0;
}

bool counts_system_calls() { return sees_system_calls.load(); }

namespace {

inline void count(std::atomic<std::int64_t>& counter) {
  if (is_on) counter.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void note_log_line() { count(log_lines); }

namespace {

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

}  // namespace millrace::hot_path

using millrace::hot_path::allocations;
using millrace::hot_path::frees;
using millrace::hot_path::locks;

extern "C" {

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);

void* malloc(size_t size) {
  millrace::hot_path::count(allocations);
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  millrace::hot_path::count(allocations);
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  millrace::hot_path::count(allocations);
  return __libc_realloc(memory, size);
}
void* memalign(size_t alignment, size_t size) {
  millrace::hot_path::count(allocations);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  millrace::hot_path::count(allocations);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  millrace::hot_path::count(allocations);
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  millrace::hot_path::count(frees);
  __libc_free(memory);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using Lock = int (*)(pthread_mutex_t*);
  static Lock const lock = millrace::hot_path::real<Lock>("pthread_mutex_lock");
  millrace::hot_path::count(locks);
  return lock(mutex);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* mutex) {
  using Lock = int (*)(pthread_rwlock_t*);
  static Lock const lock = millrace::hot_path::real<Lock>("pthread_rwlock_rdlock");
  millrace::hot_path::count(locks);
  return lock(mutex);
}
int pthread_rwlock_wrlock(pthread_rwlock_t* mutex) {
  using Lock = int (*)(pthread_rwlock_t*);
  static Lock const lock = millrace::hot_path::real<Lock>("pthread_rwlock_wrlock");
  millrace::hot_path::count(locks);
  return lock(mutex);
}

}  // extern "C"
