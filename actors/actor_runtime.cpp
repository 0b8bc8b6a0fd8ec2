#include "actors/actor_runtime.hpp"

#include "millrace/assert.hpp"

#include "actors/coordinator_actor.hpp"
#include "actors/task_actor.hpp"

#include <caf/all.hpp>

namespace millrace::actors {

namespace {

// Work stealing delays wake-ups by milliseconds on few cores; one shared queue does not.
caf::actor_system_config& configure(caf::actor_system_config& config,
                                    const RuntimeOptions& options) {
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads", options.task_threads == 0 ? 1 : options.task_threads);
  // One message per turn: a task that always has input must not keep others from the thread.
  config.set("scheduler.max-throughput", std::size_t{1});
  config.set("logger.console", caf::atom("none"));
  return config;
}

}  // namespace

struct ActorRuntime::Implementation {
  Implementation(QueryParts query_parts, RuntimeOptions runtime_options,
                 RuntimeEvents runtime_events)
      : parts(std::move(query_parts)),
        options(runtime_options),
        events(std::move(runtime_events)),
        system(configure(config, options)) {}

  void spawn_tasks(const PostEvent& post);
  void shut_down();

  QueryParts parts;
  RuntimeOptions options;
  RuntimeEvents events;
  std::unique_ptr<CommitThread> commits;
  caf::actor_system_config config;
  caf::actor_system system;
  std::vector<caf::actor> tasks;
  caf::actor coordinator;  ///< kept after its end: what is posted then is dropped by CAF
  bool is_down = false;
};

ActorRuntime::ActorRuntime(QueryParts parts, RuntimeOptions options, RuntimeEvents events)
    : implementation_(
          std::make_unique<Implementation>(std::move(parts), options, std::move(events))) {}

ActorRuntime::~ActorRuntime() { shut_down(); }

void ActorRuntime::start() {
  Implementation& self = *implementation_;
  MILLRACE_ASSERT(!self.coordinator && !self.is_down);
  const PostEvent post_event = [this](CoordinatorEvent event) { post(std::move(event)); };
  self.commits = std::make_unique<CommitThread>(std::move(self.parts.committer), post_event,
                                                self.events.committed);
  // The task actors exist before the coordinator but are not woken before it: what a task posts
  // has somewhere to go.
  self.spawn_tasks(post_event);
  self.coordinator =
      self.system.spawn<CoordinatorActor>(&self.parts, self.commits.get(), self.tasks, self.events);
  self.parts.connect(post_event);
  for (std::size_t number = 0; number < self.tasks.size(); ++number) {
    Task& task = *self.parts.tasks[number];
    task.waker().connect([actor = self.tasks[number]] { caf::anon_send(actor, StepAtom::value); });
    task.waker().wake();
  }
}

void ActorRuntime::Implementation::spawn_tasks(const PostEvent& post) {
  static const ParkPolicy park;
  const WaitPolicy* const wait = options.wait_policy != nullptr ? options.wait_policy : &park;
  for (const std::unique_ptr<Task>& task : parts.tasks)
    tasks.push_back(
        options.task_threads == 0
            ? system.spawn<TaskActor, caf::detached>(task.get(), post, wait, parts.clock)
            : system.spawn<TaskActor>(task.get(), post, wait, parts.clock));
}

void ActorRuntime::post(CoordinatorEvent event) {
  caf::anon_send(implementation_->coordinator, CoordinatorMessage{std::move(event)});
}

void ActorRuntime::shut_down() { implementation_->shut_down(); }

void ActorRuntime::Implementation::shut_down() {
  if (is_down) return;
  is_down = true;
  {
    caf::scoped_actor waiter{system};
    for (const caf::actor& task : tasks) caf::anon_send_exit(task, caf::exit_reason::user_shutdown);
    waiter->wait_for(tasks);
    if (coordinator) {
      caf::anon_send_exit(coordinator, caf::exit_reason::user_shutdown);
      waiter->wait_for(coordinator);
    }
  }
  // No actor steps a task any more; now the clients may stop, and then nobody posts any more.
  parts.close();
  if (commits) commits->stop();
}

QueryParts& ActorRuntime::parts() { return implementation_->parts; }

}  // namespace millrace::actors
