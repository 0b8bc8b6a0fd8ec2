#include "session/resume_opening.hpp"

#include "operators/table_hash.hpp"

#include <fmt/format.h>

#include <utility>

namespace millrace::session {
namespace {

std::string history_key(const std::string& source, const std::string& partition) {
  return source + "/" + partition;
}

}  // namespace

void ResumeOpening::add_table(const std::string& name, const operators::StaticTable& table) {
  tables_[name] = fmt::format("{:016x}", operators::hash_rows(table));
}

void ResumeOpening::note_new_history(const std::string& source, const std::string& partition) {
  const std::string key = history_key(source, partition);
  const auto& known = checkpoint_.metadata().histories;
  const auto found = known.find(key);
  histories_[key] = (found == known.end() ? 0 : found->second) + 1;
}

std::string history_name(const std::map<std::string, std::int64_t>& histories,
                         const std::string& source, const std::string& partition) {
  const auto found = histories.find(history_key(source, partition));
  return found == histories.end() ? partition : fmt::format("{}#{}", partition, found->second);
}

stream::OutputEnds ResumeOpening::newest_ends() const {
  stream::OutputEnds ends = restart_.start ? restart_.start->outputs : stream::OutputEnds();
  if (!restart_.committed) return ends;
  for (const auto& [topic, output] : restart_.committed->prepared.output_positions)
    for (const auto& [partition, newest] : output.acknowledged) ends[topic][partition] = newest + 1;
  return ends;
}

Status ResumeOpening::run() {
  stream::ResumePoint point;
  point.checkpoint_id = checkpoint_.metadata().checkpoint_id;
  point.generation = checkpoint_.metadata().generation;
  point.from = newest_ends();
  point.partitions = checkpoint_.metadata().output_partitions;
  point.is_first_start = is_first_start_;
  bool has_written = !restart_.open.empty();
  std::map<std::string, std::int32_t> now;
  for (const auto& [name, sink] : sinks_) {
    MILLRACE_ASSIGN(const stream::Resumption found, sink->resume(point));
    has_written = has_written || found.has_written;
    now.insert(found.partitions.begin(), found.partitions.end());
  }
  MILLRACE_TRY(check_tables(has_written));
  if (has_written && restart_.has_other_steps) {
    return fail(ErrorCode::kConflict,
                fmt::format("checkpoint {}: the query has changed while records behind its newest "
                            "commit are written, and exactly_once = 'resume' could not tell them "
                            "from what it makes now; start it as it was once, stop it, and then "
                            "start it as it is",
                            checkpoint_.folder()));
  }
  state::CheckpointMetadata metadata = checkpoint_.metadata();
  for (const auto& [key, number] : histories_) metadata.histories[key] = number;
  metadata.tables = tables_;
  if (!has_written) metadata.output_partitions = now;
  if (metadata == checkpoint_.metadata()) return {};
  MILLRACE_TRY(checkpoint_.write_metadata(std::move(metadata)));
  if (has_written) return {};
  // Nothing is written behind the commit: the new numbers count from here on.
  point.partitions = std::move(now);
  point.is_first_start = true;
  for (const auto& [name, sink] : sinks_) MILLRACE_TRY(sink->resume(point));
  return {};
}

Status ResumeOpening::check_tables(bool has_written) const {
  if (!has_written) return {};
  for (const auto& [name, fingerprint] : checkpoint_.metadata().tables) {
    const auto found = tables_.find(name);
    if (found == tables_.end() || found->second == fingerprint) continue;
    return fail(ErrorCode::kConflict,
                fmt::format("checkpoint {}: the rows of table {} have changed while records behind "
                            "the newest commit are written, and exactly_once = 'resume' could not "
                            "tell them from what it makes now; start with the old rows once, stop, "
                            "and then start with the new ones",
                            checkpoint_.folder(), name));
  }
  return {};
}

}  // namespace millrace::session
