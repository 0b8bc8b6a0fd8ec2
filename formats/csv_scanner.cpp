#include "formats/csv_scanner.hpp"

#include <fmt/format.h>

namespace millrace::formats {
namespace {

Result<char> parse_character(const Options& options, std::string_view key, char fallback) {
  const std::string text = options.get_or(key, std::string(1, fallback));
  if (text == "\\t") return '\t';
  if (text.size() != 1 || text[0] == '\n' || text[0] == '\r')
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("option {} takes one character, not '{}'", key, text));
  return text[0];
}

}  // namespace

Result<CsvSyntax> CsvSyntax::parse(const Options& options) {
  CsvSyntax result;
  if (options.has("delimiter") && options.has("sep"))
    return fail(ErrorCode::kInvalidArgument, "options delimiter and sep are the same: give one");
  const std::string_view delimiter = options.has("sep") ? "sep" : "delimiter";
  MILLRACE_ASSIGN(result.delimiter, parse_character(options, delimiter, ','));
  MILLRACE_ASSIGN(result.quote, parse_character(options, "quote", '"'));
  if (options.has("escape")) {
    MILLRACE_ASSIGN(const char escape, parse_character(options, "escape", '"'));
    if (escape != result.quote) result.escape = escape;
  }
  result.null_value = options.get_or("null_value", "");
  if (result.delimiter == result.quote || result.delimiter == result.escape)
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("options {} and {} are the same: '{}'", delimiter,
                    result.delimiter == result.quote ? "quote" : "escape", result.delimiter));
  return result;
}

void CsvScanner::open(std::string_view text) {
  rest_ = text;
  line_ = record_line_ = 1;
}

void CsvScanner::pass_line_end() {
  rest_.remove_prefix(rest_.front() == '\r' ? 2 : 1);
  ++line_;
}

bool CsvScanner::read_record(std::vector<CsvField>& fields, Arena& arena) {
  record_line_ = line_;
  fields.clear();
  for (;;) {
    fault_field_ = fields.size() + 1;
    CsvField field;
    if (!rest_.starts_with(syntax_.quote))
      field = read_plain_field();
    else if (!read_quoted_field(field, arena))
      return false;
    fields.push_back(field);
    if (rest_.empty()) return true;
    if (is_at_line_end()) {
      pass_line_end();
      return true;
    }
    if (rest_.front() != syntax_.delimiter) {
      is_unclosed_ = false;
      return false;
    }
    rest_.remove_prefix(1);
  }
}

CsvField CsvScanner::read_plain_field() {
  std::size_t end = 0;
  while (end < rest_.size() && rest_[end] != syntax_.delimiter && rest_[end] != '\n') ++end;
  CsvField field{rest_.substr(0, end), false};
  if (end < rest_.size() && rest_[end] == '\n' && field.text.ends_with('\r'))
    field.text.remove_suffix(1);
  rest_.remove_prefix(field.text.size());
  return field;
}

/// Whether the sign there only makes the next one plain text.
bool CsvScanner::is_taken_out(std::size_t at) const {
  if (at + 1 == rest_.size()) return false;
  const char next = rest_[at + 1];
  if (!syntax_.escape) return rest_[at] == syntax_.quote && next == syntax_.quote;
  return rest_[at] == *syntax_.escape && (next == syntax_.quote || next == *syntax_.escape);
}

bool CsvScanner::read_quoted_field(CsvField& field, Arena& arena) {
  rest_.remove_prefix(1);
  std::size_t end = 0;
  std::size_t taken_out = 0;
  for (;; ++end) {
    if (end == rest_.size()) {
      is_unclosed_ = true;
      return false;
    }
    if (rest_[end] == '\n') ++line_;
    if (is_taken_out(end)) {
      ++taken_out;
      ++end;
    } else if (rest_[end] == syntax_.quote) {
      break;
    }
  }
  field = {rest_.substr(0, end), true};
  if (taken_out > 0) {
    char* const bytes = arena.allocate(end - taken_out);
    std::size_t size = 0;
    for (std::size_t at = 0; at < end; ++at) {
      if (is_taken_out(at)) ++at;
      bytes[size++] = rest_[at];
    }
    field.text = {bytes, size};
  }
  rest_.remove_prefix(end + 1);
  return true;
}

std::string CsvScanner::problem() const {
  return is_unclosed_ ? fmt::format("the quote of field {} is not closed", fault_field_)
                      : fmt::format("text follows the closing quote of field {}", fault_field_);
}

}  // namespace millrace::formats
