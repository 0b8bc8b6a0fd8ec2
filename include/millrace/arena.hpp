#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace millrace {

/// Holds the variable-length bytes of one batch. Bump allocation over blocks that grow
/// geometrically; `reset` keeps the blocks, so a recycled batch soon allocates nothing. Pointers
/// stay valid until `reset`, also when the arena is moved or swapped. Not thread-safe: it travels
/// with its batch.
class Arena {
 public:
  /// Every allocation is followed by this many readable bytes (simdjson reads past the end).
  static constexpr std::size_t kPadding = 64;

  /// Gives `size` bytes, unaligned, uninitialised.
  char* allocate(std::size_t size);
  /// Gives back the unused end of the newest allocation: `used` of its bytes stay.
  void shrink_last(char* allocation, std::size_t used);
  /// Copies the bytes in and gives the stable view.
  std::string_view store(std::string_view bytes);
  /// Forgets every allocation, keeps the memory.
  void reset();
  /// Bytes handed out since the last reset.
  [[nodiscard]] std::size_t used() const { return used_; }
  /// Bytes held from the system.
  [[nodiscard]] std::size_t capacity() const;

 private:
  static constexpr std::size_t kFirstBlock = 16 * 1024;
  /// Holds most batches there are (kBatchBytesMax of input and what it becomes), so that arenas are
  /// warm after a few batches; pages that nobody touches cost nothing.
  static constexpr std::size_t kSecondBlock = 1024 * 1024;

  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };
  char* allocate_in_next_block(std::size_t size);

  std::vector<Block> blocks_;
  std::size_t current_ = 0;  ///< the block being filled
  std::size_t offset_ = 0;   ///< first free byte in it
  std::size_t used_ = 0;
};

inline char* Arena::allocate(std::size_t size) {
  if (current_ < blocks_.size() && offset_ + size + kPadding <= blocks_[current_].size) [[likely]] {
    char* result = blocks_[current_].bytes.get() + offset_;
    offset_ += size;
    used_ += size;
    return result;
  }
  return allocate_in_next_block(size);
}

}  // namespace millrace
