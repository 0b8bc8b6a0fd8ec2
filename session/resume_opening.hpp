#pragma once

#include "millrace/error.hpp"

#include "operators/static_table.hpp"
#include "state/checkpoint.hpp"
#include "stream/sink.hpp"
#include "stream/source.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace millrace::session {

/// Opens the sinks of one query that write exactly once by resuming: tells them where to look for
/// what was written behind the newest commit, and makes durable, before the first record, what
/// decides where and what a row becomes: how many partitions records are spread over, the rows of
/// static tables, and which history of its source partition an offset belongs to. Those may change
/// only when nothing was written behind the newest commit. Lives for one start; sinks, sources and
/// checkpoint are borrows.
class ResumeOpening {
 public:
  ResumeOpening(state::Checkpoint& checkpoint, const state::RestartPoint& restart,
                bool is_first_start)
      : checkpoint_(checkpoint), restart_(restart), is_first_start_(is_first_start) {}

  /// One of the sinks.
  void add_sink(const std::string& name, stream::Sink& sink) { sinks_.emplace_back(name, &sink); }
  /// A static table that records are made with.
  void add_table(const std::string& name, const operators::StaticTable& table);
  /// A source partition whose history ended: what was read of it before means nothing now.
  void note_new_history(const std::string& source, const std::string& partition);

  /// kConflict when something has changed that may not, naming it and what to do.
  [[nodiscard]] Status run();

 private:
  [[nodiscard]] stream::OutputEnds newest_ends() const;
  [[nodiscard]] Status check_tables(bool has_written) const;

  state::Checkpoint& checkpoint_;
  const state::RestartPoint& restart_;
  const bool is_first_start_;
  std::vector<std::pair<std::string, stream::Sink*>> sinks_;
  std::map<std::string, std::string> tables_;  ///< name -> fingerprint
  std::map<std::string, std::int64_t> histories_;
};

/// The name under which a writer knows a source partition: with its history's number.
[[nodiscard]] std::string history_name(const std::map<std::string, std::int64_t>& histories,
                                       const std::string& source, const std::string& partition);

}  // namespace millrace::session
