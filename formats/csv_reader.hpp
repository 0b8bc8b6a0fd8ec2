#pragma once

#include "millrace/error.hpp"
#include "millrace/options.hpp"
#include "millrace/schema.hpp"

#include "formats/csv_scanner.hpp"
#include "formats/table_rows.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace millrace::formats {

/// How a CSV file is written.
struct CsvOptions {
  bool has_header = false;  ///< the first line names the columns: they are found by name
  CsvSyntax syntax;

  /// Reads them from a table's settings (`header` and those of the syntax); errors name the option.
  [[nodiscard]] static Result<CsvOptions> parse(const Options& options);
};

/// Reads CSV text (RFC 4180) into a table, for static tables: the whole text is in memory.
///
///   empty lines are passed over; a byte order mark is too
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

  [[nodiscard]] Status map_header();
  [[nodiscard]] tl::unexpected<Error> no_column(const std::string& name) const;
  [[nodiscard]] Status add_row(TableRows& table) const;
  [[nodiscard]] Status add_value(TableRows& table, std::size_t column, const CsvField& field) const;
  [[nodiscard]] tl::unexpected<Error> fail_here(const std::string& problem) const;

  SchemaRef schema_;
  bool has_header_;
  CsvScanner scanner_;
  std::string source_;
  std::vector<CsvField> fields_;      ///< of the record at hand
  std::vector<std::size_t> targets_;  ///< schema column of each field in the file, or kSkipped
};

}  // namespace millrace::formats
