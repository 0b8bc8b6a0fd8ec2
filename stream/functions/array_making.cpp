#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/value_order.hpp"

#include <algorithm>

// Arrays made of values, of numbers and of other arrays.

namespace millrace::stream {

namespace {

constexpr const char* kTooLong = "the array would have more than 1,000,000 elements";

std::optional<SettledTypes> of_arrays(std::vector<DataType> arguments, DataType result) {
  return SettledTypes{std::move(arguments), std::move(result)};
}

// --- of values
// -----------------------------------------------------------------------------------

void make_array(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    for (const Column* argument : call.arguments) list.elements().append_from(*argument, row);
  });
}

std::optional<SettledTypes> array_types(const Arguments& arguments) {
  if (arguments.empty()) return of_arrays({}, DataType::array(TypeKind::kString));
  auto common = common_type(arguments);
  if (!common) return std::nullopt;
  common = stored_type(*common);
  return of_arrays(std::vector<DataType>(arguments.size(), *common), DataType::array(*common));
}

void repeat_value(KernelCall& call) {
  const Column& value = *call.arguments[0];
  const Column& counts = *call.arguments[1];
  for (std::size_t row = 0; row < call.rows; ++row) {
    if (counts.is_null(row)) {
      call.result.set_null(row);
      continue;
    }
    const auto count = counts.value<std::int64_t>(row);
    if (count > kMadeElementsMax) {
      call.errors.raise(row, kTooLong);
      call.result.set_null(row);
      continue;
    }
    ListWriter list(call.result, row);
    for (std::int64_t i = 0; i < count; ++i) list.elements().append_from(value, row);
    list.finish();
  }
}

std::optional<SettledTypes> repeated_types(const Arguments& arguments) {
  if (arguments.size() != 2 || arguments[1].type.is_nested()) return std::nullopt;
  const DataType value = stored_type(arguments[0].type);
  return of_arrays({value, TypeKind::kInt64}, DataType::array(value));
}

template <typename T>
void make_sequence(KernelCall& call) {
  const bool has_step = call.arguments.size() == 3;
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    const Int128 start = call.arguments[0]->value<T>(row);
    const Int128 stop = call.arguments[1]->value<T>(row);
    const Int128 down_or_up = start <= stop ? 1 : -1;
    const Int128 step = has_step ? Int128{call.arguments[2]->value<T>(row)} : down_or_up;
    const bool leads_there = start == stop || (step > 0 ? start < stop : step < 0 && start > stop);
    if (!leads_there) {
      call.errors.raise(row, "a sequence cannot go from its start to its stop by this step");
      return call.result.set_null(row);
    }
    const Int128 last = start == stop ? 0 : (stop - start) / step;
    if (last >= kMadeElementsMax) {
      call.errors.raise(row, kTooLong);
      return call.result.set_null(row);
    }
    for (Int128 i = 0; i <= last; ++i) list.elements().append<T>(static_cast<T>(start + i * step));
  });
}

void add_of_values(FunctionRegistry& registry) {
  FunctionOverload array = list_function("array", "array(value, ...)", array_types, make_array,
                                         "The values, brought to one type, as an array.");
  array.is_strict = false;
  array.nulls = "never";
  registry.add(array);

  FunctionOverload repeated =
      list_function("array_repeat", "array_repeat(value, bigint)", repeated_types, repeat_value,
                    "The value as often as the number says; none for one below 1.");
  repeated.is_strict = false;
  repeated.nulls = "the number is null";
  registry.add(failing(repeated, kTooLong));

  const auto add_sequence = [&](std::vector<DataType> arguments, Kernel kernel) {
    const DataType result = DataType::array(arguments[0]);
    registry.add(failing(
        plain_function("sequence", std::move(arguments), result, kernel,
                       "The numbers from the first to the second, both included, by the step: 1 or "
                       "-1 unless it is given."),
        "the step does not lead there, or the array would have more than 1,000,000 elements"));
  };
  using enum TypeKind;
  add_sequence({kInt32, kInt32}, make_sequence<std::int32_t>);
  add_sequence({kInt32, kInt32, kInt32}, make_sequence<std::int32_t>);
  add_sequence({kInt64, kInt64}, make_sequence<std::int64_t>);
  add_sequence({kInt64, kInt64, kInt64}, make_sequence<std::int64_t>);
}

// --- of arrays
// -----------------------------------------------------------------------------------

void concatenate_arrays(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    for (const Column* argument : call.arguments) list.add_all(ListView(*argument, row));
  });
}

std::optional<SettledTypes> concatenated_types(const Arguments& arguments) {
  const bool has_array = std::ranges::any_of(
      arguments, [](const Argument& argument) { return argument.type.is(TypeKind::kArray); });
  const auto common = common_type(arguments);
  if (!has_array || !common) return std::nullopt;
  return of_arrays(std::vector<DataType>(arguments.size(), *common), *common);
}

std::optional<SettledTypes> two_concatenated(const Arguments& arguments) {
  return arguments.size() == 2 ? concatenated_types(arguments) : std::nullopt;
}

void reverse_array(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    const ListView source(*call.arguments[0], row);
    for (std::size_t i = source.size(); i > 0; --i) list.add(source, i - 1);
  });
}

void flatten_arrays(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    const ListView outer(*call.arguments[0], row);
    for (std::size_t i = 0; i < outer.size(); ++i) {
      if (outer.is_null(i)) return call.result.set_null(row);
      list.add_all(ListView(outer.elements(), outer.at(i)));
    }
  });
}

void leave_nulls_out(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    const ListView source(*call.arguments[0], row);
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (!source.is_null(i)) list.add(source, i);
    }
  });
}

std::optional<SettledTypes> same_array(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0].type.is(TypeKind::kArray)) return std::nullopt;
  return of_arrays({arguments[0].type}, arguments[0].type);
}

std::optional<SettledTypes> flattened_types(const Arguments& arguments) {
  const auto outer = same_array(arguments);
  if (!outer || !element_type(outer->result).is(TypeKind::kArray)) return std::nullopt;
  return of_arrays({outer->result}, element_type(outer->result));
}

void slice_array(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    const ListView source(*call.arguments[0], row);
    const auto start = call.arguments[1]->value<std::int64_t>(row);
    const auto length = call.arguments[2]->value<std::int64_t>(row);
    if (start == 0 || length < 0) {
      call.errors.raise(row, start == 0 ? "a slice starts at 1, or at -1 backwards, not at 0"
                                        : "the length of a slice cannot be negative");
      return call.result.set_null(row);
    }
    const std::int64_t size = source.size();
    const std::int64_t begin = start > 0 ? start - 1 : size + start;
    if (begin < 0 || begin >= size) return;
    const std::int64_t end = begin + std::min(length, size - begin);
    list.add(source, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  });
}

std::optional<SettledTypes> sliced_types(const Arguments& arguments) {
  if (arguments.size() != 3) return std::nullopt;
  const auto array = array_type(arguments[0]);
  if (!array) return std::nullopt;
  return of_arrays({*array, TypeKind::kInt64, TypeKind::kInt64}, *array);
}

void add_of_arrays(FunctionRegistry& registry) {
  registry.add(list_function("concat", "concat(array, ...)", concatenated_types, concatenate_arrays,
                             "The arrays one behind the other."));
  registry.add(list_function("||", "array || array", two_concatenated, concatenate_arrays,
                             "The arrays one behind the other."));
  registry.add(list_function("reverse", "reverse(array)", same_array, reverse_array,
                             "The elements from the last to the first."));
  registry.add(
      with_nulls(list_function("flatten", "flatten(array<array>)", flattened_types, flatten_arrays,
                               "The elements of the arrays inside, one behind the other."),
                 "the array or one inside is null"));
  registry.add(list_function("array_compact", "array_compact(array)", same_array, leave_nulls_out,
                             "The elements that are not null."));
  registry.add(failing(
      list_function("slice", "slice(array, bigint, bigint)", sliced_types, slice_array,
                    "Elements from a start (from 1, or from the end when negative), as many as the "
                    "length says or there are; none from a start out of bounds."),
      "the start is 0 or the length negative"));
}

// --- of an array and a value
// ---------------------------------------------------------------------

/// The value behind the array, or before it. A null value is one more element.
template <bool kIsBehind>
void add_value(KernelCall& call) {
  for (std::size_t row = 0; row < call.rows; ++row) {
    if (call.arguments[0]->is_null(row)) {
      call.result.set_null(row);
      continue;
    }
    ListWriter list(call.result, row);
    if (!kIsBehind) list.elements().append_from(*call.arguments[1], row);
    list.add_all(ListView(*call.arguments[0], row));
    if (kIsBehind) list.elements().append_from(*call.arguments[1], row);
    list.finish();
  }
}

void remove_value(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    const ListView source(*call.arguments[0], row);
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source.is_null(i) ||
          compare_values(source.elements(), source.at(i), *call.arguments[1], row) != 0)
        list.add(source, i);
    }
  });
}

std::optional<SettledTypes> with_value(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const auto array = array_type(arguments[0]);
  if (!array) return std::nullopt;
  const auto common =
      wider_type_of_likes(element_type(*array), arguments[1].type, arguments.policy());
  if (!common) return std::nullopt;
  return of_arrays({DataType::array(*common), *common}, DataType::array(*common));
}

std::optional<SettledTypes> without_value(const Arguments& arguments) {
  auto settled = with_value(arguments);
  if (settled && !has_equality(element_type(settled->result))) return std::nullopt;
  return settled;
}

void add_with_value(FunctionRegistry& registry) {
  FunctionOverload appended =
      list_function("array_append", "array_append(array, value)", with_value, add_value<true>,
                    "The array with the value, null or not, behind it.");
  appended.is_strict = false;
  appended.nulls = "the array is null";
  registry.add(appended);

  FunctionOverload prepended = appended;
  prepended.name = "array_prepend";
  prepended.signature = "array_prepend(array, value)";
  prepended.kernel = add_value<false>;
  prepended.description = "The array with the value, null or not, before it.";
  registry.add(prepended);

  registry.add(list_function("array_remove", "array_remove(array, value)", without_value,
                             remove_value, "The array without the elements that equal the value."));
}

}  // namespace

void add_array_making_functions(FunctionRegistry& registry) {
  add_of_values(registry);
  add_of_arrays(registry);
  add_with_value(registry);
}

}  // namespace millrace::stream
