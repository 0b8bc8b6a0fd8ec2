#include "stream/decimal.hpp"
#include "stream/functions/list_rows.hpp"
#include "stream/functions/number_pattern.hpp"
#include "stream/functions/pattern_cache.hpp"
#include "stream/functions/row_kernel.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

// Numbers written with groups of digits, rounded half to the even digit.

namespace millrace::stream {

namespace {

/// Digits of the largest double, with as many behind the point as a pattern has.
constexpr std::size_t kDigitsMax = 309 + NumberPattern::kFractionMax + 16;
using DigitBuffer = std::array<char, kDigitsMax>;

NumberDigits split(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string_view whole = text.substr(0, point);
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  return {whole, text.substr(std::min(point + 1, text.size()))};
}

NumberDigits digits_of_integer(std::uint64_t value, DigitBuffer& buffer) {
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return split({buffer.data(), end});
}

NumberDigits digits_of_decimal(ScaledDecimal value, int fraction_max, DigitBuffer& buffer) {
  if (value.scale > fraction_max) {
    // Fewer digits always fit.
    const DataType type = DataType::decimal(DataType::kPrecisionMax, fraction_max);
    value = {*rescale(value, type, Rounding::kHalfEven), fraction_max};
  }
  return split({buffer.data(), write_decimal(value.value, value.scale, buffer.data())});
}

/// Digits as they name the double, "1.25e+02", written out: "125", "0.00125".
std::string_view written_out(std::string_view text, DigitBuffer& buffer) {
  const std::size_t mark = text.find('e');
  int exponent = 0;
  const char* sign = text.data() + mark + 1;
  std::from_chars(*sign == '+' ? sign + 1 : sign, text.data() + text.size(), exponent);
  std::array<char, 24> digits;
  char* const end = std::copy_if(text.begin(), text.begin() + mark, digits.begin(),
                                 [](char c) { return c != '.'; });
  const auto count = static_cast<int>(end - digits.begin());
  char* out = buffer.data();
  for (int place = std::min(exponent, 0); place < std::max(count, exponent + 1); ++place) {
    if (place == exponent + 1) *out++ = '.';
    const bool is_digit = place >= 0 && place < count;
    *out++ = is_digit ? digits[static_cast<std::size_t>(place)] : '0';
  }
  return {buffer.data(), out};
}

/// A double is what its shortest digits say; cut short it is rounded by its exact value.
NumberDigits digits_of_double(double value, int fraction_max, DigitBuffer& buffer) {
  std::array<char, 32> shortest;
  const char* end = std::to_chars(shortest.data(), shortest.data() + shortest.size(), value,
                                  std::chars_format::scientific)
                        .ptr;
  const NumberDigits digits = split(written_out({shortest.data(), end}, buffer));
  if (digits.fraction.size() <= static_cast<std::size_t>(fraction_max)) return digits;
  end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                      fraction_max)
            .ptr;
  return split({buffer.data(), end});
}

struct Formats : CallState {
  PatternCache<NumberPattern> patterns;
  NumberPattern by_places = NumberPattern::with_places(0);
};

void settle_format(const PlannedCall& call, CallMemory& memory) {
  auto& formats = memory.get<Formats>();
  if (const std::string* text = literal_text(call, 1))
    (void)formats.patterns.find(*text, NumberPattern::parse);
}

/// The pattern of the row; null, and the row is null or failed, if there is none.
const NumberPattern* pattern_of(KernelCall& call, std::size_t row) {
  auto& formats = call.state.get<Formats>();
  const Column& format = *call.arguments[1];
  if (format.kind() == TypeKind::kString) {
    const auto& pattern = formats.patterns.find(format.text(row), NumberPattern::parse);
    if (pattern) return &*pattern;
    call.errors.raise(row, [&] { return pattern.error().message; });
    call.result.set_null(row);
    return nullptr;
  }
  const std::int32_t places = format.value<std::int32_t>(row);
  if (places < 0) {
    call.result.set_null(row);
    return nullptr;
  }
  const int wanted = std::min(places, NumberPattern::kFractionMax);
  if (formats.by_places.fraction_max() != wanted)
    formats.by_places = NumberPattern::with_places(wanted);
  return &formats.by_places;
}

/// A number and whether it stands behind a minus.
struct SignedDigits {
  bool is_negative = false;
  NumberDigits digits;
};

SignedDigits digits_of(const Column& number, std::size_t row, int fraction_max,
                       DigitBuffer& buffer) {
  if (number.kind() == TypeKind::kInt64) {
    const auto value = number.value<std::int64_t>(row);
    const auto bits = static_cast<std::uint64_t>(value);
    return {value < 0, digits_of_integer(value < 0 ? 0 - bits : bits, buffer)};
  }
  if (number.kind() == TypeKind::kDouble) {
    const double value = number.value<double>(row);
    return {std::signbit(value), digits_of_double(std::abs(value), fraction_max, buffer)};
  }
  const Int128 value = number.value<Decimal>(row).unscaled;
  const ScaledDecimal magnitude{{value < 0 ? -value : value}, number.type().scale()};
  return {value < 0, digits_of_decimal(magnitude, fraction_max, buffer)};
}

std::string_view format_number(KernelCall& call, const NumberPattern& pattern, std::size_t row) {
  const Column& number = *call.arguments[0];
  if (number.kind() == TypeKind::kDouble && !std::isfinite(number.value<double>(row))) {
    const double value = number.value<double>(row);
    if (std::isnan(value)) return "NaN";
    char* const out = call.arena.allocate(pattern.room({}));
    return {out, pattern.write_word(value < 0, "∞", out)};
  }
  DigitBuffer buffer;
  const SignedDigits text = digits_of(number, row, pattern.fraction_max(), buffer);
  const std::size_t room = pattern.room(text.digits);
  char* const out = call.arena.allocate(room);
  const std::size_t size = pattern.write(text.is_negative, text.digits, out);
  call.arena.shrink_last(out, size);
  return {out, size};
}

void format_numbers(KernelCall& call) {
  const auto result = call.result.values<std::string_view>();
  each_present(call, [&](std::size_t row) {
    result[row] = {};
    const NumberPattern* pattern = pattern_of(call, row);
    if (pattern != nullptr) result[row] = format_number(call, *pattern, row);
  });
}

/// A number of any type, and the type that says how.
template <TypeKind kFormat>
std::optional<SettledTypes> format_types(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const DataType& number = arguments[0].type;
  const DataType& format = arguments[1].type;
  const bool is_text = format.is(TypeKind::kString);
  if (!is_numeric(number.kind()) || is_text != (kFormat == TypeKind::kString)) return std::nullopt;
  const DataType written = number.is(TypeKind::kInt32) ? DataType(TypeKind::kInt64) : number;
  return SettledTypes{{written, kFormat}, TypeKind::kString};
}

Status check_pattern(std::span<const Value* const> literals) {
  if (literals[1] == nullptr) return {};
  return NumberPattern::parse(std::get<std::string>(literals[1]->data)).map([](const auto&) {});
}

}  // namespace

void add_number_format_functions(FunctionRegistry& registry) {
  FunctionOverload by_places = list_function(
      "format_number", "format_number(number, int)", format_types<TypeKind::kInt32>, format_numbers,
      "The number with groups of three digits and so many behind the point (340 at most), halves "
      "to the even digit: 12,332.1235.");
  by_places.settle = settle_format;
  registry.add(with_nulls(by_places, "an argument is null, or the second below 0"));
  FunctionOverload by_pattern = list_function(
      "format_number", "format_number(number, string)", format_types<TypeKind::kString>,
      format_numbers,
      "The number by a pattern as Java's DecimalFormat reads it: # and 0 for digits, commas for "
      "groups, a point, text around; without %, E and a part for negative numbers.");
  by_pattern.check_literals = check_pattern;
  by_pattern.settle = settle_format;
  registry.add(failing(by_pattern, "the pattern is none"));
}

}  // namespace millrace::stream
