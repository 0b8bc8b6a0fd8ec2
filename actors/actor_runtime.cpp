#include "actors/actor_runtime.hpp"

#include "millrace/assert.hpp"

#include "actors/coordinator_actor.hpp"
#include "actors/task_actor.hpp"
#include "actors/worker_queue.hpp"

#include <caf/all.hpp>
#include <caf/policy/unprofiled.hpp>
#include <caf/scheduler/coordinator.hpp>
#include <pthread.h>
#include <sched.h>

#include <algorithm>

namespace millrace::actors {

namespace {

const WaitPolicy& wait_policy_of(const RuntimeOptions& options) {
  static const ParkPolicy park;
  return options.wait_policy != nullptr ? *options.wait_policy : park;
}

std::size_t worker_count(const RuntimeOptions& options, std::size_t tasks) {
  return std::max<std::size_t>(options.task_threads == 0 ? tasks : options.task_threads, 1);
}

/// Makes the calling thread forget the actor system that it has dealt with. CAF lets each such
/// thread hold on to the system's logger for as long as it lives, and the system's destructor waits
/// for the last one: without this, a query could only end on the thread that made it.
class SystemVisit {
 public:
  SystemVisit() = default;
  ~SystemVisit() { caf::logger::set_current_actor_system(nullptr); }
  SystemVisit(const SystemVisit&) = delete;
  SystemVisit& operator=(const SystemVisit&) = delete;
};

/// What the actor system is made with, and where its workers find what they need of us.
class RuntimeConfig final : public caf::actor_system_config {
 public:
  RuntimeConfig(const RuntimeOptions& options, const QueryParts& parts)
      : options_(options),
        clock_(*parts.clock),
        workers_(worker_count(options, parts.tasks.size())) {
    set("scheduler.max-threads", workers_);
    // One message per turn: a task that always has input must not keep others from the thread.
    set("scheduler.max-throughput", std::size_t{1});
    set("logger.console", caf::atom("none"));
  }

  [[nodiscard]] const RuntimeOptions& options() const { return options_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] std::size_t workers() const { return workers_; }

 private:
  const RuntimeOptions& options_;
  const Clock& clock_;
  std::size_t workers_;
};

/// How CAF's workers get their work: from a queue each, which waits as the wait policy says. An
/// actor is run by its home worker alone: a task stays on its core, and no worker is asked in vain.
/// CAF's own policies either delay wake-ups by milliseconds (stealing) or can neither spin nor keep
/// a task where it is (sharing).
class WorkerPolicy : public caf::policy::unprofiled {
 public:
  struct coordinator_data {
    explicit coordinator_data(caf::scheduler::abstract_coordinator* self)
        : config(static_cast<const RuntimeConfig&>(self->system().config())) {
      for (std::size_t i = 0; i < config.workers(); ++i)
        queues.push_back(
            std::make_unique<WorkerQueue>(wait_policy_of(config.options()), config.clock()));
    }
    const RuntimeConfig& config;
    std::vector<std::unique_ptr<WorkerQueue>> queues;
  };
  struct worker_data {
    explicit worker_data(caf::scheduler::abstract_coordinator* /*self*/) {}
  };

  template <class Coordinator>
  void central_enqueue(Coordinator* self, caf::resumable* job) {
    push(d(self), home_of(d(self), job), job);
  }
  /// Meant for this very worker: CAF ends workers so.
  template <class Worker>
  void external_enqueue(Worker* self, caf::resumable* job) {
    push(d(self->parent()), self->id(), job);
  }
  template <class Worker>
  void internal_enqueue(Worker* self, caf::resumable* job) {
    central_enqueue(self->parent(), job);
  }
  template <class Worker>
  void resume_job_later(Worker* self, caf::resumable* job) {
    push(d(self->parent()), self->id(), job);
  }
  template <class Worker>
  caf::resumable* dequeue(Worker* self) {
    const coordinator_data& data = d(self->parent());
    if (!is_set_up_) set_up(data.config.options(), self->id());
    return static_cast<caf::resumable*>(data.queues[self->id()]->pop());
  }
  template <class Worker, class UnaryFunction>
  void foreach_resumable(Worker* /*self*/, UnaryFunction /*visit*/) {}
  template <class Coordinator, class UnaryFunction>
  void foreach_central_resumable(Coordinator* self, UnaryFunction visit) {
    for (const auto& queue : d(self).queues)
      while (void* const job = queue->try_pop()) visit(static_cast<caf::resumable*>(job));
  }

 private:
  static std::size_t home_of(const coordinator_data& data, caf::resumable* job) {
    if (data.queues.size() == 1) return 0;
    const auto* const member = dynamic_cast<const WorkerMember*>(job);
    return member != nullptr ? member->worker() : 0;
  }
  static void push(const coordinator_data& data, std::size_t worker, caf::resumable* job) {
    data.queues[worker]->push(job);
  }

  /// Gives the calling thread its name and its core.
  void set_up(const RuntimeOptions& options, std::size_t worker) {
    is_set_up_ = true;
    constexpr std::size_t kNameMax = 15;
    const std::string number = "-" + std::to_string(worker);
    const std::string name = options.thread_name.substr(0, kNameMax - number.size()) + number;
    pthread_setname_np(pthread_self(), name.c_str());
    if (options.cores.empty()) return;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<unsigned>(options.cores[worker % options.cores.size()]), &cores);
    pthread_setaffinity_np(pthread_self(), sizeof(cores), &cores);
  }

  bool is_set_up_ = false;
};

}  // namespace

struct ActorRuntime::Implementation {
  Implementation(QueryParts query_parts, RuntimeOptions runtime_options,
                 RuntimeEvents runtime_events)
      : parts(std::move(query_parts)),
        options(std::move(runtime_options)),
        events(std::move(runtime_events)),
        config(options, parts),
        system(config.load<caf::scheduler::coordinator<WorkerPolicy>>()) {
    const SystemVisit visit;
  }

  void spawn_tasks(const PostEvent& post);
  void shut_down();

  QueryParts parts;
  RuntimeOptions options;
  RuntimeEvents events;
  std::unique_ptr<CommitThread> commits;
  std::unique_ptr<CommitThread> plans;  ///< null: plans are the commit thread's too. Dies first
  RuntimeConfig config;
  caf::actor_system system;
  std::vector<caf::actor> tasks;
  caf::actor coordinator;  ///< kept after its end: what is posted then is dropped by CAF
  bool is_down = false;
};

ActorRuntime::ActorRuntime(QueryParts parts, RuntimeOptions options, RuntimeEvents events)
    : implementation_(std::make_unique<Implementation>(std::move(parts), std::move(options),
                                                       std::move(events))) {}

ActorRuntime::~ActorRuntime() { shut_down(); }

void ActorRuntime::start() {
  Implementation& self = *implementation_;
  MILLRACE_ASSERT(!self.coordinator && !self.is_down);
  const SystemVisit visit;
  const PostEvent post_event = [this](CoordinatorEvent event) { post(std::move(event)); };
  const Status begun = self.parts.committer->begin();
  if (self.parts.plans_apart)
    self.plans = std::make_unique<CommitThread>(std::move(self.parts.planner), post_event);
  self.commits =
      std::make_unique<CommitThread>(std::move(self.parts.committer), std::move(self.parts.planner),
                                     post_event, self.events.committed);
  // The task actors exist before the coordinator but are not woken before it: what a task posts
  // has somewhere to go.
  self.spawn_tasks(post_event);
  CommitThread* const plans = self.plans ? self.plans.get() : self.commits.get();
  self.coordinator = self.system.spawn<CoordinatorActor>(&self.parts, self.commits.get(), plans,
                                                         self.tasks, self.events);
  self.parts.connect(post_event);
  if (!begun) return post_event(QueryFailed{begun.error()});
  for (std::size_t number = 0; number < self.tasks.size(); ++number) {
    static_cast<TaskActor*>(caf::actor_cast<caf::abstract_actor*>(self.tasks[number]))
        ->connect_waker();
    self.parts.tasks[number]->waker().wake();
  }
}

void ActorRuntime::add_task(std::unique_ptr<Task> task) {
  Implementation& self = *implementation_;
  MILLRACE_ASSERT(self.coordinator && !self.is_down);
  const SystemVisit visit;
  const PostEvent post_event = [this](CoordinatorEvent event) { post(std::move(event)); };
  Task& added = self.parts.add(std::move(task), post_event);
  JoinedPartition partition = added.partition();
  const std::size_t worker = self.tasks.size() % self.config.workers();
  self.tasks.push_back(self.system.spawn<TaskActor>(&added, post_event, worker));
  caf::anon_send(self.coordinator, AddTask{self.tasks.back(), std::move(partition)});
}

void ActorRuntime::Implementation::spawn_tasks(const PostEvent& post) {
  for (std::size_t number = 0; number < parts.tasks.size(); ++number)
    tasks.push_back(
        system.spawn<TaskActor>(parts.tasks[number].get(), post, number % config.workers()));
}

void ActorRuntime::post(CoordinatorEvent event) {
  caf::anon_send(implementation_->coordinator, CoordinatorMessage{std::move(event)});
}

void ActorRuntime::shut_down() { implementation_->shut_down(); }

void ActorRuntime::Implementation::shut_down() {
  if (is_down) return;
  is_down = true;
  const SystemVisit visit;
  {
    caf::scoped_actor waiter{system};
    for (const caf::actor& task : tasks) caf::anon_send_exit(task, caf::exit_reason::user_shutdown);
    waiter->wait_for(tasks);
    if (coordinator) {
      caf::anon_send_exit(coordinator, caf::exit_reason::user_shutdown);
      waiter->wait_for(coordinator);
    }
  }
  // No actor steps a task any more. The planner may be asking a source; behind that the clients may
  // stop, and then nobody posts any more.
  if (plans) plans->stop();
  if (parts.decider != nullptr) parts.decider->give_up();
  if (commits) commits->stop();
  parts.close();
}

QueryParts& ActorRuntime::parts() { return implementation_->parts; }

}  // namespace millrace::actors
