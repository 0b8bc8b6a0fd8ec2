#include "millrace/data_frame.hpp"

namespace millrace {

const char* to_string(JoinKind kind) {
  switch (kind) {
    case JoinKind::kInner:
      return "inner";
    case JoinKind::kCross:
      return "cross";
    case JoinKind::kLeft:
      return "left outer";
    case JoinKind::kRight:
      return "right outer";
    case JoinKind::kFull:
      return "full outer";
    case JoinKind::kLeftSemi:
      return "left semi";
    case JoinKind::kLeftAnti:
      return "left anti";
  }
  return "inner";
}

}  // namespace millrace
