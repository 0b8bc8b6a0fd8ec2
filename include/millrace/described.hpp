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
//   std::chrono::sys_days               date
//   std::chrono::sys_time<microseconds> timestamp
//   std::optional<any of these>         the same       may be null; any other member never is

namespace millrace {

/// How a member's type is kept in a column. `Raw` is the column's own type.
template <typename Member>
struct MemberType {
  static constexpr bool kIsKnown = false;
};

/// For members whose value is the column's own.
template <typename Member, TypeKind Kind, typename RawType = Member>
struct PlainMemberType {
  static constexpr bool kIsKnown = true;
  static constexpr TypeKind kKind = Kind;
  using Raw = RawType;
  static Member read(const Raw& raw) { return static_cast<Member>(raw); }
  static Raw write(const Member& value, Arena& /*arena*/) { return static_cast<Raw>(value); }
};

template <>
struct MemberType<bool> : PlainMemberType<bool, TypeKind::kBoolean, std::uint8_t> {};
template <>
struct MemberType<std::int32_t> : PlainMemberType<std::int32_t, TypeKind::kInt32> {};
template <>
struct MemberType<std::int64_t> : PlainMemberType<std::int64_t, TypeKind::kInt64> {};
template <>
struct MemberType<double> : PlainMemberType<double, TypeKind::kDouble> {};
template <>
struct MemberType<std::string_view> : PlainMemberType<std::string_view, TypeKind::kString> {};

template <>
struct MemberType<std::string> {
  static constexpr bool kIsKnown = true;
  static constexpr TypeKind kKind = TypeKind::kString;
  using Raw = std::string_view;
  static std::string read(const Raw& raw) { return std::string(raw); }
  static Raw write(const std::string& value, Arena& arena) { return arena.store(value); }
};
template <>
struct MemberType<std::chrono::sys_days> {
  static constexpr bool kIsKnown = true;
  static constexpr TypeKind kKind = TypeKind::kDate;
  using Raw = std::int32_t;
  static std::chrono::sys_days read(Raw raw) {
    return std::chrono::sys_days(std::chrono::days(raw));
  }
  static Raw write(std::chrono::sys_days value, Arena& /*arena*/) {
    return static_cast<Raw>(value.time_since_epoch().count());
  }
};
template <>
struct MemberType<std::chrono::sys_time<std::chrono::microseconds>> {
  using Time = std::chrono::sys_time<std::chrono::microseconds>;
  static constexpr bool kIsKnown = true;
  static constexpr TypeKind kKind = TypeKind::kTimestamp;
  using Raw = std::int64_t;
  static Time read(Raw raw) { return Time(std::chrono::microseconds(raw)); }
  static Raw write(Time value, Arena& /*arena*/) { return value.time_since_epoch().count(); }
};

/// A member without its std::optional.
template <typename Member>
struct NullableMember {
  static constexpr bool kIsNullable = false;
  using Type = Member;
};
template <typename Member>
struct NullableMember<std::optional<Member>> {
  static constexpr bool kIsNullable = true;
  using Type = Member;
};

/// One member of a described struct: its descriptor, and what kind of column it is.
template <typename T, typename Descriptor>
struct DescribedMember {
  using Declared = std::remove_cvref_t<decltype(std::declval<T&>().*Descriptor::pointer)>;
  using Bare = typename NullableMember<Declared>::Type;
  using Type = MemberType<Bare>;
  static_assert(Type::kIsKnown, "a member of this type is no column: see millrace/described.hpp");
  static constexpr bool kIsNullable = NullableMember<Declared>::kIsNullable;
  using Raw = typename Type::Raw;

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
};
template <typename T>
using MembersOf = typename DescribedTuple<
    T, boost::describe::describe_members<T, boost::describe::mod_any_access>>::Type;

/// Whether T was described.
template <typename T>
concept Described = boost::describe::has_describe_members<T>::value;

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
    fields.push_back({member.name(), DataType(decltype(member)::Type::kKind)});
  });
  return fields;
}

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

/// The error for a null where a member is no std::optional.
[[nodiscard]] Error null_in(std::string_view owner, std::string_view member, std::size_t row);

/// Reads rows of batches as structs; text is viewed where it lies. For one batch after the other,
/// on one thread.
template <Described T>
class RowReader {
 public:
  /// Looks at a batch: column `places[i]` is member i. kBadRecord when one that is no std::optional
  /// is null somewhere. The batch is a borrow until the next call.
  [[nodiscard]] Status open(const Batch& rows, std::span<const std::size_t> places) {
    Status status;
    for_each_member<T>([&](auto index, auto member) {
      using Member = decltype(member);
      const Column& column = rows.column(places[index]);
      columns_[index] = &column;
      std::get<index>(raw_) = column.values<typename Member::Raw>().data();
      if constexpr (!Member::kIsNullable) {
        if (status && column.may_have_nulls()) status = check_none_null(column, Member::name());
      }
    });
    return status;
  }

  /// One row of it.
  [[nodiscard]] T read(std::size_t row) const {
    T result{};
    for_each_member<T>([&](auto index, auto member) {
      using Member = decltype(member);
      if constexpr (Member::kIsNullable) {
        if (columns_[index]->is_null(row)) return;
      }
      Member::of(result) = Member::Type::read(std::get<index>(raw_)[row]);
    });
    return result;
  }

 private:
  template <typename... Members>
  static std::tuple<const typename Members::Raw*...> pointers_of(const std::tuple<Members...>&);

  static Status check_none_null(const Column& column, std::string_view member) {
    for (std::size_t row = 0; row < column.size(); ++row)
      if (column.is_null(row)) return fail(null_in(name_of<T>(), member, row));
    return {};
  }

  decltype(pointers_of(std::declval<MembersOf<T>>())) raw_{};
  std::array<const Column*, std::tuple_size_v<MembersOf<T>>> columns_{};
};

/// Writes structs into the columns of a batch, whose column i is member i.
template <Described T>
class RowWriter {
 public:
  /// Makes room for so many rows; text that must be kept goes into `arena`, which comes along with
  /// the rows.
  void open(Batch& rows, std::size_t count, Arena& arena) {
    arena_ = &arena;
    for_each_member<T>([&](auto index, auto member) {
      Column& column = rows.column(index);
      column.resize(count);
      columns_[index] = &column;
      std::get<index>(raw_) = column.values<typename decltype(member)::Raw>().data();
    });
  }

  /// Sets one row. Views are kept as they are: what they point to must live as long as the batch.
  void write(std::size_t row, const T& value) {
    for_each_member<T>([&](auto index, auto member) {
      using Member = decltype(member);
      const auto& from = Member::of(value);
      if constexpr (Member::kIsNullable) {
        if (!from) return columns_[index]->set_null(row);
        std::get<index>(raw_)[row] = Member::Type::write(*from, *arena_);
      } else {
        std::get<index>(raw_)[row] = Member::Type::write(from, *arena_);
      }
    });
  }

 private:
  template <typename... Members>
  static std::tuple<typename Members::Raw*...> pointers_of(const std::tuple<Members...>&);

  decltype(pointers_of(std::declval<MembersOf<T>>())) raw_{};
  std::array<Column*, std::tuple_size_v<MembersOf<T>>> columns_{};
  Arena* arena_ = nullptr;
};

/// Adds a struct at the end of the columns of a batch, text and all. `places[i]` is the column of
/// member i.
template <Described T>
void append_row(const T& value, std::span<const std::size_t> places, Batch& to) {
  for_each_member<T>([&](auto index, auto member) {
    using Member = decltype(member);
    Column& column = to.column(places[index]);
    const auto append = [&](const auto& present) {
      auto raw = Member::Type::write(present, to.arena());
      if constexpr (std::is_same_v<typename Member::Bare, std::string_view>)
        raw = to.arena().store(raw);
      column.append(raw);
    };
    const auto& from = Member::of(value);
    if constexpr (Member::kIsNullable) {
      if (!from) return column.append_null();
      append(*from);
    } else {
      append(from);
    }
  });
}

}  // namespace millrace
