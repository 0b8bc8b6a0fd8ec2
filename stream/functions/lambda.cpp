#include "stream/functions/element_rows.hpp"
#include "stream/functions/list_rows.hpp"
#include "stream/functions/row_kernel.hpp"

#include <algorithm>
#include <array>

// Functions that do something by a lambda to each element of arrays. The lambda runs over the
// elements of all rows at once; where one element's turn depends on what came before it (aggregate,
// and exists and forall, which end early, if the lambda can fail), over the elements at one place
// of all rows, place by place.

namespace millrace::stream {

namespace {

using Types = std::vector<DataType>;

std::size_t lambdas_in(std::span<const Argument> arguments) {
  return static_cast<std::size_t>(
      std::ranges::count_if(arguments, [](const auto& each) { return each.parameters != 0; }));
}

/// An array and a lambda behind it.
std::optional<DataType> array_before_lambda(const Arguments& arguments) {
  if (arguments.size() != 2 || lambdas_in(arguments) != 1 || arguments[1].parameters == 0)
    return std::nullopt;
  return array_type(arguments[0]);
}

bool is_condition(const Argument& argument) {
  return argument.type.is(TypeKind::kBoolean) || argument.type.is(TypeKind::kNull);
}

template <std::size_t kParametersMax>
std::optional<Types> element_parameters(const Arguments& before, std::size_t count) {
  if (before.size() != 1 || count > kParametersMax) return std::nullopt;
  const auto array = array_type(before[0]);
  if (!array) return std::nullopt;
  Types types{element_type(*array), TypeKind::kInt32};
  types.resize(count);
  return types;
}

// --- transform, filter ---------------------------------------------------------------------------

void transform(LazyCall& call) {
  auto& elements = call.state<ElementRows>();
  const Column& lists = call.evaluate(0, call.active());
  call.result().copy_validity(lists);
  elements.take_all(lists);
  const Column& values = elements.values(lists);
  const Column* places = call.parameter_count(1) == 2 ? &elements.places(lists) : nullptr;
  call.evaluate_lambda_into(call.result().child(0), 1, elements.rows(), {&values, places});
  elements.write_lists(lists, call.result());
}

std::optional<SettledTypes> transformed_types(const Arguments& arguments) {
  const auto array = array_before_lambda(arguments);
  if (!array) return std::nullopt;
  const DataType result = stored_type(arguments[1].type);
  return SettledTypes{{*array, result}, DataType::array(result)};
}

void filter(LazyCall& call) {
  auto& elements = call.state<ElementRows>();
  const Column& lists = call.evaluate(0, call.active());
  call.result().copy_validity(lists);
  elements.take_all(lists);
  const Column& values = elements.values(lists);
  const Column* places = call.parameter_count(1) == 2 ? &elements.places(lists) : nullptr;
  elements.write_kept(lists, call.evaluate_lambda(1, elements.rows(), {&values, places}),
                      call.result());
}

std::optional<SettledTypes> filtered_types(const Arguments& arguments) {
  const auto array = array_before_lambda(arguments);
  if (!array || !is_condition(arguments[1])) return std::nullopt;
  return SettledTypes{{*array, TypeKind::kBoolean}, *array};
}

// --- exists, forall ------------------------------------------------------------------------------

/// Ends a row at the first element for which the condition is kEnd; a null before that leaves the
/// answer open.
template <bool kEnd>
class Decision {
 public:
  Decision(Column& result, RowSet& has_null) : result_(result), has_null_(has_null) {
    std::ranges::fill(result.values<std::uint8_t>(), kEnd ? 0 : 1);
    has_null.clear_to(result.size());
  }

  [[nodiscard]] bool is_open(std::size_t row) const {
    return !result_.is_null(row) && (result_.value<std::uint8_t>(row) != 0) != kEnd;
  }
  void take(std::span<const std::uint32_t> rows, const Column& conditions) {
    const auto truths = conditions.values<std::uint8_t>();
    const auto result = result_.values<std::uint8_t>();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (conditions.is_null(i))
        has_null_.insert(rows[i]);
      else if ((truths[i] != 0) == kEnd)
        result[rows[i]] = kEnd ? 1 : 0;
    }
  }
  void finish() {
    for (std::size_t row = 0; row < result_.size(); ++row) {
      if (has_null_.contains(row) && is_open(row)) result_.set_null(row);
    }
  }

 private:
  Column& result_;
  RowSet& has_null_;
};

template <bool kEnd>
void decide(LazyCall& call) {
  auto& elements = call.state<ElementRows>();
  const Column& lists = call.evaluate(0, call.active());
  call.result().copy_validity(lists);
  Decision<kEnd> decision(call.result(), call.scratch(0));
  if (!call.can_fail(1)) {
    elements.take_all(lists);
    decision.take(elements.rows(),
                  call.evaluate_lambda(1, elements.rows(), {&elements.values(lists)}));
    return decision.finish();
  }
  // What stands behind the element that decides is never evaluated, so it must not fail.
  for (std::uint32_t place = 0;; ++place) {
    elements.take_at(lists, place, [&](std::size_t row) { return decision.is_open(row); });
    if (elements.is_empty()) return decision.finish();
    decision.take(elements.rows(),
                  call.evaluate_lambda(1, elements.rows(), {&elements.values(lists)}));
  }
}

std::optional<SettledTypes> decided_types(const Arguments& arguments) {
  auto settled = filtered_types(arguments);
  if (settled) settled->result = TypeKind::kBoolean;
  return settled;
}

// --- aggregate -----------------------------------------------------------------------------------

/// What the rows have come to so far.
struct Aggregation : CallState {
  ElementRows elements;
  std::optional<Column> ended;                ///< of all rows, once they have no more elements
  std::array<std::optional<Column>, 2> open;  ///< of the rows that go on, in turns read and made
  std::vector<std::uint32_t> rows;            ///< those rows
  std::vector<std::uint32_t> places;          ///< where those that go on lie among those before
  std::optional<Column> present;              ///< of the rows that have a result

  void prepare(const Column& start) {
    if (ended) return;
    for (auto* each : {&ended, &open[0], &open[1], &present}) each->emplace(start.type());
  }
};

/// Rows whose list has no element at the place are at their end; the others stay open.
void part(Aggregation& state, const Column& lists, const Column& result, const Column& merged,
          std::uint32_t place, Column& next) {
  const auto entries = lists.values<ListEntry>();
  state.places.clear();
  std::size_t count = 0;
  for (std::size_t i = 0; i < state.rows.size(); ++i) {
    const std::uint32_t row = state.rows[i];
    if (result.is_null(row)) continue;  // an element failed
    if (entries[row].length <= place) {
      state.ended->assign(row, merged, i);
    } else {
      state.places.push_back(static_cast<std::uint32_t>(i));
      state.rows[count++] = row;
    }
  }
  state.rows.resize(count);
  next.gather_from(merged, state.places);
}

void merge_elements(LazyCall& call, Aggregation& state, const Column& lists) {
  state.rows.clear();
  const auto entries = lists.values<ListEntry>();
  for (std::size_t row = 0; row < call.rows(); ++row) {
    if (!lists.is_null(row) && entries[row].length != 0)
      state.rows.push_back(static_cast<std::uint32_t>(row));
  }
  state.open[0]->gather_from(*state.ended, state.rows);
  for (std::uint32_t place = 0; !state.rows.empty(); ++place) {
    const Column& so_far = *state.open[place % 2];
    std::size_t next = 0;
    state.elements.take_at(lists, place, [&](std::size_t row) {
      if (next == state.rows.size() || state.rows[next] != row) return false;
      ++next;
      return true;
    });
    const Column& merged =
        call.evaluate_lambda(2, state.rows, {&so_far, &state.elements.values(lists)});
    part(state, lists, call.result(), merged, place + 1, *state.open[(place + 1) % 2]);
  }
}

/// Gives the rows that are not null what their lists came to.
void finish_rows(LazyCall& call, Aggregation& state) {
  Column& result = call.result();
  state.rows.clear();
  for (std::size_t row = 0; row < call.rows(); ++row) {
    if (result.is_null(row))
      result.set_null(row);  // nothing wild may lie under it
    else
      state.rows.push_back(static_cast<std::uint32_t>(row));
  }
  state.present->gather_from(*state.ended, state.rows);
  const Column& finished = call.argument_count() == 4
                               ? call.evaluate_lambda(3, state.rows, {&*state.present})
                               : *state.present;
  for (std::size_t i = 0; i < state.rows.size(); ++i) {
    if (!result.is_null(state.rows[i])) result.assign(state.rows[i], finished, i);
  }
}

void aggregate(LazyCall& call) {
  auto& state = call.state<Aggregation>();
  const Column& lists = call.evaluate(0, call.active());
  call.result().copy_validity(lists);
  RowSet& wanted = call.scratch(0);  // nothing starts where there is no list
  wanted.fill_to(call.rows());
  for (std::size_t word = 0; word < wanted.words().size(); ++word) {
    if (lists.may_have_nulls()) wanted.words()[word] &= lists.validity()[word];
    if (call.active() != nullptr) wanted.words()[word] &= call.active()->words()[word];
  }
  const Column& start = call.evaluate(1, &wanted);
  state.prepare(start);
  state.ended->copy_from(start);
  merge_elements(call, state, lists);
  finish_rows(call, state);
}

/// (so far, x) for the merge, (so far) for the finish.
std::optional<Types> aggregate_parameters(const Arguments& before, std::size_t count) {
  if (before.size() < 2) return std::nullopt;
  const auto array = array_type(before[0]);
  if (!array || before[1].parameters != 0) return std::nullopt;
  const DataType start = stored_type(before[1].type);
  if (before.size() == 2 && count == 2) return Types{start, element_type(*array)};
  if (before.size() == 3 && count == 1) return Types{start};
  return std::nullopt;
}

std::optional<SettledTypes> aggregate_types(const Arguments& arguments) {
  const std::size_t count = arguments.size();
  if (count != 3 && count != 4) return std::nullopt;
  if (lambdas_in(arguments.subspan(2)) != count - 2) return std::nullopt;
  const auto array = array_type(arguments[0]);
  const DataType start = stored_type(arguments[1].type);
  const DataType& merged = arguments[2].type;
  if (!array || (merged != start && !merged.is(TypeKind::kNull))) return std::nullopt;
  SettledTypes settled{{*array, start, start}, start};
  if (count == 4) {
    settled.result = stored_type(arguments[3].type);
    settled.arguments.push_back(settled.result);
  }
  return settled;
}

// --- zip_with ------------------------------------------------------------------------------------

/// The elements of two lists side by side.
struct Zipped : CallState {
  struct Side {
    std::vector<std::uint32_t> places;   ///< in the child; any where there is none
    std::vector<std::uint32_t> missing;  ///< elements that this side has not
    std::optional<Column> values;

    void add(const ListEntry& list, std::uint32_t place) {
      if (place >= list.length) missing.push_back(static_cast<std::uint32_t>(places.size()));
      places.push_back(place < list.length ? list.offset + place : 0);
    }
    const Column& gather(const Column& source) {
      if (!values) values.emplace(source.type());
      if (source.size() == 0) {
        values->resize(places.size());
        values->set_all_null();
        return *values;
      }
      values->gather_from(source, places);
      for (const std::uint32_t element : missing) values->set_null(element);
      return *values;
    }
  };
  std::vector<std::uint32_t> rows;
  Side left;
  Side right;

  void take(const Column& lefts, const Column& rights, Column& result) {
    for (auto* each : {&rows, &left.places, &left.missing, &right.places, &right.missing})
      each->clear();
    for (std::size_t row = 0; row < result.size(); ++row) {
      if (result.is_null(row)) continue;
      const auto first = lefts.value<ListEntry>(row);
      const auto second = rights.value<ListEntry>(row);
      const std::uint32_t length = std::max(first.length, second.length);
      result.values<ListEntry>()[row] = {static_cast<std::uint32_t>(rows.size()), length};
      for (std::uint32_t place = 0; place < length; ++place) {
        left.add(first, place);
        right.add(second, place);
      }
      rows.resize(rows.size() + length, static_cast<std::uint32_t>(row));
    }
  }
};

void zip_with(LazyCall& call) {
  auto& zipped = call.state<Zipped>();
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
  call.evaluate_lambda_into(
      result.child(0), 2, zipped.rows,
      {&zipped.left.gather(left.child(0)), &zipped.right.gather(right.child(0))});
}

std::optional<Types> zip_parameters(const Arguments& before, std::size_t count) {
  if (before.size() != 2 || count != 2) return std::nullopt;
  const auto left = array_type(before[0]);
  const auto right = array_type(before[1]);
  if (!left || !right) return std::nullopt;
  return Types{element_type(*left), element_type(*right)};
}

std::optional<SettledTypes> zip_types(const Arguments& arguments) {
  if (arguments.size() != 3 || arguments[2].parameters == 0) return std::nullopt;
  const auto left = array_type(arguments[0]);
  const auto right = array_type(arguments[1]);
  if (!left || !right) return std::nullopt;
  const DataType result = stored_type(arguments[2].type);
  return SettledTypes{{*left, *right, result}, DataType::array(result)};
}

FunctionOverload by_lambda(const char* name, const char* signature,
                           FunctionOverload::ParameterRule parameters,
                           FunctionOverload::TypeRule rule, LazyKernel lazy,
                           const char* description) {
  FunctionOverload overload = list_function(name, signature, rule, nullptr, description);
  overload.parameters = parameters;
  overload.lazy = lazy;
  return overload;
}

}  // namespace

void add_lambda_functions(FunctionRegistry& registry) {
  registry.add(by_lambda("transform", "transform(array, x -> value) or (x, i) -> value",
                         element_parameters<2>, transformed_types, transform,
                         "The array of what each element becomes; i is its place, from 0."));
  registry.add(by_lambda("filter", "filter(array, x -> boolean) or (x, i) -> boolean",
                         element_parameters<2>, filtered_types, filter,
                         "The elements for which the condition is true; i is the place, from 0."));
  constexpr const char* kOpen = "the array is null, or a null condition leaves the answer open";
  registry.add(with_nulls(
      by_lambda("exists", "exists(array, x -> boolean)", element_parameters<1>, decided_types,
                decide<true>,
                "Whether the condition is true for an element; those behind the first such one are "
                "not evaluated. In SQL the name stands in double quotes: \"exists\"(...)."),
      kOpen));
  registry.add_alias("any_match", "exists");
  registry.add(with_nulls(
      by_lambda("forall", "forall(array, x -> boolean)", element_parameters<1>, decided_types,
                decide<false>,
                "Whether the condition is true for every element; those behind the first for which "
                "it is false are not evaluated."),
      kOpen));
  registry.add(with_nulls(
      by_lambda("aggregate", "aggregate(array, start, (so_far, x) -> value[, so_far -> result])",
                aggregate_parameters, aggregate_types, aggregate,
                "What the start becomes by one element after the other, and at last by the second "
                "lambda; the start and the first lambda's result have one type."),
      "the array is null, or a lambda gives null at last"));
  registry.add_alias("reduce", "aggregate");
  registry.add(by_lambda("zip_with", "zip_with(array, array, (x, y) -> value)", zip_parameters,
                         zip_types, zip_with,
                         "The array of what the elements at one place of two arrays become; the "
                         "shorter array goes on with nulls."));
}

}  // namespace millrace::stream
