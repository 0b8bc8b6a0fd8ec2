#include "formats/text_format.hpp"

#include "stream/utf8.hpp"

namespace millrace::formats {

void TextDecoder::decode(const Column& values, Batch& out, Arena& /*arena*/,
                         std::vector<BadRow>& bad) {
  const std::size_t rows = values.size();
  if (is_read_) {
    out.column(0).resize(rows);
    out.column(0).copy_validity(values);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (values.is_null(row)) continue;
    const std::string_view text = values.text(row);
    if (stream::is_utf8(text)) [[likely]] {
      if (is_read_) out.column(0).values<std::string_view>()[row] = text;
      continue;
    }
    if (is_read_) out.column(0).set_null(row);
    bad.push_back({static_cast<std::uint32_t>(row), stream::BadRecordReason::kMalformed,
                   "the value is not valid UTF-8"});
  }
}

}  // namespace millrace::formats
