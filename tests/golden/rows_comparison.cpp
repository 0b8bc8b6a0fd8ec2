#include "tests/golden/rows_comparison.hpp"

#include "tests/golden/value_reader.hpp"

#include <algorithm>

namespace millrace::golden {

namespace {

std::vector<std::string> texts_of(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(golden_text(row));
  return texts;
}

std::string first_without_partner(std::vector<std::string> rows, std::vector<std::string> others) {
  std::ranges::sort(rows);
  std::ranges::sort(others);
  std::vector<std::string> left;
  std::ranges::set_difference(rows, others, std::back_inserter(left));
  return left.empty() ? "" : left.front();
}

}  // namespace

std::string difference_of(const std::vector<Row>& expected, const std::vector<Row>& actual,
                          RowOrder order) {
  const std::vector<std::string> wanted = texts_of(expected), got = texts_of(actual);
  if (order == RowOrder::kAsExpected && wanted.size() == got.size()) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i] != got[i])
        return "row " + std::to_string(i) + ": expected " + wanted[i] + ", got " + got[i];
    return "";
  }
  const std::string missing = first_without_partner(wanted, got);
  const std::string extra = first_without_partner(got, wanted);
  std::string text;
  if (!missing.empty()) text += "expected " + missing;
  if (!extra.empty()) text += (text.empty() ? "got unexpected " : ", got ") + extra;
  return text;
}

}  // namespace millrace::golden
