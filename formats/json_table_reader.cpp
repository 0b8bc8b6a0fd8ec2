#include "formats/json_table_reader.hpp"

#include "formats/json_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace millrace::formats {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r";

/// Decodes lines a batch at a time and adds the rows to a table.
class JsonTableReader {
 public:
  JsonTableReader(TableRows& table, std::unique_ptr<JsonDecoder> decoder, const std::string& source)
      : table_(table),
        decoder_(std::move(decoder)),
        source_(source),
        pool_(table.schema),
        values_(TypeKind::kBytes) {}

  Status read(std::string_view text) {
    for (std::size_t number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line.find_first_not_of(kBlanks) == std::string_view::npos) continue;
      lines_.push_back(line);
      numbers_.push_back(number);
      if (lines_.size() == kBatchRowsMax) MILLRACE_TRY(add_lines());
    }
    return add_lines();
  }

 private:
  Status add_lines() {
    values_.resize(lines_.size());
    std::ranges::copy(lines_, values_.values<std::string_view>().begin());
    Batch rows = pool_.take();
    decoder_->decode(values_, rows, table_.arena, bad_);
    if (!bad_.empty())
      return fail(ErrorCode::kBadRecord,
                  fmt::format("{}, line {}: {}", source_, numbers_[bad_[0].row], bad_[0].reason));
    for (std::size_t row = 0; row < lines_.size(); ++row)
      for (std::size_t i = 0; i < table_.columns.size(); ++i)
        table_.columns[i].append_from(rows.column(i), row);
    table_.rows += lines_.size();
    lines_.clear();
    numbers_.clear();
    return {};
  }

  TableRows& table_;
  const std::unique_ptr<JsonDecoder> decoder_;
  const std::string& source_;
  BatchPool pool_;
  Column values_;
  std::vector<std::string_view> lines_;
  std::vector<std::size_t> numbers_;
  std::vector<BadRow> bad_;
};

}  // namespace

Result<TableRows> read_json_table(const SchemaRef& schema, std::string_view text,
                                  const std::string& source) {
  MILLRACE_ASSIGN(auto decoder, JsonDecoder::make(schema->fields()));
  TableRows table(schema);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  // Columns hold views into this copy.
  text = table.arena.store(text);
  MILLRACE_TRY(JsonTableReader(table, std::move(decoder), source).read(text));
  return table;
}

}  // namespace millrace::formats
