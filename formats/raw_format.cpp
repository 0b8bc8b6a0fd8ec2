#include "formats/raw_format.hpp"

#include <algorithm>

namespace millrace::formats {

namespace {

/// Both columns hold views, so that the types of the two may differ (string and bytes).
void copy_views(const Column& source, Column& target) {
  target.resize(source.size());
  std::ranges::copy(source.values<std::string_view>(), target.values<std::string_view>().begin());
  target.copy_validity(source);
}

}  // namespace

void RawDecoder::decode(const Column& values, Batch& out, Arena&, std::vector<BadRow>&) {
  copy_views(values, out.column(0));
}

void RawEncoder::encode(const Batch& rows, Column& values, Arena&) {
  copy_views(rows.column(column_), values);
}

}  // namespace millrace::formats
