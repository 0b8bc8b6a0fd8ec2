#pragma once

#include "millrace/value.hpp"

#include <cstdint>
#include <memory>
#include <string>
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
  };

  Kind kind = Kind::kLiteral;
  std::string qualifier;
  std::string name;
  Value value;
  DataType type;
  std::vector<std::shared_ptr<const ExprNode>> children;
  std::int32_t position = -1;  ///< byte in the SQL text where it begins; -1: not from SQL
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
