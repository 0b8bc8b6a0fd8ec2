#include "session/query_launcher.hpp"

#include "session/query_opening.hpp"
#include "session/restarting_query.hpp"
#include "session/running_query.hpp"
#include "state/posix_disk.hpp"

#include <random>
#include <utility>

namespace millrace::session {
namespace {

std::uint64_t random_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

Result<std::unique_ptr<RunningQuery>> launch_run(const stream::PhysicalPlan& plan,
                                                 const QuerySettings& settings,
                                                 QueryEnvironment environment) {
  static state::PosixDisk disk;
  MILLRACE_ASSIGN(BuiltQuery built,
                  open_query(plan, settings, environment, {&disk, random_seed(), kBatchRowsMax}));
  return std::make_unique<ActorQuery>(std::move(built), settings, std::move(environment));
}

}  // namespace

Result<std::unique_ptr<RunningQuery>> launch(stream::PhysicalPlan plan, QuerySettings settings,
                                             QueryEnvironment environment) {
  if (!settings.restart.is_on) return launch_run(plan, settings, std::move(environment));
  return RestartingQuery::open(settings, std::move(environment),
                               [plan = std::move(plan), settings](QueryEnvironment of_run) {
                                 return launch_run(plan, settings, std::move(of_run));
                               });
}

}  // namespace millrace::session
