#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <type_traits>

// Texts and bytes: lengths, parts, padding, joining.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Text = std::string;

Int count(std::size_t size) { return static_cast<Int>(size); }

/// From a position on, 1 for the first and -1 for the last, so many.
template <typename Letters>
Letters part(const Letters& whole, Int position, std::optional<Int> length) {
  const auto size = static_cast<std::int64_t>(whole.size());
  const std::int64_t begin = position > 0 ? position - 1 : position < 0 ? size + position : 0;
  const std::int64_t end = length ? begin + *length : size;
  Letters result;
  for (std::int64_t i = std::max<std::int64_t>(begin, 0); i < std::min(end, size); ++i)
    result += whole[static_cast<std::size_t>(i)];
  return result;
}

template <typename Letters>
Letters filling(const Letters& with, std::size_t size) {
  Letters result;
  while (!with.empty() && result.size() < size) result += with[result.size() % with.size()];
  return result;
}

template <typename Letters>
Letters padded(const Letters& whole, Int wanted, const Letters& with, bool is_left) {
  if (wanted <= 0) return {};
  const auto size = static_cast<std::size_t>(wanted);
  if (size <= whole.size()) return whole.substr(0, size);
  const Letters more = filling(with, size - whole.size());
  return is_left ? more + whole : whole + more;
}

/// What stands at the position, and so many behind it, gives way to the other.
template <typename Letters>
Letters overlaid(const Letters& whole, const Letters& other, Int position,
                 std::optional<Int> length) {
  const Int gone = length && *length >= 0 ? *length : count(other.size());
  return part<Letters>(whole, 1, position - 1) + other +
         part<Letters>(whole, position + gone, std::nullopt);
}

/// Adds the form for texts, whose letters are characters, and that for bytes.
template <typename Make>
void add_both(Oracles& oracles, const Make& make) {
  for (Oracle& each : make(std::type_identity<Text>(), "string", characters_of,
                           [](const Characters& c) { return text_of(c); }))
    oracles.push_back(std::move(each));
  for (Oracle& each : make(
           std::type_identity<Bytes>(), "bytes", [](const Bytes& b) { return b.data; },
           [](const Text& b) { return Bytes{b}; }))
    oracles.push_back(std::move(each));
}

void add_parts(Oracles& oracles) {
  add_both(oracles, [](auto type, const Text& name, auto letters, auto whole) {
    using T = typename decltype(type)::type;
    Oracles made;
    made.push_back(oracle("substring(" + name + ", int, int)", "substring",
                          [=](const T& text, Few position, Few length) {
                            return whole(part(letters(text), position.value, length.value));
                          }));
    made.push_back(
        oracle("substring(" + name + ", int)", "substring", [=](const T& text, Few position) {
          return whole(part(letters(text), position.value, std::nullopt));
        }));
    made.push_back(oracle("left(" + name + ", int)", "left", [=](const T& text, Few size) {
      return whole(part(letters(text), 1, std::max(size.value, 0)));
    }));
    made.push_back(oracle("right(" + name + ", int)", "right", [=](const T& text, Few size) {
      if (size.value <= 0) return whole({});
      return whole(part(letters(text), -size.value, std::nullopt));
    }));
    for (const bool is_left : {true, false}) {
      const char* pad = is_left ? "lpad" : "rpad";
      made.push_back(oracle(Text(pad) + "(" + name + ", int, " + name + ")", pad,
                            [=](const T& text, Few size, const T& with) {
                              return whole(
                                  padded(letters(text), size.value, letters(with), is_left));
                            }));
      made.push_back(oracle(Text(pad) + "(" + name + ", int)", pad, [=](const T& text, Few size) {
        auto with = letters(text);
        with.assign(1, std::is_same_v<T, Text> ? U' ' : U'\0');
        return whole(padded(letters(text), size.value, with, is_left));
      }));
    }
    made.push_back(oracle("overlay(" + name + ", " + name + ", int, int)", "overlay",
                          [=](const T& text, const T& other, Few position, Few length) {
                            return whole(overlaid(letters(text), letters(other), position.value,
                                                  length.value));
                          }));
    made.push_back(oracle("overlay(" + name + ", " + name + ", int)", "overlay",
                          [=](const T& text, const T& other, Few position) {
                            return whole(overlaid(letters(text), letters(other), position.value,
                                                  std::nullopt));
                          }));
    return made;
  });
}

Text without(const Text& text, const Text& set, bool at_begin, bool at_end) {
  Characters letters = characters_of(text);
  const Characters gone = characters_of(set);
  const auto is_gone = [&](char32_t c) { return gone.find(c) != Characters::npos; };
  while (at_begin && !letters.empty() && is_gone(letters.front())) letters.erase(0, 1);
  while (at_end && !letters.empty() && is_gone(letters.back())) letters.pop_back();
  return text_of(letters);
}

void add_trimming(Oracles& oracles) {
  struct Side {
    const char* name;
    bool at_begin;
    bool at_end;
  };
  for (const auto& [name, at_begin, at_end] :
       {Side{"trim", true, true}, Side{"ltrim", true, false}, Side{"rtrim", false, true}}) {
    oracles.push_back(oracle(Text(name) + "(string)", name, [=](const Text& text) {
      return without(text, " ", at_begin, at_end);
    }));
    oracles.push_back(oracle(
        Text(name) + "(string, string)", name,
        [=](const Text& text, const Text& set) { return without(text, set, at_begin, at_end); }));
  }
}

void add_lengths(Oracles& oracles) {
  oracles.push_back(oracle("length(string)", "length",
                           [](const Text& v) -> Int { return count(characters_of(v).size()); }));
  oracles.push_back(oracle("length(bytes)", "length",
                           [](const Bytes& v) -> Int { return count(v.data.size()); }));
  for (const char* name : {"octet_length", "bit_length"}) {
    const Int factor = Text(name) == "bit_length" ? 8 : 1;
    oracles.push_back(oracle(Text(name) + "(string)", name,
                             [=](const Text& v) -> Int { return count(v.size()) * factor; }));
    oracles.push_back(oracle(Text(name) + "(bytes)", name,
                             [=](const Bytes& v) -> Int { return count(v.data.size()) * factor; }));
  }
}

void add_joining(Oracles& oracles) {
  oracles.push_back(oracle("concat(string, ...)", "concat",
                           [](const Text& a, const Text& b, const Text& c) { return a + b + c; }));
  oracles.push_back(oracle("concat(string, ...)", "concat", [](const Text& a, Int b, bool c) {
    return a + std::to_string(b) + (c ? "true" : "false");
  }));
  oracles.push_back(oracle("concat(bytes, ...)", "concat",
                           [](const Bytes& a, const Bytes& b) { return Bytes{a.data + b.data}; }));
  oracles.push_back(
      oracle("string || string", "||", [](const Text& a, const Text& b) { return a + b; }));
  oracles.push_back(oracle("bytes || bytes", "||",
                           [](const Bytes& a, const Bytes& b) { return Bytes{a.data + b.data}; }));
  using Maybe = std::optional<Text>;
  oracles.push_back(oracle(
      "concat_ws(string, string or array<string>, ...)", "concat_ws",
      [](const Text& separator, const Maybe& a, const std::optional<std::vector<Maybe>>& list) {
        std::vector<Maybe> parts = {a};
        if (list) parts.insert(parts.end(), list->begin(), list->end());
        Text result;
        bool is_first = true;
        for (const Maybe& each : parts) {
          if (!each) continue;
          result += (is_first ? "" : separator) + *each;
          is_first = false;
        }
        return result;
      }));
  oracles.push_back(oracle("repeat(string, int)", "repeat", [](const Text& text, Few times) {
    Text result;
    for (Int i = 0; i < times.value; ++i) result += text;
    return result;
  }));
  oracles.push_back(oracle("space(int)", "space", [](Few size) {
    return Text(static_cast<std::size_t>(std::max(size.value, 0)), ' ');
  }));
  oracles.push_back(oracle("reverse(string)", "reverse", [](const Text& text) {
    const Characters letters = characters_of(text);
    return text_of(Characters(letters.rbegin(), letters.rend()));
  }));
}

/// Of the letters that are drawn.
Text in_case(const Text& text, bool is_upper) {
  Text result;
  for (const char32_t c : characters_of(text)) {
    if (is_upper && c == U'ß')
      result += "SS";
    else if (is_upper && (c == U'é' || (c >= U'a' && c <= U'z')))
      result += text_of(Characters(1, c - 32));
    else if (!is_upper && c >= U'A' && c <= U'Z')
      result += text_of(Characters(1, c + 32));
    else
      result += text_of(Characters(1, c));
  }
  return result;
}

void add_letters(Oracles& oracles) {
  oracles.push_back(
      oracle("upper(string)", "upper", [](const Text& text) { return in_case(text, true); }));
  oracles.push_back(
      oracle("lower(string)", "lower", [](const Text& text) { return in_case(text, false); }));
  oracles.push_back(oracle("initcap(string)", "initcap", [](const Text& text) {
    Text result;
    bool is_first = true;
    for (const char32_t c : characters_of(text)) {
      result += in_case(text_of(Characters(1, c)), is_first);
      is_first = c == U' ';
    }
    return result;
  }));
  oracles.push_back(oracle("ascii(string)", "ascii", [](const Text& text) -> Int {
    return text.empty() ? 0 : static_cast<Int>(characters_of(text).front());
  }));
  oracles.push_back(oracle("chr(bigint)", "chr", [](std::int64_t code) {
    if (code < 0) return Text();
    return text_of(Characters(1, static_cast<char32_t>(code % 256)));
  }));
}

Int find_from(const Text& text, const Text& wanted, Int start) {
  if (start < 1) return 0;
  if (wanted.empty()) return 1;
  const auto begin = static_cast<std::size_t>(start) - 1;
  const Characters letters = characters_of(text);
  const std::size_t found = letters.find(characters_of(wanted), std::min(begin, letters.size()));
  return found == Characters::npos ? 0 : count(found) + 1;
}

std::vector<Text> pieces_of(const Text& text, const Text& delimiter) {
  std::vector<Text> pieces;
  std::size_t begin = 0;
  for (std::size_t end = text.find(delimiter); end != Text::npos;
       end = text.find(delimiter, begin)) {
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + delimiter.size();
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

void add_pieces(Oracles& oracles) {
  oracles.push_back(oracle(
      "split_part(string, string, int)", "split_part",
      [](const Text& text, const Text& delimiter, Few number) -> Text {
        if (number.value == 0) throw Failure();
        const std::vector<Text> pieces =
            delimiter.empty() ? std::vector<Text>{text} : pieces_of(text, delimiter);
        const Int place = number.value > 0 ? number.value - 1 : count(pieces.size()) + number.value;
        if (place < 0 || place >= count(pieces.size())) return "";
        return pieces[static_cast<std::size_t>(place)];
      }));
  oracles.push_back(oracle("substring_index(string, string, int)", "substring_index",
                           [](const Text& text, const Text& delimiter, Few number) -> Text {
                             if (number.value == 0 || delimiter.empty()) return "";
                             std::vector<Text> pieces = pieces_of(text, delimiter);
                             const auto wanted = static_cast<std::size_t>(std::abs(number.value));
                             if (wanted >= pieces.size()) return text;
                             if (number.value > 0)
                               pieces.resize(wanted);
                             else
                               pieces.erase(pieces.begin(),
                                            pieces.end() - static_cast<std::ptrdiff_t>(wanted));
                             Text result = pieces[0];
                             for (std::size_t i = 1; i < pieces.size(); ++i)
                               result += delimiter + pieces[i];
                             return result;
                           }));
  oracles.push_back(
      oracle("locate(string, string)", "locate",
             [](const Text& part, const Text& text) -> Int { return find_from(text, part, 1); }));
  oracles.push_back(oracle("locate(string, string, int)", "locate",
                           [](const std::optional<Text>& part, const std::optional<Text>& text,
                              std::optional<Few> start) -> std::optional<Int> {
                             if (!start) return 0;
                             if (!part || !text) return std::nullopt;
                             return find_from(*text, *part, start->value);
                           }));
  oracles.push_back(
      oracle("instr(string, string)", "instr",
             [](const Text& text, const Text& part) -> Int { return find_from(text, part, 1); }));
}

}  // namespace

Oracles text_oracles() {
  Oracles oracles;
  add_parts(oracles);
  add_trimming(oracles);
  add_lengths(oracles);
  add_joining(oracles);
  add_letters(oracles);
  add_pieces(oracles);
  return oracles;
}

}  // namespace millrace::property
