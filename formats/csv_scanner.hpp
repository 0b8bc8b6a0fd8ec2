#pragma once

#include "millrace/arena.hpp"
#include "millrace/error.hpp"
#include "millrace/options.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::formats {

/// The signs that CSV is written with.
struct CsvSyntax {
  /// The options that `parse` knows, in their documented spelling.
  static constexpr std::array<std::string_view, 5> kKeys = {"delimiter", "sep", "quote", "escape",
                                                            "null_value"};

  char delimiter = ',';
  char quote = '"';
  std::optional<char> escape;  ///< before a quote within quotes; none: the quote is doubled
  std::string null_value;      ///< an unquoted field of this text is null; so is an empty one

  /// Reads them from a table's settings; errors name the option.
  [[nodiscard]] static Result<CsvSyntax> parse(const Options& options);
};

struct CsvField {
  std::string_view text;
  bool is_quoted = false;
};

/// Cuts CSV text (RFC 4180) into records and fields: quoted fields may hold the delimiter, line
/// ends and, doubled or escaped, the quote; lines end with LF or CRLF. Fields are views into the
/// text or, where something had to be taken out of them, into an arena. One thread at a time.
class CsvScanner {
 public:
  explicit CsvScanner(CsvSyntax syntax) : syntax_(std::move(syntax)) {}

  [[nodiscard]] const CsvSyntax& syntax() const { return syntax_; }
  [[nodiscard]] bool is_null(const CsvField& field) const {
    return !field.is_quoted && (field.text.empty() || field.text == syntax_.null_value);
  }

  /// Begins a text.
  void open(std::string_view text);
  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }
  [[nodiscard]] bool is_at_line_end() const {
    return rest_.starts_with('\n') || rest_.starts_with("\r\n");
  }
  void pass_line_end();
  /// Reads one record and the line end behind it into `fields`; an empty text is one empty field.
  /// False at a fault: see problem().
  [[nodiscard]] bool read_record(std::vector<CsvField>& fields, Arena& arena);
  /// What is wrong, as the end of a sentence.
  [[nodiscard]] std::string problem() const;
  /// The line, from 1, where the last record begins.
  [[nodiscard]] std::size_t record_line() const { return record_line_; }

 private:
  [[nodiscard]] CsvField read_plain_field();
  [[nodiscard]] bool read_quoted_field(CsvField& field, Arena& arena);
  [[nodiscard]] bool is_taken_out(std::size_t at) const;

  CsvSyntax syntax_;
  std::string_view rest_;  ///< of the text, from the next field on
  std::size_t line_ = 1;   ///< where `rest_` begins
  std::size_t record_line_ = 1;
  std::size_t fault_field_ = 0;
  bool is_unclosed_ = false;
};

}  // namespace millrace::formats
