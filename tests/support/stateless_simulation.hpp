#pragma once

#include "stream/plan/physical_plan.hpp"
#include "stream/sink.hpp"
#include "stream/source.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace millrace::support {

/// What one seed's run came to.
struct SimulationResult {
  std::string fault;  ///< empty: nothing lost, order kept, the query ended cleanly
  int crashes = 0;
  int epochs = 0;   ///< committed over all lives
  int recalls = 0;  ///< readers that were given what they knew at a commit
};

/// Faults to put in on purpose, so that a test can show that the simulation notices them.
struct SimulationMutation {
  /// Wraps the sink of every life; empty: as it is.
  std::function<std::unique_ptr<stream::Sink>(std::unique_ptr<stream::Sink>)> wrap_sink;
  /// The same for its source.
  std::function<std::unique_ptr<stream::Source>(std::unique_ptr<stream::Source>)> wrap_source;
  /// The part of the checkpoint ("offsets") that nobody ever syncs; empty: none.
  std::string unsynced_part;
  /// Sinks that resume note how far they are acknowledged before all that was written behind the
  /// newest commit has come again.
  bool tells_ends_early = false;
  /// Every seed resumes, so that a fault of that shows.
  bool always_resumes = false;
  /// Every seed writes by transactions.
  bool always_transacts = false;
  /// Who takes over does not hear of what was made visible.
  bool forgets_mark = false;
  /// Who takes over does not shut out the life before: its commits may still arrive.
  bool lets_the_dead_decide = false;
};

/// What the pipeline has beside its filter.
struct SimulatedShape {
  bool joins = false;      ///< with a static table, which gives each row a label
  bool copies = false;     ///< a second sink at the end of the tree gets the same rows
  bool resumes = false;    ///< its sinks, that of letters included, write exactly once by resuming
  bool transacts = false;  ///< they do so by transactions
};

/// A plan that is simulated: clicks (JSON) -> filter [-> join] -> enriched [and copies] (JSON), and
/// what is not JSON -> letters.
[[nodiscard]] stream::PhysicalPlan simulated_plan(SimulatedShape shape = {});

/// Runs a whole query from seed to end in the inline runtime over a lying disk and a broker that
/// keeps what it has acknowledged, and lies about commits: the pipeline's shape, partitions, batch
/// size, where it begins to read, input, order of steps, acknowledgements, crashes of the process
/// and of the machine, all drawn from `seed`; then audits the output record by record, and that an
/// epoch which was closed before a crash runs again over the same records.
[[nodiscard]] SimulationResult simulate_stateless(std::uint64_t seed,
                                                  const SimulationMutation& mutation = {});

}  // namespace millrace::support
