#pragma once

#include "millrace/error.hpp"

#include "formats/arena_text.hpp"
#include "formats/csv_scanner.hpp"
#include "formats/record_decoder.hpp"
#include "formats/record_encoder.hpp"
#include "stream/plan/physical_plan.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::formats {

/// Reads values that are one line of CSV each, by position: field i is the table's column i. Values
/// are read as a cast from text reads them; an empty field is null, an empty one in quotes is empty
/// text. One line end may stand at the end.
///
/// A record is malformed that has another number of fields than the table has columns, that goes on
/// behind its line, or that is not UTF-8, whichever columns are read.
class CsvDecoder final : public RecordDecoder {
 public:
  /// kInvalidArgument names an option that cannot be, kNotSupported a column that one text cannot
  /// fill.
  [[nodiscard]] static Result<std::unique_ptr<CsvDecoder>> make(const stream::DecodeSpec& spec);

  void decode(const Column& values, Batch& out, Arena& arena, std::vector<BadRow>& bad) override;

 private:
  struct Target {
    std::size_t field = 0;   ///< of the line
    std::size_t column = 0;  ///< of the output
  };

  CsvDecoder(CsvSyntax syntax, std::vector<Field> fields, std::size_t line_fields,
             std::vector<Target> targets);
  [[nodiscard]] bool read_line(std::string_view text, Arena& arena);
  [[nodiscard]] std::string malformed_reason(std::string_view text) const;
  void fill(Batch& out, std::size_t row, std::vector<BadRow>& bad) const;

  CsvScanner scanner_;
  const std::vector<Field> fields_;
  const std::size_t line_fields_;
  const std::vector<Target> targets_;
  std::vector<CsvField> line_;  ///< of the record at hand
  bool has_fault_ = false;      ///< the scanner could not read it
};

/// Writes every row as one line of CSV without a line end, columns in order. A field stands in
/// quotes when it holds the delimiter, a quote or a line end, is empty text, or would read as null.
/// Null is the option null_value (nothing), numbers and times are written as in JSON, bytes as
/// base64, a boolean as true or false.
class CsvEncoder final : public RecordEncoder {
 public:
  [[nodiscard]] static Result<std::unique_ptr<CsvEncoder>> make(const stream::EncodeSpec& spec);

  void encode(const Batch& rows, Column& values, Arena& arena) override;

 private:
  CsvEncoder(CsvSyntax syntax, std::vector<std::size_t> columns)
      : syntax_(std::move(syntax)), columns_(std::move(columns)) {}
  void put_value(const Column& column, std::size_t row, ArenaText& out);
  void put_text(std::string_view text, ArenaText& out) const;
  [[nodiscard]] bool needs_quotes(std::string_view text) const;

  const CsvSyntax syntax_;
  const std::vector<std::size_t> columns_;
  std::string base64_;  ///< of the bytes at hand
};

}  // namespace millrace::formats
