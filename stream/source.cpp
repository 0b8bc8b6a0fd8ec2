#include "stream/source.hpp"

namespace millrace::stream {

Status SourceReader::begin_history(std::int64_t /*position*/) {
  return fail(ErrorCode::kNotSupported, "this source has one history only");
}

Status SourceReader::recall(std::string_view /*memo*/) {
  return fail(ErrorCode::kNotSupported, "readers of this source need nothing but their position");
}

}  // namespace millrace::stream
