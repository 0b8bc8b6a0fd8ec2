#include "formats/csv_reader.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace millrace::fuzz {

// The first byte says whether there is a header and which delimiter and quote; the rest is the
// file.
void run_csv(std::string_view input) {
  if (input.empty()) return;
  const auto choice = static_cast<unsigned char>(input.front());
  formats::CsvOptions options;
  options.has_header = (choice & 1U) != 0;
  options.syntax.delimiter = (choice & 2U) != 0 ? ';' : ',';
  options.syntax.quote = (choice & 4U) != 0 ? '\'' : '"';
  const SchemaRef schema = make_schema({{"user_id", TypeKind::kInt32},
                                        {"country", TypeKind::kString},
                                        {"price", TypeKind::kDouble},
                                        {"at", TypeKind::kTimestamp},
                                        {"raw", TypeKind::kBytes}});
  const auto table = formats::CsvReader(schema, options, "users.csv").read(input.substr(1));
  if (!table) {
    require(table.error().message.starts_with("users.csv"), "a refusal names the file");
    return;
  }
  require(table->columns.size() == 5, "every column is there");
  for (const Column& column : table->columns)
    require(column.size() == table->rows, "and has every row");
}

}  // namespace millrace::fuzz
