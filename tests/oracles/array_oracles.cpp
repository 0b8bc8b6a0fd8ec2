#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_order.hpp"

#include <algorithm>

// Arrays, with nulls among their elements, and lambdas over them.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Long = std::int64_t;
using Text = std::string;
using Number = std::optional<Int>;
using List = std::vector<Number>;
using Words = std::vector<std::optional<Text>>;
using Truth = std::optional<bool>;

template <typename T>
bool has(const std::vector<T>& list, const T& value) {
  return std::ranges::any_of(list, [&](const T& each) { return order(each, value) == 0; });
}

template <typename T>
std::vector<T> each_once(const std::vector<T>& list) {
  std::vector<T> result;
  for (const T& each : list)
    if (!has(result, each)) result.push_back(each);
  return result;
}

/// From 1, or from -1 backwards; nothing out of bounds.
std::optional<std::size_t> place_of(Long index, std::size_t size) {
  const auto length = static_cast<Long>(size);
  const Long place = index > 0 ? index - 1 : length + index;
  if (index == 0 || place < 0 || place >= length) return std::nullopt;
  return static_cast<std::size_t>(place);
}

void add_access(Oracles& oracles) {
  for (const char* name : {"element_at", "try_element_at"}) {
    const bool fails = *name == 'e';
    oracles.push_back(oracle(Text(name) + "(array, bigint)", name,
                             [=](const List& list, FewLong index) -> Number {
                               const auto place = place_of(index.value, list.size());
                               if (!place && (fails || index.value == 0)) throw Failure();
                               return place ? list[*place] : std::nullopt;
                             }));
  }
  for (const char* name : {"get", "item"}) {
    const bool fails = *name == 'i';
    oracles.push_back(oracle(
        Text(name) + "(array, bigint)", name, [=](const List& list, FewLong index) -> Number {
          const bool is_there = index.value >= 0 && index.value < static_cast<Long>(list.size());
          if (!is_there && fails) throw Failure();
          if (!is_there) return std::nullopt;
          return list[static_cast<std::size_t>(index.value)];
        }));
  }
  oracles.push_back(oracle("size(array or map)", "size",
                           [](const List& list) -> Int { return static_cast<Int>(list.size()); }));
  oracles.push_back(oracle("array_size(array)", "array_size",
                           [](const Words& list) -> Int { return static_cast<Int>(list.size()); }));
}

void add_search(Oracles& oracles) {
  oracles.push_back(oracle("array_contains(array, value)", "array_contains",
                           [](const List& list, Few value) -> Truth {
                             if (has(list, Number(value.value))) return true;
                             if (has(list, Number())) return std::nullopt;
                             return false;
                           }));
  oracles.push_back(oracle("array_position(array, value)", "array_position",
                           [](const Words& list, const Text& value) -> Long {
                             for (std::size_t i = 0; i < list.size(); ++i)
                               if (list[i] == value) return static_cast<Long>(i) + 1;
                             return 0;
                           }));
  using Reals = std::vector<std::optional<double>>;
  for (const char* name : {"array_max", "array_min"}) {
    const bool is_max = Text(name) == "array_max";
    oracles.push_back(
        oracle(Text(name) + "(array)", name, [=](const Reals& list) -> std::optional<double> {
          std::optional<double> best;
          for (const auto& each : list) {
            if (!each) continue;
            const int way = best ? order(*each, *best) : 0;
            if (!best || (is_max ? way > 0 : way < 0)) best = each;
          }
          return best;
        }));
  }
  const auto joined = [](const Words& list, const Text& separator,
                         const std::optional<Text>& null) {
    Text result;
    bool is_first = true;
    for (const auto& each : list) {
      if (!each && !null) continue;
      result += (is_first ? "" : separator) + (each ? *each : *null);
      is_first = false;
    }
    return result;
  };
  oracles.push_back(oracle("array_join(array<string>, string[, string])", "array_join",
                           [=](const Words& list, const Text& separator) {
                             return joined(list, separator, std::nullopt);
                           }));
  oracles.push_back(oracle("array_join(array<string>, string[, string])", "array_join",
                           [=](const Words& list, const Text& separator, const Text& null) {
                             return joined(list, separator, null);
                           }));
}

void add_making(Oracles& oracles) {
  oracles.push_back(oracle("array(value, ...)", "array", [](const Number& a, const Number& b) {
    return List{a, b};
  }));
  oracles.push_back(oracle(
      "array_repeat(value, bigint)", "array_repeat",
      [](const std::optional<Text>& value, std::optional<FewLong> times) -> std::optional<Words> {
        if (!times) return std::nullopt;
        return Words(static_cast<std::size_t>(std::max<Long>(times->value, 0)), value);
      }));
  for (const char* signature : {"array_append(array, value)", "array_prepend(array, value)"}) {
    const bool is_behind = Text(signature).starts_with("array_append");
    oracles.push_back(oracle(signature, is_behind ? "array_append" : "array_prepend",
                             [=](List list, const Number& value) {
                               list.insert(is_behind ? list.end() : list.begin(), value);
                               return list;
                             }));
  }
  oracles.push_back(oracle("array_remove(array, value)", "array_remove", [](List list, Few value) {
    std::erase(list, Number(value.value));
    return list;
  }));
  oracles.push_back(oracle("array_compact(array)", "array_compact", [](List list) {
    std::erase(list, Number());
    return list;
  }));
  const auto both = [](Words left, const Words& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
  };
  oracles.push_back(oracle("concat(array, ...)", "concat", both));
  oracles.push_back(oracle("array || array", "||", both));
  oracles.push_back(oracle("reverse(array)", "reverse", [](List list) {
    std::ranges::reverse(list);
    return list;
  }));
  oracles.push_back(
      oracle("flatten(array<array>)", "flatten",
             [](const std::vector<std::optional<List>>& lists) -> std::optional<List> {
               List result;
               for (const auto& each : lists) {
                 if (!each) return std::nullopt;
                 result.insert(result.end(), each->begin(), each->end());
               }
               return result;
             }));
  oracles.push_back(oracle("slice(array, bigint, bigint)", "slice",
                           [](const List& list, FewLong start, FewLong length) {
                             if (start.value == 0 || length.value < 0) throw Failure();
                             List result;
                             const auto first = place_of(start.value, list.size());
                             for (Long i = 0; first && i < length.value; ++i) {
                               const std::size_t place = *first + static_cast<std::size_t>(i);
                               if (place < list.size()) result.push_back(list[place]);
                             }
                             return result;
                           }));
}

template <typename T, typename Drawn>
void add_sequences(Oracles& oracles, const Text& type) {
  using Result = std::vector<std::optional<T>>;
  const auto sequence = [](T start, T stop, T step) {
    Result result;
    if (start != stop && (step == 0 || (step > 0) != (start < stop))) throw Failure();
    for (T i = start; step >= 0 ? i <= stop : i >= stop; i += step) {
      result.push_back(i);
      if (start == stop) break;
    }
    return result;
  };
  oracles.push_back(
      oracle("sequence(" + type + ", " + type + ")", "sequence", [=](Drawn start, Drawn stop) {
        return sequence(start.value, stop.value, start.value <= stop.value ? 1 : -1);
      }));
  oracles.push_back(oracle("sequence(" + type + ", " + type + ", " + type + ")", "sequence",
                           [=](Drawn start, Drawn stop, Drawn step) {
                             return sequence(start.value, stop.value, step.value);
                           }));
}

template <typename T>
std::vector<T> in_order(std::vector<T> list) {
  std::ranges::stable_sort(list, [](const T& a, const T& b) { return order(a, b) < 0; });
  return list;
}

void add_sets(Oracles& oracles) {
  oracles.push_back(oracle("array_distinct(array)", "array_distinct",
                           [](const List& list) { return each_once(list); }));
  oracles.push_back(
      oracle("array_union(array, array)", "array_union", [](List left, const List& right) {
        left.insert(left.end(), right.begin(), right.end());
        return each_once(left);
      }));
  for (const char* name : {"array_intersect", "array_except"}) {
    const bool wants_both = Text(name) == "array_intersect";
    oracles.push_back(
        oracle(Text(name) + "(array, array)", name, [=](List left, const List& right) {
          std::erase_if(left, [&](const Number& each) { return has(right, each) != wants_both; });
          return each_once(left);
        }));
  }
  oracles.push_back(oracle("arrays_overlap(array, array)", "arrays_overlap",
                           [](const List& left, const List& right) -> Truth {
                             for (const Number& each : left)
                               if (each && has(right, each)) return true;
                             if (left.empty() || right.empty()) return false;
                             if (has(left, Number()) || has(right, Number())) return std::nullopt;
                             return false;
                           }));
  oracles.push_back(
      oracle("sort_array(array)", "sort_array", [](const Words& list) { return in_order(list); }));
  oracles.push_back(
      oracle("sort_array(array, boolean)", "sort_array", [](const List& list, bool up) {
        List result = in_order(list);
        if (!up) std::ranges::reverse(result);
        return result;
      }));
  using Reals = std::vector<std::optional<double>>;
  oracles.push_back(oracle("array_sort(array)", "array_sort", [](const Reals& list) {
    Reals result = in_order(list);
    const auto nulls =
        std::ranges::find_if(result, [](const auto& each) { return each.has_value(); });
    std::ranges::rotate(result, nulls);
    return result;
  }));
}

/// True if one is, false if none is, null if that is open.
Truth any_of(const std::vector<Truth>& truths) {
  Truth result = false;
  for (const Truth& each : truths) {
    if (each == true) return true;
    if (!each) result = std::nullopt;
  }
  return result;
}

Truth is_above(const Number& value, Int limit) {
  if (!value) return std::nullopt;
  return *value > limit;
}

void add_lambdas(Oracles& oracles) {
  oracles.push_back(oracle(
      "transform(array, x -> value) or (x, i) -> value",
      [](const std::vector<Expr>& c) {
        return transform(c[0], [&](const Expr& x, const Expr& i) {
          return concat({coalesce({x.cast(TypeKind::kString), lit("-")}), i, c[1]});
        });
      },
      [](const List& list, const std::optional<Text>& text) {
        Words result;
        for (std::size_t i = 0; i < list.size(); ++i)
          result.push_back(text ? std::optional((list[i] ? std::to_string(*list[i]) : "-") +
                                                std::to_string(i) + *text)
                                : std::nullopt);
        return result;
      }));
  oracles.push_back(oracle(
      "filter(array, x -> boolean) or (x, i) -> boolean",
      [](const std::vector<Expr>& c) {
        return filter(c[0], [](const Expr& x, const Expr& i) { return x > i; });
      },
      [](const List& list) {
        List result;
        for (std::size_t i = 0; i < list.size(); ++i)
          if (is_above(list[i], static_cast<Int>(i)) == true) result.push_back(list[i]);
        return result;
      }));
  for (const char* signature : {"exists(array, x -> boolean)", "forall(array, x -> boolean)"}) {
    const bool is_exists = *signature == 'e';
    oracles.push_back(oracle(
        signature,
        [=](const std::vector<Expr>& c) {
          const Lambda condition = [&](const Expr& x) { return x > c[1]; };
          return is_exists ? exists(c[0], condition) : forall(c[0], condition);
        },
        [=](const List& list, std::optional<Few> limit) {
          std::vector<Truth> truths;
          for (const Number& each : list) {
            Truth truth = limit ? is_above(each, limit->value) : std::nullopt;
            if (truth && !is_exists) truth = !*truth;
            truths.push_back(truth);
          }
          Truth result = any_of(truths);
          if (result && !is_exists) result = !*result;
          return result;
        }));
  }
  oracles.push_back(oracle(
      "aggregate(array, start, (so_far, x) -> value[, so_far -> result])",
      [](const std::vector<Expr>& c) {
        return aggregate(
            c[0], c[1],
            [](const Expr& all, const Expr& x) {
              return concat({all, coalesce({x, lit("?")})});
            },
            [](const Expr& all) { return call("length", {all}); });
      },
      [](const Words& list, const Text& start) -> Int {
        Text all = start;
        for (const auto& each : list) all += each.value_or("?");
        Int characters = 0;
        for (const char byte : all)
          characters += (static_cast<unsigned char>(byte) & 0xC0) != 0x80 ? 1 : 0;
        return characters;
      }));
  oracles.push_back(oracle(
      "zip_with(array, array, (x, y) -> value)",
      [](const std::vector<Expr>& c) {
        return zip_with(c[0], c[1], [](const Expr& x, const Expr& y) {
          return coalesce({y, x.cast(TypeKind::kString)});
        });
      },
      [](const List& left, const Words& right) {
        Words result(std::max(left.size(), right.size()));
        for (std::size_t i = 0; i < result.size(); ++i) {
          if (i < right.size() && right[i])
            result[i] = right[i];
          else if (i < left.size() && left[i])
            result[i] = std::to_string(*left[i]);
        }
        return result;
      }));
  oracles.push_back(oracle(
      "array_sort(array, (left, right) -> int)",
      [](const std::vector<Expr>& c) {
        const auto size = [](const Expr& x) { return call("length", {coalesce({x, lit("")})}); };
        return array_sort(c[0], [=](const Expr& x, const Expr& y) { return size(x) - size(y); });
      },
      [](Words list) {
        const auto size = [](const std::optional<Text>& text) {
          return std::ranges::count_if(text.value_or(""), [](char byte) {
            return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
          });
        };
        std::ranges::stable_sort(list, {}, size);
        return list;
      }));
}

}  // namespace

Oracles array_oracles() {
  Oracles oracles;
  add_access(oracles);
  add_search(oracles);
  add_making(oracles);
  add_sequences<Int, Few>(oracles, "int");
  add_sequences<Long, FewLong>(oracles, "bigint");
  add_sets(oracles);
  add_lambdas(oracles);
  return oracles;
}

}  // namespace millrace::property
