#include "stream/functions/registry.hpp"

#include "millrace/assert.hpp"
#include "millrace/options.hpp"

#include "stream/ascii.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace millrace::stream {

namespace {

constexpr int kTextCost = 20;
constexpr int kAnyCastCost = 60;

/// Scalars other than text itself and bytes, which need not be text.
bool has_text(TypeKind kind) {
  return is_numeric(kind) || kind == TypeKind::kBoolean || kind == TypeKind::kDate ||
         kind == TypeKind::kTimestamp || kind == TypeKind::kInterval;
}

struct Family {
  const char* title;  ///< in the reference
  void (*add)(FunctionRegistry&);
};

constexpr auto kFamilies = std::to_array<Family>({
    {"Comparison", add_comparison_functions},
    {"Arithmetic", add_arithmetic_functions},
    {"Boolean logic", add_boolean_functions},
    {"Conditions and nulls", add_conditional_functions},
    {"Choice", add_choice_functions},
    {"Decimals", add_decimal_functions},
    {"Casts", add_cast_functions},
    {"Text", add_string_functions},
    {"Parts of texts", add_substring_functions},
    {"Searching texts", add_search_functions},
    {"Regular expressions", add_regular_expression_functions},
    {"Encodings", add_codec_functions},
    {"Hashes", add_hash_functions},
    {"Mathematics", add_math_functions},
    {"Rounding", add_rounding_functions},
    {"Integers and bits", add_integer_functions},
    {"Numbers as texts", add_number_format_functions},
    {"Random values", add_random_functions},
    {"Arrays", add_array_functions},
    {"Making arrays", add_array_making_functions},
    {"Arrays in order and as sets", add_array_order_functions},
    {"Maps", add_map_functions},
    {"Structs", add_struct_functions},
    {"Arrays, by lambdas", add_lambda_functions},
    {"Maps, by lambdas", add_map_lambda_functions},
    {"Arrays in order, by lambdas", add_lambda_order_functions},
    {"JSON", add_json_functions},
    {"Dates", add_date_functions},
    {"Parts of times", add_time_part_functions},
    {"Times", add_time_functions},
    {"Times as numbers", add_epoch_functions},
    {"The clock", add_clock_functions},
    {"Intervals", add_interval_functions},
    {"Times as texts", add_time_format_functions},
});

struct Candidate {
  Resolution resolution;
  int cost = 0;
};

/// What the overload makes of these arguments; nothing if it does not take them.
std::optional<Candidate> try_overload(const FunctionOverload& overload,
                                      const Arguments& arguments) {
  Candidate candidate;
  candidate.resolution.function = &overload;
  if (overload.rule != nullptr) {
    auto settled = overload.rule(arguments);
    if (!settled) return std::nullopt;
    candidate.resolution.types = std::move(*settled);
  } else {
    if (overload.arguments.size() != arguments.size()) return std::nullopt;
    candidate.resolution.types = {overload.arguments, overload.result};
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto cost = implicit_cast_cost(arguments[i], candidate.resolution.types.arguments[i],
                                   arguments.policy());
    const bool is_text_wanted = candidate.resolution.types.arguments[i].is(TypeKind::kString);
    if (overload.casts_to_string && is_text_wanted && has_text(arguments[i].type.kind()))
      cost = kTextCost;
    if (!cost && candidate.resolution.types.takes_any_cast) cost = kAnyCastCost;
    if (!cost) return std::nullopt;
    candidate.cost += *cost;
  }
  return candidate;
}

/// Names of operators are signs, and are shown between their operands.
bool is_infix(std::string_view name, std::size_t operands) {
  return operands == 2 && std::isalpha(static_cast<unsigned char>(name.front())) == 0;
}

std::string unknown_function(std::string_view name, const FunctionRegistry& registry) {
  const auto names = registry.names();
  const auto nearest = nearest_name(name, names);
  return "unknown function: " + std::string(name) + (nearest ? "; nearest: " + *nearest : "");
}

std::string shown(const Argument& argument) {
  return (argument.parameters == 0 ? "" : "lambda giving ") + argument.type.to_string();
}

std::string refused_arguments(std::string_view name, const Arguments& arguments,
                              std::span<const FunctionOverload* const> overloads) {
  std::string message;
  if (is_infix(name, arguments.size())) {
    message = "operator " + std::string(name) + " does not take " + arguments[0].type.to_string() +
              " " + std::string(name) + " " + arguments[1].type.to_string();
  } else {
    message = "function " + std::string(name) + " does not take (";
    for (std::size_t i = 0; i < arguments.size(); ++i)
      message += (i == 0 ? "" : ", ") + shown(arguments[i]);
    message += ")";
  }
  message += "; it takes: ";
  for (std::size_t i = 0; i < overloads.size(); ++i)
    message += (i == 0 ? "" : ", ") + signature_of(*overloads[i]);
  return message;
}

}  // namespace

std::string signature_of(const FunctionOverload& overload) {
  if (!overload.signature.empty()) return overload.signature;
  if (is_infix(overload.name, overload.arguments.size()))
    return overload.arguments[0].to_string() + " " + overload.name + " " +
           overload.arguments[1].to_string();
  std::string text = overload.name + "(";
  for (const DataType& type : overload.arguments) {
    if (text.back() != '(') text += ", ";
    text += type.to_string();
  }
  return text + ")";
}

const FunctionRegistry& FunctionRegistry::builtin() {
  static const FunctionRegistry* const registry = [] {
    auto* filled = new FunctionRegistry;  // lives for ever: plans borrow from it
    for (const Family& family : kFamilies) {
      filled->begin_family(family.title);
      family.add(*filled);
    }
    return filled;
  }();
  return *registry;
}

void FunctionRegistry::begin_family(std::string_view family) { families_.emplace_back(family); }

void FunctionRegistry::add(FunctionOverload overload) {
  MILLRACE_ASSERT((overload.kernel == nullptr) != (overload.lazy == nullptr));
  if (!families_.empty()) overload.family = families_.back();
  const FunctionOverload& stored = functions_.emplace_back(std::move(overload));
  by_name_[stored.name].push_back(&stored);
}

void FunctionRegistry::add_alias(const char* alias, std::string_view name) {
  const std::vector<const FunctionOverload*> named = by_name_.find(name)->second;
  for (const FunctionOverload* overload : named) {
    FunctionOverload copy = *overload;
    copy.name = alias;
    copy.alias_of = name;
    if (copy.signature.starts_with(name)) copy.signature.replace(0, name.size(), alias);
    add(std::move(copy));
  }
}

void FunctionRegistry::add_cast(TypeKind from, TypeKind to, FunctionOverload overload) {
  MILLRACE_ASSERT(overload.kernel != nullptr);
  const FunctionOverload& stored = functions_.emplace_back(std::move(overload));
  const bool is_new = casts_.emplace(std::pair(from, to), &stored).second;
  MILLRACE_ASSERT(is_new);
}

void FunctionRegistry::add_try_form(std::string name, std::string base) {
  try_forms_.emplace(std::move(name), std::move(base));
}

std::optional<std::string_view> FunctionRegistry::base_of_try_form(std::string_view name) const {
  const auto found = try_forms_.find(lower_case(name));
  if (found == try_forms_.end()) return std::nullopt;
  return found->second;
}

Result<Resolution> FunctionRegistry::resolve(std::string_view name,
                                             const Arguments& arguments) const {
  const auto named = overloads(lower_case(name));
  if (named.empty()) return fail(ErrorCode::kInvalidArgument, unknown_function(name, *this));
  std::optional<Candidate> best;
  for (const FunctionOverload* overload : named) {
    auto candidate = try_overload(*overload, arguments);
    if (candidate && (!best || candidate->cost < best->cost)) best = std::move(candidate);
  }
  if (!best) return fail(ErrorCode::kInvalidArgument, refused_arguments(name, arguments, named));
  return std::move(best->resolution);
}

std::optional<std::vector<DataType>> FunctionRegistry::parameters_of_lambda(
    std::string_view name, const Arguments& before, std::size_t parameters) const {
  for (const FunctionOverload* overload : overloads(lower_case(name))) {
    if (overload->parameters == nullptr) continue;
    if (auto types = overload->parameters(before, parameters)) return types;
  }
  return std::nullopt;
}

const FunctionOverload* FunctionRegistry::find_cast(const DataType& from,
                                                    const DataType& to) const {
  const auto place = casts_.find(std::pair(from.kind(), to.kind()));
  if (place == casts_.end()) return nullptr;
  if (!from.is_nested() || !to.is_nested()) return place->second;
  if (from.fields().size() != to.fields().size()) return nullptr;
  for (std::size_t i = 0; i < from.fields().size(); ++i) {
    const DataType& inside = from.fields()[i].type;
    if (inside != to.fields()[i].type && find_cast(inside, to.fields()[i].type) == nullptr)
      return nullptr;
  }
  return place->second;
}

std::vector<std::string_view> FunctionRegistry::names() const {
  std::vector<std::string_view> result;
  for (const auto& [name, overloads] : by_name_) result.push_back(name);
  for (const auto& [name, base] : try_forms_) result.push_back(name);
  std::ranges::sort(result);
  return result;
}

std::span<const FunctionOverload* const> FunctionRegistry::overloads(std::string_view name) const {
  const auto place = by_name_.find(name);
  if (place == by_name_.end()) return {};
  return place->second;
}

}  // namespace millrace::stream
