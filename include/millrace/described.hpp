#pragma once

#include "millrace/batch.hpp"
#include "millrace/error.hpp"
#include "millrace/schema.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/members.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Structs of C++ as rows. A struct is described once, with Boost.Describe:
//
//     struct Trade {
//       std::int64_t id = 0;
//       std::string_view symbol;
//       std::optional<double> price;
//     };
//     BOOST_DESCRIBE_STRUCT(Trade, (), (id, symbol, price))
//
// A member is a column of its name:
//
//   member                              column         note
//   bool, int32_t, int64_t, double      boolean, int, bigint, double
//   std::string_view                    string         a view: nothing is copied
//   std::string                         string         a copy each time, for text that is made
//   std::span<const std::byte>          bytes          a view
//   std::chrono::sys_days               date
//   std::chrono::sys_time<microseconds> timestamp
//   FixedDecimal<p, s>                  decimal(p,s)
//   a described struct                  struct         its fields in the order of its members
//   ListView<E>, std::vector<E>         array<E>       a view, or a copy each time
//   MapView<K, V>, std::map<K, V>       map<K, V>      the same
//   std::optional<any of these>         the same       may be null; any other member never is
//
// Members of structs, elements, keys and values are of these types too. A view of a list or map
// reads from the batch when it is asked: it holds as long as the function's argument does.

namespace millrace {

/// A decimal of a column's own precision and scale: 12.50 as FixedDecimal<10, 2> is 1250.
template <int Precision, int Scale>
struct FixedDecimal {
  static_assert(Precision >= 1 && Precision <= 38 && Scale >= 0 && Scale <= Precision);
  Int128 unscaled = 0;

  friend constexpr auto operator<=>(const FixedDecimal&, const FixedDecimal&) = default;
};

/// Whether T was described.
template <typename T>
concept Described = boost::describe::has_describe_members<T>::value;

/// How a member's type is kept in columns. A known one has
///
///   static DataType type();
///   class Reader { void open(const Column&); Member read(std::size_t row) const; };
///   class Writer { void open(Column&, Arena&); void write(std::size_t row, const Member&); };
///   static void append(const Member&, Column&, Arena&, bool keeps_text);
///   static bool fits(const Column&, std::size_t row);
///   static bool always_fits(const Column&);
///
/// Readers and writers are for one batch at a time. `append` adds a row at the end and copies text
/// unless its bytes are kept by others. `fits`: the row, which is not null, has no null inside
/// where the member takes none.
template <typename Member>
struct MemberType {
  static constexpr bool kIsKnown = false;
};

/// For members that are one value of a column. `Derived` has `Raw`, the column's own type, `read`
/// and `write` between the two, and kKind.
template <typename Member, typename Derived, typename Raw>
struct ScalarMember {
  static constexpr bool kIsKnown = true;
  static DataType type() { return DataType(Derived::kKind); }

  class Reader {
   public:
    void open(const Column& column) { raw_ = column.values<Raw>().data(); }
    Member read(std::size_t row) const { return Derived::read(raw_[row]); }

   private:
    const Raw* raw_ = nullptr;
  };
  class Writer {
   public:
    void open(Column& column, Arena& arena) {
      raw_ = column.values<Raw>().data();
      arena_ = &arena;
    }
    void write(std::size_t row, const Member& value) { raw_[row] = Derived::write(value, *arena_); }

   private:
    Raw* raw_ = nullptr;
    Arena* arena_ = nullptr;
  };

  static void append(const Member& value, Column& column, Arena& arena, bool keeps_text) {
    Raw raw = Derived::write(value, arena);
    constexpr bool kIsView = std::is_same_v<Member, std::string_view> ||
                             std::is_same_v<Member, std::span<const std::byte>>;
    if constexpr (kIsView)
      if (!keeps_text) raw = arena.store(raw);
    column.append(raw);
  }
  static bool fits(const Column& /*column*/, std::size_t /*row*/) { return true; }
  static bool always_fits(const Column& /*column*/) { return true; }
};

/// For members whose value is the column's own.
template <typename Member, TypeKind Kind, typename Raw = Member>
struct PlainMember : ScalarMember<Member, PlainMember<Member, Kind, Raw>, Raw> {
  static constexpr TypeKind kKind = Kind;
  static Member read(const Raw& raw) { return static_cast<Member>(raw); }
  static Raw write(const Member& value, Arena& /*arena*/) { return static_cast<Raw>(value); }
};

template <>
struct MemberType<bool> : PlainMember<bool, TypeKind::kBoolean, std::uint8_t> {};
template <>
struct MemberType<std::int32_t> : PlainMember<std::int32_t, TypeKind::kInt32> {};
template <>
struct MemberType<std::int64_t> : PlainMember<std::int64_t, TypeKind::kInt64> {};
template <>
struct MemberType<double> : PlainMember<double, TypeKind::kDouble> {};
template <>
struct MemberType<std::string_view> : PlainMember<std::string_view, TypeKind::kString> {};

template <>
struct MemberType<std::span<const std::byte>>
    : ScalarMember<std::span<const std::byte>, MemberType<std::span<const std::byte>>,
                   std::string_view> {
  static constexpr TypeKind kKind = TypeKind::kBytes;
  static std::span<const std::byte> read(std::string_view raw) {
    return std::as_bytes(std::span(raw));
  }
  static std::string_view write(std::span<const std::byte> value, Arena& /*arena*/) {
    return {reinterpret_cast<const char*>(value.data()), value.size()};
  }
};

template <>
struct MemberType<std::string>
    : ScalarMember<std::string, MemberType<std::string>, std::string_view> {
  static constexpr TypeKind kKind = TypeKind::kString;
  static std::string read(std::string_view raw) { return std::string(raw); }
  static std::string_view write(const std::string& value, Arena& arena) {
    return arena.store(value);
  }
};
template <>
struct MemberType<std::chrono::sys_days>
    : ScalarMember<std::chrono::sys_days, MemberType<std::chrono::sys_days>, std::int32_t> {
  static constexpr TypeKind kKind = TypeKind::kDate;
  static std::chrono::sys_days read(std::int32_t raw) {
    return std::chrono::sys_days(std::chrono::days(raw));
  }
  static std::int32_t write(std::chrono::sys_days value, Arena& /*arena*/) {
    return static_cast<std::int32_t>(value.time_since_epoch().count());
  }
};
template <>
struct MemberType<std::chrono::sys_time<std::chrono::microseconds>>
    : ScalarMember<std::chrono::sys_time<std::chrono::microseconds>,
                   MemberType<std::chrono::sys_time<std::chrono::microseconds>>, std::int64_t> {
  using Time = std::chrono::sys_time<std::chrono::microseconds>;
  static constexpr TypeKind kKind = TypeKind::kTimestamp;
  static Time read(std::int64_t raw) { return Time(std::chrono::microseconds(raw)); }
  static std::int64_t write(Time value, Arena& /*arena*/) {
    return value.time_since_epoch().count();
  }
};
template <int Precision, int Scale>
struct MemberType<FixedDecimal<Precision, Scale>>
    : ScalarMember<FixedDecimal<Precision, Scale>, MemberType<FixedDecimal<Precision, Scale>>,
                   Decimal> {
  static DataType type() { return DataType::decimal(Precision, Scale); }
  static FixedDecimal<Precision, Scale> read(const Decimal& raw) { return {raw.unscaled}; }
  static Decimal write(const FixedDecimal<Precision, Scale>& value, Arena& /*arena*/) {
    return {value.unscaled};
  }
};

/// What may be null.
template <typename Member>
struct MemberType<std::optional<Member>> {
  static constexpr bool kIsKnown = MemberType<Member>::kIsKnown;
  static DataType type() { return MemberType<Member>::type(); }

  class Reader {
   public:
    void open(const Column& column) {
      column_ = &column;
      present_.open(column);
    }
    std::optional<Member> read(std::size_t row) const {
      if (column_->is_null(row)) return std::nullopt;
      return present_.read(row);
    }

   private:
    const Column* column_ = nullptr;
    typename MemberType<Member>::Reader present_;
  };
  class Writer {
   public:
    void open(Column& column, Arena& arena) {
      column_ = &column;
      present_.open(column, arena);
    }
    void write(std::size_t row, const std::optional<Member>& value) {
      if (!value) return column_->set_null(row);
      present_.write(row, *value);
    }

   private:
    Column* column_ = nullptr;
    typename MemberType<Member>::Writer present_;
  };

  static void append(const std::optional<Member>& value, Column& column, Arena& arena,
                     bool keeps_text) {
    if (!value) return column.append_null();
    MemberType<Member>::append(*value, column, arena, keeps_text);
  }
};

/// Whether rows of a column, null or not, can be a member that is declared so.
template <typename Member>
struct DeclaredMember {
  static bool fits(const Column& column, std::size_t row) {
    return !column.is_null(row) && MemberType<Member>::fits(column, row);
  }
  /// Told without looking at the rows.
  static bool always_fits(const Column& column) {
    return !column.may_have_nulls() && MemberType<Member>::always_fits(column);
  }
};
template <typename Member>
struct DeclaredMember<std::optional<Member>> {
  static bool fits(const Column& column, std::size_t row) {
    return column.is_null(row) || MemberType<Member>::fits(column, row);
  }
  static bool always_fits(const Column& column) { return MemberType<Member>::always_fits(column); }
};

/// One member of a described struct: its descriptor, and what kind of column it is.
template <typename T, typename Descriptor>
struct DescribedMember {
  using Declared = std::remove_cvref_t<decltype(std::declval<T&>().*Descriptor::pointer)>;
  using Type = MemberType<Declared>;
  static_assert(Type::kIsKnown, "a member of this type is no column: see millrace/described.hpp");

  static const char* name() { return Descriptor::name; }
  static const Declared& of(const T& row) { return row.*Descriptor::pointer; }
  static Declared& of(T& row) { return row.*Descriptor::pointer; }
};

/// The members of a described struct as a tuple type.
template <typename T, typename List>
struct DescribedTuple;
template <typename T, template <typename...> typename List, typename... Descriptors>
struct DescribedTuple<T, List<Descriptors...>> {
  using Type = std::tuple<DescribedMember<T, Descriptors>...>;
  using Readers = std::tuple<typename DescribedMember<T, Descriptors>::Type::Reader...>;
  using Writers = std::tuple<typename DescribedMember<T, Descriptors>::Type::Writer...>;
};
template <typename T>
using DescribedParts =
    DescribedTuple<T, boost::describe::describe_members<T, boost::describe::mod_any_access>>;
template <typename T>
using MembersOf = typename DescribedParts<T>::Type;

/// Calls `function` with an index constant and a member, for each member in order.
template <Described T, typename Function>
constexpr void for_each_member(Function&& function) {
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    (function(std::integral_constant<std::size_t, Index>(),
              std::tuple_element_t<Index, MembersOf<T>>()),
     ...);
  }(std::make_index_sequence<std::tuple_size_v<MembersOf<T>>>());
}

/// The columns that a described struct stands for.
template <Described T>
[[nodiscard]] std::vector<Field> fields_of() {
  std::vector<Field> fields;
  for_each_member<T>([&](auto, auto member) {
    fields.push_back({member.name(), decltype(member)::Type::type()});
  });
  return fields;
}

/// A struct within a struct.
template <Described T>
struct MemberType<T> {
  static constexpr bool kIsKnown = true;
  static DataType type() { return DataType::structure(fields_of<T>()); }

  class Reader {
   public:
    void open(const Column& column) {
      for_each_member<T>(
          [&](auto index, auto) { std::get<index>(members_).open(column.child(index)); });
    }
    T read(std::size_t row) const {
      T result{};
      for_each_member<T>([&](auto index, auto member) {
        decltype(member)::of(result) = std::get<index>(members_).read(row);
      });
      return result;
    }

   private:
    typename DescribedParts<T>::Readers members_;
  };
  class Writer {
   public:
    void open(Column& column, Arena& arena) {
      for_each_member<T>(
          [&](auto index, auto) { std::get<index>(members_).open(column.child(index), arena); });
    }
    void write(std::size_t row, const T& value) {
      for_each_member<T>([&](auto index, auto member) {
        std::get<index>(members_).write(row, decltype(member)::of(value));
      });
    }

   private:
    typename DescribedParts<T>::Writers members_;
  };

  static void append(const T& value, Column& column, Arena& arena, bool keeps_text) {
    for_each_member<T>([&](auto index, auto member) {
      decltype(member)::Type::append(decltype(member)::of(value), column.child(index), arena,
                                     keeps_text);
    });
    column.append_struct();
  }
  static bool fits(const Column& column, std::size_t row) {
    bool fits = true;
    for_each_member<T>([&](auto index, auto member) {
      using Declared = typename decltype(member)::Declared;
      fits = fits && DeclaredMember<Declared>::fits(column.child(index), row);
    });
    return fits;
  }
  static bool always_fits(const Column& column) {
    bool fits = true;
    for_each_member<T>([&](auto index, auto member) {
      using Declared = typename decltype(member)::Declared;
      fits = fits && DeclaredMember<Declared>::always_fits(column.child(index));
    });
    return fits;
  }
};

/// The elements of an array where they lie: each is made when it is asked for. Holds as long as
/// what it was read from.
template <typename Element>
class ListView {
 public:
  using Reader = typename MemberType<Element>::Reader;

  ListView() = default;
  ListView(const Reader& elements, ListEntry entry) : elements_(&elements), entry_(entry) {}

  [[nodiscard]] std::size_t size() const { return entry_.length; }
  [[nodiscard]] bool empty() const { return entry_.length == 0; }
  [[nodiscard]] Element operator[](std::size_t index) const {
    return elements_->read(entry_.offset + index);
  }

  class Iterator {
   public:
    Iterator(const ListView& list, std::size_t index) : list_(list), index_(index) {}
    Element operator*() const { return list_[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const ListView& list_;
    std::size_t index_;
  };
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size()}; }

 private:
  const Reader* elements_ = nullptr;
  ListEntry entry_;
};

/// The entries of a map where they lie, like ListView.
template <typename Key, typename Mapped>
class MapView {
 public:
  MapView() = default;
  MapView(ListView<Key> keys, ListView<Mapped> values) : keys_(keys), values_(values) {}

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] bool empty() const { return keys_.empty(); }
  /// In the order of the map's entries.
  [[nodiscard]] const ListView<Key>& keys() const { return keys_; }
  [[nodiscard]] const ListView<Mapped>& values() const { return values_; }
  /// The value of a key. Looks at one entry after the other.
  [[nodiscard]] std::optional<Mapped> find(const Key& key) const {
    for (std::size_t entry = 0; entry < size(); ++entry)
      if (keys_[entry] == key) return values_[entry];
    return std::nullopt;
  }

 private:
  ListView<Key> keys_;
  ListView<Mapped> values_;
};

/// What arrays and maps of any form share: `Derived` has `Parts`, the types of the elements, and
/// `append_elements`, which adds a value's elements to the column's children and says how many.
template <typename List, typename Derived, typename... Parts>
struct ListMember {
  static constexpr bool kIsKnown = (MemberType<Parts>::kIsKnown && ...);

  class Reader {
   public:
    void open(const Column& column) {
      lists_ = column.values<ListEntry>().data();
      [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (std::get<Index>(parts_).open(column.child(Index)), ...);
      }(std::index_sequence_for<Parts...>());
    }
    List read(std::size_t row) const {
      return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        return Derived::made(ListView<Parts>(std::get<Index>(parts_), lists_[row])...);
      }(std::index_sequence_for<Parts...>());
    }

   private:
    const ListEntry* lists_ = nullptr;
    std::tuple<typename MemberType<Parts>::Reader...> parts_;
  };
  class Writer {
   public:
    void open(Column& column, Arena& arena) {
      column_ = &column;
      arena_ = &arena;
    }
    void write(std::size_t row, const List& value) {
      const auto offset = static_cast<std::uint32_t>(column_->child(0).size());
      const std::uint32_t length = Derived::append_elements(value, *column_, *arena_, true);
      column_->template values<ListEntry>()[row] = {offset, length};
    }

   private:
    Column* column_ = nullptr;
    Arena* arena_ = nullptr;
  };

  static void append(const List& value, Column& column, Arena& arena, bool keeps_text) {
    const auto offset = static_cast<std::uint32_t>(column.child(0).size());
    column.append(ListEntry{offset, Derived::append_elements(value, column, arena, keeps_text)});
  }
  static bool fits(const Column& column, std::size_t row) {
    const auto entry = column.value<ListEntry>(row);
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return (part_fits<Parts>(column.child(Index), entry) && ...);
    }(std::index_sequence_for<Parts...>());
  }
  static bool always_fits(const Column& column) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return (DeclaredMember<Parts>::always_fits(column.child(Index)) && ...);
    }(std::index_sequence_for<Parts...>());
  }

 private:
  template <typename Part>
  static bool part_fits(const Column& elements, ListEntry entry) {
    for (std::size_t i = entry.offset; i < entry.offset + entry.length; ++i)
      if (!DeclaredMember<Part>::fits(elements, i)) return false;
    return true;
  }
};

template <typename List, typename Element>
struct ArrayMember : ListMember<List, MemberType<List>, Element> {
  static DataType type() { return DataType::array(MemberType<Element>::type()); }
  static std::uint32_t append_elements(const List& list, Column& column, Arena& arena,
                                       bool keeps_text) {
    for (auto&& element : list)
      MemberType<Element>::append(element, column.child(0), arena, keeps_text);
    return static_cast<std::uint32_t>(list.size());
  }
};
template <typename Element>
struct MemberType<ListView<Element>> : ArrayMember<ListView<Element>, Element> {
  static ListView<Element> made(ListView<Element> elements) { return elements; }
};
template <typename Element>
struct MemberType<std::vector<Element>> : ArrayMember<std::vector<Element>, Element> {
  static std::vector<Element> made(ListView<Element> elements) {
    std::vector<Element> result;
    result.reserve(elements.size());
    for (auto&& element : elements) result.push_back(std::move(element));
    return result;
  }
};

template <typename Key, typename Mapped>
struct MemberType<MapView<Key, Mapped>>
    : ListMember<MapView<Key, Mapped>, MemberType<MapView<Key, Mapped>>, Key, Mapped> {
  static DataType type() {
    return DataType::map(MemberType<Key>::type(), MemberType<Mapped>::type());
  }
  static MapView<Key, Mapped> made(ListView<Key> keys, ListView<Mapped> values) {
    return {keys, values};
  }
  static std::uint32_t append_elements(const MapView<Key, Mapped>& map, Column& column,
                                       Arena& arena, bool keeps_text) {
    for (std::size_t entry = 0; entry < map.size(); ++entry) {
      MemberType<Key>::append(map.keys()[entry], column.child(0), arena, keeps_text);
      MemberType<Mapped>::append(map.values()[entry], column.child(1), arena, keeps_text);
    }
    return static_cast<std::uint32_t>(map.size());
  }
};
template <typename Key, typename Mapped>
struct MemberType<std::map<Key, Mapped>>
    : ListMember<std::map<Key, Mapped>, MemberType<std::map<Key, Mapped>>, Key, Mapped> {
  static DataType type() {
    return DataType::map(MemberType<Key>::type(), MemberType<Mapped>::type());
  }
  static std::map<Key, Mapped> made(ListView<Key> keys, ListView<Mapped> values) {
    std::map<Key, Mapped> result;
    for (std::size_t entry = 0; entry < keys.size(); ++entry)
      result.insert_or_assign(keys[entry], values[entry]);
    return result;
  }
  static std::uint32_t append_elements(const std::map<Key, Mapped>& map, Column& column,
                                       Arena& arena, bool keeps_text) {
    for (const auto& [key, value] : map) {
      MemberType<Key>::append(key, column.child(0), arena, keeps_text);
      MemberType<Mapped>::append(value, column.child(1), arena, keeps_text);
    }
    return static_cast<std::uint32_t>(map.size());
  }
};

/// The struct's name as the source spells it, for messages.
template <typename T>
[[nodiscard]] std::string_view name_of() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  const std::size_t colon = text.rfind(':');
  return colon == std::string_view::npos ? text : text.substr(colon + 1);
}

/// For each field wanted, the place of the column of that name. kInvalidArgument names the field
/// and both types, or the nearest column; `owner` is what wants them.
[[nodiscard]] Result<std::vector<std::size_t>> match_columns(std::string_view owner,
                                                             const std::vector<Field>& wanted,
                                                             const std::vector<Field>& columns);

/// The error for a null where a member, or what is within it, is no std::optional.
[[nodiscard]] Error null_in(std::string_view owner, std::string_view member, std::size_t row);

}  // namespace millrace
