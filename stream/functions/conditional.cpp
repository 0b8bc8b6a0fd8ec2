#include "stream/functions/boolean_bits.hpp"
#include "stream/functions/registry.hpp"

#include <algorithm>
#include <bit>

// case and coalesce: each row takes its value from one branch, and a branch reports errors only for
// the rows that take theirs from it.

namespace millrace::stream {

namespace {

template <typename T>
void copy_values(const Column& source, Column& target, const RowSet& rows) {
  const T* from = source.values<T>().data();
  T* to = target.values<T>().data();
  for (std::size_t word = 0; word < rows.words().size(); ++word) {
    std::uint64_t bits = rows.words()[word];
    if (bits == ~std::uint64_t{0}) {
      std::copy_n(from + word * 64, 64, to + word * 64);
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t row = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      to[row] = from[row];
    }
  }
}

void assign_rows(const Column& source, Column& target, const RowSet& rows) {
  for (std::size_t word = 0; word < rows.words().size(); ++word) {
    for (std::uint64_t bits = rows.words()[word]; bits != 0; bits &= bits - 1) {
      const std::size_t row = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      target.assign(row, source, row);
    }
  }
}

/// Copies the rows of the set, values and nulls.
void copy_rows(const Column& source, Column& target, const RowSet& rows) {
  if (target.type().is_nested()) return assign_rows(source, target, rows);
  switch (width_of(target.kind())) {
    case 1:
      copy_values<std::uint8_t>(source, target, rows);
      break;
    case 4:
      copy_values<std::int32_t>(source, target, rows);
      break;
    case 8:
      copy_values<std::int64_t>(source, target, rows);
      break;
    default:
      copy_values<std::string_view>(source, target, rows);
      break;
  }
  if (!source.may_have_nulls()) return;
  const auto validity = target.mutable_validity();
  for (std::size_t word = 0; word < rows.words().size(); ++word)
    validity[word] &= ~(rows.words()[word] & ~source.validity()[word]);
}

void make_null(Column& column, const RowSet& rows) {
  for (std::size_t word = 0; word < rows.words().size(); ++word) {
    for (std::uint64_t bits = rows.words()[word]; bits != 0; bits &= bits - 1)
      column.set_null(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }
}

/// The rows of `set` whose errors count: those that are active. `place` holds the answer if needed.
const RowSet* within(const RowSet& set, const RowSet* active, RowSet& place) {
  if (active == nullptr) return &set;
  place.clear_to(set.rows());
  for (std::size_t word = 0; word < set.words().size(); ++word)
    place.words()[word] = set.words()[word] & active->words()[word];
  return &place;
}

void remove(RowSet& set, const RowSet& removed) {
  for (std::size_t word = 0; word < set.words().size(); ++word)
    set.words()[word] &= ~removed.words()[word];
}

void choose_case(LazyCall& call) {
  RowSet& open = call.scratch(0);   // rows without a branch so far
  RowSet& taken = call.scratch(1);  // rows that take the branch at hand
  RowSet& active = call.scratch(2);
  open.fill_to(call.rows());
  std::size_t i = 0;
  for (; i + 1 < call.argument_count() && !open.is_empty(); i += 2) {
    const Column& condition = call.evaluate(i, within(open, call.active(), active));
    taken.clear_to(call.rows());
    for (std::size_t word = 0; word < taken.words().size(); ++word)
      taken.words()[word] = open.words()[word] & truths_of(condition, word).is_true;
    if (taken.is_empty()) continue;
    copy_rows(call.evaluate(i + 1, within(taken, call.active(), active)), call.result(), taken);
    remove(open, taken);
  }
  if (open.is_empty()) return;
  if (i < call.argument_count()) {
    copy_rows(call.evaluate(i, within(open, call.active(), active)), call.result(), open);
  } else {
    make_null(call.result(), open);
  }
}

void choose_first_present(LazyCall& call) {
  RowSet& open = call.scratch(0);
  RowSet& taken = call.scratch(1);
  RowSet& active = call.scratch(2);
  open.fill_to(call.rows());
  for (std::size_t i = 0; i < call.argument_count() && !open.is_empty(); ++i) {
    const Column& value = call.evaluate(i, within(open, call.active(), active));
    taken.clear_to(call.rows());
    for (std::size_t word = 0; word < taken.words().size(); ++word)
      taken.words()[word] = open.words()[word] & present_of(value, word);
    copy_rows(value, call.result(), taken);
    remove(open, taken);
  }
  if (!open.is_empty()) make_null(call.result(), open);
}

std::optional<SettledTypes> case_types(const Arguments& arguments) {
  if (arguments.size() < 2) return std::nullopt;
  std::vector<Argument> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i % 2 == 1 || i + 1 == arguments.size()) values.push_back(arguments[i]);
  }
  const auto type = common_type(Arguments(values, arguments.policy()));
  if (!type) return std::nullopt;
  SettledTypes settled{{}, *type};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_condition = i % 2 == 0 && i + 1 < arguments.size();
    settled.arguments.push_back(is_condition ? DataType(TypeKind::kBoolean) : *type);
  }
  return settled;
}

std::optional<SettledTypes> if_types(const Arguments& arguments) {
  if (arguments.size() != 3) return std::nullopt;
  return case_types(arguments);
}

std::optional<SettledTypes> coalesce_types(const Arguments& arguments) {
  const auto type = common_type(arguments);
  if (!type) return std::nullopt;
  return SettledTypes{std::vector<DataType>(arguments.size(), *type), *type};
}

std::optional<SettledTypes> two_types(const Arguments& arguments) {
  if (arguments.size() != 2) return std::nullopt;
  return coalesce_types(arguments);
}

}  // namespace

void add_conditional_functions(FunctionRegistry& registry) {
  FunctionOverload conditional;
  conditional.name = "case";
  conditional.rule = case_types;
  conditional.signature = "case when boolean then value ... else value end, values of one type";
  conditional.lazy = choose_case;
  conditional.is_strict = false;
  conditional.description = "The value behind the first condition that is true, else the last.";
  conditional.nulls = "no condition is true and there is no else";
  registry.add(conditional);

  FunctionOverload first_present;
  first_present.name = "coalesce";
  first_present.rule = coalesce_types;
  first_present.signature = "coalesce(value, ...), values of one type";
  first_present.lazy = choose_first_present;
  first_present.is_strict = false;
  first_present.description = "The first argument that is not null.";
  first_present.nulls = "every argument is null";
  registry.add(first_present);

  FunctionOverload either = conditional;
  either.name = "if";
  either.rule = if_types;
  either.signature = "if(condition, value, otherwise)";
  either.description = "The value if the condition is true, else the other.";
  either.nulls = "what is chosen is null";
  registry.add(either);

  for (const char* name : {"ifnull", "nvl"}) {
    FunctionOverload replacement = first_present;
    replacement.name = name;
    replacement.rule = two_types;
    replacement.signature = std::string(name) + "(value, otherwise)";
    replacement.description = "The value, or the other if it is null.";
    registry.add(replacement);
  }
}

}  // namespace millrace::stream
