#include "stream/functions/element_rows.hpp"
#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/value_order.hpp"

#include <cstdint>
#include <optional>
#include <vector>

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

// --- map_zip_with
// --------------------------------------------------------------------------------

/// The entries of two maps key by key: those of the left one, then the other keys of the right one.
struct ZippedMaps : CallState {
  std::vector<std::uint32_t> rows;
  std::optional<Column> keys;
  std::optional<Column> left;
  std::optional<Column> right;

  void take(const Column& lefts, const Column& rights, Column& result) {
    begin(lefts, rights);
    for (std::size_t row = 0; row < result.size(); ++row) {
      if (result.is_null(row)) continue;
      const auto first = static_cast<std::uint32_t>(rows.size());
      add_left(lefts, rights, row);
      add_right(lefts, rights, row);
      result.values<ListEntry>()[row] = {first, static_cast<std::uint32_t>(rows.size()) - first};
    }
  }

 private:
  void begin(const Column& lefts, const Column& rights) {
    rows.clear();
    if (!keys) {
      keys.emplace(lefts.child(0).type());
      left.emplace(lefts.child(1).type());
      right.emplace(rights.child(1).type());
    }
    for (Column* column : {&*keys, &*left, &*right}) column->resize(0);
  }

  static std::optional<std::size_t> find(const ListView& keys, const ListView& from,
                                         std::size_t position) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (compare_values(keys.elements(), keys.at(i), from.elements(), from.at(position)) == 0)
        return i;
    }
    return std::nullopt;
  }

  void add_left(const Column& lefts, const Column& rights, std::size_t row) {
    const ListView own(lefts, row);
    const ListView values(lefts, row, 1);
    const ListView others(rights, row, 1);
    for (std::size_t i = 0; i < own.size(); ++i) {
      rows.push_back(static_cast<std::uint32_t>(row));
      keys->append_from(own.elements(), own.at(i));
      left->append_from(values.elements(), values.at(i));
      const auto other = find(ListView(rights, row), own, i);
      if (other)
        right->append_from(others.elements(), others.at(*other));
      else
        right->append_null();
    }
  }

  void add_right(const Column& lefts, const Column& rights, std::size_t row) {
    const ListView own(rights, row);
    const ListView values(rights, row, 1);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (find(ListView(lefts, row), own, i)) continue;
      rows.push_back(static_cast<std::uint32_t>(row));
      keys->append_from(own.elements(), own.at(i));
      left->append_null();
      right->append_from(values.elements(), values.at(i));
    }
  }
};

void zip_maps(LazyCall& call) {
  auto& zipped = call.state<ZippedMaps>();
  const Column& left = call.evaluate(0, call.active());
  const Column& right = call.evaluate(1, call.active());
  Column& result = call.result();
  result.copy_validity(left);
  if (right.may_have_nulls()) {
    for (std::size_t row = 0; row < call.rows(); ++row) {
      if (right.is_null(row)) result.set_null(row);
    }
  }
  zipped.take(left, right, result);
  result.child(0).copy_from(*zipped.keys);
  call.evaluate_lambda_into(result.child(1), 2, zipped.rows,
                            {&*zipped.keys, &*zipped.left, &*zipped.right});
}

/// The key that both maps have, and their values.
std::optional<std::vector<DataType>> zip_parameters(const Arguments& before, std::size_t count) {
  if (before.size() != 2 || count != 3) return std::nullopt;
  for (const Argument& each : before) {
    if (!each.type.is(TypeKind::kMap)) return std::nullopt;
  }
  const auto& left = before[0].type.fields();
  const auto& right = before[1].type.fields();
  const auto key = wider_type(left[0].type, right[0].type, before.policy());
  if (!key || !has_equality(*key)) return std::nullopt;
  return std::vector<DataType>{*key, left[1].type, right[1].type};
}

std::optional<SettledTypes> zip_types(const Arguments& arguments) {
  if (arguments.size() != 3 || arguments[2].parameters == 0) return std::nullopt;
  const auto types =
      zip_parameters(Arguments(arguments.first(2), arguments.policy()), arguments[2].parameters);
  if (!types) return std::nullopt;
  const DataType& key = types->front();
  const DataType value = stored_type(arguments[2].type);
  return SettledTypes{{DataType::map(key, (*types)[1]), DataType::map(key, (*types)[2]), value},
                      DataType::map(key, value),
                      true};
}

// --- registration
// --------------------------------------------------------------------------------

std::optional<std::vector<DataType>> entry_parameters(const Arguments& before, std::size_t count) {
  if (before.size() != 1 || count != 2 || !before[0].type.is(TypeKind::kMap)) return std::nullopt;
  const auto& fields = before[0].type.fields();
  return std::vector<DataType>{fields[0].type, fields[1].type};
}

bool is_map_and_lambda(const Arguments& arguments) {
  return arguments.size() == 2 && arguments[0].type.is(TypeKind::kMap) &&
         arguments[1].parameters != 0;
}

std::optional<SettledTypes> filtered_types(const Arguments& arguments) {
  if (!is_map_and_lambda(arguments)) return std::nullopt;
  const DataType& condition = arguments[1].type;
  if (!condition.is(TypeKind::kBoolean) && !condition.is(TypeKind::kNull)) return std::nullopt;
  return SettledTypes{{arguments[0].type, TypeKind::kBoolean}, arguments[0].type};
}

std::optional<SettledTypes> new_values_types(const Arguments& arguments) {
  if (!is_map_and_lambda(arguments)) return std::nullopt;
  const DataType value = stored_type(arguments[1].type);
  return SettledTypes{{arguments[0].type, value},
                      DataType::map(arguments[0].type.fields()[0].type, value)};
}

std::optional<SettledTypes> new_keys_types(const Arguments& arguments) {
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
  FunctionOverload zipped = by_lambda(
      "map_zip_with", "map_zip_with(map, map, (key, left, right) -> value)", zip_types, zip_maps,
      "The map of what the values of two maps become, key by key: the keys of the first, "
      "then the others of the second; a map without the key gives a null.");
  zipped.parameters = zip_parameters;
  registry.add(std::move(zipped));
}

}  // namespace millrace::stream
