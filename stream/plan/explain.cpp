#include "stream/plan/explain.hpp"

#include "stream/host_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

namespace millrace::stream {
namespace {

constexpr std::string_view kIndent = "    ";  // of a chain's steps

std::string joined(const std::vector<std::string>& parts, std::string_view separator = ", ") {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string described(const Field& field) { return field.name + " " + field.type.to_string(); }

std::string described(const std::vector<Field>& fields) {
  std::vector<std::string> parts;
  for (const Field& field : fields) parts.push_back(described(field));
  return parts.empty() ? "nothing" : joined(parts);
}

// The name alone when the connector's own naming option says the same, else both.
std::string named(const TableDefinition& table) {
  std::string text = table.connector + " " + table.name;
  for (const std::string_view option : {"topic", "path"}) {
    const auto value = table.options.get(option);
    if (value && *value != table.name) text += fmt::format(" ({} {})", option, *value);
  }
  return text;
}

/// Writes one chain, step after step; knows the layout of the rows at each.
class ChainText {
 public:
  explicit ChainText(const ChainSpec& chain) : chain_(chain) {
    fields_ = chain.source.schema->fields();
  }

  std::string text() {
    add("source {}: {}", named(chain_.source.table), described(fields_));
    const auto& host = chain_.source.table.host;
    if (host != nullptr && !host->is_replayable()) {
      add("  not replayable: after a crash, rows that were not committed come again only when the "
          "host program hands them in again");
    }
    add_bad_records();
    if (!chain_.nodes.empty()) visit(0);
    return std::move(text_);
  }

 private:
  void add_bad_records() {
    const BadRecordPolicy& policy = chain_.bad_records.policy;
    if (policy.is_plain_fail()) return;
    if (policy.on_decode != policy.on_row) {
      add("  bad records: {} when they cannot be decoded, else {}", to_string(policy.on_decode),
          to_string(policy.on_row));
    } else if (chain_.bad_records.dead_letter) {
      const TableDefinition& table = chain_.bad_records.dead_letter->sink.table;
      const auto topic = table.options.get("topic");
      add("  bad records: dead_letter to {} {}, acknowledged before their epoch commits",
          topic ? "topic" : "file", topic ? *topic : table.options.get_or("path", ""));
    } else {
      add("  bad records: {}", to_string(policy.on_row));
    }
  }

  void visit(std::size_t node) {
    std::visit([&](const auto& spec) { step(spec); }, chain_.nodes[node].spec);
    const std::vector<Field> fields = fields_;
    const std::vector<std::size_t>& targets = chain_.nodes[node].targets;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets.size() > 1) add("branch {} of {}", i + 1, targets.size());
      fields_ = fields;
      visit(targets[i]);
    }
  }

  void step(const DecodeSpec& decode) {
    add("decode {}: builds {}", decode.format, described(decode.fields));
    std::vector<std::string> skipped;
    for (const Field& field : chain_.source.table.columns) {
      if (std::ranges::find(decode.fields, field.name, &Field::name) == decode.fields.end()) {
        skipped.push_back(field.name);
      }
    }
    if (decode.corrupt_column) {
      const std::string& corrupt = decode.output->field(*decode.corrupt_column).name;
      std::erase(skipped, corrupt);
      add("  text of corrupt records in {}", corrupt);
    }
    if (!skipped.empty()) add("  skips {}", joined(skipped));
    fields_ = decode.output->fields();
  }

  void step(const FilterSpec& filter) { add("filter: {}", filter.predicate.text); }

  void step(const ProjectSpec& project) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < project.expressions.size(); ++i) {
      const std::string& text = project.expressions[i].text;
      const std::string& name = project.output->field(i).name;
      parts.push_back(project.expressions[i].is_column() && text == name
                          ? name
                          : fmt::format("{} as {}", text, name));
    }
    add("project: {}", joined(parts));
    fields_ = project.output->fields();
  }

  void step(const StaticJoinSpec& join) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < join.stream_keys.size(); ++i) {
      const std::size_t key = join.table_keys[i];
      const std::size_t read = join.table_schema.size();
      const std::string text = key < read ? join.table.name + "." + join.table_schema[key].name
                                          : join.computed[key - read].text;
      keys.push_back(fmt::format("{} {} {}", join.stream_keys[i].text,
                                 join.null_safe_keys.contains(i) ? "<=>" : "=", text));
    }
    const std::vector<Field>& output = join.output->fields();
    const std::vector<Field> added(
        output.begin() + static_cast<std::ptrdiff_t>(join.stream_columns.size()), output.end());
    if (keys.empty()) keys.push_back("every row of the table is compared");
    add("{} {}: {}", join_words(join.kind), named(join.table), joined(keys, " and "));
    if (join.residual) add("  matches if {}", join.residual->predicate.text);
    const bool adds_columns =
        join.kind == StaticJoinKind::kInner || join.kind == StaticJoinKind::kLeft;
    if (adds_columns) add("  adds {}", described(added));
    fields_ = join.output->fields();
  }

  void step(const TypedSpec& typed) {
    const TypedFunction& function = *typed.function;
    add("{} in C++ over {}: {}", function.verb, function.row_name, described(function.outputs));
    if (!function.is_reproducible) add("  not declared reproducible");
    fields_ = typed.output->fields();
  }

  static std::string_view join_words(StaticJoinKind kind) {
    switch (kind) {
      case StaticJoinKind::kLeft:
        return "left join static";
      case StaticJoinKind::kSemi:
        return "keep rows with a match in static";
      case StaticJoinKind::kAnti:
        return "keep rows without a match in static";
      case StaticJoinKind::kInner:
        break;
    }
    return "join static";
  }

  void step(const ExplodeSpec& explode) {
    add("explode {}{}", explode.list.text,
        explode.keeps_empty ? ": a row without elements stays" : "");
    fields_ = explode.output->fields();
    const std::vector<Field> made(
        fields_.begin() + static_cast<std::ptrdiff_t>(explode.passed_columns.size()),
        fields_.end());
    add("  adds {}", described(made));
  }

  void step(const EncodeSpec& encode) {
    add("encode {}: {}", encode.format, joined(encode.value_names));
    const auto beside = [&](std::string_view part, std::optional<std::size_t> column) {
      if (column) add("  {} from {}", part, fields_[*column].name);
    };
    beside("key", encode.key_column);
    beside("headers", encode.headers_column);
    beside("timestamp", encode.timestamp_column);
    beside("topic", encode.topic_column);
    beside("partition", encode.partition_column);
    fields_ = encode.output->fields();
  }

  void step(const SinkSpec& sink) {
    if (sink.table.connector == kResultConnector) {
      add("gives {}", described(fields_));
      return;
    }
    add("sink {}", named(sink.table));
    if (sink.delivery == "resume") {
      add("  delivery: exactly once, by resuming (exactly_once = 'resume')");
      add("  a row becomes visible as soon as the sink acknowledges it; after a crash what is "
          "there "
          "is looked for and not written again");
      return;
    }
    if (sink.delivery == "transaction") {
      add("  delivery: exactly once, by transactions (exactly_once = 'transaction')");
      add("  a row becomes visible to who reads committed records with its epoch's commit: up to "
          "the trigger's interval and a commit later (shorten the trigger, or use 'resume')");
      return;
    }
    add("  delivery: at least once (exactly_once = '{}')", sink.delivery);
    add("  a row becomes visible as soon as the sink acknowledges it; after a crash the rows of "
        "epochs that were not committed are written again");
  }

  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ +=
        std::string(kIndent) + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  const ChainSpec& chain_;
  std::vector<Field> fields_;
  std::string text_;
};

bool has_result(const PhysicalPlan& plan) {
  return std::ranges::any_of(plan.chains, [](const ChainSpec& chain) {
    return std::ranges::any_of(chain.nodes, [](const ChainNode& node) {
      const auto* sink = std::get_if<SinkSpec>(&node.spec);
      return sink != nullptr && sink->table.connector == kResultConnector;
    });
  });
}

std::string tasks_of(const ChainSpec& chain, const ExplainContext& context) {
  const std::string& name = chain.source.table.name;
  const auto found = context.partitions.find(name);
  if (found == context.partitions.end()) return fmt::format("one per partition of {}", name);
  return fmt::format("{}, one per partition of {}", found->second, name);
}

std::string wait_policy_of(const ExplainContext& context) {
  if (context.wait_policy == "spin")
    return "spin (never sleeps: every worker thread keeps a core busy)";
  if (context.wait_policy == "adaptive")
    return "adaptive (looks for 50 µs before it sleeps: a wake-up less in a burst, so much more "
           "CPU)";
  return "park (an idle task sleeps until its source has rows: a wake-up, 10 to 30 µs)";
}

std::string head_of(const PhysicalPlan& plan, const ExplainContext& context) {
  std::string text = fmt::format("query {}\n", plan.name);
  text += fmt::format("  trigger: {}\n", context.trigger);
  text += fmt::format("  waiting: {}\n", wait_policy_of(context));
  if (!context.expressions.empty()) text += fmt::format("  expressions: {}\n", context.expressions);
  if (!context.threads.empty()) text += fmt::format("  threads: {}\n", context.threads);
  text += fmt::format("  checkpoint: {}\n",
                      context.checkpoint_folder.empty()
                          ? "none (nothing is kept; every start begins at the starting offsets)"
                          : context.checkpoint_folder);
  return text + "  exchanges: none\n";
}

}  // namespace

std::vector<std::string> explain_steps(const ChainSpec& chain) {
  const std::string text = ChainText(chain).text();
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin + kIndent.size(), end - begin - kIndent.size()));
    begin = end + 1;
  }
  return lines;
}

std::string explain(const PhysicalPlan& plan, const ExplainContext& context) {
  std::string text = has_result(plan) ? "select, which runs only as INSERT INTO table SELECT ...\n"
                                      : head_of(plan, context);
  for (std::size_t i = 0; i < plan.chains.size(); ++i) {
    text += fmt::format("  chain {}, tasks: {}\n", i, tasks_of(plan.chains[i], context));
    text += ChainText(plan.chains[i]).text();
  }
  return text;
}

}  // namespace millrace::stream
