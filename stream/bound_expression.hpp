#pragma once

#include "millrace/value.hpp"

#include "stream/evaluation_settings.hpp"

#include <string>
#include <vector>

namespace millrace::stream {

struct FunctionOverload;  // one implementation in the registry (stream/functions/registry.hpp)

/// An expression whose names are resolved to column numbers and whose types are known: what the
/// evaluator runs. A plain value; `function` is a borrow of the registry, which lives for ever.
struct BoundExpr {
  enum class Kind {
    kColumn,
    kLiteral,
    kCall,
    kVariable,  ///< a parameter of a lambda around it
    kLambda,    ///< an argument of a call; children[0] is its body, `type` the body's
  };

  Kind kind = Kind::kLiteral;
  DataType type;
  std::size_t column = 0;  ///< of the input batch
  /// Of a variable: its number among the parameters of all lambdas around it, from the outermost
  /// on. Of a lambda: the number of its first parameter.
  std::size_t variable = 0;
  std::vector<DataType> parameters;  ///< of a lambda
  Value literal;
  const FunctionOverload* function = nullptr;  ///< a cast is a call; `type` is its target
  ErrorMode mode = ErrorMode::kFail;           ///< of a call
  EvaluationSettings settings;                 ///< of a call
  std::vector<BoundExpr> children;
  std::string text;            ///< as the user wrote it, for messages and explain
  std::int32_t position = -1;  ///< byte in the SQL text where it begins; -1: not from SQL

  [[nodiscard]] bool is_column() const { return kind == Kind::kColumn; }
};

}  // namespace millrace::stream
