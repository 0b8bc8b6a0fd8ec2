#pragma once

#include "stream/functions/call.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace millrace::stream {

/// Elements of the lists of a column, one after the other, as a lambda is evaluated for them. The
/// state of a call; keeps its memory.
class ElementRows : public CallState {
 public:
  /// Takes every element of the lists that are not null.
  void take_all(const Column& lists);
  /// Takes the element at a place, from 0, of every list that has one there and whose row
  /// `is_wanted(row)`; of null lists none is asked for.
  template <typename IsWanted>
  void take_at(const Column& lists, std::uint32_t place, const IsWanted& is_wanted) {
    begin();
    const auto entries = lists.values<ListEntry>();
    for (std::size_t row = 0; row < entries.size(); ++row) {
      if (place < entries[row].length && !lists.is_null(row) && is_wanted(row))
        add(row, entries[row].offset + place);
    }
  }

  [[nodiscard]] bool is_empty() const { return rows_.empty(); }
  /// Which row each element belongs to.
  [[nodiscard]] std::span<const std::uint32_t> rows() const { return rows_; }
  /// The elements' values, or a map's keys (child 0) and values (child 1), out of the column that
  /// they were taken from: its own child where that holds just these.
  [[nodiscard]] const Column& values(const Column& lists, std::size_t child = 0);
  /// The place of each in its list, from 0. After take_all.
  [[nodiscard]] const Column& places(const Column& lists);

  /// Makes the rows of `result` that are not null lists of as many elements as those taken, whose
  /// values lie in its children in the same order. After take_all.
  void write_lists(const Column& lists, Column& result) const;
  /// The same of the elements that `is_kept`, a column of booleans, says; fills the children too.
  void write_kept(const Column& lists, const Column& is_kept, Column& result);

 private:
  void begin() {
    rows_.clear();
    places_in_child_.clear();
    is_whole_child_ = false;
  }
  void add(std::size_t row, std::size_t place_in_child) {
    rows_.push_back(static_cast<std::uint32_t>(row));
    places_in_child_.push_back(static_cast<std::uint32_t>(place_in_child));
  }

  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> places_in_child_;
  std::vector<std::uint32_t> kept_;
  bool is_whole_child_ = false;
  std::array<std::optional<Column>, 2> gathered_;
  std::optional<Column> places_;
};

}  // namespace millrace::stream
