#pragma once

#include "millrace/arena.hpp"
#include "millrace/column.hpp"

#include <cstddef>
#include <cstring>
#include <string_view>

namespace millrace::stream {

/// Builds one text at the end of an arena without knowing its size beforehand. While it is being
/// built nothing else may allocate there. Ask for room, then put.
class ArenaText {
 public:
  ArenaText(Arena& arena, std::size_t size_guess)
      : arena_(arena), begin_(arena.allocate(size_guess)), at_(begin_), end_(begin_ + size_guess) {}

  /// Makes sure that `size` more bytes can be put.
  void reserve(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) [[unlikely]]
      grow(size);
  }
  void put(char byte) { *at_++ = byte; }
  void put(std::string_view bytes) {
    std::memcpy(at_, bytes.data(), bytes.size());
    at_ += bytes.size();
  }
  /// Where to write; tell with `advance_to` how far that went.
  [[nodiscard]] char* at() const { return at_; }
  void advance_to(char* at) { at_ = at; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

  /// Gives the unused room back; the text lives as long as the arena keeps it.
  [[nodiscard]] std::string_view finish() {
    arena_.shrink_last(begin_, size());
    return {begin_, size()};
  }

 private:
  void grow(std::size_t size);

  Arena& arena_;
  char* begin_;
  char* at_;
  char* end_;
};

/// Brings the bytes behind every text of the column, children included, into `arena`.
void own_text(Column& column, Arena& arena);

}  // namespace millrace::stream
