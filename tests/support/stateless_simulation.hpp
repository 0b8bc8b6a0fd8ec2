#pragma once

#include "stream/physical_plan.hpp"
#include "stream/sink.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace millrace::support {

/// What one seed's run came to.
struct SimulationResult {
  std::string fault;  ///< empty: nothing lost, order kept, the query ended cleanly
  int crashes = 0;
  int epochs = 0;  ///< committed over all lives
};

/// Faults to put in on purpose, so that a test can show that the simulation notices them.
struct SimulationMutation {
  /// Wraps the sink of every life; empty: as it is.
  std::function<std::unique_ptr<stream::Sink>(std::unique_ptr<stream::Sink>)> wrap_sink;
};

/// The plan that is simulated: clicks (JSON) -> filter -> enriched (JSON).
[[nodiscard]] stream::PhysicalPlan simulated_plan();

/// Runs a whole query from seed to end in the inline runtime over a lying disk and an honest
/// broker: partitions, batch size, input, order of steps, acknowledgements, crashes of the process
/// and of the machine, all drawn from `seed`; then audits the output record by record.
[[nodiscard]] SimulationResult simulate_stateless(std::uint64_t seed,
                                                  const SimulationMutation& mutation = {});

}  // namespace millrace::support
