#pragma once

#include "session/query_builder.hpp"
#include "session/query_launcher.hpp"
#include "state/disk.hpp"
#include "stream/plan/physical_plan.hpp"

#include <cstddef>
#include <cstdint>

namespace millrace::session {

/// Where and how a query is opened, whatever runs it. The disk outlives the query.
struct OpeningPlace {
  state::Disk* disk = nullptr;
  std::uint64_t seed = 0;                ///< of checkpoint and attempt ids
  std::size_t rows_max = kBatchRowsMax;  ///< rows in a source's batches
};

/// Opens the real connectors and static tables, recovers from the checkpoint and primes: all of a
/// launch but the runtime. Nothing has been read when it returns.
[[nodiscard]] Result<BuiltQuery> open_query(stream::PhysicalPlan plan,
                                            const QuerySettings& settings,
                                            const QueryEnvironment& environment,
                                            const OpeningPlace& place);

}  // namespace millrace::session
