#pragma once

#include "millrace/arena.hpp"
#include "millrace/column.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace millrace::stream {

/// The texts that are the keys of one map while it is filled: says which are there already. A few
/// are compared one after the other; many are hashed, in a table in the arena. Lives for one map; a
/// borrow of the column that its keys are added to.
class MapKeys {
 public:
  /// The map's keys come behind those that the column has now.
  MapKeys(Column& keys, Arena& arena) : keys_(keys), first_(keys.size()), arena_(arena) {}

  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t count() const { return keys_.size() - first_; }
  /// The column's row that holds this key, if the map has it.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view key);

 private:
  static constexpr std::size_t kComparedMax = 16;

  void index();
  void put(std::size_t number);
  [[nodiscard]] std::size_t place_of(std::string_view key) const;
  [[nodiscard]] std::string_view key(std::size_t number) const {
    return keys_.text(first_ + number);
  }
  /// Numbers + 1 of keys; 0: free. Arena bytes are not aligned.
  [[nodiscard]] std::uint32_t at(std::size_t place) const;

  Column& keys_;
  const std::size_t first_;
  Arena& arena_;
  char* table_ = nullptr;
  std::size_t places_ = 0;   ///< of the table; a power of two, at least twice the keys
  std::size_t indexed_ = 0;  ///< keys that are in the table
};

}  // namespace millrace::stream
