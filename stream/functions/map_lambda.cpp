#include "stream/functions/element_rows.hpp"
#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/value_order.hpp"

// Functions that do something by a lambda to each entry of maps, over the entries of all rows at
// once.

namespace millrace::stream {

namespace {

/// Takes the entries of the map that is the first argument; null maps are null in the result.
const Column& take_entries(LazyCall& call, ElementRows& entries) {
  const Column& maps = call.evaluate(0, call.active());
  call.result().copy_validity(maps);
  entries.take_all(maps);
  return maps;
}

void filter_entries(LazyCall& call) {
  auto& entries = call.state<ElementRows>();
  const Column& maps = take_entries(call, entries);
  const Column& is_kept =
      call.evaluate_lambda(1, entries.rows(), {&entries.values(maps, 0), &entries.values(maps, 1)});
  entries.write_kept(maps, is_kept, call.result());
}

void transform_values(LazyCall& call) {
  auto& entries = call.state<ElementRows>();
  const Column& maps = take_entries(call, entries);
  const Column& keys = entries.values(maps, 0);
  call.result().child(0).copy_from(keys);
  call.evaluate_lambda_into(call.result().child(1), 1, entries.rows(),
                            {&keys, &entries.values(maps, 1)});
  entries.write_lists(maps, call.result());
}

/// What is wrong with the keys of one map; null: nothing.
const char* problem_of(const ListView& keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys.is_null(i)) return kNullKey;
    for (std::size_t other = 0; other < i; ++other) {
      if (compare_values(keys.elements(), keys.at(i), keys.elements(), keys.at(other)) == 0)
        return kKeyTwice;
    }
  }
  return nullptr;
}

void transform_keys(LazyCall& call) {
  auto& entries = call.state<ElementRows>();
  const Column& maps = take_entries(call, entries);
  const Column& values = entries.values(maps, 1);
  Column& result = call.result();
  call.evaluate_lambda_into(result.child(0), 1, entries.rows(),
                            {&entries.values(maps, 0), &values});
  result.child(1).copy_from(values);
  entries.write_lists(maps, result);
  for (std::size_t row = 0; row < call.rows(); ++row) {
    if (result.is_null(row)) continue;
    const char* problem = problem_of(ListView(result, row));
    if (problem == nullptr) continue;
    call.errors().raise(row, problem);
    result.set_null(row);
  }
}

std::optional<std::vector<DataType>> entry_parameters(std::span<const Argument> before,
                                                      std::size_t count) {
  if (before.size() != 1 || count != 2 || !before[0].type.is(TypeKind::kMap)) return std::nullopt;
  const auto& fields = before[0].type.fields();
  return std::vector<DataType>{fields[0].type, fields[1].type};
}

bool is_map_and_lambda(std::span<const Argument> arguments) {
  return arguments.size() == 2 && arguments[0].type.is(TypeKind::kMap) &&
         arguments[1].parameters != 0;
}

std::optional<SettledTypes> filtered_types(std::span<const Argument> arguments) {
  if (!is_map_and_lambda(arguments)) return std::nullopt;
  const DataType& condition = arguments[1].type;
  if (!condition.is(TypeKind::kBoolean) && !condition.is(TypeKind::kNull)) return std::nullopt;
  return SettledTypes{{arguments[0].type, TypeKind::kBoolean}, arguments[0].type};
}

std::optional<SettledTypes> new_values_types(std::span<const Argument> arguments) {
  if (!is_map_and_lambda(arguments)) return std::nullopt;
  const DataType value = stored_type(arguments[1].type);
  return SettledTypes{{arguments[0].type, value},
                      DataType::map(arguments[0].type.fields()[0].type, value)};
}

std::optional<SettledTypes> new_keys_types(std::span<const Argument> arguments) {
  if (!is_map_and_lambda(arguments)) return std::nullopt;
  const DataType key = stored_type(arguments[1].type);
  if (!has_equality(key)) return std::nullopt;
  return SettledTypes{{arguments[0].type, key},
                      DataType::map(key, arguments[0].type.fields()[1].type)};
}

FunctionOverload by_lambda(const char* name, const char* signature, FunctionOverload::TypeRule rule,
                           LazyKernel lazy, const char* description) {
  FunctionOverload overload = list_function(name, signature, rule, nullptr, description);
  overload.parameters = entry_parameters;
  overload.lazy = lazy;
  return overload;
}

}  // namespace

void add_map_lambda_functions(FunctionRegistry& registry) {
  registry.add(by_lambda("map_filter", "map_filter(map, (key, value) -> boolean)", filtered_types,
                         filter_entries, "The entries for which the condition is true."));
  registry.add(by_lambda("transform_values", "transform_values(map, (key, value) -> value)",
                         new_values_types, transform_values,
                         "The map with each value replaced by what the lambda gives."));
  registry.add(failing(
      by_lambda("transform_keys", "transform_keys(map, (key, value) -> key)", new_keys_types,
                transform_keys, "The map with each key replaced by what the lambda gives."),
      kBadKeys));
}

}  // namespace millrace::stream
