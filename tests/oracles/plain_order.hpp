#pragma once

#include "tests/oracles/oracle.hpp"

#include <cmath>

// The order of values, for one pair at a time: below 0 if the left one comes first, 0 for equals.

namespace millrace::property {

template <typename T>
int order(const T& left, const T& right) {
  return left < right ? -1 : right < left ? 1 : 0;
}

/// NaN is equal to itself and above all others.
inline int order(double left, double right) {
  if (std::isnan(left) || std::isnan(right)) return int{std::isnan(left)} - int{std::isnan(right)};
  return left < right ? -1 : right < left ? 1 : 0;
}

template <int kPrecision, int kScale>
int order(Money<kPrecision, kScale> left, Money<kPrecision, kScale> right) {
  return order(left.unscaled, right.unscaled);
}

/// A month is 30 days, a day 24 hours.
inline int order(const Span& left, const Span& right) {
  const auto micros = [](const Span& span) {
    return (Int128{span.months} * 30 + span.days) * 86'400'000'000 + span.microseconds;
  };
  return order(micros(left), micros(right));
}

/// Nulls first.
template <typename T>
int order(const std::optional<T>& left, const std::optional<T>& right) {
  if (!left || !right) return int{left.has_value()} - int{right.has_value()};
  return order(*left, *right);
}

template <typename T>
int order(const std::vector<T>& left, const std::vector<T>& right) {
  for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
    const int way = order(left[i], right[i]);
    if (way != 0) return way;
  }
  return order(left.size(), right.size());
}

template <typename A, typename B>
int order(const std::pair<A, B>& left, const std::pair<A, B>& right) {
  const int way = order(left.first, right.first);
  return way != 0 ? way : order(left.second, right.second);
}

}  // namespace millrace::property
