#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

// Encodings, checksums and Spark's hash.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Long = std::int64_t;
using Text = std::string;

constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bit by bit.
Text base64(const Text& bytes) {
  Text bits;
  for (const char byte : bytes)
    for (int bit = 7; bit >= 0; --bit) bits += (byte >> bit & 1) != 0 ? '1' : '0';
  while (bits.size() % 6 != 0) bits += '0';
  Text result;
  for (std::size_t i = 0; i < bits.size(); i += 6)
    result += kLetters[std::stoi(bits.substr(i, 6), nullptr, 2)];
  while (result.size() % 4 != 0) result += '=';
  return result;
}

Text hex(const Text& bytes) {
  Text result;
  for (const char byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02X", static_cast<unsigned char>(byte));
    result += digits;
  }
  return result;
}

std::optional<Bytes> unhex(Text text) {
  if (text.size() % 2 != 0) text.insert(0, "0");
  if (!std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; }))
    return std::nullopt;
  Bytes result;
  for (std::size_t i = 0; i < text.size(); i += 2)
    result.data += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return result;
}

Text utf16(const Text& text) {
  Text result;
  const auto put = [&](std::uint32_t unit) {
    result += static_cast<char>(unit >> 8);
    result += static_cast<char>(unit);
  };
  for (const char32_t c : characters_of(text)) {
    if (c < 0x10000) {
      put(c);
    } else {
      put(0xD800 + ((c - 0x10000) >> 10));
      put(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return result;
}

Text url(const Text& text) {
  Text result;
  for (const char c : text) {
    const bool stays =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || Text("-_.*").find(c) != Text::npos;
    if (stays)
      result += c;
    else if (c == ' ')
      result += '+';
    else
      result += "%" + hex(Text(1, c));
  }
  return result;
}

Long crc32(const Text& bytes) {
  std::uint32_t rest = 0xFFFFFFFF;
  for (const char byte : bytes) {
    rest ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) rest = rest % 2 == 1 ? rest / 2 ^ 0xEDB88320 : rest / 2;
  }
  return ~rest;
}

// --- MurmurHash3 of 32 bits, as Spark computes it ------------------------------------------------

std::uint32_t turned(std::uint32_t value, int bits) { return value << bits | value >> (32 - bits); }

std::uint32_t mixed(std::uint32_t hash, std::uint32_t word) {
  word *= 0xCC9E2D51;
  word = turned(word, 15) * 0x1B873593;
  return turned(hash ^ word, 13) * 5 + 0xE6546B64;
}

std::uint32_t ended(std::uint32_t hash, std::size_t size) {
  hash ^= static_cast<std::uint32_t>(size);
  hash = (hash ^ hash >> 16) * 0x85EBCA6B;
  hash = (hash ^ hash >> 13) * 0xC2B2AE35;
  return hash ^ hash >> 16;
}

std::uint32_t hash_of(const std::optional<Int>& value, std::uint32_t seed) {
  return value ? ended(mixed(seed, static_cast<std::uint32_t>(*value)), 4) : seed;
}
std::uint32_t hash_of(const std::optional<Long>& value, std::uint32_t seed) {
  if (!value) return seed;
  const auto bits = static_cast<std::uint64_t>(*value);
  return ended(
      mixed(mixed(seed, static_cast<std::uint32_t>(bits)), static_cast<std::uint32_t>(bits >> 32)),
      8);
}
std::uint32_t hash_of(const std::optional<Text>& value, std::uint32_t seed) {
  if (!value) return seed;
  std::uint32_t hash = seed;
  std::size_t at = 0;
  for (; at + 4 <= value->size(); at += 4) {
    std::uint32_t word = 0;
    for (std::size_t i = 4; i > 0; --i)
      word = word << 8 | static_cast<unsigned char>((*value)[at + i - 1]);
    hash = mixed(hash, word);
  }
  for (; at < value->size(); ++at)
    hash = mixed(hash, static_cast<std::uint32_t>(static_cast<signed char>((*value)[at])));
  return ended(hash, value->size());
}

Build with(const char* name, const char* set) {
  return [=](const std::vector<Expr>& columns) { return call(name, {columns[0], lit(set)}); };
}

}  // namespace

Oracles encoding_oracles() {
  Oracles oracles;
  oracles.push_back(oracle("base64(string)", "base64", [](const Text& v) { return base64(v); }));
  oracles.push_back(
      oracle("base64(bytes)", "base64", [](const Bytes& v) { return base64(v.data); }));
  oracles.push_back(oracle("hex(string)", "hex", [](const Text& v) { return hex(v); }));
  oracles.push_back(oracle("hex(bytes)", "hex", [](const Bytes& v) { return hex(v.data); }));
  oracles.push_back(oracle("hex(bigint)", "hex", [](Long v) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%llX", static_cast<unsigned long long>(v));
    return Text(digits);
  }));
  oracles.push_back(oracle("unhex(string)", "unhex", unhex));
  oracles.push_back(oracle("encode(string, string)", with("encode", "UTF-8"),
                           [](const Text& v) { return Bytes{v}; }));
  oracles.push_back(oracle("encode(string, string)", with("encode", "UTF-16BE"),
                           [](const Text& v) { return Bytes{utf16(v)}; }));
  oracles.push_back(
      oracle("encode(string, string)", with("encode", "ISO-8859-1"), [](const Text& v) {
        Bytes result;
        for (const char32_t c : characters_of(v)) {
          if (c > 0xFF) throw Failure();
          result.data += static_cast<char>(c);
        }
        return result;
      }));
  oracles.push_back(
      oracle("decode(bytes, string)", with("decode", "ISO-8859-1"), [](const Bytes& v) {
        Characters result;
        for (const char byte : v.data) result += static_cast<unsigned char>(byte);
        return text_of(result);
      }));
  oracles.push_back(
      oracle("decode(string, string)", with("decode", "UTF-8"), [](const Text& v) { return v; }));
  oracles.push_back(
      oracle("url_encode(string)", "url_encode", [](const Text& v) { return url(v); }));
  // Back from what an oracle made of it: the text itself.
  const auto back = [](const char* by, const char* of) {
    return [=](const std::vector<Expr>& columns) { return call(by, {call(of, columns)}); };
  };
  oracles.push_back(oracle("url_decode(string)", back("url_decode", "url_encode"),
                           [](const Text& v) { return v; }));
  oracles.push_back(oracle("unbase64(string)", back("unbase64", "base64"),
                           [](const Text& v) { return Bytes{v}; }));
  oracles.push_back(oracle("to_binary(string)", back("to_binary", "hex"),
                           [](const Text& v) { return Bytes{v}; }));
  oracles.push_back(oracle("to_binary(string, string)", with("to_binary", "utf-8"),
                           [](const Text& v) { return Bytes{v}; }));
  oracles.push_back(
      oracle("crc32(string)", "crc32", [](const Text& v) -> Long { return crc32(v); }));
  oracles.push_back(
      oracle("crc32(bytes)", "crc32", [](const Bytes& v) -> Long { return crc32(v.data); }));
  oracles.push_back(oracle("hash(value, ...), no map among them", "hash",
                           [](const std::optional<Int>& a, const std::optional<Text>& b,
                              const std::optional<Long>& c) -> Int {
                             return static_cast<Int>(hash_of(c, hash_of(b, hash_of(a, 42))));
                           }));
  return oracles;
}

}  // namespace millrace::property
