#include "stream/functions/registry.hpp"

#include <algorithm>
#include <memory>

// Casts of arrays, maps and structs: what is inside is cast, the shape stays.

namespace millrace::stream {

namespace {

/// Stands for the row of an element that no row refers to.
constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

/// Casts a column of elements or fields; `rows` says which row of the call each belongs to.
void cast_inside(KernelCall& call, const Column& source, Column& target,
                 std::span<const std::uint32_t> rows) {
  if (source.type() == target.type()) return target.copy_from(source);
  const FunctionOverload* cast =
      FunctionRegistry::builtin().find_cast(source.type(), target.type());
  target.resize(source.size());
  if (source.may_have_nulls()) target.copy_validity(source);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == kNoRow) target.set_null(i);  // nothing that it fails on may count
  }
  RowErrors errors(call.errors, target, rows);
  const Column* argument = &source;
  KernelCall inside{{&argument, 1}, target,        source.size(), call.arena,
                    errors,         call.settings, call.state};
  cast->kernel(inside);
}

/// For every element, the row that refers to it.
std::span<const std::uint32_t> rows_of_elements(KernelCall& call, const Column& source) {
  const std::size_t elements = source.child(0).size();
  constexpr std::size_t kSize = sizeof(std::uint32_t);
  void* place = call.arena.allocate(elements * kSize + kSize);
  std::size_t room = elements * kSize + kSize;
  auto* rows = static_cast<std::uint32_t*>(std::align(kSize, elements * kSize, place, room));
  std::fill_n(rows, elements, kNoRow);
  for (std::size_t row = 0; row < call.rows; ++row) {
    const auto entry = source.value<ListEntry>(row);
    for (std::uint32_t i = 0; i < entry.length; ++i)
      rows[entry.offset + i] = static_cast<std::uint32_t>(row);
  }
  return {rows, elements};
}

void cast_lists(KernelCall& call) {
  const Column& source = *call.arguments[0];
  if (call.rows != 0) {
    const auto entries = source.values<ListEntry>();
    std::copy(entries.begin(), entries.end(), call.result.values<ListEntry>().begin());
  }
  const auto rows = rows_of_elements(call, source);
  for (std::size_t i = 0; i < source.child_count(); ++i)
    cast_inside(call, source.child(i), call.result.child(i), rows);
}

void cast_structs(KernelCall& call) {
  const Column& source = *call.arguments[0];
  for (std::size_t i = 0; i < source.child_count(); ++i)
    cast_inside(call, source.child(i), call.result.child(i), {});
}

FunctionOverload nested_cast(const char* signature, Kernel kernel) {
  FunctionOverload overload;
  overload.name = "cast";
  overload.signature = signature;
  overload.kernel = kernel;
  overload.can_fail = true;
  overload.description = "The same with what is inside as other types.";
  overload.errors = "something inside cannot be represented in its type";
  return overload;
}

}  // namespace

void add_nested_casts(FunctionRegistry& registry) {
  registry.add_cast(TypeKind::kArray, TypeKind::kArray,
                    nested_cast("cast(array as array)", cast_lists));
  registry.add_cast(TypeKind::kMap, TypeKind::kMap, nested_cast("cast(map as map)", cast_lists));
  registry.add_cast(TypeKind::kStruct, TypeKind::kStruct,
                    nested_cast("cast(struct as struct)", cast_structs));
}

}  // namespace millrace::stream
