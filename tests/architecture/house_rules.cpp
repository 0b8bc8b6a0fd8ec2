#include "tests/architecture/house_rules.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace millrace::architecture {
namespace {

constexpr std::size_t kLinesPerFileMax = 600;
constexpr std::size_t kPublicHeadersMax = 24;
constexpr std::size_t kPublicLinesMax = 3000;

// The rooms and those directly below each. "include" is the public API.
const std::map<std::string, std::vector<std::string>, std::less<>>& rooms_below() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> below = {
      {"include", {}},
      {"stream", {"include"}},
      {"formats", {"stream"}},
      {"state", {"formats"}},
      {"triggers", {"formats"}},
      {"operators", {"formats"}},
      {"connectors", {"operators", "state", "triggers"}},
      {"actors", {"operators", "state", "triggers"}},
      {"session", {"actors", "connectors"}},
      {"sql", {"session"}},
      {"dstream", {"session"}},
      {"cli", {"sql", "dstream"}},
  };
  return below;
}

// Folders that stand outside the rooms: they may look into any of them, no room into them.
constexpr std::array<std::string_view, 3> kOutsiders = {"tests", "bench", "examples"};

bool is_outsider(std::string_view folder) {
  return std::ranges::find(kOutsiders, folder) != kOutsiders.end();
}

std::set<std::string, std::less<>> all_below(std::string_view room) {
  std::set<std::string, std::less<>> result;
  for (const auto& below : rooms_below().find(room)->second) {
    result.insert(below);
    result.merge(all_below(below));
  }
  return result;
}

// The room that a quoted include leads to, or nothing when it leads to no folder we know.
std::optional<std::string_view> room_of(std::string_view target) {
  const auto folder = target.substr(0, target.find('/'));
  if (folder == "millrace") return "include";
  if (rooms_below().contains(folder) || is_outsider(folder)) return folder;
  return std::nullopt;
}

// A library, how its includes begin, and the files that may include it. '*' stands for any run of
// characters, '/' included.
struct LibraryPlace {
  std::string_view library;
  std::vector<std::string_view> prefixes;
  std::vector<std::string_view> places;
};

const std::vector<LibraryPlace>& library_places() {
  static const std::vector<LibraryPlace> places = {
      {"CAF", {"caf/"}, {"actors/*_actor.?pp", "actors/actor_runtime.?pp"}},
      {"librdkafka",
       {"librdkafka/"},
       {"connectors/kafka_*", "tests/*/kafka_*", "bench/*kafka_*", "examples/*kafka_*"}},
      {"RocksDB", {"rocksdb/"}, {"state/rocks_store.?pp"}},
      {"simdjson", {"simdjson"}, {"formats/json_*"}},
      {"libpg_query", {"pg_query", "libpg_query"}, {"sql/parser.?pp"}},
      {"moodycamel", {"concurrentqueue", "moodycamel"}, {"actors/channel.?pp"}},
      {"GoogleTest", {"gtest/", "gmock/"}, {"tests/*"}},
      {"RapidCheck", {"rapidcheck"}, {"tests/property/*", "tests/oracles/*"}},
      {"Google Benchmark", {"benchmark/"}, {"bench/*"}},
      {"CLI11", {"CLI/"}, {"cli/arguments.cpp"}},
      {"nlohmann/json", {"nlohmann/"}, {"formats/json_document.cpp"}},
      {"xxHash", {"xxhash"}, {"stream/xx_hash.hpp"}},
      {"RE2", {"re2/"}, {"stream/functions/regular_expression.?pp"}},
      {"utf8proc", {"utf8proc"}, {"stream/functions/letter_case.?pp"}},
      {"OpenSSL", {"openssl/"}, {"stream/functions/digest.?pp"}},
      {"zlib", {"zlib.h"}, {"stream/functions/digest.?pp"}},
      {"Boost.Describe", {"boost/describe"}, {"include/*"}},
      {"tl::expected", {"tl/"}, {"include/*"}},
      {"double-conversion", {"double-conversion/"}, {"stream/*", "formats/*"}},
      // Formatting belongs to no room; strangers who read the public headers are spared it.
      {"fmt",
       {"fmt/"},
       {"stream/*", "formats/*", "state/*", "triggers/*", "operators/*", "connectors/*", "actors/*",
        "session/*", "sql/*", "dstream/*", "cli/*", "bench/*", "tests/*", "examples/*"}},
  };
  return places;
}

bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    return matches(pattern.substr(1), text) || (!text.empty() && matches(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) &&
         matches(pattern.substr(1), text.substr(1));
}

// What the system may be asked for, by name: another library's header looks the same.
constexpr auto kSystemHeaders = std::to_array<std::string_view>({
    "arpa/inet.h",   "dlfcn.h",     "emmintrin.h",  "fcntl.h",    "linux/futex.h", "netinet/in.h",
    "netinet/tcp.h", "poll.h",      "pthread.h",    "sched.h",    "signal.h",      "stdlib.h",
    "sys/file.h",    "sys/prctl.h", "sys/socket.h", "sys/stat.h", "sys/syscall.h", "sys/types.h",
    "sys/wait.h",    "time.h",      "unistd.h",
});

// The standard library's headers have neither folder nor suffix.
bool is_standard_header(std::string_view target) {
  return target.find_first_of("/.") == std::string_view::npos;
}

bool is_system_header(std::string_view target) {
  return std::ranges::find(kSystemHeaders, target) != kSystemHeaders.end();
}

std::string at(const SourceFile& file, std::size_t line) {
  return file.path + ":" + std::to_string(line) + ": ";
}

const LibraryPlace* library_of(std::string_view target) {
  for (const auto& place : library_places()) {
    for (const auto prefix : place.prefixes) {
      if (target.starts_with(prefix)) return &place;
    }
  }
  return nullptr;
}

bool is_public_header(const SourceFile& file) { return file.folder() == "include"; }

}  // namespace

const std::vector<std::string>& source_folders() {
  static const std::vector<std::string> folders = {
      "include", "stream", "formats", "state", "triggers", "operators", "connectors", "actors",
      "session", "sql",    "dstream", "cli",   "bench",    "tests",     "examples"};
  return folders;
}

std::vector<std::string> check_room_edges(const std::vector<SourceFile>& files) {
  std::vector<std::string> breaches;
  for (const auto& file : files) {
    if (is_outsider(file.folder())) continue;
    const auto below = all_below(file.folder());
    for (const auto& include : includes_of(file)) {
      if (library_of(include.target) != nullptr) continue;
      const auto room = room_of(include.target);
      if (!room && include.quoted) {
        breaches.push_back(at(file, include.line) + "\"" + include.target +
                           "\" does not begin with a room's name");
      } else if (room && *room != file.folder() && !below.contains(*room)) {
        breaches.push_back(at(file, include.line) + std::string(file.folder()) +
                           " may not include \"" + include.target + "\": " + std::string(*room) +
                           " is not below it");
      }
    }
  }
  return breaches;
}

std::vector<std::string> check_library_places(const std::vector<SourceFile>& files) {
  std::vector<std::string> breaches;
  for (const auto& file : files) {
    for (const auto& include : includes_of(file)) {
      const auto* library = library_of(include.target);
      if (library == nullptr) {
        if (room_of(include.target) || is_standard_header(include.target) ||
            is_system_header(include.target))
          continue;
        breaches.push_back(at(file, include.line) + "<" + include.target +
                           "> belongs to a library that has no place in the house");
        continue;
      }
      const bool allowed = std::ranges::any_of(
          library->places, [&](auto pattern) { return matches(pattern, file.path); });
      if (!allowed) {
        breaches.push_back(at(file, include.line) + std::string(library->library) +
                           " is used outside its place: " + std::string(library->places.front()));
      }
    }
  }
  return breaches;
}

std::vector<std::string> check_file_sizes(const std::vector<SourceFile>& files) {
  std::vector<std::string> breaches;
  for (const auto& file : files) {
    if (file.line_count() > kLinesPerFileMax) {
      breaches.push_back(file.path + ": " + std::to_string(file.line_count()) +
                         " lines; which second noun is hiding in it?");
    }
  }
  return breaches;
}

std::vector<std::string> check_public_headers(const std::vector<SourceFile>& files) {
  std::size_t headers = 0;
  std::size_t lines = 0;
  for (const auto& file : files) {
    if (!is_public_header(file)) continue;
    ++headers;
    lines += file.line_count();
  }
  std::vector<std::string> breaches;
  if (headers > kPublicHeadersMax) {
    breaches.push_back("include/millrace: " + std::to_string(headers) + " headers, at most " +
                       std::to_string(kPublicHeadersMax));
  }
  if (lines > kPublicLinesMax) {
    breaches.push_back("include/millrace: " + std::to_string(lines) + " lines, at most " +
                       std::to_string(kPublicLinesMax));
  }
  return breaches;
}

}  // namespace millrace::architecture
