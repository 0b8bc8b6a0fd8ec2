#include "stream/functions/registry.hpp"
#include "stream/kind_storage.hpp"
#include "stream/scalar_text.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

// +, -, *, /, % and unary - over int, bigint and double. An integer result out of range is an
// error, as is division by zero; with ansi = 'false' it wraps, and division by zero gives null. The
// first pass computes every row and notes whether any condition was met at all; only then a second
// pass looks for the rows that it counts in.

namespace millrace::stream {

namespace {

template <typename T>
std::string text_of(T value) {
  if constexpr (std::is_same_v<T, double>)
    return double_text(value);
  else
    return std::to_string(value);
}

// Each operation computes one row, wrapping so that a row that does not count has a value too, and
// gives a sign of failure. The signs of all rows are or-ed, without a branch, so that the loop is
// vectorised; `has_failed` reads one sign, or all of them at once.

struct Add {
  static constexpr const char* kSymbol = "+";
  template <typename T>
  static T compute(T left, T right, T& result) {
    using Unsigned = std::make_unsigned_t<T>;
    result = static_cast<T>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right));
    return (left ^ result) & (right ^ result);
  }
  template <typename T>
  static bool has_failed(T sign) {
    return sign < 0;
  }
};

struct Subtract {
  static constexpr const char* kSymbol = "-";
  template <typename T>
  static T compute(T left, T right, T& result) {
    using Unsigned = std::make_unsigned_t<T>;
    result = static_cast<T>(static_cast<Unsigned>(left) - static_cast<Unsigned>(right));
    return (left ^ right) & (left ^ result);
  }
  template <typename T>
  static bool has_failed(T sign) {
    return sign < 0;
  }
};

struct Multiply {
  static constexpr const char* kSymbol = "*";
  static std::int64_t compute(std::int32_t left, std::int32_t right, std::int32_t& result) {
    const std::int64_t wide = static_cast<std::int64_t>(left) * right;
    result = static_cast<std::int32_t>(wide);
    return wide ^ result;
  }
  static bool compute(std::int64_t left, std::int64_t right, std::int64_t& result) {
    return __builtin_mul_overflow(left, right, &result);
  }
  template <typename T>
  static bool has_failed(T sign) {
    return sign != 0;
  }
};

template <typename T, typename Operation>
void compute_checked(KernelCall& call) {
  const T* __restrict left = call.arguments[0]->values<T>().data();
  const T* __restrict right = call.arguments[1]->values<T>().data();
  T* __restrict result = call.result.values<T>().data();
  const std::size_t rows = call.rows;
  decltype(Operation::compute(T{}, T{}, *result)) signs{};
  for (std::size_t row = 0; row < rows; ++row)
    signs |= Operation::compute(left[row], right[row], result[row]);
  if (!Operation::has_failed(signs)) [[likely]]
    return;
  for (std::size_t row = 0; row < rows; ++row) {
    T ignored;
    const auto sign = Operation::compute(left[row], right[row], ignored);
    if (!Operation::has_failed(sign)) continue;
    call.errors.overflow(row, [&] {
      return std::string(integer_name<T>()) + " overflow: " + text_of(left[row]) + " " +
             Operation::kSymbol + " " + text_of(right[row]);
    });
  }
}

template <typename Operation>
void compute_doubles(KernelCall& call) {
  const double* __restrict left = call.arguments[0]->values<double>().data();
  const double* __restrict right = call.arguments[1]->values<double>().data();
  double* __restrict result = call.result.values<double>().data();
  const std::size_t rows = call.rows;
  for (std::size_t row = 0; row < rows; ++row) result[row] = Operation()(left[row], right[row]);
}

template <typename T>
void raise_zero_divisors(KernelCall& call) {
  const T* right = call.arguments[1]->values<T>().data();
  for (std::size_t row = 0; row < call.rows; ++row) {
    if (right[row] == 0) call.errors.raise(row, "division by zero");
  }
}

void divide(KernelCall& call) {
  const double* __restrict left = call.arguments[0]->values<double>().data();
  const double* __restrict right = call.arguments[1]->values<double>().data();
  double* __restrict result = call.result.values<double>().data();
  const std::size_t rows = call.rows;
  bool any = false;
  for (std::size_t row = 0; row < rows; ++row) {
    result[row] = left[row] / right[row];
    any |= right[row] == 0.0;
  }
  if (any) [[unlikely]]
    raise_zero_divisors<double>(call);
}

template <typename T>
T remainder_of(T left, T right) {
  if constexpr (std::is_same_v<T, double>) {
    return std::fmod(left, right);
  } else {
    // 0 and -1 would trap in the processor; any remainder by -1 is 0, and 0 is an error.
    return (right == 0 || right == -1) ? 0 : left % right;
  }
}

template <typename T>
void modulo(KernelCall& call) {
  const T* __restrict left = call.arguments[0]->values<T>().data();
  const T* __restrict right = call.arguments[1]->values<T>().data();
  T* __restrict result = call.result.values<T>().data();
  const std::size_t rows = call.rows;
  bool any = false;
  for (std::size_t row = 0; row < rows; ++row) {
    result[row] = remainder_of(left[row], right[row]);
    any |= right[row] == 0;
  }
  if (any) [[unlikely]]
    raise_zero_divisors<T>(call);
}

template <typename T>
void negate(KernelCall& call) {
  const T* __restrict operand = call.arguments[0]->values<T>().data();
  T* __restrict result = call.result.values<T>().data();
  const std::size_t rows = call.rows;
  if constexpr (std::is_same_v<T, double>) {
    for (std::size_t row = 0; row < rows; ++row) result[row] = -operand[row];
  } else {
    T signs = 0;
    for (std::size_t row = 0; row < rows; ++row)
      signs |= Subtract::compute<T>(0, operand[row], result[row]);
    for (std::size_t row = 0; Subtract::has_failed(signs) && row < rows; ++row) {
      if (operand[row] != std::numeric_limits<T>::min()) continue;
      call.errors.overflow(row, [&] {
        return std::string(integer_name<T>()) + " overflow: -(" + text_of(operand[row]) + ")";
      });
    }
  }
}

FunctionOverload arithmetic(const char* name, TypeKind type, std::size_t arity, Kernel kernel) {
  FunctionOverload overload;
  overload.name = name;
  overload.arguments.assign(arity, type);
  overload.result = type;
  overload.kernel = kernel;
  overload.can_fail = type != TypeKind::kDouble;
  return overload;
}

template <typename Operation, typename DoubleOperation>
void add_checked(FunctionRegistry& registry, const char* name, const char* description) {
  for (FunctionOverload overload :
       {arithmetic(name, TypeKind::kInt32, 2, compute_checked<std::int32_t, Operation>),
        arithmetic(name, TypeKind::kInt64, 2, compute_checked<std::int64_t, Operation>),
        arithmetic(name, TypeKind::kDouble, 2, compute_doubles<DoubleOperation>)}) {
    overload.description = description;
    if (overload.can_fail) overload.errors = "the result is out of the type's range";
    registry.add(std::move(overload));
  }
}

}  // namespace

void add_arithmetic_functions(FunctionRegistry& registry) {
  add_checked<Add, std::plus<>>(registry, "+", "Sum.");
  add_checked<Subtract, std::minus<>>(registry, "-", "Difference.");
  add_checked<Multiply, std::multiplies<>>(registry, "*", "Product.");

  FunctionOverload division = arithmetic("/", TypeKind::kDouble, 2, divide);
  division.can_fail = true;
  division.description = "Quotient, always a double.";
  division.errors = "the divisor is 0";
  registry.add(std::move(division));

  for (FunctionOverload overload : {arithmetic("%", TypeKind::kInt32, 2, modulo<std::int32_t>),
                                    arithmetic("%", TypeKind::kInt64, 2, modulo<std::int64_t>),
                                    arithmetic("%", TypeKind::kDouble, 2, modulo<double>)}) {
    overload.can_fail = true;
    overload.description = "Remainder, with the sign of the left side.";
    overload.errors = "the divisor is 0";
    registry.add(std::move(overload));
  }
  for (const char* name : {"-", "negative"}) {
    for (FunctionOverload overload : {arithmetic(name, TypeKind::kInt32, 1, negate<std::int32_t>),
                                      arithmetic(name, TypeKind::kInt64, 1, negate<std::int64_t>),
                                      arithmetic(name, TypeKind::kDouble, 1, negate<double>)}) {
      overload.description = "The number with its sign changed.";
      if (overload.can_fail) overload.errors = "the result is out of the type's range";
      registry.add(std::move(overload));
    }
  }
  registry.add_try_form("try_add", "+");
  registry.add_try_form("try_subtract", "-");
  registry.add_try_form("try_multiply", "*");
  registry.add_try_form("try_divide", "/");
  registry.add_try_form("try_mod", "%");
}

}  // namespace millrace::stream
