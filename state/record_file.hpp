#pragma once

#include "millrace/error.hpp"

#include "formats/json_document.hpp"

#include <string>
#include <string_view>

namespace millrace::state {

/// Builds the bytes of a checkpoint file: one line with kind, format and checksum, then JSON that a
/// person can read.
///
///   millrace offsets v1 xxh3 c5f1d0d4a9f0b1e2
///   {
///     "epoch": 7,
///     ...
///
/// The checksum (XXH3-64) covers kind, format and everything below the line, so that a file that
/// is cut short, altered, or put in another's place is noticed.
[[nodiscard]] std::string encode_record_file(std::string_view kind,
                                             const formats::JsonValue& document);

/// Takes the document back. kCorrupt, with the reason only ("its checksum does not match"), unless
/// these are exactly the bytes of a file of that kind.
[[nodiscard]] Result<formats::JsonValue> decode_record_file(std::string_view kind,
                                                            std::string_view bytes);

}  // namespace millrace::state
