#pragma once

#include "millrace/value.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Which types may stand for which without a written cast. Pure functions.

namespace millrace::stream {

/// The rules by which operands of different types come to one.
enum class CoercionPolicy : std::uint8_t {
  kAnsi,    ///< a text beside another scalar is read as one of its type
  kLegacy,  ///< ansi = 'false': values that come together become texts, operands doubles
};

/// An argument as a call gives it, before any implicit cast.
struct Argument {
  DataType type;
  bool is_literal = false;
  const Value* literal = nullptr;  ///< when it is one: a borrow for the time of one binding
  std::string name = {};           ///< what it would be called as a column; empty: nothing
  std::size_t parameters = 0;      ///< of a lambda, whose `type` is its body's; 0: it is none
};

/// All arguments of a call, and the policy by which their types are settled. A borrow.
class Arguments : public std::span<const Argument> {
 public:
  Arguments(std::span<const Argument> arguments, CoercionPolicy policy)
      : std::span<const Argument>(arguments), policy_(policy) {}

  [[nodiscard]] CoercionPolicy policy() const { return policy_; }
  [[nodiscard]] bool is_legacy() const { return policy_ == CoercionPolicy::kLegacy; }

 private:
  CoercionPolicy policy_;
};

/// The types a call settles on: what each argument is cast to, and what comes out.
struct SettledTypes {
  std::vector<DataType> arguments;
  DataType result;
  bool takes_any_cast = false;  ///< every cast that there is, not only implicit ones
};

/// What it costs to use an argument where `wanted` is asked for, without a written cast: 0 for the
/// same type, more the further it goes, nothing if it cannot be done. Cheap is what loses nothing:
/// null to anything, int to bigint to decimal to double, date to timestamp. Dearer are a text to
/// any scalar, a number to a narrower one, and dearest a scalar to text. What is inside of arrays,
/// maps and structs (same field names in the same order) goes by the same rules. Under kLegacy a
/// text goes as a double sooner than as any other number, and bytes go as text.
[[nodiscard]] std::optional<int> implicit_cast_cost(const Argument& argument,
                                                    const DataType& wanted, CoercionPolicy policy);

/// Whether every value of the type has its equal in the other: int in bigint, in decimal(10,0) and
/// in double, decimal(4,2) in decimal(6,3), date in timestamp, null in anything.
[[nodiscard]] bool is_lossless(const DataType& from, const DataType& to);

/// The type that values of both can be brought to, if there is one: the wider of two numbers
/// (int < bigint < decimal < double), a decimal that holds both, timestamp of date and timestamp.
/// By kAnsi a text meets a whole number as bigint, another number as double, any other scalar as
/// that; by kLegacy text is what numbers, dates and times become beside one, and booleans and bytes
/// do not meet it.
[[nodiscard]] std::optional<DataType> wider_type(const DataType& left, const DataType& right,
                                                 CoercionPolicy policy);
/// The same of all arguments; the null type when all are null literals. By kLegacy texts come
/// first: a date, an int and a text meet in text, in any order.
[[nodiscard]] std::optional<DataType> common_type(const Arguments& arguments);

/// As wider_type, but by kLegacy a text meets nothing but texts: for values that are compared with
/// what is in a list, and for the greatest of some.
[[nodiscard]] std::optional<DataType> wider_type_of_likes(const DataType& left,
                                                          const DataType& right,
                                                          CoercionPolicy policy);
[[nodiscard]] std::optional<DataType> common_type_of_likes(const Arguments& arguments);

/// What the operands of =, < and their like are compared as. By kAnsi that is wider_type; by
/// kLegacy a text is read as the other side's type, beside a decimal as double.
[[nodiscard]] std::optional<DataType> compared_type(const DataType& left, const DataType& right,
                                                    CoercionPolicy policy);

/// The decimal that holds every value of a whole number's type, or the digits of a literal one.
/// Nothing for types that are neither whole numbers nor decimals.
[[nodiscard]] std::optional<DataType> as_decimal(const Argument& argument);

/// A decimal type of these digits; with more than 38, digits behind the point are given up first.
[[nodiscard]] DataType bounded_decimal(int precision, int scale);

}  // namespace millrace::stream
