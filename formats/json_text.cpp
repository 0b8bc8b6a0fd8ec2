#include "formats/json_text.hpp"

#include "stream/calendar.hpp"
#include "stream/scalar_text.hpp"

#include <simdjson.h>

#include <array>
#include <cmath>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace millrace::formats {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
/// The longest that one byte of text becomes: \u001f.
constexpr std::size_t kEscapeBytesMax = 6;

/// What a byte of a string needs.
enum ByteClass : std::uint8_t { kPlain, kEscape, kNotAscii };

constexpr std::array<std::uint8_t, 256> kByteClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) classes[byte] = kEscape;
  classes['"'] = classes['\\'] = kEscape;
  for (std::size_t byte = 0x80; byte < 0x100; ++byte) classes[byte] = kNotAscii;
  return classes;
}();

/// How many bytes at the front are plain ASCII that needs no escape; copies those, and perhaps some
/// behind them, to `out`, which has room for the whole text.
std::size_t copy_plain(const char* text, std::size_t size, char* out) {
  std::size_t i = 0;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  // As signed bytes, control characters and everything beyond ASCII lie below a blank.
  const __m128i blank = _mm_set1_epi8(' ');
  for (; i + 16 <= size; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), bytes);
    const __m128i special =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                     _mm_cmplt_epi8(bytes, blank));
    const int mask = _mm_movemask_epi8(special);
    if (mask != 0) return i + static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(mask)));
  }
#endif
  for (; i < size; ++i) {
    if (kByteClasses[static_cast<std::uint8_t>(text[i])] != kPlain) break;
    out[i] = text[i];
  }
  return i;
}

/// Bytes of the valid UTF-8 sequence at the front, or 0.
std::size_t sequence_length(std::string_view text) {
  const auto first = static_cast<std::uint8_t>(text.front());
  const std::size_t length = first < 0xC2   ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  return simdjson::validate_utf8(text.data(), length) ? length : 0;
}

void put_escape(char byte, ArenaText& out) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  out.put('\\');
  switch (byte) {
    case '"':
    case '\\':
      return out.put(byte);
    case '\b':
      return out.put('b');
    case '\f':
      return out.put('f');
    case '\n':
      return out.put('n');
    case '\r':
      return out.put('r');
    case '\t':
      return out.put('t');
    default:
      out.put("u00");
      out.put(kHexDigits[static_cast<std::uint8_t>(byte) >> 4]);
      out.put(kHexDigits[static_cast<std::uint8_t>(byte) & 15]);
  }
}

/// The rest of a string from its first byte that is not plain.
void put_escaped(std::string_view text, ArenaText& out) {
  while (!text.empty()) {
    // Room for this piece as it is, one escape, and the closing quote.
    out.reserve(text.size() + kEscapeBytesMax + 1);
    const std::size_t plain = copy_plain(text.data(), text.size(), out.at());
    out.advance_to(out.at() + plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const char byte = text.front();
    if (kByteClasses[static_cast<std::uint8_t>(byte)] == kEscape) {
      put_escape(byte, out);
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = sequence_length(text);
    out.put(length == 0 ? kReplacement : text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

/// Writes a double of few decimals fast: gives the end, or null when it is not such a one.
///
/// value * 10^4 rounded is an integer n below 10^15. If n / 10^4, one correctly rounded division of
/// two exact doubles, is the value again, then the decimal number n / 10^4 reads back as the value.
/// It has at most 15 digits, and two different decimals of that length never read as one double, so
/// without its trailing zeroes it is also the shortest.
char* write_short_decimal(double value, char* out) {
  constexpr double kScale = 1e4;
  const double magnitude = std::fabs(value);
  if (!(magnitude >= 1e-3 && magnitude < 1e7)) return nullptr;
  const auto scaled = static_cast<std::uint64_t>(magnitude * kScale + 0.5);
  if (static_cast<double>(scaled) / kScale != magnitude) return nullptr;
  if (value < 0) *out++ = '-';
  out += stream::write_int64(static_cast<std::int64_t>(scaled / 10'000), out);
  *out++ = '.';
  std::uint64_t fraction = scaled % 10'000;
  std::uint64_t unit = 1'000;
  do {
    *out++ = static_cast<char>('0' + fraction / unit);
    fraction %= unit;
    unit /= 10;
  } while (fraction != 0);
  return out;
}

char* write_padded(std::int64_t number, int digits, char* out) {
  for (int i = digits - 1; i >= 0; --i) {
    out[i] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
  return out + digits;
}

}  // namespace

void put_json_string(std::string_view text, ArenaText& out) {
  out.reserve(text.size() + 2);
  out.put('"');
  const std::size_t plain = copy_plain(text.data(), text.size(), out.at());
  out.advance_to(out.at() + plain);
  if (plain != text.size()) put_escaped(text.substr(plain), out);
  out.put('"');
}

void put_json_double(double value, ArenaText& out) {
  out.reserve(stream::kScalarTextMax + 2);
  char* const end = write_short_decimal(value, out.at());
  if (end != nullptr) return out.advance_to(end);
  const bool is_quoted = !std::isfinite(value);
  if (is_quoted) out.put('"');
  out.advance_to(out.at() + stream::write_double(value, out.at()));
  if (is_quoted) out.put('"');
}

void put_json_timestamp(std::int64_t us, ArenaText& out) {
  out.reserve(stream::kScalarTextMax + 2);
  std::int64_t days = us / stream::kMicrosPerDay;
  std::int64_t rest = us % stream::kMicrosPerDay;
  if (rest < 0) {
    rest += stream::kMicrosPerDay;
    --days;
  }
  const std::int64_t seconds = rest / stream::kMicrosPerSecond;
  const std::int64_t fraction_us = rest % stream::kMicrosPerSecond;
  out.put('"');
  char* at = out.at();
  at += stream::write_date(static_cast<std::int32_t>(days), at);
  *at++ = 'T';
  at = write_padded(seconds / 3600, 2, at);
  *at++ = ':';
  at = write_padded(seconds / 60 % 60, 2, at);
  *at++ = ':';
  at = write_padded(seconds % 60, 2, at);
  *at++ = '.';
  at = fraction_us % 1000 == 0 ? write_padded(fraction_us / 1000, 3, at)
                               : write_padded(fraction_us, 6, at);
  *at++ = 'Z';
  *at++ = '"';
  out.advance_to(at);
}

}  // namespace millrace::formats
