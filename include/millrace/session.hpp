#pragma once

#include "millrace/clock.hpp"
#include "millrace/data_frame.hpp"
#include "millrace/error.hpp"
#include "millrace/log.hpp"
#include "millrace/options.hpp"
#include "millrace/query.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

class HostTable;

/// Called once per committed epoch with that epoch's record, on a thread of the query that moves
/// no rows. Must not block for long: the next commit waits for it. What it throws is logged.
using ProgressFunction = std::function<void(const QueryProgress&)>;

/// A query as listeners are told of it.
struct QueryNotice {
  std::string id;      ///< of its checkpoint
  std::string run_id;  ///< of this start
  std::string name;
  WallTime timestamp{};
};

/// Is told of the life of a session's queries. `on_started` is called within the query's start,
/// on its thread (a start that follows a failure: as the others); the others on one thread that is
/// there for listeners alone, in order, so that nothing waits for them but the next call. Of one
/// that is too slow some calls of `on_progress` and `on_idle` are left out, which is logged. What a
/// function throws is logged, and the query goes on.
class QueryListener {
 public:
  virtual ~QueryListener() = default;
  virtual void on_started(const QueryNotice& /*query*/) {}
  /// An epoch is committed.
  virtual void on_progress(const QueryProgress& /*progress*/) {}
  /// There was nothing to do for ten seconds, or ten more.
  virtual void on_idle(const QueryNotice& /*query*/) {}
  /// It failed, and starts again so many ms from now, as another run (setting restart).
  virtual void on_restarting(const QueryNotice& /*query*/, const Error& /*cause*/,
                             std::int64_t /*delay_ms*/) {}
  /// It has ended, with its cause when it was not stopped or done. The last call for a query.
  virtual void on_terminated(const QueryNotice& /*query*/, const std::optional<Error>& /*cause*/) {}
};

/// What a session is made with; every part has a default.
struct SessionConfig {
  Options settings;              ///< as for Session::set
  LogFunction log;               ///< none: silence
  ProgressFunction progress;     ///< none: nobody is told
  const Clock* clock = nullptr;  ///< a borrow that outlives the session; null: the host's clock
};

/// The door to the library: tables, settings and running queries of one program. A program needs
/// one, may have several. Functions may be called from any thread, one at a time.
///
///     millrace::Session session({.log = to_standard_error});
///     MILLRACE_TRY(session.set("checkpoint_location", "chk"));
///     auto clicks = session.read_stream("kafka")....load();
///
/// Settings, for every query started after they are set:
///
///   checkpoint_location  folder that queries recover from, in a sub-folder of their name. Not set:
///                        nothing is kept, and every start begins at the starting offsets.
///   trigger              when an epoch ends: 'real_time 5 seconds' (the default), 10 ms and up.
///   wait_policy          what a worker thread without rows does: 'park' (the default) sleeps,
///                        'adaptive' looks for 50 µs before it sleeps, 'spin' never sleeps and
///                        keeps a core busy.
///   task_threads         worker threads of a query: '1' (the default) steps all its tasks, more
///                        share them, 'per_task' makes one for each.
///   task_thread_name     what they are called, '-' and a number behind it: 'millrace'.
///   task_cores           the cores they are pinned to, in turn: '0,1'. Not set: nowhere.
///   stop_timeout         how long a stop may drain: '30 seconds'.
///   restart              'on_failure': a query that fails for a reason that may pass (a broker, a
///                        disk) starts again by itself, from its checkpoint; 'never' is the
///                        default.
///   restart_delay        before the first restart: '1 second'; before each further one twice as
///                        long as before the last, up to restart_delay_max: '1 minute'.
///   restart_reset_after  a run of this length makes the next delay the first: '10 minutes'.
///   async_progress       'true': an epoch that is planned is read before it is written down what
///   it
///                        reads; not with exactly-once sinks. 'false' is the default.
///   recent_progress      records of epochs that Query::recent_progress keeps: '100', up to 10,000.
///   query_name           the next query's name; default: its sink table.
///   time_zone            the zone of texts and dates that become timestamps and the other way
///                        round: 'Europe/Berlin', '+02:00'; 'UTC' is the default.
///   ansi                 'false': a row that cannot be computed is no error, integers wrap and
///                        anything else is null; 'true' is the default.
class Session {
 public:
  Session();
  explicit Session(SessionConfig config);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  /// Ends what still runs, at once and without a commit: stop queries first for a clean end.
  ~Session();

  /// Changes a setting. Unknown names and wrong values are refused, naming what is accepted.
  [[nodiscard]] Status set(std::string_view name, std::string_view value);

  /// Makes a table known by name, as CREATE TABLE does. Only its connector and options are checked.
  [[nodiscard]] Status create_table(std::string name, std::string connector,
                                    std::vector<Field> columns, Options options);
  /// The same for a table whose rows this program holds: memory.hpp, channel.hpp.
  [[nodiscard]] Status create_table(const HostTable& table);
  /// A frame over a table of the session, stream or static. Unknown names show at the start.
  [[nodiscard]] DataFrame table(std::string name) const;
  /// Describes a source that is read without end.
  [[nodiscard]] TableReader read_stream(std::string_view format = "") const;
  /// A frame over a stream whose rows this program gives itself.
  [[nodiscard]] DataFrame read_stream(const HostTable& table) const;
  /// Describes a static table, read once when a query starts.
  [[nodiscard]] TableReader read(std::string_view format = "") const;
  /// A frame over a static table that this program holds.
  [[nodiscard]] DataFrame read(const HostTable& table) const;

  /// Every query started here, also those that ended.
  [[nodiscard]] std::vector<Query> queries() const;
  /// Makes every start that is waiting (for a broker, say) give up with kCancelled, and stops every
  /// query. The first error of a stop is returned. Callable from any thread at any time.
  [[nodiscard]] Status stop_all();

  /// Adds a listener, for queries started from now on and those that run.
  void add_listener(std::shared_ptr<QueryListener> listener);
  /// Removes it; no call is under way when this returns, unless it is called by a listener.
  void remove_listener(const std::shared_ptr<QueryListener>& listener);

  /// The implementation's part, for the SQL front end.
  [[nodiscard]] const std::shared_ptr<SessionShared>& shared() const { return shared_; }

 private:
  std::shared_ptr<SessionShared> shared_;
};

}  // namespace millrace
