#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/value_order.hpp"

#include <algorithm>

// Arrays in order, and arrays as sets. Equal is what compares equal; a null equals a null.

namespace millrace::stream {

namespace {

/// One element, and which of them all it is.
struct Element {
  const Column* column = nullptr;
  std::size_t place = 0;
  std::uint32_t number = 0;
  bool is_kept = false;

  [[nodiscard]] bool is_null() const { return column->is_null(place); }
};

/// The elements at hand: as they come, and sorted. Keeps its memory.
struct Elements : CallState {
  std::vector<Element> all;
  std::vector<std::uint32_t> sorted;

  void clear() {
    all.clear();
    sorted.clear();
  }
  void add(const ListView& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto number = static_cast<std::uint32_t>(all.size());
      all.push_back({&list.elements(), list.at(i), number});
      sorted.push_back(number);
    }
  }
  [[nodiscard]] std::weak_ordering compare(std::uint32_t left, std::uint32_t right) const {
    return compare_nullable(*all[left].column, all[left].place, *all[right].column,
                            all[right].place);
  }
  /// By value, nulls first; equal ones as they came.
  void sort() {
    std::ranges::sort(sorted, [this](std::uint32_t left, std::uint32_t right) {
      const auto order = compare(left, right);
      return order != 0 ? order < 0 : left < right;
    });
  }
  /// Calls `each` for every run of equal ones, once sorted.
  template <typename Each>
  void each_kind(const Each& each) {
    for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
      for (end = begin + 1; end < sorted.size() && compare(sorted[begin], sorted[end]) == 0;) ++end;
      each(std::span<const std::uint32_t>(sorted).subspan(begin, end - begin));
    }
  }
};

// --- order
// ---------------------------------------------------------------------------------------

void put(const Elements& elements, std::uint32_t number, ListWriter& list) {
  const Element& element = elements.all[number];
  list.elements().append_from(*element.column, element.place);
}

void sort_either_way(KernelCall& call) {
  const bool has_way = call.arguments.size() == 2;
  auto& elements = call.state.get<Elements>();
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    const bool ascends = !has_way || call.arguments[1]->value<std::uint8_t>(row) != 0;
    elements.clear();
    elements.add(ListView(*call.arguments[0], row));
    elements.sort();
    if (!ascends) std::ranges::reverse(elements.sorted);
    for (const std::uint32_t number : elements.sorted) put(elements, number, list);
  });
}

void sort_nulls_last(KernelCall& call) {
  auto& elements = call.state.get<Elements>();
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    elements.clear();
    elements.add(ListView(*call.arguments[0], row));
    elements.sort();
    const auto first = std::ranges::find_if(
        elements.sorted, [&](std::uint32_t number) { return !elements.all[number].is_null(); });
    std::ranges::rotate(elements.sorted, first);
    for (const std::uint32_t number : elements.sorted) put(elements, number, list);
  });
}

std::optional<SettledTypes> ordered_types(const Arguments& arguments) {
  if (arguments.size() != 1) return std::nullopt;
  const auto array = array_type(arguments[0]);
  if (!array || !has_order(element_type(*array))) return std::nullopt;
  return SettledTypes{{*array}, *array};
}

std::optional<SettledTypes> ordered_with_way(const Arguments& arguments) {
  if (arguments.size() != 2 || !arguments[1].type.is(TypeKind::kBoolean)) return std::nullopt;
  auto settled = ordered_types(Arguments(arguments.first(1), arguments.policy()));
  if (settled) settled->arguments.emplace_back(TypeKind::kBoolean);
  return settled;
}

void add_order(FunctionRegistry& registry) {
  registry.add(list_function("sort_array", "sort_array(array)", ordered_types, sort_either_way,
                             "The elements in order, nulls first."));
  registry.add(list_function("sort_array", "sort_array(array, boolean)", ordered_with_way,
                             sort_either_way,
                             "The same, or from the largest to the smallest with nulls last if the "
                             "second argument is false."));
  registry.add(list_function("array_sort", "array_sort(array)", ordered_types, sort_nulls_last,
                             "The elements in order, nulls last."));
}

// --- sets
// ----------------------------------------------------------------------------------------

enum class Keep : std::uint8_t { kEither, kBoth, kFirstOnly };

bool keeps(Keep keep, bool is_in_first, bool is_in_second) {
  if (keep == Keep::kBoth) return is_in_first && is_in_second;
  return keep == Keep::kEither || (is_in_first && !is_in_second);
}

/// The first of each kind of element that belongs to the result, in the order they came.
template <Keep kKeep>
void combine_sets(KernelCall& call) {
  auto& elements = call.state.get<Elements>();
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    elements.clear();
    const ListView first(*call.arguments[0], row);
    elements.add(first);
    if (call.arguments.size() == 2) elements.add(ListView(*call.arguments[1], row));
    elements.sort();
    elements.each_kind([&](std::span<const std::uint32_t> kind) {
      elements.all[kind.front()].is_kept =
          keeps(kKeep, kind.front() < first.size(), kind.back() >= first.size());
    });
    for (const Element& element : elements.all) {
      if (element.is_kept) put(elements, element.number, list);
    }
  });
}

/// Whether both have an element that is not null; unknown if nulls could make it so.
void overlap(KernelCall& call) {
  auto& elements = call.state.get<Elements>();
  const auto result = call.result.values<std::uint8_t>();
  each_present(call, [&](std::size_t row) {
    const ListView first(*call.arguments[0], row);
    const ListView second(*call.arguments[1], row);
    elements.clear();
    elements.add(first);
    elements.add(second);
    elements.sort();
    result[row] = 0;
    bool has_null = false;
    elements.each_kind([&](std::span<const std::uint32_t> kind) {
      if (elements.all[kind.front()].is_null())
        has_null = true;
      else if (kind.front() < first.size() && kind.back() >= first.size())
        result[row] = 1;
    });
    const bool is_unknown = has_null && first.size() != 0 && second.size() != 0;
    if (result[row] == 0 && is_unknown) call.result.set_null(row);
  });
}

std::optional<SettledTypes> set_types(const Arguments& arguments) {
  const auto common = common_type_of_likes(arguments);
  if (!common || !common->is(TypeKind::kArray) || !has_equality(element_type(*common)))
    return std::nullopt;
  return SettledTypes{std::vector<DataType>(arguments.size(), *common), *common};
}

std::optional<SettledTypes> one_set(const Arguments& arguments) {
  return arguments.size() == 1 ? set_types(arguments) : std::nullopt;
}

std::optional<SettledTypes> two_sets(const Arguments& arguments) {
  return arguments.size() == 2 ? set_types(arguments) : std::nullopt;
}

std::optional<SettledTypes> overlap_types(const Arguments& arguments) {
  auto settled = two_sets(arguments);
  if (settled) settled->result = TypeKind::kBoolean;
  return settled;
}

void add_sets(FunctionRegistry& registry) {
  registry.add(list_function("array_distinct", "array_distinct(array)", one_set,
                             combine_sets<Keep::kEither>,
                             "The first of all equal elements, in the order they come."));
  registry.add(list_function("array_union", "array_union(array, array)", two_sets,
                             combine_sets<Keep::kEither>,
                             "The elements of either array, each once."));
  registry.add(list_function("array_intersect", "array_intersect(array, array)", two_sets,
                             combine_sets<Keep::kBoth>,
                             "The elements that are in both arrays, each once."));
  registry.add(list_function("array_except", "array_except(array, array)", two_sets,
                             combine_sets<Keep::kFirstOnly>,
                             "The elements of the first array that are not in the second, each "
                             "once."));
  registry.add(with_nulls(
      list_function("arrays_overlap", "arrays_overlap(array, array)", overlap_types, overlap,
                    "True if both arrays have an element that is equal and not null."),
      "an argument is null, or there is no such element, neither array is empty and one has a "
      "null"));
}

}  // namespace

void add_array_order_functions(FunctionRegistry& registry) {
  add_order(registry);
  add_sets(registry);
}

}  // namespace millrace::stream
