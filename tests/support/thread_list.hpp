#pragma once

#include <sched.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::support {

/// A thread of this process and the cores it may run on.
struct ThreadOnCores {
  std::string name;
  std::vector<unsigned> cores;
};

/// The threads of this process whose names begin so, in no order.
inline std::vector<ThreadOnCores> threads_named(std::string_view beginning) {
  std::vector<ThreadOnCores> threads;
  for (const auto& folder : std::filesystem::directory_iterator("/proc/self/task")) {
    ThreadOnCores thread;
    std::ifstream stream(folder.path() / "comm");
    std::getline(stream, thread.name);
    if (!thread.name.starts_with(beginning)) continue;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(std::stoi(folder.path().filename().string()), sizeof(allowed), &allowed);
    for (unsigned core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &allowed)) thread.cores.push_back(core);
    threads.push_back(std::move(thread));
  }
  return threads;
}

}  // namespace millrace::support
