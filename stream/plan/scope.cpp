#include "stream/plan/scope.hpp"

#include "millrace/options.hpp"

#include "stream/ascii.hpp"
#include "stream/plan/expression_rewrite.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::stream {
namespace {

// Descends to the innermost part that fails with the same words: that is where the mistake stands.
std::int32_t position_of(const Error& error, const Expr& expression,
                         const std::vector<InputField>& fields, const Dialect& dialect) {
  for (const auto& child : expression.node().children) {
    const Expr part(child);
    const auto bound = stream::bind(part, fields, dialect);
    if (bound || bound.error().message != error.message) continue;
    const std::int32_t inner = position_of(error, part, fields, dialect);
    return inner >= 0 ? inner : expression.node().position;
  }
  return expression.node().position;
}

// A name stands for an expression, which may name one twice that does the same: each level doubles.
constexpr std::size_t kPartsMax = 250'000;

std::size_t count_parts(const BoundExpr& expression) {
  std::size_t parts = 1;
  for (const BoundExpr& child : expression.children) parts += count_parts(child);
  return parts;
}

}  // namespace

void Scope::add(ScopeColumn column) {
  if (!column.field.hidden) {
    std::erase_if(columns_, [&](const ScopeColumn& other) {
      return other.field.hidden && other.field.name == column.field.name &&
             other.field.qualifier == column.field.qualifier;
    });
  }
  columns_.push_back(std::move(column));
}

void Scope::requalify(const std::string& qualifier) {
  std::erase_if(columns_, &ScopeColumn::is_merged);
  for (ScopeColumn& column : columns_) {
    column.field.qualifier = qualifier;
    column.place = ScopeColumn::kInOrder;
  }
}

Result<BoundExpr> Scope::resolve(const Expr& expression, const Dialect& dialect) const {
  const std::vector<InputField> names = fields();
  auto bound = stream::bind(expression, names, dialect);
  if (!bound) {
    Error error = std::move(bound).error();
    if (error.position < 0) error.position = position_of(error, expression, names, dialect);
    return fail(std::move(error));
  }
  std::vector<BoundExpr> replacements;
  replacements.reserve(columns_.size());
  for (const ScopeColumn& column : columns_) replacements.push_back(column.expression);
  BoundExpr result = substitute(*bound, replacements);
  if (count_parts(result) > kPartsMax) {
    return fail(
        Error{ErrorCode::kInvalidArgument,
              fmt::format("{} grows to more than {} parts once every name in it is replaced "
                          "by what it stands for",
                          bound->text, kPartsMax),
              expression.node().position});
  }
  // A name that stands for an expression is told as that expression.
  if (!bound->is_column() || result.is_column()) result.text = bound->text;
  return result;
}

Result<const ScopeColumn*> Scope::find(const ExprNode& column) const {
  const std::vector<InputField> names = fields();
  auto index = find_column(column.qualifier, column.name, names);
  if (!index) {
    Error error = std::move(index).error();
    if (error.position < 0) error.position = column.position;
    return fail(std::move(error));
  }
  return &columns_[*index];
}

Result<std::vector<const ScopeColumn*>> Scope::expand(const ExprNode& star) const {
  std::vector<const ScopeColumn*> result;
  std::vector<std::string_view> qualifiers;
  for (const ScopeColumn& column : columns_) {
    const bool is_of_star = !column.field.hidden || (column.is_merged && !star.qualifier.empty());
    if (!is_of_star) continue;
    qualifiers.push_back(column.field.qualifier);
    if (star.qualifier.empty() || star.qualifier == column.field.qualifier) {
      result.push_back(&column);
    }
  }
  if (!star.qualifier.empty()) std::ranges::stable_sort(result, {}, &ScopeColumn::place);
  if (!result.empty()) return result;

  std::string message = fmt::format("no table {} to take columns from", star.qualifier);
  if (star.qualifier.empty()) message = "nothing for * to stand for";
  if (const auto nearest = nearest_name(star.qualifier, qualifiers)) {
    message += fmt::format("; did you mean {}.*?", *nearest);
  }
  return fail(Error{ErrorCode::kInvalidArgument, std::move(message), star.position});
}

const ScopeColumn* Scope::find(std::string_view name, bool hidden) const {
  const auto found = std::ranges::find_if(columns_, [&](const ScopeColumn& column) {
    return column.field.hidden == hidden && !column.is_merged && column.field.name == name;
  });
  return found == columns_.end() ? nullptr : &*found;
}

std::vector<std::size_t> Scope::visible(std::string_view name) const {
  std::vector<std::size_t> places;
  for (const bool with_case : {true, false}) {
    for (std::size_t i = 0; i < columns_.size() && (with_case || places.empty()); ++i) {
      const InputField& field = columns_[i].field;
      if (field.hidden) continue;
      if (with_case ? field.name == name : equals_ignoring_case(field.name, name)) {
        places.push_back(i);
      }
    }
    if (!places.empty()) break;
  }
  return places;
}

std::vector<InputField> Scope::fields() const {
  std::vector<InputField> result;
  result.reserve(columns_.size());
  for (const ScopeColumn& column : columns_) result.push_back(column.field);
  return result;
}

}  // namespace millrace::stream
