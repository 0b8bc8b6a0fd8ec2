#include "stream/function_registry.hpp"

#include "millrace/options.hpp"

#include <algorithm>
#include <cctype>

namespace millrace::stream {

namespace {

constexpr int kNullLiteralCost = 1;
constexpr int kDateToTimestampCost = 3;
constexpr int kTextLiteralCost = 10;
constexpr int kTextCost = 20;

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Scalars other than text itself and bytes, which need not be text.
bool has_text(TypeKind kind) {
  return is_numeric(kind) || kind == TypeKind::kBoolean || kind == TypeKind::kDate ||
         kind == TypeKind::kTimestamp;
}

int numeric_rank(TypeKind kind) {
  return kind == TypeKind::kInt32 ? 0 : kind == TypeKind::kInt64 ? 1 : 2;
}

struct Candidate {
  Resolution resolution;
  int cost = 0;
};

/// What the overload makes of these arguments; nothing if it does not take them.
std::optional<Candidate> try_overload(const FunctionOverload& overload,
                                      std::span<const Argument> arguments) {
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
    auto cost = implicit_cast_cost(arguments[i], candidate.resolution.types.arguments[i]);
    if (!cost && overload.casts_to_string && has_text(arguments[i].type.kind())) cost = kTextCost;
    if (!cost) return std::nullopt;
    candidate.cost += *cost;
  }
  return candidate;
}

/// Names of operators are signs, and are shown between their operands.
bool is_infix(std::string_view name, std::size_t operands) {
  return operands == 2 && std::isalpha(static_cast<unsigned char>(name.front())) == 0;
}

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

std::string unknown_function(std::string_view name, const FunctionRegistry& registry) {
  const auto names = registry.names();
  const auto nearest = nearest_name(name, names);
  return "unknown function: " + std::string(name) + (nearest ? "; nearest: " + *nearest : "");
}

std::string refused_arguments(std::string_view name, std::span<const Argument> arguments,
                              std::span<const FunctionOverload* const> overloads) {
  std::string message;
  if (is_infix(name, arguments.size())) {
    message = "operator " + std::string(name) + " does not take " + arguments[0].type.to_string() +
              " " + std::string(name) + " " + arguments[1].type.to_string();
  } else {
    message = "function " + std::string(name) + " does not take (";
    for (std::size_t i = 0; i < arguments.size(); ++i)
      message += (i == 0 ? "" : ", ") + arguments[i].type.to_string();
    message += ")";
  }
  message += "; it takes: ";
  for (std::size_t i = 0; i < overloads.size(); ++i)
    message += (i == 0 ? "" : ", ") + signature_of(*overloads[i]);
  return message;
}

}  // namespace

const FunctionRegistry& FunctionRegistry::builtin() {
  static const FunctionRegistry* const registry = [] {
    auto* filled = new FunctionRegistry;  // lives for ever: plans borrow from it
    add_comparison_functions(*filled);
    add_arithmetic_functions(*filled);
    add_boolean_functions(*filled);
    add_conditional_functions(*filled);
    add_cast_functions(*filled);
    add_string_functions(*filled);
    return filled;
  }();
  return *registry;
}

void FunctionRegistry::add(FunctionOverload overload) {
  MILLRACE_ASSERT((overload.kernel == nullptr) != (overload.lazy == nullptr));
  const FunctionOverload& stored = functions_.emplace_back(std::move(overload));
  by_name_[stored.name].push_back(&stored);
}

void FunctionRegistry::add_cast(FunctionOverload overload) {
  MILLRACE_ASSERT(overload.arguments.size() == 1 && overload.kernel != nullptr);
  const FunctionOverload& stored = functions_.emplace_back(std::move(overload));
  const auto [place, is_new] =
      casts_.emplace(std::pair(stored.arguments[0].kind(), stored.result.kind()), &stored);
  MILLRACE_ASSERT(is_new);
}

Result<Resolution> FunctionRegistry::resolve(std::string_view name,
                                             std::span<const Argument> arguments) const {
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

const FunctionOverload* FunctionRegistry::find_cast(const DataType& from,
                                                    const DataType& to) const {
  const auto place = casts_.find(std::pair(from.kind(), to.kind()));
  return place == casts_.end() ? nullptr : place->second;
}

std::vector<std::string_view> FunctionRegistry::names() const {
  std::vector<std::string_view> result;
  for (const auto& [name, overloads] : by_name_) result.push_back(name);
  return result;
}

std::span<const FunctionOverload* const> FunctionRegistry::overloads(std::string_view name) const {
  const auto place = by_name_.find(name);
  if (place == by_name_.end()) return {};
  return place->second;
}

std::optional<int> implicit_cast_cost(const Argument& argument, const DataType& wanted) {
  const TypeKind from = argument.type.kind();
  const TypeKind to = wanted.kind();
  if (argument.type == wanted) return 0;
  if (from == TypeKind::kNull) return kNullLiteralCost;
  if (is_numeric(from) && is_numeric(to) && numeric_rank(from) < numeric_rank(to))
    return numeric_rank(to) - numeric_rank(from);
  if (from == TypeKind::kDate && to == TypeKind::kTimestamp) return kDateToTimestampCost;
  if (from == TypeKind::kString && argument.is_literal &&
      (to == TypeKind::kDate || to == TypeKind::kTimestamp))
    return kTextLiteralCost;
  return std::nullopt;
}

std::optional<DataType> common_type(std::span<const Argument> arguments) {
  for (const Argument& candidate : arguments) {
    if (candidate.type.is(TypeKind::kNull)) continue;
    const bool fits_all = std::all_of(
        arguments.begin(), arguments.end(),
        [&](const Argument& each) { return implicit_cast_cost(each, candidate.type).has_value(); });
    if (fits_all) return candidate.type;
  }
  const bool only_nulls = std::all_of(arguments.begin(), arguments.end(), [](const Argument& each) {
    return each.type.is(TypeKind::kNull);
  });
  if (only_nulls && !arguments.empty()) return DataType(TypeKind::kNull);
  return std::nullopt;
}

}  // namespace millrace::stream
