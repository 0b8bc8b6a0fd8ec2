#include "stream/interval_text.hpp"

#include "stream/ascii.hpp"
#include "stream/calendar.hpp"
#include "stream/scalar_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>

namespace millrace::stream {

namespace {

constexpr std::int64_t kMonthsPerYear = 12;
constexpr std::size_t kFractionDigitsMax = 6;

enum class Part { kMonths, kDays, kMicroseconds };

struct Unit {
  std::string_view name;  ///< in the singular
  Part part;
  std::int64_t factor;
};

constexpr auto kUnits = std::to_array<Unit>({
    {"year", Part::kMonths, kMonthsPerYear},
    {"month", Part::kMonths, 1},
    {"week", Part::kDays, 7},
    {"day", Part::kDays, 1},
    {"hour", Part::kMicroseconds, kMicrosPerHour},
    {"minute", Part::kMicroseconds, kMicrosPerMinute},
    {"second", Part::kMicroseconds, kMicrosPerSecond},
    {"millisecond", Part::kMicroseconds, 1000},
    {"microsecond", Part::kMicroseconds, 1},
});

char* write_text(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

/// Adds "3 days " unless the amount is zero.
char* write_part(char* out, std::int64_t amount, std::string_view unit) {
  if (amount == 0) return out;
  out += write_int64(amount, out);
  *out++ = ' ';
  out = write_text(out, unit);
  *out++ = ' ';
  return out;
}

/// The same for seconds, whose fraction goes without its trailing zeroes.
char* write_seconds(char* out, std::int64_t microseconds) {
  if (microseconds == 0) return out;
  if (microseconds < 0) *out++ = '-';
  const std::int64_t magnitude = microseconds < 0 ? -microseconds : microseconds;
  out += write_int64(magnitude / kMicrosPerSecond, out);
  std::int64_t fraction = magnitude % kMicrosPerSecond;
  if (fraction != 0) *out++ = '.';
  for (std::int64_t place = kMicrosPerSecond / 10; fraction != 0; place /= 10) {
    *out++ = static_cast<char>('0' + fraction / place);
    fraction %= place;
  }
  return write_text(out, " seconds ");
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
}

std::string take_word(std::string_view& text) {
  skip_blanks(text);
  std::string word;
  while (!text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0) {
    word += lower_letter(text.front());
    text.remove_prefix(1);
  }
  return word;
}

/// A number as it is written: "-1.5" is 1 and 500,000 millionths, negative.
struct Amount {
  bool is_negative = false;
  bool has_fraction = false;
  std::int64_t whole = 0;
  std::int64_t millionths = 0;
};

std::optional<Amount> take_amount(std::string_view& text) {
  skip_blanks(text);
  Amount amount;
  if (text.starts_with('-') || text.starts_with('+')) {
    amount.is_negative = text.front() == '-';
    text.remove_prefix(1);
  }
  skip_blanks(text);
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), amount.whole);
  if (problem != std::errc() || amount.whole < 0 || text.starts_with('-')) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.starts_with('.')) return amount;
  text.remove_prefix(1);
  amount.has_fraction = true;
  std::int64_t place = kMicrosPerSecond / 10;
  std::size_t digits = 0;
  for (; !text.empty() && is_digit(text.front()); ++digits) {
    amount.millionths += (text.front() - '0') * place;
    place /= 10;
    text.remove_prefix(1);
  }
  if (digits == 0 || digits > kFractionDigitsMax) return std::nullopt;
  return amount;
}

const Unit* find_unit(std::string name) {
  if (name.ends_with('s')) name.pop_back();
  const auto* found = std::ranges::find(kUnits, name, &Unit::name);
  return found == kUnits.end() ? nullptr : found;
}

template <typename T>
bool add_whole(T& sum, const Amount& amount, std::int64_t factor) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(amount.whole, amount.is_negative ? -factor : factor, &product))
    return false;
  return !__builtin_add_overflow(sum, product, &sum);
}

bool add_amount(Interval& sum, const Amount& amount, const Unit& unit) {
  if (unit.part != Part::kMicroseconds && amount.has_fraction) return false;
  switch (unit.part) {
    case Part::kMonths:
      return add_whole(sum.months, amount, unit.factor);
    case Part::kDays:
      return add_whole(sum.days, amount, unit.factor);
    case Part::kMicroseconds:
      break;
  }
  const std::int64_t fraction = amount.millionths * unit.factor / kMicrosPerSecond;
  return add_whole(sum.microseconds, amount, unit.factor) &&
         !__builtin_add_overflow(sum.microseconds, amount.is_negative ? -fraction : fraction,
                                 &sum.microseconds);
}

}  // namespace

std::size_t write_interval(const Interval& value, char* out) {
  char* end = write_part(out, value.months / kMonthsPerYear, "years");
  end = write_part(end, value.months % kMonthsPerYear, "months");
  end = write_part(end, value.days, "days");
  end = write_part(end, value.microseconds / kMicrosPerHour, "hours");
  end = write_part(end, value.microseconds % kMicrosPerHour / kMicrosPerMinute, "minutes");
  end = write_seconds(end, value.microseconds % kMicrosPerMinute);
  if (end == out) end = write_text(end, "0 seconds ");
  return static_cast<std::size_t>(end - out) - 1;  // without the last blank
}

std::string interval_text(const Interval& value) {
  std::array<char, kIntervalTextMax> buffer;
  return {buffer.data(), write_interval(value, buffer.data())};
}

std::optional<Interval> read_interval(std::string_view text) {
  std::string_view behind_word = text;
  if (take_word(behind_word) == "interval") text = behind_word;
  Interval sum;
  bool has_any = false;
  for (skip_blanks(text); !text.empty(); skip_blanks(text)) {
    const auto amount = take_amount(text);
    if (!amount) return std::nullopt;
    const Unit* unit = find_unit(take_word(text));
    if (unit == nullptr || !add_amount(sum, *amount, *unit)) return std::nullopt;
    has_any = true;
  }
  if (!has_any) return std::nullopt;
  return sum;
}

}  // namespace millrace::stream
