#include "millrace/clock.hpp"

#include "state/checkpoint.hpp"
#include "state/record_file.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/support/lying_disk.hpp"

#include <algorithm>

namespace millrace::fuzz {
namespace {

constexpr std::string_view kFolder = "chk/enrich";

/// One file of the folder: its name from there, and what is in it.
struct PlantedFile {
  std::string name;
  std::string bytes;
};

std::string_view kind_of(std::string_view name) {
  if (name == "metadata") return "metadata";
  if (name == "plan.json") return "plan";
  if (name == "sources/start") return "start";
  return name.starts_with("commits/") ? "commit" : name.substr(0, name.find('/'));
}

// "== offsets/3" and below it the file. With "=+" its text is JSON, which gets the line above it
// that a file needs: a fuzzer hardly hits a checksum.
std::vector<PlantedFile> files_of(std::string_view input) {
  std::vector<PlantedFile> files;
  while (!input.empty()) {
    std::string_view part = input.substr(0, input.find("\n=", 1));
    input.remove_prefix(std::min(part.size() + 1, input.size()));
    const bool is_sealed = part.starts_with("=+ ");
    if (!is_sealed && !part.starts_with("== ")) continue;
    part.remove_prefix(3);
    PlantedFile file;
    file.name = part.substr(0, part.find('\n'));
    file.bytes = part.substr(std::min(file.name.size() + 1, part.size()));
    if (is_sealed) {
      const auto document = formats::JsonValue::parse(file.bytes);
      if (!document) continue;
      file.bytes = state::encode_record_file(kind_of(file.name), *document);
    }
    files.push_back(std::move(file));
  }
  return files;
}

template <typename Record>
void check_record(const Result<Record>& record, Result<Record> (*decode)(std::string_view)) {
  if (!record)
    return require(record.error().code == ErrorCode::kCorrupt ||
                       record.error().code == ErrorCode::kNotSupported,
                   "a bad file is corrupt, or of a newer Millrace");
  const auto again = decode(encode(*record));
  require(again && encode(*again) == encode(*record), "a record reads back as it was");
}

void check_file(const std::string& bytes) {
  check_record(state::decode_offsets(bytes), &state::decode_offsets);
  check_record(state::decode_prepared(bytes), &state::decode_prepared);
  check_record(state::decode_commit(bytes), &state::decode_commit);
  check_record(state::decode_metadata(bytes), &state::decode_metadata);
  check_record(state::decode_plan(bytes), &state::decode_plan);
  check_record(state::decode_start(bytes), &state::decode_start);
}

// A folder as it is found: refused with a sentence, or a place to go on from, twice the same.
void check_folder(const std::vector<PlantedFile>& files) {
  support::LyingDisk disk(1);
  const ManualClock clock(WallTime(1'700'000'000'000'000));
  const std::string folder(kFolder);
  for (const char* part : {"", "/offsets", "/prepared", "/commits", "/sources"})
    static_cast<void>(disk.create_folders(folder + part));
  for (const PlantedFile& file : files) {
    const bool is_name = !file.name.empty() && file.name.find('\0') == std::string::npos &&
                         std::ranges::count(file.name, '/') <= 1;
    if (is_name) disk.plant(folder + "/" + file.name, file.bytes);
  }
  std::optional<Epoch> next;
  for (int time = 0; time < 2; ++time) {
    state::CheckpointOptions options;
    options.folder = folder;
    auto checkpoint = state::Checkpoint::open(disk, clock, options);
    if (!checkpoint) return require_readable(checkpoint.error());
    const auto point = (*checkpoint)->restart();
    if (!point) return require_readable(point.error());
    if (point->committed) require(point->committed->commit.epoch < point->next, "it goes forward");
    require(!next || *next == point->next, "a second look finds the same place");
    next = point->next;
  }
}

}  // namespace

void run_checkpoint(std::string_view input) {
  const std::vector<PlantedFile> files = files_of(input);
  check_file(std::string(input));
  for (const PlantedFile& file : files) check_file(file.bytes);
  check_folder(files);
}

}  // namespace millrace::fuzz
