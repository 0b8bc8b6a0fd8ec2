#pragma once

#include "millrace/error.hpp"
#include "millrace/value.hpp"

#include "stream/functions/call.hpp"
#include "stream/type_coercion.hpp"

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::stream {

/// One implementation of a function. Built once, never changed.
struct FunctionOverload {
  /// Settles the types of a function that takes more than a fixed list (coalesce, case). Nothing
  /// if it does not accept these arguments.
  using TypeRule = std::optional<SettledTypes> (*)(const Arguments&);
  /// Refuses literals that can never work, such as a pattern that is none, when a query is planned.
  /// Arguments that are no literals, and nulls, are null pointers.
  using LiteralCheck = Status (*)(std::span<const Value* const>);

  /// Gives the types of the parameters, so many, of the lambda that comes after these arguments.
  /// Nothing if the function takes no such lambda there.
  using ParameterRule = std::optional<std::vector<DataType>> (*)(const Arguments& before,
                                                                 std::size_t parameters);

  std::string name;
  std::vector<DataType> arguments;  ///< used when there is no `rule`
  DataType result;
  TypeRule rule = nullptr;
  ParameterRule parameters = nullptr;  ///< of a function that takes lambdas
  std::string signature;  ///< how messages show one with a rule: "coalesce(value, ...)"

  LiteralCheck check_literals = nullptr;
  Settle settle = nullptr;  ///< null: the call's state needs no literals

  Kernel kernel = nullptr;  ///< one of these two is set
  LazyKernel lazy = nullptr;

  bool is_reproducible = true;   ///< the same arguments always give the same result
  bool is_drawn = false;         ///< not reproducible, and another result at each evaluation
  bool is_strict = true;         ///< a null argument makes the result null
  bool casts_to_string = false;  ///< takes other scalars as text, as if the cast were written
  bool can_fail = false;         ///< it reports errors; which: see `errors`

  std::string family;       ///< what the reference groups it under; set by the registry
  std::string alias_of;     ///< the name that this one is another word for; empty: none
  std::string description;  ///< one line for the reference
  std::string nulls;        ///< when the result is null, where that is not "a null argument"
  std::string errors;       ///< what it fails on
};

/// A function chosen for a call. `function` lives as long as the registry.
struct Resolution {
  const FunctionOverload* function = nullptr;
  SettledTypes types;
};

/// Every function that expressions can call, and the casts. Filled once, then read from any thread.
class FunctionRegistry {
 public:
  /// The library that comes with the engine.
  static const FunctionRegistry& builtin();

  void add(FunctionOverload overload);
  /// Gives every overload that `name` has so far to `alias` too.
  void add_alias(const char* alias, std::string_view name);
  /// Names the family of what is added from here on.
  void begin_family(std::string_view family);
  /// Adds the cast between two kinds; its kernel reads precision, scale and what is inside from
  /// the columns.
  void add_cast(TypeKind from, TypeKind to, FunctionOverload overload);
  /// Makes `name` the form of the function `base` that gives null where that fails: "try_add" of
  /// "+".
  void add_try_form(std::string name, std::string base);
  /// The function that a try form is of; nothing for other names.
  [[nodiscard]] std::optional<std::string_view> base_of_try_form(std::string_view name) const;

  /// Chooses the overload that needs the cheapest implicit casts. Unknown functions name the
  /// nearest; arguments that fit none list the signatures that there are.
  [[nodiscard]] Result<Resolution> resolve(std::string_view name, const Arguments& arguments) const;
  /// The types of the parameters of a lambda: see ParameterRule.
  [[nodiscard]] std::optional<std::vector<DataType>> parameters_of_lambda(
      std::string_view name, const Arguments& before, std::size_t parameters) const;
  /// The cast between two types, or null when there is none between them or what is inside. A type
  /// needs no cast to itself.
  [[nodiscard]] const FunctionOverload* find_cast(const DataType& from, const DataType& to) const;
  /// Every name, sorted: for messages and the reference.
  [[nodiscard]] std::vector<std::string_view> names() const;
  [[nodiscard]] std::span<const FunctionOverload* const> overloads(std::string_view name) const;
  /// The families' names in the order of the reference.
  [[nodiscard]] std::span<const std::string> families() const { return families_; }

 private:
  std::vector<std::string> families_;
  std::deque<FunctionOverload> functions_;  ///< addresses are stable
  std::map<std::string, std::vector<const FunctionOverload*>, std::less<>> by_name_;
  std::map<std::pair<TypeKind, TypeKind>, const FunctionOverload*> casts_;
  std::map<std::string, std::string, std::less<>> try_forms_;  ///< to their functions
};

/// How a call of the overload is written: "substring(string, int)", "int + int".
[[nodiscard]] std::string signature_of(const FunctionOverload& overload);

// The families of the library, each in its file: functions_<family>.cpp.
void add_comparison_functions(FunctionRegistry& registry);
void add_arithmetic_functions(FunctionRegistry& registry);
void add_boolean_functions(FunctionRegistry& registry);
void add_conditional_functions(FunctionRegistry& registry);
void add_choice_functions(FunctionRegistry& registry);
void add_decimal_functions(FunctionRegistry& registry);
void add_cast_functions(FunctionRegistry& registry);
void add_nested_casts(FunctionRegistry& registry);
void add_string_functions(FunctionRegistry& registry);
void add_substring_functions(FunctionRegistry& registry);
void add_search_functions(FunctionRegistry& registry);
void add_regular_expression_functions(FunctionRegistry& registry);
void add_codec_functions(FunctionRegistry& registry);
void add_hash_functions(FunctionRegistry& registry);
void add_math_functions(FunctionRegistry& registry);
void add_rounding_functions(FunctionRegistry& registry);
void add_integer_functions(FunctionRegistry& registry);
void add_number_format_functions(FunctionRegistry& registry);
void add_random_functions(FunctionRegistry& registry);
void add_array_functions(FunctionRegistry& registry);
void add_array_making_functions(FunctionRegistry& registry);
void add_array_order_functions(FunctionRegistry& registry);
void add_map_functions(FunctionRegistry& registry);
void add_struct_functions(FunctionRegistry& registry);
void add_lambda_functions(FunctionRegistry& registry);
void add_map_lambda_functions(FunctionRegistry& registry);
void add_lambda_order_functions(FunctionRegistry& registry);
void add_json_functions(FunctionRegistry& registry);
void add_date_functions(FunctionRegistry& registry);
void add_time_part_functions(FunctionRegistry& registry);
void add_time_functions(FunctionRegistry& registry);
void add_epoch_functions(FunctionRegistry& registry);
void add_clock_functions(FunctionRegistry& registry);
void add_interval_functions(FunctionRegistry& registry);
void add_time_format_functions(FunctionRegistry& registry);

}  // namespace millrace::stream
