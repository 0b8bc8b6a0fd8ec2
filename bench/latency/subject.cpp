#include "bench/latency/subject.hpp"

#include "bench/latency/clicks.hpp"
#include "bench/latency/kafka_topics.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace millrace::bench {
namespace {

std::filesystem::path this_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::filesystem::path make_folder() {
  const auto parent = std::filesystem::temp_directory_path();
  auto name = (parent / "millrace-latency.XXXXXX").string();
  return mkdtemp(name.data()) == nullptr ? parent : std::filesystem::path(name);
}

}  // namespace

std::vector<Subject> subjects_of(const Settings& settings, bool with_again) {
  std::vector<Subject> subjects;
  for (const int in_flight : settings.in_flight) {
    const auto name = fmt::format("forwarder, in flight {}", in_flight);
    subjects.push_back({name, in_flight, false});
    if (with_again) subjects.push_back({name + " (A/A)", in_flight, true});
  }
  if (settings.without_millrace) return subjects;
  const auto binaries =
      settings.millrace.empty() ? std::vector<std::string>{""} : settings.millrace;
  for (const auto& binary : binaries)
    subjects.push_back({binaries.size() == 1 ? "millrace" : binary, 0, false, binary, ""});
  for (const auto& setting : settings.with)
    subjects.push_back({"millrace, " + setting, 0, false, binaries.front(), setting});
  return subjects;
}

Workspace::Workspace(const Settings& settings) : settings_(settings), folder_(make_folder()) {
  std::ofstream(folder_ / "users.csv") << users_csv();
}

Workspace::~Workspace() {
  std::error_code ignored;
  if (folder_ != std::filesystem::temp_directory_path()) {
    std::filesystem::remove_all(folder_, ignored);
  }
}

Result<RunTopics> Workspace::create_topics() {
  ++runs_;
  RunTopics topics{fmt::format("clicks-{}-{}", getpid(), runs_),
                   fmt::format("enriched-{}-{}", getpid(), runs_)};
  MILLRACE_TRY(create_kafka_topics(settings_.bootstrap_servers, {topics.clicks, topics.enriched},
                                   settings_.partitions));
  return topics;
}

namespace {

/// What NAME=VALUE says of this name. Those that stand in the job itself are its variables.
std::vector<std::string> parts_of(const std::string& settings) {
  std::vector<std::string> parts;
  std::istringstream stream(settings);
  for (std::string part; std::getline(stream, part, '&');) parts.push_back(part);
  return parts;
}

std::optional<std::string> value_in(const std::string& settings, std::string_view name) {
  for (const std::string& one : parts_of(settings)) {
    const auto equals = one.find('=');
    if (one.substr(0, equals) == name) return one.substr(equals + 1);
  }
  return std::nullopt;
}

}  // namespace

Status Workspace::delete_topics(const RunTopics& topics) const {
  return delete_kafka_topics(settings_.bootstrap_servers, {topics.clicks, topics.enriched});
}

Result<std::unique_ptr<ChildProcess>> Workspace::start(const Subject& subject,
                                                       const RunTopics& topics, bool from_start) {
  return ChildProcess::start(subject.is_millrace()
                                 ? millrace_command(subject, topics, from_start)
                                 : forwarder_command(subject, topics, from_start));
}

std::vector<std::string> Workspace::forwarder_command(const Subject& subject,
                                                      const RunTopics& topics,
                                                      bool from_start) const {
  std::vector<std::string> command = {this_program().string(),
                                      "--forwarder",
                                      "--bootstrap-servers",
                                      settings_.bootstrap_servers,
                                      "--input-topic",
                                      topics.clicks,
                                      "--output-topic",
                                      topics.enriched,
                                      "--in-flight",
                                      std::to_string(subject.in_flight),
                                      "--partitions",
                                      std::to_string(settings_.partitions),
                                      "--keeps",
                                      settings_.keeps};
  if (from_start) command.emplace_back("--from-start");
  return command;
}

std::vector<std::string> Workspace::millrace_command(const Subject& subject,
                                                     const RunTopics& topics, bool from_start) {
  static int starts = 0;
  const auto checkpoint = folder_ / fmt::format("checkpoint-{}", ++starts);
  const auto binary = subject.binary.empty() ? (this_program().parent_path() / "millrace").string()
                                             : subject.binary;
  std::vector<std::string> command = {binary, "run", job_with(subject.setting)};
  const auto set = [&](const std::string& assignment) {
    command.emplace_back("--set");
    command.push_back(assignment);
  };
  set("BOOTSTRAP_SERVERS=" + settings_.bootstrap_servers);
  set("CLICKS=" + topics.clicks);
  set("ENRICHED=" + topics.enriched);
  set("USERS=" + (folder_ / "users.csv").string());
  set("CHECKPOINT=" + checkpoint.string());
  set(std::string("STARTING_OFFSETS=") + (from_start ? "earliest" : "latest"));
  set("EXACTLY_ONCE=" + value_in(subject.setting, "exactly_once").value_or("none"));
  set("TRIGGER=" + value_in(subject.setting, "trigger").value_or("real_time 5 seconds"));
  return command;
}

// The path of the job, or of a copy that begins with the settings that are no variables of it.
std::string Workspace::job_with(const std::string& settings) const {
  std::string head;
  for (const std::string& one : parts_of(settings)) {
    const auto equals = one.find('=');
    const std::string name = one.substr(0, equals);
    if (name == "exactly_once" || name == "trigger") continue;
    head += fmt::format("SET {} = '{}';\n", name, one.substr(equals + 1));
  }
  if (head.empty()) return settings_.job;
  const auto path = folder_ / "job.sql";
  std::ofstream(path) << head << std::ifstream(settings_.job).rdbuf();
  return path.string();
}

}  // namespace millrace::bench
