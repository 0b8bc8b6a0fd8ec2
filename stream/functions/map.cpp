#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"
#include "stream/value_order.hpp"

#include <algorithm>

// Maps. Keys are never null and never twice in one map; entries keep the order they came in.

namespace millrace::stream {

namespace {

const DataType& key_type(const DataType& map) { return map.fields()[0].type; }
const DataType& value_type(const DataType& map) { return map.fields()[1].type; }

std::optional<SettledTypes> map_of(std::vector<DataType> arguments, const DataType& key,
                                   const DataType& value) {
  if (!has_equality(key)) return std::nullopt;
  return SettledTypes{std::move(arguments), DataType::map(key, value)};
}

/// Makes the map of one row, and watches over its keys.
class MapWriter {
 public:
  MapWriter(KernelCall& call, std::size_t row)
      : call_(call), row_(row), list_(call.result, row), begin_(keys().size()) {}

  /// False, and the row failed, if the key may not be there.
  bool add(const Column& key, std::size_t key_row, const Column& value, std::size_t value_row) {
    if (key.is_null(key_row)) return refuse(kNullKey);
    for (std::size_t i = begin_; i < keys().size(); ++i) {
      if (compare_values(keys(), i, key, key_row) == 0) return refuse(kKeyTwice);
    }
    keys().append_from(key, key_row);
    call_.result.child(1).append_from(value, value_row);
    return true;
  }
  void finish() { list_.finish(); }

 private:
  Column& keys() { return call_.result.child(0); }
  bool refuse(const char* reason) {
    call_.errors.raise(row_, reason);
    call_.result.set_null(row_);
    return false;
  }

  KernelCall& call_;
  std::size_t row_;
  ListWriter list_;
  std::size_t begin_;
};

/// Calls `fill(row, writer)`, which is false where it failed, for every row not null so far.
template <typename Fill>
void each_made_map(KernelCall& call, const Fill& fill) {
  each_present(call, [&](std::size_t row) {
    MapWriter map(call, row);
    if (fill(row, map)) map.finish();
  });
}

// --- making
// --------------------------------------------------------------------------------------

void make_map(KernelCall& call) {
  each_made_map(call, [&](std::size_t row, MapWriter& map) {
    for (std::size_t i = 0; i + 1 < call.arguments.size(); i += 2) {
      if (!map.add(*call.arguments[i], row, *call.arguments[i + 1], row)) return false;
    }
    return true;
  });
}

std::optional<SettledTypes> map_types(const Arguments& arguments) {
  if (arguments.size() % 2 != 0) return std::nullopt;
  std::vector<Argument> keys;
  std::vector<Argument> values;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    (i % 2 == 0 ? keys : values).push_back(arguments[i]);
  if (keys.empty()) return map_of({}, TypeKind::kString, TypeKind::kString);
  const auto key = common_type(Arguments(keys, arguments.policy()));
  const auto value = common_type(Arguments(values, arguments.policy()));
  if (!key || !value) return std::nullopt;
  std::vector<DataType> settled;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    settled.push_back(stored_type(i % 2 == 0 ? *key : *value));
  return map_of(std::move(settled), stored_type(*key), stored_type(*value));
}

void pair_arrays(KernelCall& call) {
  each_made_map(call, [&](std::size_t row, MapWriter& map) {
    const ListView keys(*call.arguments[0], row);
    const ListView values(*call.arguments[1], row);
    if (keys.size() != values.size()) {
      call.errors.raise(row, "a map needs as many values as keys");
      call.result.set_null(row);
      return false;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!map.add(keys.elements(), keys.at(i), values.elements(), values.at(i))) return false;
    }
    return true;
  });
}

std::optional<SettledTypes> paired_types(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const auto keys = array_type(arguments[0]);
  const auto values = array_type(arguments[1]);
  if (!keys || !values) return std::nullopt;
  return map_of({*keys, *values}, element_type(*keys), element_type(*values));
}

/// An entry that is null makes the map null.
void gather_entries(KernelCall& call) {
  each_made_map(call, [&](std::size_t row, MapWriter& map) {
    const ListView entries(*call.arguments[0], row);
    const Column& keys = entries.elements().child(0);
    const Column& values = entries.elements().child(1);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries.is_null(i)) {
        call.result.set_null(row);
        return false;
      }
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!map.add(keys, entries.at(i), values, entries.at(i))) return false;
    }
    return true;
  });
}

std::optional<SettledTypes> entry_list_types(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0].type.is(TypeKind::kArray)) return std::nullopt;
  const DataType& entry = element_type(arguments[0].type);
  if (!entry.is(TypeKind::kStruct) || entry.fields().size() != 2) return std::nullopt;
  return map_of({arguments[0].type}, entry.fields()[0].type, entry.fields()[1].type);
}

void concatenate_maps(KernelCall& call) {
  each_made_map(call, [&](std::size_t row, MapWriter& map) {
    for (const Column* argument : call.arguments) {
      const ListView keys(*argument, row, 0);
      const ListView values(*argument, row, 1);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!map.add(keys.elements(), keys.at(i), values.elements(), values.at(i))) return false;
      }
    }
    return true;
  });
}

std::optional<SettledTypes> concatenated_types(const Arguments& arguments) {
  const auto common = common_type(arguments);
  if (!common || !common->is(TypeKind::kMap)) return std::nullopt;
  return SettledTypes{std::vector<DataType>(arguments.size(), *common), *common};
}

void add_making(FunctionRegistry& registry) {
  FunctionOverload map =
      list_function("map", "map(key, value, ...)", map_types, make_map,
                    "A map of the keys, brought to one type, and the values, brought to another.");
  map.is_strict = false;
  map.nulls = "never";
  registry.add(failing(map, kBadKeys));
  registry.add(failing(
      list_function("map_from_arrays", "map_from_arrays(array, array)", paired_types, pair_arrays,
                    "A map of the keys in one array and the values at the same places of another."),
      "the arrays differ in length, or a key is null or there twice"));
  registry.add(failing(
      with_nulls(
          list_function("map_from_entries", "map_from_entries(array<struct>)", entry_list_types,
                        gather_entries, "A map of structs of two fields, key and value."),
          "the array or an entry is null"),
      kBadKeys));
  registry.add(failing(list_function("map_concat", "map_concat(map, ...)", concatenated_types,
                                     concatenate_maps, "The entries of all maps."),
                       kKeyTwice));
}

// --- access
// --------------------------------------------------------------------------------------

std::optional<std::size_t> find_key(const ListView& keys, const Column& key, std::size_t row) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (compare_values(keys.elements(), keys.at(i), key, row) == 0) return i;
  }
  return std::nullopt;
}

void take_value(KernelCall& call) {
  each_present(call, [&](std::size_t row) {
    const ListView values(*call.arguments[0], row, 1);
    const auto found = find_key(ListView(*call.arguments[0], row), *call.arguments[1], row);
    if (found)
      call.result.assign(row, values.elements(), values.at(*found));
    else
      call.result.set_null(row);
  });
}

void contains_key(KernelCall& call) {
  const auto result = call.result.values<std::uint8_t>();
  each_present(call, [&](std::size_t row) {
    result[row] =
        find_key(ListView(*call.arguments[0], row), *call.arguments[1], row).has_value() ? 1 : 0;
  });
}

std::optional<DataType> searched_map(const Arguments& arguments) {
  if (arguments.size() != 2 || !arguments[0].type.is(TypeKind::kMap)) return std::nullopt;
  const auto key =
      wider_type_of_likes(key_type(arguments[0].type), arguments[1].type, arguments.policy());
  if (!key) return std::nullopt;
  return DataType::map(*key, value_type(arguments[0].type));
}

std::optional<SettledTypes> value_types(const Arguments& arguments) {
  const auto map = searched_map(arguments);
  if (!map) return std::nullopt;
  return SettledTypes{{*map, key_type(*map)}, value_type(*map)};
}

std::optional<SettledTypes> contains_types(const Arguments& arguments) {
  const auto map = searched_map(arguments);
  if (!map) return std::nullopt;
  return SettledTypes{{*map, key_type(*map)}, TypeKind::kBoolean};
}

void add_access(FunctionRegistry& registry) {
  for (const char* name : {"item", "element_at", "try_element_at"}) {
    registry.add(with_nulls(list_function(name, std::string(name) + "(map, key)", value_types,
                                          take_value, "The value of the key."),
                            "an argument is null, or the map has no such key"));
  }
  registry.add(list_function("map_contains_key", "map_contains_key(map, key)", contains_types,
                             contains_key, "True if the map has the key."));
}

// --- parts
// ---------------------------------------------------------------------------------------

template <std::size_t kChild>
void take_part(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    list.add_all(ListView(*call.arguments[0], row, kChild));
  });
}

void take_entries(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    for (std::size_t child = 0; child < 2; ++child) {
      const ListView part(*call.arguments[0], row, child);
      for (std::size_t i = 0; i < part.size(); ++i)
        list.elements().child(child).append_from(part.elements(), part.at(i));
    }
    const ListView keys(*call.arguments[0], row);
    for (std::size_t i = 0; i < keys.size(); ++i) list.elements().append_struct();
  });
}

template <std::size_t kChild>
std::optional<SettledTypes> part_types(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0].type.is(TypeKind::kMap)) return std::nullopt;
  return SettledTypes{{arguments[0].type},
                      DataType::array(arguments[0].type.fields()[kChild].type)};
}

std::optional<SettledTypes> entries_types(const Arguments& arguments) {
  if (arguments.size() != 1 || !arguments[0].type.is(TypeKind::kMap)) return std::nullopt;
  return SettledTypes{{arguments[0].type},
                      DataType::array(DataType::structure(arguments[0].type.fields()))};
}

void add_parts(FunctionRegistry& registry) {
  registry.add(list_function("map_keys", "map_keys(map)", part_types<0>, take_part<0>,
                             "The keys as an array."));
  registry.add(list_function("map_values", "map_values(map)", part_types<1>, take_part<1>,
                             "The values as an array."));
  registry.add(list_function("map_entries", "map_entries(map)", entries_types, take_entries,
                             "The entries as an array of structs of key and value."));
}

}  // namespace

void add_map_functions(FunctionRegistry& registry) {
  add_making(registry);
  add_access(registry);
  add_parts(registry);
}

}  // namespace millrace::stream
