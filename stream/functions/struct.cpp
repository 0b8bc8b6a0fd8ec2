#include "stream/ascii.hpp"
#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"

#include <algorithm>

// Structs: made of values, and their fields, one by one or across an array.

namespace millrace::stream {

namespace {

// --- making
// --------------------------------------------------------------------------------------

/// Fills the fields from the arguments: each, or every second one from the second on.
void fill_fields(KernelCall& call, std::size_t first, std::size_t step) {
  for (std::size_t i = 0; i < call.result.child_count(); ++i)
    call.result.child(i).copy_from(*call.arguments[first + i * step]);
}

void make_named_struct(KernelCall& call) { fill_fields(call, 1, 2); }
void make_struct(KernelCall& call) { fill_fields(call, 0, 1); }

const std::string* text_of(const Argument& argument) {
  if (argument.literal == nullptr || !argument.type.is(TypeKind::kString)) return nullptr;
  return std::get_if<std::string>(&argument.literal->data);
}

std::optional<SettledTypes> named_types(const Arguments& arguments) {
  if (arguments.empty() || arguments.size() % 2 != 0) return std::nullopt;
  SettledTypes settled;
  std::vector<Field> fields;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string* name = text_of(arguments[i]);
    if (name == nullptr) return std::nullopt;
    fields.push_back({*name, stored_type(arguments[i + 1].type)});
    settled.arguments.emplace_back(TypeKind::kString);
    settled.arguments.push_back(fields.back().type);
  }
  settled.result = DataType::structure(std::move(fields));
  return settled;
}

/// What an argument that has no name of its own is called, by its number from 0.
std::string name_of(const Argument& argument, const std::string& otherwise) {
  return argument.name.empty() ? otherwise : argument.name;
}

std::optional<SettledTypes> struct_types(const Arguments& arguments) {
  if (arguments.empty()) return std::nullopt;
  SettledTypes settled;
  std::vector<Field> fields;
  for (const Argument& argument : arguments) {
    fields.push_back(
        {name_of(argument, "col" + std::to_string(fields.size() + 1)), stored_type(argument.type)});
    settled.arguments.push_back(fields.back().type);
  }
  settled.result = DataType::structure(std::move(fields));
  return settled;
}

void add_making(FunctionRegistry& registry) {
  FunctionOverload named =
      list_function("named_struct", "named_struct(name, value, ...)", named_types,
                    make_named_struct, "A struct of fields with these names, which are literals.");
  named.is_strict = false;
  named.nulls = "never";
  registry.add(named);

  FunctionOverload plain = list_function(
      "struct", "struct(value, ...)", struct_types, make_struct,
      "A struct of fields that are called as the columns are; col1, col2, ... otherwise.");
  plain.is_strict = false;
  plain.nulls = "never";
  registry.add(plain);
}

// --- fields
// --------------------------------------------------------------------------------------

/// The field of that name: byte for byte, else without regard to case if only one is called so.
std::optional<std::size_t> find_field(const DataType& structure, std::string_view name) {
  const auto& fields = structure.fields();
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) return i;
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!equals_ignoring_case(fields[i].name, name)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

struct FieldNumber : CallState {
  std::size_t value = 0;
};

void settle_field(const PlannedCall& call, CallMemory& memory) {
  const DataType& type = call.arguments[0];
  const DataType& structure = type.is(TypeKind::kStruct) ? type : element_type(type);
  memory.get<FieldNumber>().value =
      *find_field(structure, std::get<std::string>(call.literals[1]->data));
}

void take_field(KernelCall& call) {
  const Column& structs = *call.arguments[0];
  const Column& field = structs.child(call.state.get<FieldNumber>().value);
  call.result.copy_from(field);
  if (!structs.may_have_nulls()) return;
  for (std::size_t row = 0; row < call.rows; ++row) {
    if (structs.is_null(row)) call.result.set_null(row);
  }
}

void take_field_across(KernelCall& call) {
  const Column& field = call.arguments[0]->child(0).child(call.state.get<FieldNumber>().value);
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    const ListView source(*call.arguments[0], row);
    for (std::size_t i = 0; i < source.size(); ++i) {
      if (source.is_null(i))
        list.elements().append_null();
      else
        list.elements().append_from(field, source.at(i));
    }
  });
}

std::optional<DataType> field_type(const Arguments& arguments, const DataType& structure) {
  const std::string* name = text_of(arguments[1]);
  if (name == nullptr || !structure.is(TypeKind::kStruct)) return std::nullopt;
  const auto field = find_field(structure, *name);
  if (!field) return std::nullopt;
  return structure.fields()[*field].type;
}

std::optional<SettledTypes> field_types(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  const auto type = field_type(arguments, arguments[0].type);
  if (!type) return std::nullopt;
  return SettledTypes{{arguments[0].type, TypeKind::kString}, *type};
}

std::optional<SettledTypes> field_across_types(const Arguments& arguments) {
  if (arguments.size() != 2 || !arguments[0].type.is(TypeKind::kArray)) return std::nullopt;
  const auto type = field_type(arguments, element_type(arguments[0].type));
  if (!type) return std::nullopt;
  return SettledTypes{{arguments[0].type, TypeKind::kString}, DataType::array(*type)};
}

void add_fields(FunctionRegistry& registry) {
  FunctionOverload of_struct =
      list_function("field", "field(struct, name)", field_types, take_field,
                    "The field of that name, which is a literal.");
  of_struct.settle = settle_field;
  registry.add(of_struct);
  FunctionOverload across =
      list_function("field", "field(array<struct>, name)", field_across_types, take_field_across,
                    "The field of that name of every element; null of a null.");
  across.settle = settle_field;
  registry.add(across);
}

// --- arrays side by side
// -------------------------------------------------------------------------

void zip_arrays(KernelCall& call) {
  each_made_list(call, [&](std::size_t row, ListWriter& list) {
    std::size_t longest = 0;
    for (const Column* argument : call.arguments)
      longest = std::max<std::size_t>(longest, ListView(*argument, row).size());
    for (std::size_t i = 0; i < longest; ++i) {
      for (std::size_t field = 0; field < call.arguments.size(); ++field) {
        const ListView source(*call.arguments[field], row);
        Column& target = list.elements().child(field);
        if (i < source.size())
          target.append_from(source.elements(), source.at(i));
        else
          target.append_null();
      }
      list.elements().append_struct();
    }
  });
}

std::optional<SettledTypes> zipped_types(const Arguments& arguments) {
  if (arguments.empty()) return std::nullopt;
  SettledTypes settled;
  std::vector<Field> fields;
  for (const Argument& argument : arguments) {
    const auto array = array_type(argument);
    if (!array) return std::nullopt;
    fields.push_back({name_of(argument, std::to_string(fields.size())), element_type(*array)});
    settled.arguments.push_back(*array);
  }
  settled.result = DataType::array(DataType::structure(std::move(fields)));
  return settled;
}

}  // namespace

void add_struct_functions(FunctionRegistry& registry) {
  add_making(registry);
  add_fields(registry);
  registry.add(list_function("arrays_zip", "arrays_zip(array, ...)", zipped_types, zip_arrays,
                             "An array of structs, each of the elements at one place of every "
                             "array; null where an array is shorter."));
}

}  // namespace millrace::stream
