#include "tests/oracles/oracle.hpp"

#include <cmath>
#include <limits>

// + - * / % and changes of sign, of int, bigint and double.

namespace millrace::property {
namespace {

template <typename T>
T checked(Int128 value) {
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
    throw Failure();
  return static_cast<T>(value);
}

/// The sum, difference or product; whole numbers fail out of range.
template <typename T>
T combined(char sign, T left, T right) {
  if constexpr (std::is_same_v<T, double>) {
    return sign == '+' ? left + right : sign == '-' ? left - right : left * right;
  } else {
    const Int128 a = left;
    const Int128 b = right;
    return checked<T>(sign == '+' ? a + b : sign == '-' ? a - b : a * b);
  }
}

template <typename T>
T rest(T left, T right) {
  if (right == 0) throw Failure();
  if constexpr (std::is_same_v<T, double>)
    return std::fmod(left, right);
  else
    return static_cast<T>(Int128{left} % right);
}

template <typename T>
T opposite(T value) {
  if constexpr (std::is_same_v<T, double>)
    return -value;
  else
    return checked<T>(-Int128{value});
}

template <typename T>
void add_arithmetic(Oracles& oracles, const std::string& type) {
  for (const char* sign : {"+", "-", "*"}) {
    oracles.push_back(oracle(type + " " + sign + " " + type, sign, [sign](T left, T right) -> T {
      return combined<T>(*sign, left, right);
    }));
  }
  oracles.push_back(
      oracle(type + " % " + type, "%", [](T left, T right) -> T { return rest<T>(left, right); }));
  oracles.push_back(
      oracle("-(" + type + ")", "-", [](T value) -> T { return opposite<T>(value); }));
  oracles.push_back(oracle("negative(" + type + ")", "negative",
                           [](T value) -> T { return opposite<T>(value); }));
}

}  // namespace

Oracles arithmetic_oracles() {
  Oracles oracles;
  add_arithmetic<std::int32_t>(oracles, "int");
  add_arithmetic<std::int64_t>(oracles, "bigint");
  add_arithmetic<double>(oracles, "double");
  oracles.push_back(oracle("double / double", "/", [](double left, double right) {
    if (right == 0) throw Failure();
    return left / right;
  }));
  oracles.push_back(oracle("double / double", "/", [](std::int32_t left, std::int64_t right) {
    if (right == 0) throw Failure();
    return static_cast<double>(left) / static_cast<double>(right);
  }));
  oracles.push_back(
      oracle("int + int", "try_add",
             [](std::int32_t left, std::int32_t right) -> std::optional<std::int32_t> {
               const std::int64_t sum = std::int64_t{left} + right;
               if (sum != static_cast<std::int32_t>(sum)) return std::nullopt;
               return static_cast<std::int32_t>(sum);
             }));
  return oracles;
}

}  // namespace millrace::property
