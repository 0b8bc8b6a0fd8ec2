#include "cli/arguments.hpp"

#include "millrace/options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <string_view>
#include <vector>

namespace millrace::cli {
namespace {

constexpr const char* kVersion = "millrace " MILLRACE_VERSION;

constexpr const char* kFooter = R"(A job is a file of SQL: tables, settings, queries.

  CREATE TABLE clicks (user_id int, event_type text, price double precision)
    WITH (connector = 'kafka', bootstrap_servers = '${BROKER}', topic = 'clicks', format = 'json');
  CREATE TABLE users (user_id int, country text)
    WITH (connector = 'file', path = 'users.csv', format = 'csv', header = 'true');
  CREATE TABLE enriched ()
    WITH (connector = 'kafka', bootstrap_servers = '${BROKER}', topic = 'enriched', format = 'json');
  SET checkpoint_location = 'chk';
  INSERT INTO enriched
    SELECT c.*, u.country FROM clicks c JOIN users u ON c.user_id = u.user_id
    WHERE c.event_type <> 'purchase';

  millrace explain job.sql --set BROKER=127.0.0.1:9092     what would run
  millrace run job.sql --set BROKER=127.0.0.1:9092 --progress

Variables: ${NAME} in the job is the value of --set NAME=value, or of the environment. Within
quotes it stays one text whatever it holds; outside it may be any piece of SQL.

Settings: SET checkpoint_location = 'folder'     what a query recovers from; not set: nothing is kept
          SET trigger = 'real_time 5 seconds'    how often an epoch is committed (10 ms and up);
                                                 or 'processing_time 10 seconds' (micro-batches),
                                                 'available_now', 'once': the last two end by
                                                 themselves
          SET restart = 'on_failure'             starts a query again that failed for a reason that
                                                 may pass: a broker, a disk
          SET stop_timeout = '30 seconds'        how long a stop may drain
          SET wait_policy = 'park'               what a thread without rows does: 'park' sleeps,
                                                 'adaptive' looks for 50 µs first, 'spin' never
                                                 sleeps and keeps a core busy
          SET task_threads = '1'                 threads of a query, or 'per_task'; task_cores =
                                                 '0,1' pins them
          SET query_name = 'name'                of the next query; default: its sink table's
          SET statement_set = 'on'               the INSERTs below are one query

Signals: the first SIGINT, SIGTERM or SIGHUP stops (what was read is written and committed), another
SIGINT or SIGTERM ends at once; under nohup, SIGHUP does nothing. When every query is ready, one line "ready: ..." goes to standard error.

Exit codes: 0 ended as asked, at its ending offsets, or before it was ready; 1 a query failed, and the
others were stopped, or the job could not start for a reason that may pass; 2 wrong usage or a refused
job: no query has started; 3 a stop ran into stop_timeout, and the open epoch runs again at the next
start; 128 + the signal's number when a second signal ended it. To end the clients may take a few
seconds more than stop_timeout.)";

/// What one sub-command's options are read into.
struct Options {
  std::string job_file;
  std::string job_text;
  std::vector<std::string> values;
  std::string progress;  ///< empty: not asked for
};

void add_job_options(CLI::App& command, Options& options) {
  command.add_option("job", options.job_file, "file of SQL; - is standard input");
  command.add_option("-e,--execute", options.job_text, "the SQL itself");
  command.add_option("--set", options.values, "NAME=value: what ${NAME} in the job stands for")
      ->allow_extra_args(false);  // one NAME=value each
}

int refuse(const std::string& message) {
  std::cerr << "millrace: " << message << "\nmillrace --help shows how to use it.\n";
  return kRefused;
}

constexpr auto kCommands =
    std::to_array<std::string_view>({"run", "explain", "functions", "checkpoint"});

bool is_unknown_command(std::string_view word) {
  return !word.starts_with('-') && std::ranges::find(kCommands, word) == kCommands.end();
}

int refuse_command(const std::string& word) {
  const auto nearest = nearest_name(word, kCommands);
  return refuse("there is no command " + word +
                (nearest ? "; did you mean " + *nearest + "?"
                         : "; there are run, explain, functions and checkpoint"));
}

constexpr auto kOptions = std::to_array<std::string_view>(
    {"--set", "--progress", "--execute", "--to", "--help", "--version"});

// What the parser says of the words that it has no use for, and what was perhaps meant.
int refuse_extra(const CLI::ExtrasError& error, int count, char** values) {
  for (int word = 1; word < count; ++word) {
    const std::string_view given(values[word]);
    const std::string_view option = given.substr(0, given.find('='));
    if (!option.starts_with("--") || std::ranges::find(kOptions, option) != kOptions.end())
      continue;
    const auto nearest = nearest_name(option, kOptions);
    return refuse("there is no option " + std::string(option) +
                  (nearest ? "; did you mean " + *nearest + "?" : ""));
  }
  return refuse(error.what());
}

ParsedArguments with_values(Arguments arguments, const std::vector<std::string>& values) {
  for (const std::string& pair : values) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return {std::nullopt, refuse("--set takes NAME=value, not " + pair)};
    }
    arguments.values[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return {std::move(arguments), kOk};
}

/// The sub-commands of `checkpoint`, and what they are read into.
struct CheckpointCommands {
  CheckpointRequest request;
  std::string job_file;
  std::vector<std::string> values;
  CLI::App* all = nullptr;
  CLI::App* check = nullptr;
  CLI::App* roll_back = nullptr;
  CLI::App* remove = nullptr;

  void add_to(CLI::App& app) {
    all = app.add_subcommand("checkpoint", "look at a query's checkpoint folder, or change it");
    all->require_subcommand(1);
    const auto add = [&](const char* name, const char* about) {
      CLI::App* const command = all->add_subcommand(name, about);
      command->add_option("folder", request.folder, "the query's folder: checkpoint_location/name")
          ->required();
      return command;
    };
    add("show", "what it holds: epochs, and where the sources go on");
    check = all->add_subcommand(
        "check", "say whether a job may go on from it, and what differs; connects to nothing");
    check->add_option("job", job_file, "file of SQL; - is standard input")->required();
    check->add_option("folder", request.folder, "the query's folder: checkpoint_location/name")
        ->required();
    check->add_option("--set", values, "NAME=value: what ${NAME} in the job stands for")
        ->allow_extra_args(false);
    roll_back = add("rollback", "make an earlier epoch the newest one; the query must be stopped");
    roll_back->add_option("--to", request.to, "its number")->required();
    remove = add("delete", "remove it; the query must be stopped");
  }

  [[nodiscard]] Arguments arguments() const {
    Arguments arguments;
    arguments.command = Arguments::Command::kCheckpoint;
    arguments.checkpoint = request;
    arguments.job_file = job_file;
    if (check->parsed()) arguments.checkpoint->verb = CheckpointRequest::Verb::kCheck;
    if (roll_back->parsed()) arguments.checkpoint->verb = CheckpointRequest::Verb::kRollBack;
    if (remove->parsed()) arguments.checkpoint->verb = CheckpointRequest::Verb::kDelete;
    return arguments;
  }
};

ParsedArguments arguments_of(const CLI::App& command, Arguments::Command kind, Options options) {
  if (command.count("job") + command.count("-e") == 0) {
    return {std::nullopt, refuse("no job is given: name a file of SQL, or write it behind -e")};
  }
  if (command.count("job") > 0 && command.count("-e") > 0) {
    return {std::nullopt, refuse("two jobs are given, the file " + options.job_file +
                                 " and the text behind -e: leave one out")};
  }
  Arguments arguments;
  arguments.command = kind;
  arguments.job_file = std::move(options.job_file);
  if (command.count("-e") > 0) arguments.job_text = std::move(options.job_text);
  if (!options.progress.empty()) {
    if (options.progress != "text" && options.progress != "json")
      return {std::nullopt, refuse("--progress takes text or json, not " + options.progress)};
    arguments.progress = options.progress == "json" ? ProgressForm::kJson : ProgressForm::kText;
  }
  return with_values(std::move(arguments), options.values);
}

/// The words of the command line, last first as the parser takes them. A value of --progress is
/// part of its word for the parser: without that, the job's file would be taken for one.
std::vector<std::string> words_of(int count, char** values) {
  std::vector<std::string> words(values + 1, values + count);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "--progress" || (words[i + 1] != "json" && words[i + 1] != "text")) continue;
    words[i] += "=" + words[i + 1];
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  std::ranges::reverse(words);
  return words;
}

}  // namespace

ParsedArguments parse_arguments(int count, char** values) {
  CLI::App app("Millrace: streams from Kafka to Kafka, in milliseconds, by SQL.", "millrace");
  app.footer(kFooter);
  app.set_version_flag("--version", kVersion, "show the version");
  app.require_subcommand(1);
  Options options;
  CLI::App* run = app.add_subcommand("run", "run a job until it is stopped");
  add_job_options(*run, options);
  run->add_flag("--progress{text}", options.progress,
                "a line per committed epoch on standard error: rows/s, p50, p99 and max of every "
                "stage; --progress json: its whole record, one JSON object a line");
  CLI::App* explain =
      app.add_subcommand("explain", "show what a job would run, connect to nothing");
  add_job_options(*explain, options);
  const CLI::App* functions =
      app.add_subcommand("functions", "print the reference of functions, in Markdown");
  CheckpointCommands checkpoint;
  checkpoint.add_to(app);

  if (count <= 1) {
    std::cout << app.help();
    return {std::nullopt, kRefused};
  }
  if (is_unknown_command(values[1])) return {std::nullopt, refuse_command(values[1])};
  try {
    std::vector<std::string> words = words_of(count, values);
    app.parse(std::move(words));
  } catch (const CLI::Success& request) {  // help, version
    return {std::nullopt, app.exit(request)};
  } catch (const CLI::ExtrasError& error) {
    return {std::nullopt, refuse_extra(error, count, values)};
  } catch (const CLI::ParseError& error) {
    return {std::nullopt, refuse(error.what())};
  }
  if (checkpoint.all->parsed()) return with_values(checkpoint.arguments(), checkpoint.values);
  if (functions->parsed()) {
    Arguments arguments;
    arguments.command = Arguments::Command::kFunctions;
    return {std::move(arguments), kOk};
  }
  if (run->parsed()) return arguments_of(*run, Arguments::Command::kRun, std::move(options));
  return arguments_of(*explain, Arguments::Command::kExplain, std::move(options));
}

}  // namespace millrace::cli
