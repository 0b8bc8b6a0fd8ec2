#pragma once

#include "millrace/clock.hpp"
#include "millrace/error.hpp"
#include "millrace/memory.hpp"
#include "millrace/query.hpp"
#include "millrace/session.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace millrace::test {

/// How a test bed runs queries; every part has a default.
struct TestBedConfig {
  Options settings = {};          ///< as for Session::set
  std::size_t batch_rows = 1024;  ///< rows that a source puts into one batch: 1 to 1,024
  std::uint64_t seed = 1;         ///< of the order in which tasks and commits take their turns
  WallTime start{};               ///< what the clock says at first
};

/// Runs queries on the calling thread, one step at a time, on a clock that only the test moves, and
/// over a checkpoint in memory: so that a job is tested without a broker, without threads, without
/// files, and every run of the test is the same run. The very tasks, coordinator and checkpoint of
/// a real query run here; connectors that have threads of their own (Kafka) do not belong here. One
/// thread.
///
///     millrace::test::TestBed bed;
///     millrace::MemorySource orders("orders", {{"id", TypeKind::kInt64}});
///     millrace::MemorySink checked("checked");
///     auto query = my_job(bed.session().read_stream(orders)).write_stream().to(checked).start();
///     orders.add({Value::int64(7)});
///     bed.run();
///     EXPECT_EQ(checked.rows(), ...);
class TestBed {
 public:
  explicit TestBed(TestBedConfig config = {});
  /// Ends what still runs, as a crash would.
  ~TestBed();
  TestBed(const TestBed&) = delete;
  TestBed& operator=(const TestBed&) = delete;

  /// Where the job is made and started. Its setting checkpoint_location is set; a query that was
  /// stopped and is started again under its name goes on from its checkpoint. Of a Query, `stop`,
  /// `close_epoch` and the await functions run all queries until nothing is left to do.
  [[nodiscard]] Session& session();
  [[nodiscard]] ManualClock& clock();

  /// Runs all queries until they have nothing left to do. kInternal when they do not come to rest.
  /// A query that fails is no error here: ask it (Query::exception).
  [[nodiscard]] Status run();
  /// Runs, moves the clock, lets every trigger look at it, and runs.
  [[nodiscard]] Status advance(std::chrono::milliseconds time);
  /// Runs, ends the open epoch of every query that is running, and commits it.
  [[nodiscard]] Status close_epoch();
  /// Ends every running query as a crash of the process would, and starts it again from its
  /// checkpoint. The handles stay good. Rows that were not committed are read again.
  [[nodiscard]] Status restart();

  /// What the library logged, a line each.
  [[nodiscard]] const std::vector<std::string>& log() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace millrace::test
