#include "stream/functions/boolean_bits.hpp"
#include "stream/functions/registry.hpp"

#include <algorithm>

// and, or, not in three-valued logic, and the tests for null. A row decided by the arguments so far
// (false for and, true for or) is left out when later arguments report their errors.

namespace millrace::stream {

namespace {

struct And {
  static std::uint8_t combine(std::uint8_t left, std::uint8_t right) { return left & right & 1U; }
  static Truths combine(Truths left, Truths right) {
    return {left.is_true & right.is_true, left.is_false | right.is_false};
  }
  static std::uint64_t undecided(Truths so_far, std::uint64_t all) {
    return all & ~so_far.is_false;
  }
};

struct Or {
  static std::uint8_t combine(std::uint8_t left, std::uint8_t right) { return (left | right) & 1U; }
  static Truths combine(Truths left, Truths right) {
    return {left.is_true | right.is_true, left.is_false & right.is_false};
  }
  static std::uint64_t undecided(Truths so_far, std::uint64_t all) { return all & ~so_far.is_true; }
};

/// result = left combined with right; `left` may be the result itself.
template <typename Logic>
void combine_columns(const Column& left, const Column& right, Column& result) {
  const std::size_t rows = result.size();
  std::uint8_t* out = result.values<std::uint8_t>().data();
  if (!left.may_have_nulls() && !right.may_have_nulls()) {
    const std::uint8_t* a = left.values<std::uint8_t>().data();
    const std::uint8_t* b = right.values<std::uint8_t>().data();
    for (std::size_t row = 0; row < rows; ++row) out[row] = Logic::combine(a[row], b[row]);
    return;
  }
  const auto validity = result.mutable_validity();
  for (std::size_t word = 0; word * 64 < rows; ++word) {
    const Truths both = Logic::combine(truths_of(left, word), truths_of(right, word));
    validity[word] = both.is_true | both.is_false;
    unpack_truths(both.is_true, out + word * 64, rows_in_word(rows, word));
  }
}

/// The rows of `so_far` that the next argument still decides, as far as they are active.
template <typename Logic>
void find_undecided(const Column& so_far, RowSet& undecided) {
  const auto words = undecided.words();
  for (std::size_t word = 0; word < words.size(); ++word)
    words[word] &= Logic::undecided(truths_of(so_far, word), words[word]);
}

template <typename Logic>
void combine_lazily(LazyCall& call) {
  Column& result = call.result();
  const Column* so_far = &call.evaluate(0, call.active());
  for (std::size_t i = 1; i < call.argument_count(); ++i) {
    const RowSet* active = call.active();
    if (call.can_fail(i)) {
      RowSet& undecided = call.scratch(0);
      undecided.fill_to(call.rows());
      find_undecided<Logic>(*so_far, undecided);
      if (undecided.is_empty()) break;
      if (active != nullptr) {
        for (std::size_t word = 0; word < undecided.words().size(); ++word)
          undecided.words()[word] &= active->words()[word];
      }
      active = &undecided;
    }
    const Column& next = call.evaluate(i, active);
    combine_columns<Logic>(*so_far, next, result);
    so_far = &result;
  }
  if (so_far != &result) result.copy_from(*so_far);
}

void invert(KernelCall& call) {
  const std::uint8_t* __restrict operand = call.arguments[0]->values<std::uint8_t>().data();
  std::uint8_t* __restrict result = call.result.values<std::uint8_t>().data();
  const std::size_t rows = call.rows;
  for (std::size_t row = 0; row < rows; ++row) result[row] = (operand[row] & 1U) ^ 1U;
}

template <bool kWanted>
void test_null(KernelCall& call) {
  const Column& operand = *call.arguments[0];
  std::uint8_t* result = call.result.values<std::uint8_t>().data();
  if (!operand.may_have_nulls()) {
    std::fill_n(result, call.rows, static_cast<std::uint8_t>(!kWanted));
    return;
  }
  for (std::size_t word = 0; word * 64 < call.rows; ++word) {
    const std::uint64_t present = operand.validity()[word];
    unpack_truths(kWanted ? ~present : present, result + word * 64, rows_in_word(call.rows, word));
  }
}

std::optional<SettledTypes> booleans(const Arguments& arguments) {
  if (arguments.size() < 2) return std::nullopt;
  return SettledTypes{std::vector<DataType>(arguments.size(), TypeKind::kBoolean),
                      TypeKind::kBoolean};
}

std::optional<SettledTypes> any_value(const Arguments& arguments) {
  if (arguments.size() != 1) return std::nullopt;
  return SettledTypes{{arguments[0].type}, TypeKind::kBoolean};
}

}  // namespace

void add_boolean_functions(FunctionRegistry& registry) {
  FunctionOverload conjunction;
  conjunction.name = "and";
  conjunction.rule = booleans;
  conjunction.signature = "boolean and boolean ...";
  conjunction.lazy = combine_lazily<And>;
  conjunction.is_strict = false;
  conjunction.description = "True if every side is; stops at the first that is false.";
  conjunction.nulls = "null unless a side is false";
  registry.add(conjunction);

  FunctionOverload disjunction = conjunction;
  disjunction.name = "or";
  disjunction.signature = "boolean or boolean ...";
  disjunction.lazy = combine_lazily<Or>;
  disjunction.description = "True if one side is; stops at the first that is true.";
  disjunction.nulls = "null unless a side is true";
  registry.add(disjunction);

  FunctionOverload negation;
  negation.name = "not";
  negation.arguments = {TypeKind::kBoolean};
  negation.result = TypeKind::kBoolean;
  negation.kernel = invert;
  negation.description = "True if the operand is false.";
  registry.add(negation);

  FunctionOverload null_test;
  null_test.name = "is_null";
  null_test.rule = any_value;
  null_test.signature = "is_null(value)";
  null_test.kernel = test_null<true>;
  null_test.is_strict = false;
  null_test.description = "True if the value is null.";
  null_test.nulls = "never";
  registry.add(null_test);

  null_test.name = "is_not_null";
  null_test.signature = "is_not_null(value)";
  null_test.kernel = test_null<false>;
  null_test.description = "True if the value is not null.";
  registry.add(null_test);
}

}  // namespace millrace::stream
