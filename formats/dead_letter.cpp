#include "formats/dead_letter.hpp"

#include "formats/arena_text.hpp"
#include "formats/json_text.hpp"
#include "stream/base64.hpp"
#include "stream/utf8.hpp"

#include <fmt/format.h>

#include <string>

namespace millrace::formats {
namespace {

std::int64_t floor_to_ms(std::int64_t us) { return us >= 0 ? us / 1000 : (us - 999) / 1000; }

void put(std::string_view text, ArenaText& out) {
  out.reserve(text.size());
  out.put(text);
}

void put_bytes(std::string_view name, const std::optional<std::string_view>& bytes,
               ArenaText& out) {
  const bool is_text = !bytes || stream::is_utf8(*bytes);
  put(fmt::format(",\"{}{}\":", name, is_text ? "" : "_base64"), out);
  if (!bytes) return put("null", out);
  if (is_text) return put_json_string(*bytes, out);
  out.reserve(stream::base64_encoded_size(bytes->size()) + 2);
  out.put('"');
  out.advance_to(stream::base64_encode(*bytes, out.at()));
  out.put('"');
}

void put_headers(const std::vector<DeadLetterHeader>& headers, ArenaText& out) {
  put(",\"headers\":[", out);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    put(i == 0 ? "{\"key\":" : ",{\"key\":", out);
    put_json_string(headers[i].name, out);
    put_bytes("value", headers[i].value, out);
    put("}", out);
  }
  put("]", out);
}

}  // namespace

std::vector<DeadLetterHeader> dead_letter_headers(const DeadLetter& letter, Arena& arena) {
  std::vector<DeadLetterHeader> headers;
  const auto add = [&](std::string_view name, std::string_view value) {
    headers.push_back(
        {arena.store(fmt::format("{}{}", kDeadLetterPrefix, name)), arena.store(value)});
  };
  add("topic", letter.topic);
  add("partition", std::to_string(letter.partition));
  add("offset", std::to_string(letter.offset));
  if (letter.timestamp_us) add("timestamp", std::to_string(floor_to_ms(*letter.timestamp_us)));
  add("kind", letter.kind);
  add("reason", letter.reason);
  if (!letter.left_out.empty()) add("left_out", letter.left_out);
  return headers;
}

std::string_view dead_letter_line(const DeadLetter& letter, Arena& arena) {
  ArenaText out(arena, 512);
  put("{\"topic\":", out);
  put_json_string(letter.topic, out);
  put(fmt::format(",\"partition\":{},\"offset\":{},\"timestamp\":", letter.partition,
                  letter.offset),
      out);
  if (letter.timestamp_us)
    put_json_timestamp(*letter.timestamp_us, out);
  else
    put("null", out);
  put(",\"kind\":", out);
  put_json_string(letter.kind, out);
  put(",\"reason\":", out);
  put_json_string(letter.reason, out);
  put_bytes("key", letter.key, out);
  put_bytes("value", letter.value, out);
  put_headers(letter.headers, out);
  put("}", out);
  return out.finish();
}

}  // namespace millrace::formats
