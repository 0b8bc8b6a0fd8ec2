#include "millrace/error.hpp"

namespace millrace {

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kAlreadyExists:
      return "already_exists";
    case ErrorCode::kBadRecord:
      return "bad_record";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kLocked:
      return "locked";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kDataLoss:
      return "data_loss";
    case ErrorCode::kNotSupported:
      return "not_supported";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "unknown";
}

}  // namespace millrace
