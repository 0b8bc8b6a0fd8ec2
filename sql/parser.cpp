#include "sql/parser.hpp"

#include "sql/foreign_forms.hpp"
#include "sql/syntax_hints.hpp"

#include <fmt/format.h>
#include <pg_query.h>

#include <cstdint>
#include <string_view>
#include <utility>

namespace millrace::sql {
namespace {

/// More than people write; each is parsed for anew.
constexpr int kForeignFormsMax = 1000;

// The parser counts letters from 1; everything else here counts bytes from 0.
std::size_t byte_of(std::string_view text, int letter) {
  int letters = 0;
  for (std::size_t byte = 0; byte < text.size(); ++byte) {
    if ((static_cast<unsigned char>(text[byte]) & 0xC0U) != 0x80U && ++letters == letter) {
      return byte;
    }
  }
  return text.size();
}

/// The tree as JSON text, or what is wrong.
Result<std::string> parsed(const std::string& text) {
  PgQueryParseResult outcome = pg_query_parse(text.c_str());
  Result<std::string> result;
  if (outcome.error != nullptr) {
    result = fail(Error{ErrorCode::kInvalidArgument, outcome.error->message,
                        static_cast<std::int32_t>(byte_of(text, outcome.error->cursorpos))});
  } else {
    result = std::string(outcome.parse_tree);
  }
  pg_query_free_parse_result(outcome);
  return result;
}

}  // namespace

Result<formats::JsonValue> parse_tree(const std::string& text) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string::npos) {
    return fail(Error{ErrorCode::kInvalidArgument, "SQL text cannot hold a zero byte",
                      static_cast<std::int32_t>(nul)});
  }
  std::string mended = text;
  auto tree = parsed(mended);
  for (int i = 0; !tree && i < kForeignFormsMax; ++i) {
    if (!mend_foreign_form(mended, static_cast<std::size_t>(tree.error().position))) break;
    tree = parsed(mended);
  }
  if (!tree) return fail(with_syntax_hint(std::move(tree).error(), text));
  auto document = formats::JsonValue::parse(*tree);
  if (document) return document;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("the SQL is nested too deeply: an expression of hundreds of operators "
                          "one within another cannot be read ({})",
                          document.error().message));
}

}  // namespace millrace::sql
