#include "stream/source.hpp"

namespace millrace::stream {

Status SourceReader::begin_history(std::int64_t /*position*/) {
  return fail(ErrorCode::kNotSupported, "this source has one history only");
}

}  // namespace millrace::stream
