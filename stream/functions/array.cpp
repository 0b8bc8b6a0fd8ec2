#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/value_order.hpp"

#include <cstring>

// Arrays: what is in them and where.

namespace millrace::stream {

namespace {

// --- access
// --------------------------------------------------------------------------------------

constexpr std::int64_t kNowhere = -1;
constexpr const char* kZeroIndex =
    "index 0 is invalid: elements count from 1, or from -1 backwards";
constexpr const char* kOutOfBounds = "the index is out of bounds";

std::string out_of_bounds(std::int64_t index, std::size_t size) {
  return "index " + std::to_string(index) + " is out of bounds: the array has " +
         std::to_string(size) + (size == 1 ? " element" : " elements");
}

std::int64_t counted_from_zero(std::int64_t index, std::size_t size) {
  return index >= 0 && index < static_cast<std::int64_t>(size) ? index : kNowhere;
}

/// Counted from 1, or from the end when negative.
std::int64_t counted_from_one(std::int64_t index, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (index > 0) return index <= length ? index - 1 : kNowhere;
  return index != 0 && index >= -length ? length + index : kNowhere;
}

/// Takes the element that the index means; one that means none fails the row or makes it null.
template <auto kCounted, bool kFails>
void take_element(KernelCall& call) {
  constexpr bool kHasZero = kCounted == counted_from_zero;
  each_present(call, [&](std::size_t row) {
    const ListView list(*call.arguments[0], row);
    const auto index = call.arguments[1]->value<std::int64_t>(row);
    const std::int64_t place = kCounted(index, list.size());
    if (place != kNowhere)
      return call.result.assign(row, list.elements(), list.at(static_cast<std::size_t>(place)));
    if (!kHasZero && index == 0)
      call.errors.raise(row, kZeroIndex);
    else if (kFails)
      call.errors.raise(row, [&] { return out_of_bounds(index, list.size()); });
    call.result.set_null(row);
  });
}

std::optional<SettledTypes> indexed_types(const Arguments& arguments) {
  if (arguments.size() != 2 || arguments[1].type.is_nested()) return std::nullopt;
  const auto array = array_type(arguments[0]);
  if (!array) return std::nullopt;
  return SettledTypes{{*array, TypeKind::kInt64}, element_type(*array)};
}

void add_access(FunctionRegistry& registry) {
  FunctionOverload item =
      list_function("item", "item(array, bigint)", indexed_types,
                    take_element<counted_from_zero, true>, "The element at the index, from 0.");
  registry.add(failing(item, kOutOfBounds));
  registry.add(with_nulls(
      list_function("get", "get(array, bigint)", indexed_types,
                    take_element<counted_from_zero, false>, "The element at the index, from 0."),
      "an argument is null, or the index is out of bounds"));
  registry.add(failing(
      list_function("element_at", "element_at(array, bigint)", indexed_types,
                    take_element<counted_from_one, true>,
                    "The element at the index: from 1, or from the end when it is negative."),
      "the index is 0 or out of bounds"));
  registry.add(failing(
      with_nulls(
          list_function("try_element_at", "try_element_at(array, bigint)", indexed_types,
                        take_element<counted_from_one, false>,
                        "The element at the index: from 1, or from the end when it is negative."),
          "an argument is null, or the index is out of bounds"),
      "the index is 0"));
}

// --- size
// ----------------------------------------------------------------------------------------

/// A list that is null has none; where ansi = 'false', -1.
void count_elements(KernelCall& call) {
  const Column& lists = *call.arguments[0];
  const auto result = call.result.values<std::int32_t>();
  for (std::size_t row = 0; row < call.rows; ++row) {
    result[row] =
        lists.is_null(row) ? -1 : static_cast<std::int32_t>(lists.value<ListEntry>(row).length);
    if (lists.is_null(row) && call.settings.is_ansi) call.result.set_null(row);
  }
}

std::optional<SettledTypes> sized_types(const Arguments& arguments) {
  if (arguments.size() != 1) return std::nullopt;
  if (arguments[0].type.is(TypeKind::kMap))
    return SettledTypes{{arguments[0].type}, TypeKind::kInt32};
  const auto array = array_type(arguments[0]);
  if (!array) return std::nullopt;
  return SettledTypes{{*array}, TypeKind::kInt32};
}

void count_present_size(KernelCall& call) {
  const auto result = call.result.values<std::int32_t>();
  for (std::size_t row = 0; row < call.rows; ++row)
    result[row] = static_cast<std::int32_t>(call.arguments[0]->value<ListEntry>(row).length);
}

std::optional<SettledTypes> array_sized_types(const Arguments& arguments) {
  if (arguments.size() == 1 && arguments[0].type.is(TypeKind::kMap)) return std::nullopt;
  return sized_types(arguments);
}

void add_size(FunctionRegistry& registry) {
  FunctionOverload size = list_function("size", "size(array or map)", sized_types, count_elements,
                                        "How many elements or entries there are.");
  size.is_strict = false;
  size.nulls = "the argument is null; -1 then where ansi = 'false'";
  registry.add(size);
  registry.add_alias("cardinality", "size");
  registry.add(list_function("array_size", "array_size(array)", array_sized_types,
                             count_present_size, "How many elements there are."));
}

// --- search
// --------------------------------------------------------------------------------------

/// The position, from 0, of the first element that equals the value.
std::optional<std::size_t> find_element(const ListView& list, const Column& value,
                                        std::size_t row) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list.is_null(i) && compare_values(list.elements(), list.at(i), value, row) == 0) return i;
  }
  return std::nullopt;
}

bool has_null(const ListView& list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list.is_null(i)) return true;
  }
  return false;
}

void contains_element(KernelCall& call) {
  const auto result = call.result.values<std::uint8_t>();
  each_present(call, [&](std::size_t row) {
    const ListView list(*call.arguments[0], row);
    result[row] = find_element(list, *call.arguments[1], row) ? 1 : 0;
    if (result[row] == 0 && has_null(list)) call.result.set_null(row);
  });
}

void find_position(KernelCall& call) {
  const auto result = call.result.values<std::int64_t>();
  each_present(call, [&](std::size_t row) {
    const auto found = find_element(ListView(*call.arguments[0], row), *call.arguments[1], row);
    result[row] = found ? static_cast<std::int64_t>(*found) + 1 : 0;
  });
}

/// An array and a value that its elements are compared with.
template <TypeKind kResult>
std::optional<SettledTypes> searched_types(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const auto array = array_type(arguments[0]);
  if (!array) return std::nullopt;
  const auto common =
      wider_type_of_likes(element_type(*array), arguments[1].type, arguments.policy());
  if (!common || !has_equality(*common)) return std::nullopt;
  return SettledTypes{{DataType::array(*common), *common}, kResult};
}

/// The element that stands last in the order, or first; nulls do not take part.
template <bool kIsLast>
void take_extreme(KernelCall& call) {
  each_present(call, [&](std::size_t row) {
    const ListView list(*call.arguments[0], row);
    const Column& elements = list.elements();
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list.is_null(i)) continue;
      const auto order = best ? compare_values(elements, list.at(i), elements, *best)
                              : std::weak_ordering::equivalent;
      if (!best || (kIsLast ? order > 0 : order < 0)) best = list.at(i);
    }
    if (best)
      call.result.assign(row, elements, *best);
    else
      call.result.set_null(row);
  });
}

std::optional<SettledTypes> extreme_types(const Arguments& arguments) {
  if (arguments.size() != 1) return std::nullopt;
  const auto array = array_type(arguments[0]);
  if (!array || !has_order(element_type(*array))) return std::nullopt;
  return SettledTypes{{*array}, element_type(*array)};
}

void add_search(FunctionRegistry& registry) {
  registry.add(with_nulls(list_function("array_contains", "array_contains(array, value)",
                                        searched_types<TypeKind::kBoolean>, contains_element,
                                        "True if an element equals the value."),
                          "an argument is null, or no element is equal and one is null"));
  registry.add(list_function("array_position", "array_position(array, value)",
                             searched_types<TypeKind::kInt64>, find_position,
                             "The number, from 1, of the first element that equals the value; 0 if "
                             "there is none."));
  registry.add(with_nulls(
      list_function("array_max", "array_max(array)", extreme_types, take_extreme<true>,
                    "The largest element; NaN is above all other doubles, nulls do not count."),
      "the array is null, or has nothing but nulls"));
  registry.add(with_nulls(
      list_function("array_min", "array_min(array)", extreme_types, take_extreme<false>,
                    "The smallest element; NaN is above all other doubles, nulls do not count."),
      "the array is null, or has nothing but nulls"));
}

// --- text
// ----------------------------------------------------------------------------------------

/// Calls `take` for every part of the joined text, separators included.
template <typename Take>
void each_part(const ListView& list, std::string_view separator,
               std::optional<std::string_view> null_text, const Take& take) {
  bool is_first = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list.is_null(i) && !null_text) continue;
    if (!is_first) take(separator);
    is_first = false;
    take(list.is_null(i) ? *null_text : list.elements().text(list.at(i)));
  }
}

void join_elements(KernelCall& call) {
  const auto result = call.result.values<std::string_view>();
  each_present(call, [&](std::size_t index) {
    const ListView list(*call.arguments[0], index);
    const std::string_view separator = call.arguments[1]->text(index);
    std::optional<std::string_view> null_text;
    if (call.arguments.size() == 3) null_text = call.arguments[2]->text(index);
    std::size_t size = 0;
    each_part(list, separator, null_text, [&](std::string_view part) { size += part.size(); });
    Row row(call, index);
    char* const joined = row.allocate_made(size);
    result[index] = {};
    if (joined == nullptr) return;
    char* end = joined;
    each_part(list, separator, null_text, [&](std::string_view part) {
      if (!part.empty()) std::memcpy(end, part.data(), part.size());
      end += part.size();
    });
    result[index] = {joined, size};
  });
}

std::optional<SettledTypes> joined_types(const Arguments& arguments) {
  if (arguments.size() != 2 && arguments.size() != 3) return std::nullopt;
  SettledTypes settled{{DataType::array(TypeKind::kString)}, TypeKind::kString};
  settled.arguments.resize(arguments.size(), TypeKind::kString);
  return settled;
}

void add_text(FunctionRegistry& registry) {
  registry.add(failing(
      list_function("array_join", "array_join(array<string>, string[, string])", joined_types,
                    join_elements,
                    "The elements with the separator between them; nulls are left out, or written "
                    "as the third argument."),
      "the text would be longer than 64 MiB"));
}

}  // namespace

void add_array_functions(FunctionRegistry& registry) {
  add_access(registry);
  add_size(registry);
  add_search(registry);
  add_text(registry);
}

}  // namespace millrace::stream
