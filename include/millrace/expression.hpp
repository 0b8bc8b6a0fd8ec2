#pragma once

#include "millrace/value.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace millrace {

/// One node of an expression as the user wrote it: names not resolved, types not known.
struct ExprNode {
  enum class Kind {
    kColumn,   ///< `name`, and `qualifier` when written as qualifier.name
    kLiteral,  ///< `value`
    kCall,     ///< function `name` over `children`; operators are functions: "+", "=", "and"
    kCast,     ///< children[0] to `type`
    kTryCast,  ///< the same, null where that cannot be done
    kAlias,    ///< children[0] called `name`
    kStar,     ///< every column, of `qualifier` when given
    kLambda,   ///< children[0], in which `parameters` are columns: an argument of transform, filter
  };

  Kind kind = Kind::kLiteral;
  std::string qualifier;
  std::string name;
  Value value;
  DataType type;
  std::vector<std::shared_ptr<const ExprNode>> children;
  std::vector<std::string> parameters;  ///< of a lambda
  std::int32_t position = -1;           ///< byte in the SQL text where it begins; -1: not from SQL
};

/// An expression over columns: build it with `col`, `lit`, `call` and the operators, or get it from
/// SQL. An immutable value; copying is cheap. Errors (unknown column, wrong types) show when the
/// query is analysed, not here.
class Expr {
 public:
  explicit Expr(ExprNode node) : node_(std::make_shared<const ExprNode>(std::move(node))) {}
  explicit Expr(std::shared_ptr<const ExprNode> node) : node_(std::move(node)) {}

  [[nodiscard]] const ExprNode& node() const { return *node_; }
  [[nodiscard]] const std::shared_ptr<const ExprNode>& shared() const { return node_; }
  /// Names the result: `(col("price") * lit(2)).as("twice")`.
  [[nodiscard]] Expr as(std::string name) const;
  [[nodiscard]] Expr cast(DataType type) const;
  /// Null where the value cannot be cast.
  [[nodiscard]] Expr try_cast(DataType type) const;
  [[nodiscard]] Expr is_null() const;
  [[nodiscard]] Expr is_not_null() const;
  /// As SQL would write it.
  [[nodiscard]] std::string to_string() const;

 private:
  std::shared_ptr<const ExprNode> node_;
};

/// A column by name; "users.country" means column country of users.
[[nodiscard]] Expr col(const std::string& name);
/// Every column, or with a qualifier every column of that table.
[[nodiscard]] Expr star(std::string qualifier = "");
[[nodiscard]] Expr lit(Value value);
[[nodiscard]] Expr lit(bool value);
[[nodiscard]] Expr lit(int value);
[[nodiscard]] Expr lit(long value);
[[nodiscard]] Expr lit(long long value);
[[nodiscard]] Expr lit(double value);
[[nodiscard]] Expr lit(const char* value);
[[nodiscard]] Expr lit(std::string value);
/// Any registered function by name; names match without regard to case.
[[nodiscard]] Expr call(std::string function, std::vector<Expr> arguments);
[[nodiscard]] Expr coalesce(std::vector<Expr> arguments);
[[nodiscard]] Expr upper(const Expr& text);
[[nodiscard]] Expr lower(const Expr& text);
[[nodiscard]] Expr concat(std::vector<Expr> arguments);
/// CASE WHEN c1 THEN v1 ... ELSE e END as {c1, v1, ..., e}; without e the else branch is null.
[[nodiscard]] Expr case_when(std::vector<Expr> arguments);

/// What transform, filter and their like do with each element: a C++ function of one to three
/// expressions, called once, when the expression is built. A value.
///
///   transform(col("prices"), [](const Expr& price) { return price * lit(2); })
///   filter(col("words"), [](const Expr& word, const Expr& index) { return index > lit(0); })
class Lambda {
 public:
  /// Of parameters by name, which the body uses as columns; they hide columns of the same name.
  Lambda(std::vector<std::string> parameters, const Expr& body);
  template <typename Function>
    requires(std::is_invocable_r_v<Expr, const Function&, Expr> ||
             std::is_invocable_r_v<Expr, const Function&, Expr, Expr> ||
             std::is_invocable_r_v<Expr, const Function&, Expr, Expr, Expr>)
  Lambda(const Function& function)  // NOLINT(google-explicit-constructor): stands for it
      : Lambda(kParametersOf<Function>, [&](const std::vector<Expr>& x) -> Expr {
          if constexpr (kParametersOf<Function> == 1)
            return function(x[0]);
          else if constexpr (kParametersOf<Function> == 2)
            return function(x[0], x[1]);
          else
            return function(x[0], x[1], x[2]);
        }) {}

  /// As an argument of `call`.
  [[nodiscard]] const Expr& expression() const { return expression_; }

 private:
  template <typename Function>
  static constexpr std::size_t kParametersOf =
      std::is_invocable_r_v<Expr, const Function&, Expr>         ? 1
      : std::is_invocable_r_v<Expr, const Function&, Expr, Expr> ? 2
                                                                 : 3;

  Lambda(std::size_t parameters, const std::function<Expr(const std::vector<Expr>&)>& body);

  Expr expression_;
};

/// The array of what becomes of each element: of (x), or of (x, i) with its place from 0.
[[nodiscard]] Expr transform(const Expr& array, const Lambda& result);
/// The elements for which it is true: of (x), or of (x, i).
[[nodiscard]] Expr filter(const Expr& array, const Lambda& condition);
/// Whether it is true for an element, or for every one; null where nulls leave that open.
[[nodiscard]] Expr exists(const Expr& array, const Lambda& condition);
[[nodiscard]] Expr forall(const Expr& array, const Lambda& condition);
/// `start`, then merge(so far, x) for one element after the other; at last `finish` of that.
[[nodiscard]] Expr aggregate(const Expr& array, const Expr& start, const Lambda& merge);
[[nodiscard]] Expr aggregate(const Expr& array, const Expr& start, const Lambda& merge,
                             const Lambda& finish);
/// The array of (x, y) for the elements at one place of both; null where one is shorter.
[[nodiscard]] Expr zip_with(const Expr& left, const Expr& right, const Lambda& result);
/// Of a map: the entries for which (key, value) is true; with other keys; with other values.
[[nodiscard]] Expr map_filter(const Expr& map, const Lambda& condition);
[[nodiscard]] Expr transform_keys(const Expr& map, const Lambda& key);
[[nodiscard]] Expr transform_values(const Expr& map, const Lambda& value);
/// Of two maps, (key, left, right) key by key; null where a map has not the key.
[[nodiscard]] Expr map_zip_with(const Expr& left, const Expr& right, const Lambda& value);
/// In the order of (left, right): below 0 where the left one comes first, above 0 the right one.
[[nodiscard]] Expr array_sort(const Expr& array, const Lambda& comparison);

[[nodiscard]] Expr operator+(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator-(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator*(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator/(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator%(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator==(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator!=(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator<(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator<=(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator>(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator>=(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator&&(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator||(const Expr& left, const Expr& right);
[[nodiscard]] Expr operator!(const Expr& operand);

}  // namespace millrace
