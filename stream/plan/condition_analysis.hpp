#pragma once

#include "millrace/error.hpp"
#include "millrace/expression.hpp"

#include "stream/dialect.hpp"
#include "stream/plan/resolved_query.hpp"
#include "stream/plan/scope.hpp"

#include <string_view>
#include <vector>

namespace millrace::stream {

/// Whether an expression is a call of that function over two arguments or more.
[[nodiscard]] bool is_call(const Expr& expression, std::string_view function);

/// Resolves what a WHERE or ON says and adds it to `target`, each part of an AND for itself. It
/// must be boolean. One that draws is tested behind the first `relations` relations.
[[nodiscard]] Status add_conditions(const Expr& condition, const Scope& scope,
                                    const Dialect& dialect, std::size_t relations,
                                    std::vector<Condition>& target);

}  // namespace millrace::stream
