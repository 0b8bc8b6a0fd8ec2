#include "session/task_builder.hpp"

#include "millrace/assert.hpp"

#include "operators/chain.hpp"

#include <utility>

namespace millrace::session {

stream::Sink* TaskBuilder::sink_of(const std::string& table) const {
  const auto found = sinks_.find(table);
  return found == sinks_.end() ? nullptr : found->second;
}

Result<BuiltTask> TaskBuilder::build(std::size_t chain, stream::Source& source,
                                     const stream::SourcePartition& partition, TaskStart start) {
  const stream::ChainSpec& spec = chains_[chain];
  MILLRACE_ASSIGN(std::unique_ptr<stream::SourceReader> reader,
                  source.open_reader(partition, start.position, spec.source.record_columns));
  if (!start.memo.empty()) MILLRACE_TRY(reader->recall(start.memo));
  auto input =
      std::make_unique<actors::SourceInput>(source_name(chain), partition, std::move(reader),
                                            std::move(start.replay), rows_max_, start.end, drive_);

  BuiltTask built;
  built.metrics = std::make_unique<operators::StageMetrics>();
  std::vector<stream::SinkWriter*> writers;
  std::uint32_t number = static_cast<std::uint32_t>(chain) << 16U;
  operators::ChainContext context;
  context.clock = &clock_;
  context.metrics = built.metrics.get();
  context.metrics->source = source_name(chain);
  context.source = source_name(chain);
  context.bad_record_spec = spec.bad_records;
  context.bad_record_log = bad_record_log_;
  context.first_epoch = start.first_epoch;
  context.static_table = connectors_.load_table;
  context.table_versions = connectors_.table_versions;
  context.open_writer =
      [&](const stream::SinkSpec& sink_spec) -> Result<std::unique_ptr<stream::SinkWriter>> {
    stream::Sink* const sink = sink_of(sink_spec.table.name);
    MILLRACE_ASSERT(sink != nullptr);
    MILLRACE_ASSIGN(std::unique_ptr<stream::SinkWriter> writer,
                    sink->open_writer(sink_spec.schema));
    const stream::WriterPlace place{number++, source_name(chain), partition.name};
    if (sink_spec.delivery == "resume") MILLRACE_TRY(resume(*writer, place));
    writers.push_back(writer.get());
    return writer;
  };
  MILLRACE_ASSIGN(std::unique_ptr<operators::Chain> operators,
                  operators::Chain::build(spec.nodes, context));
  built.task = std::make_unique<actors::Task>(TaskId(next_id_++), partition.name, std::move(input),
                                              std::move(operators), std::move(writers),
                                              std::vector<actors::Channel*>{});
  return built;
}

Status TaskBuilder::resume(stream::SinkWriter& writer, stream::WriterPlace place) const {
  MILLRACE_ASSERT(history_name_);
  place.partition = history_name_(place.source, place.partition);
  return writer.resume_as(place);
}

}  // namespace millrace::session
