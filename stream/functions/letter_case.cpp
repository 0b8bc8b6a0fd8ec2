#include "stream/functions/letter_case.hpp"

#include "stream/utf8.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstring>

// utf8proc knows the letters that become one letter; the few that become several, and those whose
// neighbours matter, are here.

namespace millrace::stream {

namespace {

constexpr char32_t kSmallSigma = 0x3C3;
constexpr char32_t kFinalSigma = 0x3C2;
constexpr char32_t kCapitalSigma = 0x3A3;
constexpr char32_t kCapitalIWithDot = 0x130;
constexpr char32_t kDotAbove = 0x307;
constexpr char32_t kCapitalIota = 0x399;
constexpr char32_t kIotaSubscript = 0x345;
constexpr char32_t kApostropheN = 0x149;

/// A letter that becomes two or three in upper case.
struct Expansion {
  char32_t letter;
  std::array<char32_t, 3> upper;  ///< ends early with 0
};

// Sorted by letter. The Greek block from U+1F80 to U+1FAF is regular and left to find_expansion.
constexpr auto kExpansions = std::to_array<Expansion>({
    {0x00DF, {'S', 'S'}},
    {0x0149, {0x02BC, 'N'}},
    {0x01F0, {'J', 0x030C}},
    {0x0390, {0x0399, 0x0308, 0x0301}},
    {0x03B0, {0x03A5, 0x0308, 0x0301}},
    {0x0587, {0x0535, 0x0552}},
    {0x1E96, {'H', 0x0331}},
    {0x1E97, {'T', 0x0308}},
    {0x1E98, {'W', 0x030A}},
    {0x1E99, {'Y', 0x030A}},
    {0x1E9A, {'A', 0x02BE}},
    {0x1F50, {0x03A5, 0x0313}},
    {0x1F52, {0x03A5, 0x0313, 0x0300}},
    {0x1F54, {0x03A5, 0x0313, 0x0301}},
    {0x1F56, {0x03A5, 0x0313, 0x0342}},
    {0x1FB2, {0x1FBA, 0x0399}},
    {0x1FB3, {0x0391, 0x0399}},
    {0x1FB4, {0x0386, 0x0399}},
    {0x1FB6, {0x0391, 0x0342}},
    {0x1FB7, {0x0391, 0x0342, 0x0399}},
    {0x1FBC, {0x0391, 0x0399}},
    {0x1FC2, {0x1FCA, 0x0399}},
    {0x1FC3, {0x0397, 0x0399}},
    {0x1FC4, {0x0389, 0x0399}},
    {0x1FC6, {0x0397, 0x0342}},
    {0x1FC7, {0x0397, 0x0342, 0x0399}},
    {0x1FCC, {0x0397, 0x0399}},
    {0x1FD2, {0x0399, 0x0308, 0x0300}},
    {0x1FD3, {0x0399, 0x0308, 0x0301}},
    {0x1FD6, {0x0399, 0x0342}},
    {0x1FD7, {0x0399, 0x0308, 0x0342}},
    {0x1FE2, {0x03A5, 0x0308, 0x0300}},
    {0x1FE3, {0x03A5, 0x0308, 0x0301}},
    {0x1FE4, {0x03A1, 0x0313}},
    {0x1FE6, {0x03A5, 0x0342}},
    {0x1FE7, {0x03A5, 0x0308, 0x0342}},
    {0x1FF2, {0x1FFA, 0x0399}},
    {0x1FF3, {0x03A9, 0x0399}},
    {0x1FF4, {0x038F, 0x0399}},
    {0x1FF6, {0x03A9, 0x0342}},
    {0x1FF7, {0x03A9, 0x0342, 0x0399}},
    {0x1FFC, {0x03A9, 0x0399}},
    {0xFB00, {'F', 'F'}},
    {0xFB01, {'F', 'I'}},
    {0xFB02, {'F', 'L'}},
    {0xFB03, {'F', 'F', 'I'}},
    {0xFB04, {'F', 'F', 'L'}},
    {0xFB05, {'S', 'T'}},
    {0xFB06, {'S', 'T'}},
    {0xFB13, {0x0544, 0x0546}},
    {0xFB14, {0x0544, 0x0535}},
    {0xFB15, {0x0544, 0x053B}},
    {0xFB16, {0x054E, 0x0546}},
    {0xFB17, {0x0544, 0x053D}},
});

bool is_regular_iota(char32_t letter) { return letter >= 0x1F80 && letter <= 0x1FAF; }

/// The upper case of a letter that becomes several; the first is 0 for all others.
std::array<char32_t, 3> find_expansion(char32_t letter) {
  if (is_regular_iota(letter)) {
    const char32_t row = letter < 0x1F90 ? 0x1F08 : letter < 0x1FA0 ? 0x1F28 : 0x1F68;
    return {row + (letter & 7U), kCapitalIota, 0};
  }
  const auto* place = std::ranges::lower_bound(kExpansions, letter, {}, &Expansion::letter);
  if (place == kExpansions.end() || place->letter != letter) return {};
  return place->upper;
}

char32_t simple(utf8proc_int32_t (*map)(utf8proc_int32_t), char32_t letter) {
  return static_cast<char32_t>(map(static_cast<utf8proc_int32_t>(letter)));
}

/// Text at hand and where its other case goes.
struct CaseWriter {
  std::string_view text;
  char* out;
  std::size_t offset = 0;  ///< of the character at hand

  void put(char32_t letter) { out += write_character(letter, out); }
  void upper(char32_t letter);
  void lower(char32_t letter);
  void title(char32_t letter);
  [[nodiscard]] bool ends_word() const;
};

void CaseWriter::upper(char32_t letter) {
  const auto several = find_expansion(letter);
  if (several[0] == 0) return put(simple(utf8proc_toupper, letter));
  for (const char32_t part : several) {
    if (part != 0) put(part);
  }
}

/// Letters of one character that a title has for those of two: alpha with iota below, and such.
bool has_title_letter(char32_t letter) {
  constexpr std::array<char32_t, 6> kOthers = {0x1FB3, 0x1FBC, 0x1FC3, 0x1FCC, 0x1FF3, 0x1FFC};
  return is_regular_iota(letter) || std::ranges::find(kOthers, letter) != kOthers.end();
}

void CaseWriter::title(char32_t letter) {
  const auto several = find_expansion(letter);
  if (several[0] == 0 || has_title_letter(letter)) return put(simple(utf8proc_totitle, letter));
  put(several[0]);
  for (const char32_t part : {several[1], several[2]}) {
    if (part == 0) continue;
    const bool stays = letter == kApostropheN;
    put(part == kCapitalIota ? kIotaSubscript : stays ? part : simple(utf8proc_tolower, part));
  }
}

void CaseWriter::lower(char32_t letter) {
  if (letter == kCapitalSigma) return put(ends_word() ? kFinalSigma : kSmallSigma);
  if (letter == kCapitalIWithDot) {
    put('i');
    return put(kDotAbove);
  }
  put(simple(utf8proc_tolower, letter));
}

utf8proc_category_t category_of(char32_t letter) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(letter));
}

bool is_cased(char32_t letter) {
  const auto category = category_of(letter);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
         category == UTF8PROC_CATEGORY_LT;
}

/// Marks, modifiers and the punctuation of the inside of words: they part no word.
bool is_case_ignorable(char32_t letter) {
  constexpr auto kInsideWords =
      std::to_array<char32_t>({'\'', '.', ':', 0xB7, 0x387, 0x5F4, 0x2018, 0x2019, 0x2024, 0x2027,
                               0xFE13, 0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A});
  switch (category_of(letter)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return std::ranges::find(kInsideWords, letter) != kInsideWords.end();
  }
}

/// Whether a letter stands before the character at hand, in the same word, and none behind.
bool CaseWriter::ends_word() const {
  std::size_t before = offset;
  char32_t letter = 0;
  do {
    if (before == 0) return false;
    do {
      --before;
    } while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xC0U) == 0x80);
    letter = first_character(text.substr(before));
  } while (is_case_ignorable(letter));
  if (!is_cased(letter)) return false;

  for (std::size_t behind = offset + character_size(text.substr(offset)); behind < text.size();
       behind += character_size(text.substr(behind))) {
    letter = first_character(text.substr(behind));
    if (!is_case_ignorable(letter)) return !is_cased(letter);
  }
  return true;
}

template <char kFirst, int kDistance>
void write_ascii(const char* __restrict text, std::size_t length, char* __restrict out) {
  for (std::size_t i = 0; i < length; ++i) {
    const char c = text[i];
    const bool changes = static_cast<unsigned char>(c - kFirst) < 26;
    out[i] = static_cast<char>(c + (changes ? kDistance : 0));
  }
}

/// Writes the character at hand by `write`, or as it is if it is malformed; moves on.
template <typename Write>
void write_next(CaseWriter& writer, const Write& write) {
  const std::string_view rest = writer.text.substr(writer.offset);
  const std::size_t size = character_size(rest);
  if (size == 1 && static_cast<unsigned char>(rest[0]) >= 0x80)
    *writer.out++ = rest[0];
  else
    write(first_character(rest));
  writer.offset += size;
}

template <bool kUpper>
std::size_t write_case(std::string_view text, char* out) {
  CaseWriter writer{text, out};
  while (writer.offset < text.size()) {
    const std::string_view rest = text.substr(writer.offset);
    const std::size_t ascii = ascii_prefix(rest);
    if constexpr (kUpper)
      write_ascii<'a', -32>(rest.data(), ascii, writer.out);
    else
      write_ascii<'A', 32>(rest.data(), ascii, writer.out);
    writer.out += ascii;
    writer.offset += ascii;
    if (writer.offset == text.size()) break;
    write_next(writer, [&](char32_t letter) {
      if constexpr (kUpper)
        writer.upper(letter);
      else
        writer.lower(letter);
    });
  }
  return static_cast<std::size_t>(writer.out - out);
}

}  // namespace

std::size_t write_upper(std::string_view text, char* out) { return write_case<true>(text, out); }

std::size_t write_lower(std::string_view text, char* out) { return write_case<false>(text, out); }

std::size_t write_title(std::string_view text, char* out) {
  CaseWriter writer{text, out};
  bool begins_word = true;
  while (writer.offset < text.size()) {
    const bool is_space = text[writer.offset] == ' ';
    write_next(writer, [&](char32_t letter) {
      if (begins_word)
        writer.title(letter);
      else
        writer.lower(letter);
    });
    begins_word = is_space;
  }
  return static_cast<std::size_t>(writer.out - out);
}

}  // namespace millrace::stream
