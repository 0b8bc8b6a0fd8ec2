#include "tests/oracles/oracle.hpp"

// and, or, not, is_null, case and their like, in three-valued logic.

namespace millrace::property {
namespace {

using Truth = std::optional<bool>;
using Number = std::optional<std::int32_t>;
using Text = std::optional<std::string>;

Truth both(Truth left, Truth right) {
  if (left == false || right == false) return false;
  if (!left || !right) return std::nullopt;
  return true;
}

Truth opposite(Truth value) {
  if (!value) return std::nullopt;
  return !*value;
}

Truth either(Truth left, Truth right) { return opposite(both(opposite(left), opposite(right))); }

/// 6 / n, which fails where n is 0.
double sixth(std::int32_t number) {
  if (number == 0) throw Failure();
  return 6.0 / number;
}

Expr sixth(const Expr& number) { return lit(6) / number; }

template <typename T>
void add_first_present(Oracles& oracles) {
  using Maybe = std::optional<T>;
  oracles.push_back(oracle("coalesce(value, ...), values of one type", "coalesce",
                           [](const Maybe& a, const Maybe& b, const Maybe& c) {
                             return a ? a : b ? b : c;
                           }));
  for (const char* name : {"ifnull", "nvl"})
    oracles.push_back(oracle(std::string(name) + "(value, otherwise)", name,
                             [](const Maybe& a, const Maybe& b) { return a ? a : b; }));
  oracles.push_back(oracle(
      "if(condition, value, otherwise)", "if",
      [](Truth condition, const Maybe& a, const Maybe& b) { return condition == true ? a : b; }));
  oracles.push_back(oracle("case when boolean then value ... else value end, values of one type",
                           "case",
                           [](Truth first, const Maybe& a, Truth second, const Maybe& b) -> Maybe {
                             if (first == true) return a;
                             if (second == true) return b;
                             return std::nullopt;
                           }));
}

}  // namespace

Oracles condition_oracles() {
  Oracles oracles;
  oracles.push_back(oracle("boolean and boolean ...", "and",
                           [](Truth a, Truth b, Truth c) { return both(both(a, b), c); }));
  oracles.push_back(oracle("boolean or boolean ...", "or",
                           [](Truth a, Truth b, Truth c) { return either(either(a, b), c); }));
  oracles.push_back(oracle("not(boolean)", "not", [](bool value) { return !value; }));
  oracles.push_back(
      oracle("is_null(value)", "is_null", [](const Text& value) { return !value.has_value(); }));
  oracles.push_back(oracle("is_not_null(value)", "is_not_null",
                           [](const Number& value) { return value.has_value(); }));
  add_first_present<std::int32_t>(oracles);
  add_first_present<std::string>(oracles);
  add_first_present<std::vector<Number>>(oracles);

  // What no row comes to cannot fail it.
  oracles.push_back(oracle(
      "boolean or boolean ...",
      [](const std::vector<Expr>& c) { return c[0] || sixth(c[1]) > lit(1); },
      [](Truth first, std::optional<Few> number) -> Truth {
        if (first == true) return true;
        return either(first, number ? Truth(sixth(number->value) > 1) : std::nullopt);
      }));
  oracles.push_back(oracle(
      "boolean and boolean ...",
      [](const std::vector<Expr>& c) { return c[0] && sixth(c[1]) > lit(1); },
      [](Truth first, std::optional<Few> number) -> Truth {
        if (first == false) return false;
        return both(first, number ? Truth(sixth(number->value) > 1) : std::nullopt);
      }));
  oracles.push_back(oracle(
      "case when boolean then value ... else value end, values of one type",
      [](const std::vector<Expr>& c) {
        return case_when({c[0], sixth(c[1]), lit(0.0)});
      },
      [](Truth first, std::optional<Few> number) -> std::optional<double> {
        if (first != true) return 0.0;
        if (!number) return std::nullopt;
        return sixth(number->value);
      }));
  oracles.push_back(oracle(
      "coalesce(value, ...), values of one type",
      [](const std::vector<Expr>& c) {
        return coalesce({c[0], sixth(c[1])});
      },
      [](std::optional<double> first, std::optional<Few> number) -> std::optional<double> {
        if (first) return first;
        if (!number) return std::nullopt;
        return sixth(number->value);
      }));
  return oracles;
}

}  // namespace millrace::property
