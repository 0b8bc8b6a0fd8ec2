#include "actors/wait_policy.hpp"

namespace millrace::actors {

const WaitPolicy* wait_policy_named(std::string_view name) {
  static const ParkPolicy park;
  static const AdaptivePolicy adaptive;
  static const SpinPolicy spin;
  if (name == "park") return &park;
  if (name == "adaptive") return &adaptive;
  if (name == "spin") return &spin;
  return nullptr;
}

}  // namespace millrace::actors
