#pragma once

#include "millrace/error.hpp"
#include "millrace/options.hpp"
#include "millrace/schema.hpp"

#include "formats/table_rows.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::formats {

/// How a CSV text is written.
struct CsvOptions {
  /// The options that `parse` knows, in their documented spelling.
  static constexpr std::array<std::string_view, 3> kKeys = {"header", "delimiter", "quote"};

  bool has_header = false;  ///< the first line names the columns: they are found by name
  char delimiter = ',';
  char quote = '"';

  /// Reads them from a table's settings; errors name the option.
  [[nodiscard]] static Result<CsvOptions> parse(const Options& options);
};

/// Reads CSV text (RFC 4180) into a table, for static tables: the whole text is in memory.
///
///   quoted fields may hold the delimiter, line ends and, doubled, the quote
///   lines end with LF or CRLF; empty lines are passed over; a byte order mark is too
///   an empty field is null; an empty field in quotes is empty text
///   with a header, columns are found by name and others are passed over; without, the file has
///   the schema's columns in order
///
/// Values are read as a cast from text reads them; bytes are the field's bytes. The first thing
/// that is wrong ends it: kBadRecord says "users.csv, line 3, column user_id: ...".
class CsvReader {
 public:
  /// `source` is named in errors: the file's path.
  CsvReader(SchemaRef schema, CsvOptions options, std::string source);

  [[nodiscard]] Result<TableRows> read(std::string_view text);

 private:
  static constexpr std::size_t kSkipped = SIZE_MAX;

  struct CsvField {
    std::string_view text;
    bool is_quoted = false;
  };

  [[nodiscard]] bool is_at_line_end() const;
  void pass_line_end();
  [[nodiscard]] Status read_record(Arena& arena);
  [[nodiscard]] Result<CsvField> read_field(Arena& arena);
  [[nodiscard]] Result<CsvField> read_quoted_field(Arena& arena);
  [[nodiscard]] Status map_header();
  [[nodiscard]] Status add_row(TableRows& table) const;
  [[nodiscard]] Status add_value(TableRows& table, std::size_t column, const CsvField& field) const;
  [[nodiscard]] tl::unexpected<Error> fail_here(const std::string& problem) const;

  SchemaRef schema_;
  CsvOptions options_;
  std::string source_;

  std::string_view rest_;             ///< of the text, from the next field on
  std::size_t line_ = 1;              ///< where `rest_` begins
  std::size_t record_line_ = 1;       ///< where the record at hand began
  std::vector<CsvField> fields_;      ///< of the record at hand
  std::vector<std::size_t> targets_;  ///< schema column of each field in the file, or kSkipped
};

}  // namespace millrace::formats
