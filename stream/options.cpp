#include "millrace/options.hpp"

#include "stream/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>

namespace millrace {

namespace {

constexpr std::string_view kClientPrefix = "kafka.";

using stream::is_digit;
using stream::lower_case;

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

struct DurationUnit {
  std::string_view name;
  std::int64_t ms;
};

constexpr auto kDurationUnits = std::to_array<DurationUnit>({
    {"ms", 1},
    {"millisecond", 1},
    {"milliseconds", 1},
    {"s", 1'000},
    {"sec", 1'000},
    {"second", 1'000},
    {"seconds", 1'000},
    {"m", 60'000},
    {"min", 60'000},
    {"minute", 60'000},
    {"minutes", 60'000},
    {"h", 3'600'000},
    {"hour", 3'600'000},
    {"hours", 3'600'000},
    {"d", 86'400'000},
    {"day", 86'400'000},
    {"days", 86'400'000},
});

std::optional<std::int64_t> unit_ms(std::string_view name) {
  for (const DurationUnit& unit : kDurationUnits) {
    if (unit.name == name) return unit.ms;
  }
  return std::nullopt;
}

/// Takes "5 seconds" off the front of `text`; nothing if it does not begin so.
std::optional<std::int64_t> take_duration_part(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  text = trim(text);
  std::size_t length = 0;
  while (length < text.size() && !is_blank(text[length]) && !is_digit(text[length])) ++length;
  const auto unit = unit_ms(text.substr(0, length));
  if (!unit || number > std::numeric_limits<std::int64_t>::max() / *unit) return std::nullopt;
  text = trim(text.substr(length));
  return number * *unit;
}

/// Edit distance in which a swap of neighbours counts 1 (optimal string alignment).
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before_previous;
  std::vector<std::size_t> previous(right.size() + 1);
  std::vector<std::size_t> current(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t cost = left[i - 1] == right[j - 1] ? 0 : 1;
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
        current[j] = std::min(current[j], before_previous[j - 2] + 1);
    }
    before_previous = previous;
    std::swap(previous, current);
  }
  return previous[right.size()];
}

}  // namespace

std::string canonical_option_key(std::string_view key) {
  std::string lower = lower_case(key);
  if (lower.starts_with("kafka.") || lower.starts_with("kafka_")) {
    std::replace(lower.begin(), lower.end(), '_', '.');
    return lower;
  }
  std::erase_if(lower, [](char c) { return c == '_' || c == '-'; });
  return lower;
}

Options::Options(std::initializer_list<std::pair<std::string_view, std::string_view>> entries) {
  for (const auto& [key, value] : entries) set(key, value);
}

void Options::set(std::string_view key, std::string_view value) {
  Entry entry{std::string(key), canonical_option_key(key), std::string(value)};
  for (Entry& known : entries_) {
    if (known.canonical == entry.canonical) {
      known = std::move(entry);
      return;
    }
  }
  entries_.push_back(std::move(entry));
}

const Options::Entry* Options::find(std::string_view key) const {
  const std::string canonical = canonical_option_key(key);
  for (const Entry& entry : entries_) {
    if (entry.canonical == canonical) return &entry;
  }
  return nullptr;
}

std::optional<std::string> Options::get(std::string_view key) const {
  const Entry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  return entry->value;
}

std::string Options::get_or(std::string_view key, std::string_view fallback) const {
  const Entry* entry = find(key);
  return entry == nullptr ? std::string(fallback) : entry->value;
}

Result<bool> Options::get_bool(std::string_view key, bool fallback) const {
  const Entry* entry = find(key);
  if (entry == nullptr) return fallback;
  const std::string value = lower_case(trim(entry->value));
  if (value == "true") return true;
  if (value == "false") return false;
  return fail(ErrorCode::kInvalidArgument,
              "option " + entry->key + " must be 'true' or 'false', not '" + entry->value + "'");
}

Result<std::int64_t> Options::get_int(std::string_view key, std::int64_t fallback) const {
  const Entry* entry = find(key);
  if (entry == nullptr) return fallback;
  const std::string_view text = trim(entry->value);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return fail(ErrorCode::kInvalidArgument,
              "option " + entry->key + " must be a whole number, not '" + entry->value + "'");
}

Result<std::int64_t> Options::get_duration_ms(std::string_view key, std::int64_t fallback) const {
  const Entry* entry = find(key);
  if (entry == nullptr) return fallback;
  auto duration = parse_duration_ms(entry->value);
  if (duration) return *duration;
  return fail(duration.error().code, "option " + entry->key + ": " + duration.error().message);
}

Status Options::check_known(std::string_view owner, std::span<const std::string_view> known,
                            bool allow_client_settings) const {
  for (const Entry& entry : entries_) {
    if (allow_client_settings && entry.canonical.starts_with(kClientPrefix)) continue;
    const bool is_known = std::any_of(known.begin(), known.end(), [&](std::string_view each) {
      return canonical_option_key(each) == entry.canonical;
    });
    if (is_known) continue;
    std::string message = std::string(owner) + " has no option " + entry.key;
    if (const auto nearest = nearest_name(entry.key, known)) {
      message += "; nearest: " + *nearest;
    } else {
      message += "; options:";
      for (std::size_t i = 0; i < known.size(); ++i)
        message += (i == 0 ? " " : ", ") + std::string(known[i]);
    }
    return fail(ErrorCode::kInvalidArgument, std::move(message));
  }
  return {};
}

Result<std::int64_t> parse_duration_ms(std::string_view text) {
  const std::string lower = lower_case(trim(text));
  std::string_view rest = lower;
  if (!rest.empty() && std::all_of(rest.begin(), rest.end(), is_digit)) {
    std::int64_t ms = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), ms).ec == std::errc()) return ms;
  }
  std::int64_t total = 0;
  bool is_valid = !rest.empty();
  while (is_valid && !rest.empty()) {
    const auto part = take_duration_part(rest);
    is_valid = part && *part <= std::numeric_limits<std::int64_t>::max() - total;
    if (is_valid) total += *part;
  }
  if (is_valid) return total;
  return fail(ErrorCode::kInvalidArgument,
              "not a duration: '" + std::string(text) +
                  "'; write a number and a unit (ms, seconds, minutes, hours, days), as in "
                  "'5 seconds' or '1 minute 30 seconds'");
}

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string_view> candidates) {
  const std::string wanted = lower_case(name);
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::optional<std::string> best;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(wanted, lower_case(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = std::string(candidate);
    }
  }
  return best;
}

}  // namespace millrace
