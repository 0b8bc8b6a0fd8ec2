#include "millrace/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace millrace {

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "millrace: assertion failed: %s (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace millrace
