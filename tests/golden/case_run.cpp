#include "tests/golden/case_run.hpp"

#include "tests/golden/case_json.hpp"
#include "tests/golden/expected_error.hpp"
#include "tests/golden/plan_builder.hpp"
#include "tests/golden/query_host.hpp"
#include "tests/golden/rows_comparison.hpp"
#include "tests/golden/value_reader.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string_view>

namespace millrace::golden {

namespace {

using formats::JsonValue;

Verdict failed(std::string reason) { return {Verdict::Kind::kFailed, std::move(reason)}; }
Verdict skipped(std::string reason) { return {Verdict::Kind::kSkipped, std::move(reason)}; }
Verdict judged(std::string fault) { return fault.empty() ? Verdict() : failed(std::move(fault)); }

bool is_passed(const Verdict& verdict) { return verdict.kind == Verdict::Kind::kPassed; }

/// Runs a case from its first step to its last.
class CaseRun {
 public:
  CaseRun(const JsonValue& golden, const RunSettings& settings)
      : golden_(golden), settings_(settings), host_(golden, settings) {}

  Verdict run() {
    if (auto reason = reason_to_skip(); !reason.empty()) return skipped(std::move(reason));
    if (const JsonValue* const refusal = golden_.find("expect_error")) return be_refused(*refusal);
    const JsonValue* const steps = golden_.find("steps");
    if (steps == nullptr || list_in(*steps).empty()) return failed("the case has no step");
    Verdict verdict = start(member_of(golden_, "query"), nullptr);
    for (std::size_t i = 0; is_passed(verdict) && i < steps->size(); ++i) {
      verdict = run_step(steps->as_array()[i]);
      if (!is_passed(verdict)) verdict.reason = "step " + std::to_string(i) + ": " + verdict.reason;
    }
    return verdict;
  }

 private:
  // What the case asks for beside its query.
  [[nodiscard]] std::string reason_to_skip() const {
    constexpr auto kKnown = std::to_array<std::string_view>(
        {"name", "about", "rules", "sources", "statics", "query", "output_mode", "trigger",
         "clock_ms", "conf", "output_schema", "ordered", "steps", "expect_error", "stateful",
         "providers"});
    for (const auto& [name, value] : object_in(golden_))
      if (std::ranges::find(kKnown, name) == kKnown.end())
        return "the case has a member " + name + ", which is not known";
    if (golden_.get_boolean("stateful").value_or(false)) return "state is not built";
    if (const JsonValue* const trigger = golden_.find("trigger")) {
      const std::string kind = trigger->get_string("kind").value_or("");
      if (kind != "interval") return "trigger " + kind + " is not built";
      if (settings_.drive != "planned") return "trigger interval is of the planned drive";
    }
    if (golden_.get_string("output_mode").value_or("") == "complete")
      return "output mode complete is not built";
    return "";
  }

  /// Sees the query refused before anything runs: what an error beside the steps means.
  Verdict be_refused(const JsonValue& expected) {
    const Verdict verdict = start(member_of(golden_, "query"), &expected);
    if (!is_passed(verdict) || !host_.is_running()) return verdict;
    return failed("not refused; expected " + expected.dump());
  }

  /// Starts the query. With an expected error it may be refused, but only for that.
  Verdict start(const JsonValue& query, const JsonValue* expected_error) {
    const Status started = host_.start(query);
    if (!started && started.error().code == ErrorCode::kNotSupported)
      return skipped(started.error().message);
    if (!started && expected_error == nullptr) return failed("refused: " + started.error().message);
    if (!started) return judged(mismatch_of(*expected_error, Moment::kStart, started.error()));
    if (expected_error != nullptr && expected_error->get_string("when").value_or("") == "start")
      return failed("not refused; expected " + expected_error->dump());
    return &query == &last_query() ? judged(schema_fault()) : Verdict();
  }

  // The case says the columns of the query that runs last.
  [[nodiscard]] const JsonValue& last_query() const {
    const JsonValue* last = &member_of(golden_, "query");
    const JsonValue* const steps = golden_.find("steps");
    if (steps == nullptr) return *last;
    for (const JsonValue& step : list_in(*steps)) {
      const JsonValue* const restart = step.find("restart");
      const JsonValue* const query = restart == nullptr ? nullptr : restart->find("query");
      if (query != nullptr) last = query;
    }
    return *last;
  }

  [[nodiscard]] std::string schema_fault() const {
    const JsonValue* const expected = golden_.find("output_schema");
    if (expected == nullptr) return "the case has no output_schema";
    const auto columns = read_schema(*expected);
    if (!columns) return columns.error().message;
    const Schema wanted(*columns);
    const Schema got = host_.output();
    if (wanted == got) return "";
    return "expected the columns " + wanted.to_string() + ", got " + got.to_string();
  }

  Verdict run_step(const JsonValue& step) {
    constexpr auto kBuilt =
        std::to_array<std::string_view>({"add", "batches", "clock_ms", "expect_error", "restart"});
    for (const auto& [name, value] : object_in(step))
      if (std::ranges::find(kBuilt, name) == kBuilt.end())
        return skipped("step " + name + " is not built");
    if (const JsonValue* const restart = step.find("restart")) {
      Verdict verdict = restart_query(*restart, step.find("expect_error"));
      if (!is_passed(verdict) || !host_.is_running()) return verdict;
    }
    if (const Status added = add(step); !added) return failed(added.error().message);
    const JsonValue* const clock = step.find("clock_ms");
    const Status ran = clock == nullptr ? host_.run_epoch() : host_.run_until(integer_in(*clock));
    if (!ran) return failed(ran.error().message);
    Verdict verdict = judged(step_fault(step));
    if (!is_passed(verdict) || !settings_.restarts_every_epoch || !host_.is_running())
      return verdict;
    const Status restarted = host_.restart();
    return restarted ? verdict : failed("restart: " + restarted.error().message);
  }

  Verdict restart_query(const JsonValue& restart, const JsonValue* expected_error) {
    for (const auto& [name, value] : object_in(restart))
      if (name != "add" && name != "query") return skipped("restart " + name + " is not built");
    if (const Status stopped = host_.stop(); !stopped) return failed(stopped.error().message);
    if (const Status added = add(restart); !added) return failed(added.error().message);
    const JsonValue* const query = restart.find("query");
    if (query != nullptr) query_ = query;
    return start(query_ != nullptr ? *query_ : member_of(golden_, "query"), expected_error);
  }

  Status add(const JsonValue& step) {
    const JsonValue* const added = step.find("add");
    if (added == nullptr) return {};
    for (const auto& [source, rows] : object_in(*added)) MILLRACE_TRY(host_.add(source, rows));
    return {};
  }

  /// What the rows and errors of a step have against them.
  std::string step_fault(const JsonValue& step) {
    std::vector<Row> expected;
    if (const JsonValue* const batches = step.find("batches")) {
      for (const JsonValue& batch : list_in(*batches)) {
        auto rows = read_rows(member_of(batch, "rows"), host_.output().fields());
        if (!rows) return rows.error().message;
        expected.insert(expected.end(), rows->begin(), rows->end());
      }
    }
    const std::vector<Row> got = host_.take_rows();
    const JsonValue* const error = step.find("expect_error");
    const std::optional<Error> failure = host_.failure();
    if (error == nullptr && failure) return "the query failed: " + failure->message;
    if (error != nullptr && !failure) return "no error; expected " + error->dump();
    const bool is_ordered = golden_.get_boolean("ordered").value_or(false);
    auto difference =
        difference_of(expected, got, is_ordered ? RowOrder::kAsExpected : RowOrder::kAny);
    if (error == nullptr || !difference.empty()) return difference;
    return mismatch_of(*error, Moment::kRun, *failure);
  }

  const JsonValue& golden_;
  const RunSettings& settings_;
  QueryHost host_;
  const JsonValue* query_ = nullptr;  ///< the newest query of a restart
};

}  // namespace

Verdict run_case(const JsonValue& golden, const RunSettings& settings) {
  try {
    return CaseRun(golden, settings).run();
  } catch (const std::exception& malformed) {
    return failed(std::string("the case cannot be read: ") + malformed.what());
  }
}

}  // namespace millrace::golden
