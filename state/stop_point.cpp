#include "state/stop_point.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace millrace::state {

#ifdef MILLRACE_STOP_POINTS
void stop_point(const char* name) {
  static const char* const wanted = std::getenv("MILLRACE_STOP_AT");
  if (wanted == nullptr) return;
  static std::atomic<int> passed{0};
  const std::string_view text(wanted);
  const std::size_t colon = text.find(':');
  if (text.substr(0, colon) != name) return;
  const int times = colon == std::string_view::npos ? 1 : std::atoi(wanted + colon + 1);
  if (passed.fetch_add(1) + 1 >= times) std::raise(SIGKILL);
}
#else
void stop_point(const char* /*name*/) {}
#endif

}  // namespace millrace::state
