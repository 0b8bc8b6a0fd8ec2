#include "tests/support/stateless_simulation.hpp"

#include "millrace/assert.hpp"
#include "millrace/expression.hpp"

#include "actors/inline_runtime.hpp"
#include "formats/json_document.hpp"
#include "operators/static_table.hpp"
#include "session/query_builder.hpp"
#include "state/checkpoint.hpp"
#include "stream/plan/expression_binder.hpp"
#include "tests/support/forwarding_sink.hpp"
#include "tests/support/lying_disk.hpp"
#include "tests/support/simulated_broker.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace millrace::support {

namespace {

constexpr const char* kFolder = "chk/enriched";
constexpr int kCrashesMax = 12;
constexpr const char* kIdentity = R"({"sources":["clicks"]})";

/// Source partition and offset of every record that was written, by epoch.
using WrittenRecords = std::map<Epoch, std::set<std::pair<std::int32_t, std::int64_t>>>;

/// Notes what a writer is given.
class WitnessWriter final : public ForwardingWriter {
 public:
  WitnessWriter(std::unique_ptr<stream::SinkWriter> inner, WrittenRecords& written)
      : ForwardingWriter(std::move(inner)), written_(written) {}

  Status write(const Batch& rows, Epoch epoch) override {
    for (std::size_t row = 0; row < rows.rows(); ++row)
      written_[epoch].emplace(rows.origin()->partition, rows.positions()[row]);
    return ForwardingWriter::write(rows, epoch);
  }

 private:
  WrittenRecords& written_;
};

class WitnessSink final : public ForwardingSink {
 public:
  WitnessSink(std::unique_ptr<stream::Sink> inner, WrittenRecords& written)
      : ForwardingSink(std::move(inner)), written_(written) {}

  Result<std::unique_ptr<stream::SinkWriter>> open_writer(SchemaRef schema) override {
    MILLRACE_ASSIGN(auto writer, ForwardingSink::open_writer(std::move(schema)));
    return std::make_unique<WitnessWriter>(std::move(writer), written_);
  }

 private:
  WrittenRecords& written_;
};

/// Each kind of event and its label.
Result<std::shared_ptr<const operators::StaticTable>> label_table(
    const stream::StaticJoinSpec& spec) {
  formats::TableRows table(make_schema(spec.table_schema));
  for (const std::string_view kind : {"purchase", "view", "other"}) {
    table.columns[0].append(kind);
    table.columns[1].append(std::string_view("seen"));
  }
  table.rows = 3;
  return operators::StaticTable::build(std::move(table), spec.table_keys, spec.null_safe_keys);
}

/// One life after another of one query, over the same disk and broker.
class Simulation {
 public:
  Simulation(std::uint64_t seed, const SimulationMutation& mutation)
      : random_(seed),
        mutation_(mutation),
        disk_(seed + 1),
        partitions_(1 + static_cast<std::int32_t>(draw(4))),
        records_(20 + draw(120)),
        rows_max_(std::vector<std::size_t>{1, 2, 7, 1024}[draw(4)]),
        deliver_in_thousand_(std::vector<int>{10, 50, 300}[draw(3)]),
        begins_at_latest_(happens(500)),
        shape_(draw_shape()) {
    broker_.create_topic("clicks", partitions_);
    broker_.create_topic("enriched", 1 + static_cast<std::int32_t>(draw(3)));
    broker_.create_topic("copies", 1 + static_cast<std::int32_t>(draw(3)));
    broker_.create_topic("letters", 1);
    if (mutation_.tells_ends_early) broker_.tell_ends_early();
    if (mutation_.forgets_mark) broker_.forget_marks();
    if (mutation_.lets_the_dead_decide) broker_.let_the_dead_decide();
    if (!mutation_.unsynced_part.empty())
      disk_.ignore_syncs_of(std::string(kFolder) + "/" + mutation_.unsynced_part);
    // What is there before the first start is read from `earliest` on, and never from `latest` on.
    for (std::uint64_t old = draw(20); old > 0; --old) produce(!begins_at_latest_);
  }

  SimulationResult run() {
    do {
      live();
    } while (result_.fault.empty() && !(is_wanted_done_ && has_read_everything()));
    result_.recalls = broker_.recalls();
    if (result_.fault.empty()) audit("enriched");
    if (result_.fault.empty() && shape_.copies) audit("copies");
    if (result_.fault.empty()) audit_letters();
    return result_;
  }

 private:
  std::uint64_t draw(std::uint64_t below) { return random_() % below; }
  bool happens(int in_thousand) { return draw(1000) < static_cast<std::uint64_t>(in_thousand); }

  SimulatedShape draw_shape() {
    SimulatedShape shape{happens(500), happens(300)};
    const std::uint64_t delivery = draw(3);
    shape.transacts = mutation_.always_transacts || (delivery == 1 && !mutation_.always_resumes);
    shape.resumes = !shape.transacts && (delivery == 2 || mutation_.always_resumes);
    return shape;
  }

  /// What becomes of a commit.
  CommitFate draw_fate() {
    if (result_.crashes >= kCrashesMax || !happens(40)) return CommitFate::kDone;
    constexpr CommitFate kLies[] = {CommitFate::kLostReply, CommitFate::kHeld,
                                    CommitFate::kTimedOut};
    return kLies[draw(3)];
  }

  /// From a start to a crash, or to the clean stop that ends the simulation.
  void live() {
    is_wanted_done_ = false;
    note_open_epochs();
    if (happens(300)) disk_.stop_at(static_cast<std::int64_t>(draw(60)));
    Result<session::BuiltQuery> built = build();
    if (!built) {
      if (!disk_.is_stopped()) result_.fault = "start failed: " + built.error().message;
      return crash(true);
    }
    // The runtime's parts borrow the metrics: these are declared first, so that they die last.
    auto metrics = std::move(built->metrics);
    auto runtime = std::make_unique<actors::InlineRuntime>(std::move(built->parts), random_());
    const auto die = [&](bool with_the_machine) {
      note_committed(*runtime);
      runtime.reset();
      crash(with_the_machine);
    };
    // The power went while the start positions were written: nothing has begun, and nobody may
    // expect that what comes now is read.
    if (disk_.is_stopped()) return die(true);
    // A partition whose first fetch takes long.
    if (happens(300))
      broker_.stall("clicks",
                    static_cast<std::int32_t>(draw(static_cast<std::uint64_t>(partitions_))));
    // Where it begins may not have been written down: what comes before the next start is not its.
    if (disk_.is_stopped()) return die(true);
    bool is_stopping = false;
    for (int step = 0; step < 200'000; ++step) {
      act(*runtime, is_stopping);
      if (disk_.is_stopped()) return die(true);
      // Nobody knows what became of the epoch: the next life finds out.
      if (runtime->failure() && runtime->failure()->code == ErrorCode::kUnavailable)
        return die(false);
      if (runtime->has_ended()) return end(*runtime);
      if (result_.crashes < kCrashesMax && happens(4)) return die(happens(500));
    }
    result_.fault = "the query came to no end";
  }

  void act(actors::InlineRuntime& runtime, bool& is_stopping) {
    if (produced_ < records_ && happens(150)) produce(true);
    if (happens(10)) broker_.release();
    if (happens(deliver_in_thousand_)) broker_.deliver(1 + draw(8));
    if (happens(100)) {
      clock_.advance_us(static_cast<std::int64_t>(draw(8'000)));
      runtime.tick();
    }
    if (produced_ == records_ && !is_stopping && happens(20)) {
      is_stopping = true;
      runtime.post(actors::StopRequested{});
    }
    runtime.step();
  }

  /// A stop drains what was read, not what is still to be read: then another life follows.
  void end(actors::InlineRuntime& runtime) {
    note_committed(runtime);
    if (runtime.failure()) {
      result_.fault = "the query failed: " + runtime.failure()->message;
      return;
    }
    is_wanted_done_ = produced_ == records_;
  }

  /// What the checkpoint on this disk says; no runtime is up.
  Result<state::RestartPoint> restart_point(LyingDisk& disk) {
    state::CheckpointOptions options;
    options.folder = kFolder;
    options.plan_identity = kIdentity;
    MILLRACE_ASSIGN(auto checkpoint, state::Checkpoint::open(disk, clock_, options));
    return checkpoint->restart();
  }

  /// The records of epochs that were closed and not committed: these and no others run again.
  void note_open_epochs() {
    open_ranges_.clear();
    WrittenRecords written = std::exchange(written_, {});
    WrittenRecords earlier = std::exchange(written_before_, {});
    if (result_.crashes == 0) return;
    LyingDisk copy = disk_;  // a look that leaves no trace
    copy.stop_at(-1);        // and during which the power does not go
    const auto restart = restart_point(copy);
    if (!restart) return;  // the start will tell
    for (const state::OpenEpoch& open : restart->open) {
      const Epoch epoch = open.offsets.epoch;
      open_ranges_[epoch] = open.offsets.ranges;
      // A planned epoch may have been cut short before it was written at all.
      if (open.offsets.drive == state::Drive::kPlanned) planned_.insert(epoch);
      // The first run got to its end; a later one may have been cut short.
      const bool is_known = earlier.contains(epoch);
      written_before_[epoch] = std::move(is_known ? earlier[epoch] : written[epoch]);
    }
  }

  /// What ran again must have been the same records.
  void note_committed(const actors::InlineRuntime& runtime) {
    result_.epochs += static_cast<int>(runtime.committed_epochs().size());
    for (const actors::ClosedEpoch& closed : runtime.committed_epochs()) {
      const auto open = open_ranges_.find(closed.epoch);
      if (open == open_ranges_.end()) continue;
      const bool got_to_its_end = !planned_.contains(closed.epoch);
      if (got_to_its_end && written_[closed.epoch] != written_before_[closed.epoch])
        set_other_records(closed.epoch);
      for (const operators::SourceRange& range : closed.ranges) {
        const state::OffsetRange& before = open->second[range.source][range.partition];
        if (before.from != range.from || before.to != range.to) set_other_records(closed.epoch);
      }
    }
  }
  void set_other_records(Epoch epoch) {
    set_fault("other records in epoch " + std::to_string(epoch.value) + " when it ran again");
  }

  /// Whether the checkpoint says that everything has been read.
  bool has_read_everything() {
    const auto restart = restart_point(disk_);
    if (!restart || !restart->open.empty()) return false;
    auto positions = restart->positions();
    for (std::int32_t partition = 0; partition < partitions_; ++partition)
      if (positions["clicks"]["clicks-" + std::to_string(partition)] !=
          static_cast<std::int64_t>(broker_.log("clicks", partition).size()))
        return false;
    return true;
  }

  void crash(bool with_the_machine) {
    broker_.release();
    ++result_.crashes;
    if (with_the_machine) disk_.crash();
    broker_.drop_client(random_);
  }

  void produce(bool is_expected) {
    const auto partition = static_cast<std::int32_t>(draw(static_cast<std::uint64_t>(partitions_)));
    const bool is_dropped = draw(3) == 0;
    SimulatedRecord record;
    if (draw(4) != 0) record.key = "user-" + std::to_string(draw(5));
    record.value = "{\"seq\":" + std::to_string(produced_) + ",\"event_type\":\"" +
                   (is_dropped ? "purchase" : "view") + "\"}";
    record.timestamp_us = static_cast<std::int64_t>(produced_);
    if (draw(8) == 0) {
      record.value = "broken " + std::to_string(produced_);
      if (is_expected) broken_.insert(*record.value);
    } else if (!is_dropped && is_expected) {
      expected_.push_back({produced_, partition, record.key});
    }
    ++produced_;
    broker_.produce("clicks", partition, std::move(record));
  }

  /// Every life in the drive it likes: the checkpoint does not care.
  triggers::Trigger draw_trigger() {
    using triggers::TriggerKind;
    switch (draw(10)) {
      case 0:
        return {TriggerKind::kOnce, 0};
      case 1:
        return {TriggerKind::kAvailableNow, 0};
      case 2:
        return {TriggerKind::kProcessingTime, 10};
      case 3:
      case 4:
        return {TriggerKind::kProcessingTime, 0};
      case 5:
        return {TriggerKind::kRealTime, 1000, 10};
      default:
        return {TriggerKind::kRealTime, 10};
    }
  }

  Result<session::BuiltQuery> build() {
    session::ConnectorFactory connectors;
    connectors.make_source = [this](const stream::SourceSpec&) {
      std::unique_ptr<stream::Source> source = broker_.make_source("clicks", begins_at_latest_);
      if (mutation_.wrap_source) source = mutation_.wrap_source(std::move(source));
      return Result<std::unique_ptr<stream::Source>>(std::move(source));
    };
    const auto transactions =
        shape_.transacts ? broker_.make_transactions([this] { return draw_fate(); }) : nullptr;
    connectors.make_sink = [this, transactions](const stream::SinkSpec& spec) {
      std::unique_ptr<stream::Sink> sink = broker_.make_sink(spec.table.name, transactions);
      if (mutation_.wrap_sink) sink = mutation_.wrap_sink(std::move(sink));
      sink = std::make_unique<WitnessSink>(std::move(sink), written_);
      return Result<std::unique_ptr<stream::Sink>>(std::move(sink));
    };
    connectors.load_table = [](const stream::StaticJoinSpec& spec) { return label_table(spec); };
    session::BuildSettings settings;
    settings.clock = &clock_;
    settings.log = [](LogLevel, std::string_view) {};
    settings.disk = &disk_;
    settings.checkpoint_folder = kFolder;
    settings.plan_identity = kIdentity;
    settings.seed = random_();
    settings.trigger = draw_trigger();
    settings.async_progress =
        triggers::is_planned(settings.trigger) && !shape_.resumes && draw(2) == 0;
    settings.rows_max = rows_max_;
    return session::build_query(simulated_plan(shape_), connectors, settings);
  }

  /// Nothing lost, nothing foreign, and per (source partition, output partition) the first
  /// appearances in the order of the source.
  void audit(const std::string& topic) {
    std::map<std::uint64_t, std::size_t> first_seen;  // seq -> place in its output partition
    std::map<std::uint64_t, std::int32_t> seen_in;
    for (std::int32_t partition = 0; partition < broker_.partition_count(topic); ++partition) {
      std::size_t place = 0;
      for (const SimulatedRecord& record : broker_.log(topic, partition)) {
        const auto document = formats::JsonValue::parse(record.value.value_or(""));
        if (!document) return set_fault("output is not JSON: " + record.value.value_or("null"));
        if (document->get_string("label").value_or("") != (shape_.joins ? "seen" : ""))
          return set_fault("a row without its label: " + *record.value);
        const auto seq = static_cast<std::uint64_t>(document->get_integer("seq").value_or(-1));
        first_seen.emplace(seq, place++);
        seen_in.emplace(seq, partition);
      }
    }
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> newest;
    for (const Expected& one : expected_) {
      const auto found = first_seen.find(one.seq);
      if (found == first_seen.end()) return set_fault("lost record " + std::to_string(one.seq));
      const auto pair = std::make_pair(one.partition, seen_in[one.seq]);
      const auto before = newest.find(pair);
      if (before != newest.end() && before->second > found->second)
        return set_fault("record " + std::to_string(one.seq) + " is out of order");
      newest[pair] = found->second;
    }
    if (first_seen.size() != expected_.size())
      return set_fault("records that nobody sent came out");
    if (writes_once() && broker_.record_count(topic) != expected_.size())
      set_fault("doubled records in " + topic);
  }

  /// Every broken record has its letter, at least once, and nothing else has one.
  void audit_letters() {
    std::set<std::string> seen;
    for (const SimulatedRecord& record : broker_.log("letters", 0)) {
      const auto letter = formats::JsonValue::parse(record.value.value_or(""));
      if (!letter) return set_fault("a letter is not JSON: " + record.value.value_or("null"));
      seen.insert(letter->get_string("value").value_or(""));
    }
    for (const std::string& value : broken_)
      if (!seen.contains(value)) return set_fault("lost letter of " + value);
    if (seen.size() != broken_.size()) return set_fault("letters that nobody sent came out");
    if (writes_once() && broker_.record_count("letters") != broken_.size())
      set_fault("doubled records in letters");
  }

  [[nodiscard]] bool writes_once() const { return shape_.resumes || shape_.transacts; }
  void set_fault(std::string text) { result_.fault = std::move(text); }

  struct Expected {
    std::uint64_t seq;
    std::int32_t partition;
    std::optional<std::string> key;
  };

  std::mt19937_64 random_;
  const SimulationMutation& mutation_;
  ManualClock clock_{WallTime(1'700'000'000'000'000)};
  LyingDisk disk_;
  SimulatedBroker broker_;
  const std::int32_t partitions_;
  const std::uint64_t records_;
  const std::size_t rows_max_;
  const int deliver_in_thousand_;  ///< a slow broker has more in flight at a crash
  const bool begins_at_latest_;
  const SimulatedShape shape_;
  std::uint64_t produced_ = 0;
  std::vector<Expected> expected_;
  // Of this life; and of the epochs that were closed before it and not committed.
  WrittenRecords written_;
  WrittenRecords written_before_;
  std::map<Epoch, state::SourceRanges> open_ranges_;
  std::set<Epoch> planned_;       ///< of those: their ends were fixed before they were read
  std::set<std::string> broken_;  ///< values that are no JSON
  bool is_wanted_done_ = false;   ///< stopped cleanly after the last input
  SimulationResult result_;
};

}  // namespace

namespace {

stream::BoundExpr bound(const Expr& expression, const std::vector<Field>& fields) {
  std::vector<stream::InputField> inputs;
  for (const Field& field : fields) inputs.push_back({"clicks", field.name, field.type, false});
  return stream::bind(expression, inputs, stream::FunctionRegistry::builtin()).value();
}

stream::StaticJoinSpec label_join(const std::vector<Field>& decoded) {
  stream::StaticJoinSpec join;
  join.table.name = "labels";
  join.table_schema = {{"event_type", TypeKind::kString}, {"label", TypeKind::kString}};
  join.stream_keys = {bound(col("event_type"), decoded)};
  join.table_keys = {0};
  for (std::size_t i = 0; i < decoded.size(); ++i) join.stream_columns.push_back(i);
  join.table_columns = {1};
  std::vector<Field> output = decoded;
  output.push_back(join.table_schema[1]);
  join.output = make_schema(std::move(output));
  return join;
}

stream::DeadLetterSpec letters_of(const Field& value) {
  stream::DeadLetterSpec letters;
  letters.is_lines = true;
  letters.value_column = 0;
  letters.key_column = 1;
  letters.sink.table.name = "letters";
  letters.sink.table.connector = "simulated";
  letters.sink.schema = make_schema({value});
  return letters;
}

}  // namespace

namespace {

const char* delivery_of(const SimulatedShape& shape) {
  return shape.resumes ? "resume" : shape.transacts ? "transaction" : "none";
}

}  // namespace

stream::PhysicalPlan simulated_plan(SimulatedShape shape) {
  const std::vector<Field> record = {
      {"value", TypeKind::kBytes}, {"key", TypeKind::kBytes}, {"timestamp", TypeKind::kTimestamp}};
  const std::vector<Field> fields = {{"seq", TypeKind::kInt64}, {"event_type", TypeKind::kString}};
  std::vector<Field> decoded = fields;
  decoded.insert(decoded.end(), record.begin() + 1, record.end());

  stream::ChainSpec chain;
  chain.source.table.name = "clicks";
  chain.source.table.connector = "simulated";
  chain.source.record_columns = {"value", "key", "timestamp"};
  chain.source.schema = make_schema(record);

  stream::DecodeSpec decode;
  decode.format = "json";
  decode.value_column = 0;
  decode.fields = fields;
  decode.passed_columns = {1, 2};
  decode.output = make_schema(decoded);

  stream::EncodeSpec encode;
  encode.format = "json";
  encode.value_columns = {0, 1};
  encode.value_names = {"seq", "event_type"};
  if (shape.joins) encode.value_columns.push_back(decoded.size());
  if (shape.joins) encode.value_names.emplace_back("label");
  encode.key_column = 2;
  encode.timestamp_column = 3;
  encode.output = make_schema(record);

  chain.nodes.push_back({std::move(decode), {1}});
  chain.nodes.push_back(
      {stream::FilterSpec{bound(col("event_type") != lit("purchase"), decoded)}, {2}});
  if (shape.joins) chain.nodes.push_back({label_join(decoded), {3}});
  std::vector<const char*> outputs = {"enriched"};
  if (shape.copies) outputs.push_back("copies");
  std::vector<std::size_t>& last = chain.nodes.back().targets;
  last.clear();
  for (std::size_t i = 0; i < outputs.size(); ++i) last.push_back(chain.nodes.size() + 2 * i);
  for (const char* output : outputs) {
    stream::SinkSpec sink;
    sink.table.name = output;
    sink.table.connector = "simulated";
    sink.delivery = delivery_of(shape);
    sink.schema = encode.output;
    chain.nodes.push_back({encode, {chain.nodes.size() + 1}});
    chain.nodes.push_back({std::move(sink), {}});
  }
  chain.bad_records.policy.on_decode = stream::OnBadRecord::kDeadLetter;
  chain.bad_records.policy.on_row = stream::OnBadRecord::kDeadLetter;
  chain.bad_records.dead_letter = letters_of(record[0]);
  chain.bad_records.dead_letter->sink.delivery = delivery_of(shape);

  stream::PhysicalPlan plan;
  plan.name = "enriched";
  plan.chains.push_back(std::move(chain));
  return plan;
}

SimulationResult simulate_stateless(std::uint64_t seed, const SimulationMutation& mutation) {
  return Simulation(seed, mutation).run();
}

}  // namespace millrace::support
