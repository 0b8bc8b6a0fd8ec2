#pragma once

#include "millrace/expression.hpp"
#include "millrace/value.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Functions said once more, in the plainest way, for one row at a time and over types of the
// standard library: what the engine's are held against. An oracle knows nothing of the engine but
// how values look.

namespace millrace::property {

// --- how values look to an oracle ----------------------------------------------------------------

struct Bytes {
  std::string data;
  auto operator<=>(const Bytes&) const = default;
};
struct Date {
  std::int32_t days = 0;
  auto operator<=>(const Date&) const = default;
};
struct Time {
  std::int64_t micros = 0;
  auto operator<=>(const Time&) const = default;
};
using Span = Interval;

/// A decimal(P, S) as the whole number of its last places.
template <int kPrecision, int kScale>
struct Money {
  Int128 unscaled = 0;
};

template <typename Key, typename Held>
using Map = std::vector<std::pair<Key, std::optional<Held>>>;

/// An argument drawn from a small domain: an int from -5 to 20, a bigint of few bits.
struct Few {
  std::int32_t value = 0;
};
struct FewLong {
  std::int64_t value = 0;
};

/// What an oracle throws where the function fails.
struct Failure : std::runtime_error {
  Failure() : std::runtime_error("fails") {}
};

/// How arguments are drawn.
enum class Domain { kWide, kFew };

template <typename T>
struct Kind;

#define MILLRACE_PLAIN_KIND(Type, kind, make, stored)                                   \
  template <>                                                                           \
  struct Kind<Type> {                                                                   \
    static constexpr Domain kDomain = Domain::kWide;                                    \
    static DataType type() { return TypeKind::kind; }                                   \
    static Type take(const Value& value) { return Type{std::get<stored>(value.data)}; } \
    static Value put(const Type& value) { return make; }                                \
  }

MILLRACE_PLAIN_KIND(bool, kBoolean, Value::boolean(value), bool);
MILLRACE_PLAIN_KIND(std::int32_t, kInt32, Value::int32(value), std::int32_t);
MILLRACE_PLAIN_KIND(std::int64_t, kInt64, Value::int64(value), std::int64_t);
MILLRACE_PLAIN_KIND(double, kDouble, Value::real(value), double);
MILLRACE_PLAIN_KIND(std::string, kString, Value::string(value), std::string);
MILLRACE_PLAIN_KIND(Bytes, kBytes, Value::bytes(value.data), std::string);
MILLRACE_PLAIN_KIND(Date, kDate, Value::date(value.days), std::int32_t);
MILLRACE_PLAIN_KIND(Time, kTimestamp, Value::timestamp(value.micros), std::int64_t);
MILLRACE_PLAIN_KIND(Span, kInterval, Value::interval(value), Interval);
#undef MILLRACE_PLAIN_KIND

template <>
struct Kind<Few> : Kind<std::int32_t> {
  static constexpr Domain kDomain = Domain::kFew;
  static Few take(const Value& value) { return {std::get<std::int32_t>(value.data)}; }
};
template <>
struct Kind<FewLong> : Kind<std::int64_t> {
  static constexpr Domain kDomain = Domain::kFew;
  static FewLong take(const Value& value) { return {std::get<std::int64_t>(value.data)}; }
};

template <int kPrecision, int kScale>
struct Kind<Money<kPrecision, kScale>> {
  static constexpr Domain kDomain = Domain::kWide;
  static DataType type() { return DataType::decimal(kPrecision, kScale); }
  static Money<kPrecision, kScale> take(const Value& value) {
    return {std::get<Decimal>(value.data).unscaled};
  }
  static Value put(Money<kPrecision, kScale> value) {
    return Value::decimal(value.unscaled, kPrecision, kScale);
  }
};

/// A null where it can stand: in lists, results, and arguments that may be null.
template <typename T>
struct Kind<std::optional<T>> {
  static constexpr Domain kDomain = Kind<T>::kDomain;
  static DataType type() { return Kind<T>::type(); }
  static std::optional<T> take(const Value& value) {
    if (value.is_null()) return std::nullopt;
    return Kind<T>::take(value);
  }
  static Value put(const std::optional<T>& value) {
    return value ? Kind<T>::put(*value) : Value::null(type());
  }
};

template <typename T>
struct Kind<std::vector<T>> {
  static constexpr Domain kDomain = Kind<T>::kDomain;
  static DataType type() { return DataType::array(Kind<T>::type()); }
  static std::vector<T> take(const Value& value) {
    std::vector<T> elements;
    for (const Value& each : std::get<std::vector<Value>>(value.data))
      elements.push_back(Kind<T>::take(each));
    return elements;
  }
  static Value put(const std::vector<T>& elements) {
    std::vector<Value> values;
    for (const auto& each : elements) values.push_back(Kind<T>::put(each));
    return Value::array(Kind<T>::type(), std::move(values));
  }
};

template <typename Key, typename Held>
struct Kind<std::vector<std::pair<Key, std::optional<Held>>>> {
  static constexpr Domain kDomain = Domain::kWide;
  static DataType type() { return DataType::map(Kind<Key>::type(), Kind<Held>::type()); }
  static Map<Key, Held> take(const Value& value) {
    const auto& inside = std::get<std::vector<Value>>(value.data);
    Map<Key, Held> entries;
    for (std::size_t i = 0; i + 1 < inside.size(); i += 2)
      entries.emplace_back(Kind<Key>::take(inside[i]),
                           Kind<std::optional<Held>>::take(inside[i + 1]));
    return entries;
  }
  static Value put(const Map<Key, Held>& entries) {
    std::vector<std::pair<Value, Value>> values;
    for (const auto& [key, held] : entries)
      values.emplace_back(Kind<Key>::put(key), Kind<std::optional<Held>>::put(held));
    return Value::map(Kind<Key>::type(), Kind<Held>::type(), std::move(values));
  }
};

/// A struct of two fields, a and b.
template <typename A, typename B>
struct Kind<std::pair<A, B>> {
  static constexpr Domain kDomain = Domain::kWide;
  static DataType type() {
    return DataType::structure({{"a", Kind<A>::type()}, {"b", Kind<B>::type()}});
  }
  static std::pair<A, B> take(const Value& value) {
    const auto& fields = std::get<std::vector<Value>>(value.data);
    return {Kind<A>::take(fields[0]), Kind<B>::take(fields[1])};
  }
  static Value put(const std::pair<A, B>& value) {
    return Value::structure({{"a", Kind<A>::put(value.first)}, {"b", Kind<B>::put(value.second)}});
  }
};

// --- oracles -------------------------------------------------------------------------------------

/// Of columns, in order, a call.
using Build = std::function<Expr(const std::vector<Expr>&)>;

/// What one overload of a function is held against.
struct Oracle {
  std::string signature;            ///< as the reference shows it
  std::vector<DataType> arguments;  ///< of the columns that it is called on
  std::vector<Domain> domains;
  DataType result;
  Build build;
  /// The value of one row; nothing where the function fails.
  std::function<std::optional<Value>(const std::vector<Value>&)> answer;
  double tolerance = 0;  ///< how far a double may be off, relative to its size
};

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename Function>
struct Signature : Signature<decltype(&Function::operator())> {};
template <typename Function, typename Result, typename... Arguments>
struct Signature<Result (Function::*)(Arguments...) const> {
  using Output = Result;
  using Inputs = std::tuple<std::decay_t<Arguments>...>;
};

template <typename Result, typename... Arguments>
struct Signature<Result (*)(Arguments...)> {
  using Output = Result;
  using Inputs = std::tuple<std::decay_t<Arguments>...>;
};

/// An oracle of a lambda over the types above. A parameter that is no std::optional is never null:
/// a null there makes the result null. A result that is one can be null.
template <typename Function>
Oracle oracle(std::string signature, Build build, Function function) {
  using Inputs = typename Signature<Function>::Inputs;
  using Output = typename Signature<Function>::Output;
  Oracle made;
  made.signature = std::move(signature);
  made.build = std::move(build);
  made.result = Kind<Output>::type();
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    made.arguments = {Kind<std::tuple_element_t<kIndex, Inputs>>::type()...};
    made.domains = {Kind<std::tuple_element_t<kIndex, Inputs>>::kDomain...};
    made.answer = [function](const std::vector<Value>& values) -> std::optional<Value> {
      const bool is_null = (... || (values[kIndex].is_null() &&
                                    !IsOptional<std::tuple_element_t<kIndex, Inputs>>::value));
      if (is_null) return Value::null(Kind<Output>::type());
      try {
        return Kind<Output>::put(
            function(Kind<std::tuple_element_t<kIndex, Inputs>>::take(values[kIndex])...));
      } catch (const Failure&) {
        return std::nullopt;
      }
    };
  }(std::make_index_sequence<std::tuple_size_v<Inputs>>());
  return made;
}

/// The same of a plain call of a function by its name.
template <typename Function>
Oracle oracle(std::string signature, const char* name, Function function) {
  return oracle(
      std::move(signature),
      [name](const std::vector<Expr>& columns) { return call(name, columns); },
      std::move(function));
}

/// The same; a double may be off by so much of its size.
template <typename Function>
Oracle about(double tolerance, std::string signature, const char* name, Function function) {
  Oracle made = oracle(std::move(signature), name, std::move(function));
  made.tolerance = tolerance;
  return made;
}

/// The cast of a column to the type of the lambda's result.
template <typename Function>
Oracle cast_oracle(std::string signature, Function function) {
  const DataType target = Kind<typename Signature<Function>::Output>::type();
  return oracle(
      std::move(signature),
      [target](const std::vector<Expr>& columns) { return columns[0].cast(target); },
      std::move(function));
}

using Oracles = std::vector<Oracle>;

// The families, each in a file of its own.
Oracles comparison_oracles();
Oracles arithmetic_oracles();
Oracles condition_oracles();
Oracles decimal_oracles();
Oracles cast_oracles();
Oracles text_oracles();
Oracles search_oracles();
Oracles encoding_oracles();
Oracles math_oracles();
Oracles integer_oracles();
Oracles array_oracles();
Oracles map_oracles();
Oracles date_oracles();
Oracles time_oracles();
Oracles interval_oracles();

}  // namespace millrace::property
