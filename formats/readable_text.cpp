#include "formats/readable_text.hpp"

#include "stream/utf8.hpp"
#include "stream/utf8_repair.hpp"

namespace millrace::formats {

std::string_view readable_text(std::string_view bytes, Arena& arena) {
  if (stream::is_utf8(bytes)) return bytes;
  char* const text = arena.allocate(stream::repaired_utf8_size_max(bytes.size()));
  const std::size_t size = stream::write_repaired_utf8(bytes, text);
  arena.shrink_last(text, size);
  return {text, size};
}

}  // namespace millrace::formats
