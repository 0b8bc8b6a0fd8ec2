#include "bench/latency/clicks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <iterator>

namespace millrace::bench {
namespace {

constexpr std::array<std::string_view, 3> kEventNames = {"view", "click", "purchase"};
constexpr std::array<std::string_view, 5> kSymbols = {"ACME", "GLOB", "INIT", "UMBR", "WAYN"};

// Of those, what is passed on.
std::array<bool, kEventNames.size()> kept = {true, true, false};

// Spreads consecutive numbers over all bits (the finaliser of a 64-bit hash).
std::uint64_t scramble(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15ULL;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9ULL;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBULL;
  return number ^ (number >> 31);
}

bool contains(std::string_view text, std::string_view word) {
  return memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

}  // namespace

EventType event_type_of(std::uint64_t seq) { return static_cast<EventType>(scramble(seq) % 3); }

void write_click(std::uint64_t seq, std::int64_t ts_ms, int size_bytes, std::string& record) {
  const auto bits = scramble(seq);
  record.clear();
  fmt::format_to(
      std::back_inserter(record),
      R"({{"ts":{},"seq":{},"user_id":{},"event_type":"{}","price":{}.{:02},"qty":{},"symbol":"{}","note":")",
      ts_ms, seq, bits % kUsers, kEventNames[static_cast<std::size_t>(event_type_of(seq))],
      1 + bits % 997, (bits >> 10) % 100, 1 + (bits >> 20) % 9,
      kSymbols[(bits >> 30) % kSymbols.size()]);
  const auto wanted = static_cast<std::size_t>(size_bytes);
  constexpr std::size_t kClosing = 2;
  if (record.size() + kClosing < wanted) record.append(wanted - kClosing - record.size(), 'n');
  record += "\"}";
}

std::string users_csv() {
  constexpr std::array<std::string_view, 4> kCountries = {"DE", "FR", "JP", "BR"};
  std::string csv = "user_id,country,tier\n";
  for (int user = 0; user < kUsers; ++user) {
    fmt::format_to(std::back_inserter(csv), "{},{},{}\n", user,
                   kCountries[static_cast<std::size_t>(user) % kCountries.size()], user % 3);
  }
  return csv;
}

std::int64_t seq_of(std::string_view record) {
  constexpr std::string_view kName = "\"seq\":";
  const auto* found =
      static_cast<const char*>(memmem(record.data(), record.size(), kName.data(), kName.size()));
  if (found == nullptr) return -1;
  std::int64_t seq = -1;
  std::from_chars(found + kName.size(), record.data() + record.size(), seq);
  return seq;
}

Status keep_events(std::string_view names) {
  kept = {};
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    const auto found = std::ranges::find(kEventNames, names.substr(0, end));
    if (found == kEventNames.end())
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("--keeps takes view, click and purchase, not '{}'", names.substr(0, end)));
    kept[static_cast<std::size_t>(found - kEventNames.begin())] = true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  if (std::ranges::find(kept, true) != kept.end()) return {};
  return fail(ErrorCode::kInvalidArgument, "--keeps needs one of view, click and purchase");
}

bool is_passed_on(std::uint64_t seq) { return kept[static_cast<std::size_t>(event_type_of(seq))]; }

bool is_dropped(std::string_view record) {
  for (std::size_t type = 0; type < kEventNames.size(); ++type)
    if (!kept[type] && contains(record, fmt::format(R"("event_type":"{}")", kEventNames[type])))
      return true;
  return false;
}

}  // namespace millrace::bench
