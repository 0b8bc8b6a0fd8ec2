#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace millrace::sql {

/// Bytes [begin, end) of a text that must not be shown to anybody.
struct SecretSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Where the values of options stand whose names speak of a secret, in order. It reads no SQL: an
/// error is shown just when the text is not what the parser expects, a quote missing for instance.
/// A value in proper quotes is hidden between these, any other to the end of its line.
[[nodiscard]] std::vector<SecretSpan> secret_spans(std::string_view text);

/// The $tag$ that opens a text at `at`; empty when none does.
[[nodiscard]] std::string_view dollar_tag(std::string_view text, std::size_t at);

}  // namespace millrace::sql
