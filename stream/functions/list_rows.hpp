#pragma once

#include "stream/functions/call.hpp"
#include "stream/functions/registry.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What functions of arrays and maps share: the lists that a call gets, and those that it makes.

namespace millrace::stream {

// What is wrong with a map.
inline constexpr const char* kNullKey = "a key of a map cannot be null";
inline constexpr const char* kKeyTwice = "a key is twice in one map";
inline constexpr const char* kBadKeys = "a key is null, or twice in one map";

/// The longest list that a function makes out of numbers (sequence, array_repeat).
inline constexpr std::int64_t kMadeElementsMax = 1'000'000;

/// The elements of an array, or the keys or values of a map, in one row.
class ListView {
 public:
  ListView(const Column& lists, std::size_t row, std::size_t child = 0)
      : elements_(&lists.child(child)), entry_(lists.value<ListEntry>(row)) {}

  [[nodiscard]] const Column& elements() const { return *elements_; }
  [[nodiscard]] std::uint32_t size() const { return entry_.length; }
  /// Where in `elements` one of them is, counted from 0.
  [[nodiscard]] std::size_t at(std::size_t position) const { return entry_.offset + position; }
  [[nodiscard]] bool is_null(std::size_t position) const {
    return elements_->is_null(at(position));
  }

 private:
  const Column* elements_;
  ListEntry entry_;
};

/// Makes the list of one row: what its children get between the first and the last call is its.
class ListWriter {
 public:
  ListWriter(Column& lists, std::size_t row)
      : lists_(lists), row_(row), begin_(lists.child(0).size()) {}

  [[nodiscard]] Column& elements() { return lists_.child(0); }
  void add(const ListView& list, std::size_t position) {
    lists_.child(0).append_from(list.elements(), list.at(position));
  }
  void add(const ListView& list, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) add(list, i);
  }
  void add_all(const ListView& list) { add(list, 0, list.size()); }
  void finish() {
    const std::size_t size = lists_.child(0).size() - begin_;
    lists_.values<ListEntry>()[row_] = {static_cast<std::uint32_t>(begin_),
                                        static_cast<std::uint32_t>(size)};
  }

 private:
  Column& lists_;
  std::size_t row_;
  std::size_t begin_;
};

/// Calls `each(row)` for every row whose result is not null so far.
template <typename Each>
void each_present(KernelCall& call, const Each& each) {
  for (std::size_t row = 0; row < call.rows; ++row) {
    if (call.result.is_null(row))
      call.result.set_null(row);  // nothing wild may lie under it
    else
      each(row);
  }
}

/// Calls `each(row, writer)` for every row whose result, a list, is not null so far.
template <typename Each>
void each_made_list(KernelCall& call, const Each& each) {
  each_present(call, [&](std::size_t row) {
    ListWriter list(call.result, row);
    each(row, list);
    if (!call.result.is_null(row)) list.finish();
  });
}

/// The type that an argument is taken as: a bare null as a text.
inline DataType stored_type(const DataType& type) {
  return type.is(TypeKind::kNull) ? DataType(TypeKind::kString) : type;
}

/// The type of an argument that has to be an array; a bare null is one of texts.
inline std::optional<DataType> array_type(const Argument& argument) {
  if (argument.type.is(TypeKind::kNull)) return DataType::array(TypeKind::kString);
  if (!argument.type.is(TypeKind::kArray)) return std::nullopt;
  return argument.type;
}

inline const DataType& element_type(const DataType& array) { return array.fields()[0].type; }

/// An overload of lists, whose types a rule settles.
inline FunctionOverload list_function(const char* name, std::string signature,
                                      FunctionOverload::TypeRule rule, Kernel kernel,
                                      const char* description) {
  FunctionOverload overload;
  overload.name = name;
  overload.signature = std::move(signature);
  overload.rule = rule;
  overload.kernel = kernel;
  overload.description = description;
  return overload;
}

}  // namespace millrace::stream
