#pragma once

#include "millrace/memory.hpp"
#include "millrace/query.hpp"
#include "millrace/test.hpp"

#include "formats/json_document.hpp"
#include "tests/golden/case_run.hpp"
#include "tests/golden/plan_builder.hpp"

#include <optional>
#include <string>
#include <vector>

namespace millrace::golden {

/// The world of one case: a test bed with its tables, and the query, which may be stopped and
/// started again. One thread.
class QueryHost {
 public:
  QueryHost(const formats::JsonValue& golden, const RunSettings& settings);

  /// Starts the query where its checkpoint says. Everything that can be refused is. kNotSupported
  /// also for a setting of the case that the engine does not know.
  [[nodiscard]] Status start(const formats::JsonValue& query);
  /// Lets the query commit what it read, and ends it; one that failed is just dropped.
  [[nodiscard]] Status stop();
  /// Ends the query as a crash would and starts it again from its checkpoint.
  [[nodiscard]] Status restart() { return bed_.restart(); }
  /// Adds rows of a case to a stream.
  [[nodiscard]] Status add(const std::string& source, const formats::JsonValue& rows);
  /// Runs everything there is to read, and commits it as an epoch; a query that fails does not.
  [[nodiscard]] Status run_epoch();
  /// Sets the clock to that time, and runs what is due then.
  [[nodiscard]] Status run_until(std::int64_t clock_ms);

  [[nodiscard]] bool is_running() const;
  /// Why the query that was started last has failed.
  [[nodiscard]] std::optional<Error> failure() const;
  /// The columns that reach the sink.
  [[nodiscard]] Schema output() const { return sink_.schema(); }
  /// Rows written since the last call.
  [[nodiscard]] std::vector<Row> take_rows() { return sink_.take_rows(); }

 private:
  Status apply_settings();
  Status create_tables();

  const formats::JsonValue& golden_;
  const RunSettings& settings_;
  test::TestBed bed_;
  GoldenTables tables_;
  MemorySink sink_{"out"};
  bool is_prepared_ = false;
  std::optional<Query> query_;
};

}  // namespace millrace::golden
