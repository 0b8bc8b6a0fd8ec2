#include "stream/sink.hpp"

namespace millrace::stream {

Status SinkWriter::resume_as(const WriterPlace& /*place*/) {
  return fail(ErrorCode::kNotSupported, "this sink cannot write exactly once by resuming");
}

Result<Resumption> Sink::resume(const ResumePoint& /*point*/) {
  return fail(ErrorCode::kNotSupported, "this sink cannot write exactly once by resuming");
}

}  // namespace millrace::stream
