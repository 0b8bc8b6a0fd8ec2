#include "state/record_file.hpp"

#include "stream/xx_hash.hpp"

#include <fmt/format.h>

namespace millrace::state {
namespace {

/// The first line up to the checksum's digits.
std::string title(std::string_view kind) { return fmt::format("millrace {} v1 xxh3 ", kind); }

std::string checksum(std::string_view first_line_title, std::string_view body) {
  const std::uint64_t seed = stream::xxh3(first_line_title);
  return fmt::format("{:016x}", stream::xxh3(body, seed));
}

}  // namespace

std::string encode_record_file(std::string_view kind, const formats::JsonValue& document) {
  const std::string first = title(kind);
  const std::string body = document.dump_pretty() + "\n";
  return first + checksum(first, body) + "\n" + body;
}

Result<formats::JsonValue> decode_record_file(std::string_view kind, std::string_view bytes) {
  if (bytes.empty()) return fail(ErrorCode::kCorrupt, "it is empty");
  const std::string first = title(kind);
  const std::size_t line_end = bytes.find('\n');
  if (!bytes.starts_with(first) || line_end == std::string_view::npos) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("its first line is not that of a '{}' file", kind));
  }
  const std::string_view body = bytes.substr(line_end + 1);
  if (bytes.substr(first.size(), line_end - first.size()) != checksum(first, body)) {
    return fail(ErrorCode::kCorrupt, "its checksum does not match");
  }
  auto document = formats::JsonValue::parse(body);
  if (!document) return fail(ErrorCode::kCorrupt, document.error().message);
  return document;
}

}  // namespace millrace::state
