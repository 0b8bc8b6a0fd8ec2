#include "tests/oracles/oracle.hpp"
#include "tests/oracles/plain_order.hpp"

#include <algorithm>

// Maps and structs. No map that is drawn has a key twice.

namespace millrace::property {
namespace {

using Int = std::int32_t;
using Text = std::string;
using Number = std::optional<Int>;
using Word = std::optional<Text>;
using Table = Map<Text, Int>;
using Entry = std::pair<Text, Number>;

Table checked(const Table& map) {
  for (std::size_t i = 0; i < map.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (map[i].first == map[j].first) throw Failure();
  return map;
}

const Number* find(const Table& map, const Text& key) {
  const auto place = std::ranges::find(map, key, &Entry::first);
  return place == map.end() ? nullptr : &place->second;
}

void add_access(Oracles& oracles) {
  for (const char* name : {"element_at", "try_element_at", "item"}) {
    oracles.push_back(
        oracle(Text(name) + "(map, key)", name, [](const Table& map, const Text& key) -> Number {
          const Number* value = find(map, key);
          return value == nullptr ? std::nullopt : *value;
        }));
  }
  oracles.push_back(
      oracle("map_contains_key(map, key)", "map_contains_key",
             [](const Table& map, const Text& key) { return find(map, key) != nullptr; }));
  oracles.push_back(oracle("map_keys(map)", "map_keys", [](const Table& map) {
    std::vector<Word> keys;
    for (const Entry& each : map) keys.emplace_back(each.first);
    return keys;
  }));
  oracles.push_back(oracle("map_values(map)", "map_values", [](const Table& map) {
    std::vector<Number> values;
    for (const Entry& each : map) values.push_back(each.second);
    return values;
  }));
  oracles.push_back(oracle("size(array or map)", "size",
                           [](const Table& map) -> Int { return static_cast<Int>(map.size()); }));
}

void add_making(Oracles& oracles) {
  oracles.push_back(oracle("map(key, value, ...)", "map",
                           [](const Word& a, const Number& x, const Word& b, const Number& y) {
                             if (!a || !b) throw Failure();
                             return checked({{*a, x}, {*b, y}});
                           }));
  oracles.push_back(oracle("map_from_arrays(array, array)", "map_from_arrays",
                           [](const std::vector<Word>& keys, const std::vector<Number>& values) {
                             if (keys.size() != values.size()) throw Failure();
                             Table map;
                             for (std::size_t i = 0; i < keys.size(); ++i) {
                               if (!keys[i]) throw Failure();
                               map.emplace_back(*keys[i], values[i]);
                             }
                             return checked(map);
                           }));
  using Pair = std::pair<Word, Number>;
  oracles.push_back(
      oracle("map_from_entries(array<struct>)", "map_from_entries",
             [](const std::vector<std::optional<Pair>>& entries) -> std::optional<Table> {
               Table map;
               if (std::ranges::any_of(entries, [](const auto& e) { return !e; }))
                 return std::nullopt;
               for (const auto& each : entries) {
                 if (!each->first) throw Failure();
                 map.emplace_back(*each->first, each->second);
               }
               return checked(map);
             }));
  oracles.push_back(
      oracle("map_concat(map, ...)", "map_concat", [](Table left, const Table& right) {
        left.insert(left.end(), right.begin(), right.end());
        return checked(left);
      }));
}

void add_lambdas(Oracles& oracles) {
  oracles.push_back(oracle(
      "map_filter(map, (key, value) -> boolean)",
      [](const std::vector<Expr>& c) {
        return map_filter(c[0], [&](const Expr& key, const Expr& value) {
          return value > lit(0) || key == c[1];
        });
      },
      [](Table map, const Word& wanted) {
        std::erase_if(map, [&](const Entry& each) {
          return !(each.second && *each.second > 0) && !(wanted && each.first == *wanted);
        });
        return map;
      }));
  oracles.push_back(oracle(
      "transform_values(map, (key, value) -> value)",
      [](const std::vector<Expr>& c) {
        return transform_values(c[0], [](const Expr& key, const Expr& value) {
          return concat({key, value});
        });
      },
      [](const Table& map) {
        Map<Text, Text> result;
        for (const auto& [key, value] : map)
          result.emplace_back(key, value ? Word(key + std::to_string(*value)) : std::nullopt);
        return result;
      }));
  oracles.push_back(oracle(
      "transform_keys(map, (key, value) -> key)",
      [](const std::vector<Expr>& c) {
        return transform_keys(c[0], [](const Expr& key, const Expr&) {
          return call("substring", {key, lit(1), lit(2)}).cast(TypeKind::kBytes);
        });
      },
      [](const Table& map) {
        Map<Bytes, Int> result;
        for (const auto& [key, value] : map) {
          std::size_t size = 0;  // of two characters
          for (int i = 0; i < 2 && size < key.size(); ++i)
            for (++size;
                 size < key.size() && (static_cast<unsigned char>(key[size]) & 0xC0) == 0x80;)
              ++size;
          const Bytes front{key.substr(0, size)};
          for (const auto& [other, ignored] : result)
            if (other == front) throw Failure();
          result.emplace_back(front, value);
        }
        return result;
      }));
  oracles.push_back(oracle(
      "map_zip_with(map, map, (key, left, right) -> value)",
      [](const std::vector<Expr>& c) {
        return map_zip_with(c[0], c[1], [](const Expr& key, const Expr& left, const Expr& right) {
          return concat({key, coalesce({left, right, lit(0)})});
        });
      },
      [](const Table& left, const Table& right) {
        Map<Text, Text> result;
        const auto add = [&](const Text& key) {
          const Number* first = find(left, key);
          const Number* second = find(right, key);
          const Int value = first != nullptr && *first     ? **first
                            : second != nullptr && *second ? **second
                                                           : 0;
          result.emplace_back(key, key + std::to_string(value));
        };
        for (const Entry& each : left) add(each.first);
        for (const Entry& each : right)
          if (find(left, each.first) == nullptr) add(each.first);
        return result;
      }));
}

void add_structs(Oracles& oracles) {
  using Record = std::pair<Number, Word>;
  oracles.push_back(oracle(
      "named_struct(name, value, ...)",
      [](const std::vector<Expr>& c) {
        return call("named_struct", {lit("a"), c[0], lit("b"), c[1]});
      },
      [](const Number& a, const Word& b) {
        return Record{a, b};
      }));
  oracles.push_back(oracle(
      "struct(value, ...)",
      [](const std::vector<Expr>& c) {
        return call("struct", {c[0].as("a"), c[1].as("b")});
      },
      [](const Number& a, const Word& b) {
        return Record{a, b};
      }));
  oracles.push_back(oracle(
      "field(struct, name)",
      [](const std::vector<Expr>& c) {
        return call("field", {c[0], lit("b")});
      },
      [](const Record& record) { return record.second; }));
  oracles.push_back(oracle(
      "field(array<struct>, name)",
      [](const std::vector<Expr>& c) {
        return call("field", {c[0], lit("a")});
      },
      [](const std::vector<std::optional<Record>>& records) {
        std::vector<Number> result;
        for (const auto& each : records) result.push_back(each ? each->first : std::nullopt);
        return result;
      }));
}

}  // namespace

Oracles map_oracles() {
  Oracles oracles;
  add_access(oracles);
  add_making(oracles);
  add_lambdas(oracles);
  add_structs(oracles);
  return oracles;
}

}  // namespace millrace::property
