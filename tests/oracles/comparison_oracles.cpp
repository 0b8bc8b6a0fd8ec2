#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_order.hpp"

// =, <, ... and what is chosen by comparing.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Long = std::int64_t;
using List = std::vector<std::optional<Int>>;
using Record = std::pair<std::optional<Int>, std::optional<std::string>>;

template <typename T>
void add_comparisons(Oracles& oracles, const std::string& type) {
  const auto add = [&](const char* sign, auto holds) {
    oracles.push_back(
        oracle(type + " " + sign + " " + type, sign,
               [holds](const T& left, const T& right) { return bool{holds(order(left, right))}; }));
  };
  for (const char* sign : {"=", "=="}) add(sign, [](int way) { return way == 0; });
  for (const char* sign : {"<>", "!="}) add(sign, [](int way) { return way != 0; });
  add("<", [](int way) { return way < 0; });
  add("<=", [](int way) { return way <= 0; });
  add(">", [](int way) { return way > 0; });
  add(">=", [](int way) { return way >= 0; });
  oracles.push_back(oracle(type + " <=> " + type, "<=>",
                           [](const std::optional<T>& left, const std::optional<T>& right) {
                             if (!left || !right) return !left && !right;
                             return order(*left, *right) == 0;
                           }));
}

/// Whether left <= right; nothing if one is null.
template <typename T>
std::optional<bool> at_most(const std::optional<T>& left, const std::optional<T>& right) {
  if (!left || !right) return std::nullopt;
  return order(*left, *right) <= 0;
}

template <typename T>
void add_choices(Oracles& oracles) {
  using Maybe = std::optional<T>;
  for (const bool is_greatest : {true, false}) {
    const char* name = is_greatest ? "greatest" : "least";
    oracles.push_back(oracle(std::string(name) + "(value, value, ...)", name,
                             [is_greatest](const Maybe& a, const Maybe& b, const Maybe& c) {
                               Maybe best;
                               for (const Maybe& each : {a, b, c}) {
                                 if (!each) continue;
                                 const int way = best ? order(*each, *best) : 0;
                                 if (!best || (is_greatest ? way > 0 : way < 0)) best = each;
                               }
                               return best;
                             }));
  }
  oracles.push_back(
      oracle("between(value, low, high)", "between",
             [](const Maybe& value, const Maybe& low, const Maybe& high) -> std::optional<bool> {
               const auto above = at_most(low, value);
               const auto below = at_most(value, high);
               if (above == false || below == false) return false;
               if (!above || !below) return std::nullopt;
               return true;
             }));
  oracles.push_back(
      oracle("in(value, candidate, ...)", "in",
             [](const Maybe& value, const Maybe& a, const Maybe& b) -> std::optional<bool> {
               if (!value) return std::nullopt;
               for (const Maybe& each : {a, b})
                 if (each && order(*each, *value) == 0) return true;
               if (!a || !b) return std::nullopt;
               return false;
             }));
  oracles.push_back(
      oracle("nullif(value, other)", "nullif", [](const Maybe& value, const Maybe& other) -> Maybe {
        if (value && other && order(*value, *other) == 0) return std::nullopt;
        return value;
      }));
}

}  // namespace

Oracles comparison_oracles() {
  Oracles oracles;
  add_comparisons<Int>(oracles, "int");
  add_comparisons<Long>(oracles, "bigint");
  add_comparisons<double>(oracles, "double");
  add_comparisons<Money<9, 2>>(oracles, "decimal");
  add_comparisons<std::string>(oracles, "string");
  add_comparisons<Bytes>(oracles, "bytes");
  add_comparisons<bool>(oracles, "boolean");
  add_comparisons<Date>(oracles, "date");
  add_comparisons<Time>(oracles, "timestamp");
  add_comparisons<Span>(oracles, "interval");
  add_comparisons<List>(oracles, "array");
  add_comparisons<Record>(oracles, "struct");
  add_choices<Int>(oracles);
  add_choices<double>(oracles);
  add_choices<std::string>(oracles);
  add_choices<List>(oracles);
  oracles.push_back(oracle("decimal < decimal", "<", [](Money<9, 2> left, Money<12, 4> right) {
    return left.unscaled * 100 < right.unscaled;
  }));
  oracles.push_back(
      oracle("bigint = bigint", "=", [](Int left, Long right) { return left == right; }));
  oracles.push_back(oracle("double < double", "<", [](Long left, double right) {
    return order(static_cast<double>(left), right) < 0;
  }));
  return oracles;
}

}  // namespace millrace::property
