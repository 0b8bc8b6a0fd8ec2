#include "state/disk.hpp"

namespace millrace::state {

bool is_disk_full(const Error& error) {
  return error.code == ErrorCode::kIo &&
         error.message.find("no space left on device") != std::string::npos;
}

}  // namespace millrace::state
