#include "millrace/column.hpp"

#include "millrace/value.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace millrace {
namespace {

std::vector<std::uint32_t> rows(std::initializer_list<std::uint32_t> list) { return list; }

TEST(Column, HoldsAppendedValuesAndNulls) {
  Column column(TypeKind::kInt32);
  column.append<std::int32_t>(7);
  column.append_null();
  column.append<std::int32_t>(9);

  EXPECT_EQ(column.size(), 3u);
  EXPECT_EQ(column.value<std::int32_t>(0), 7);
  EXPECT_FALSE(column.is_null(0));
  EXPECT_TRUE(column.is_null(1));
  EXPECT_EQ(column.value<std::int32_t>(2), 9);
  EXPECT_FALSE(column.is_null(2));
}

TEST(Column, KeepsValuesAndNullsWhileAppendsPassAWordOfTheBitmap) {
  Column column(TypeKind::kInt64);
  for (std::int64_t i = 0; i < 3000; ++i) {
    if (i % 3 == 0)
      column.append_null();
    else
      column.append<std::int64_t>(i);
  }

  for (std::int64_t i = 0; i < 3000; ++i) {
    const auto row = static_cast<std::size_t>(i);
    EXPECT_EQ(column.is_null(row), i % 3 == 0) << i;
    EXPECT_EQ(column.value<std::int64_t>(row), i % 3 == 0 ? 0 : i);
  }
}

TEST(Column, ForgetsNullsOnResize) {
  Column column(TypeKind::kDouble);
  column.resize(2);
  column.set_all_null();
  column.resize(2);

  EXPECT_FALSE(column.may_have_nulls());
  EXPECT_FALSE(column.is_null(1));
}

TEST(Column, ShowsAnEmptyTextUnderANull) {
  Column column(TypeKind::kString);
  column.append<std::string_view>("left behind");
  column.resize(0);
  column.resize(1);
  column.set_null(0);

  EXPECT_EQ(column.text(0), "");
}

TEST(Column, StartsWithEmptyTexts) {
  Column column(TypeKind::kString);
  column.resize(100);
  for (std::size_t row = 0; row < 100; ++row) EXPECT_EQ(column.text(row).size(), 0u);
}

TEST(Column, GathersRowsInPlaceWithTheirNulls) {
  Column column(TypeKind::kInt32);
  for (std::int32_t i = 0; i < 200; ++i) {
    if (i % 2 == 0)
      column.append_null();
    else
      column.append(i);
  }
  const auto kept = rows({1, 2, 63, 64, 65, 128, 199});
  column.gather(kept);

  ASSERT_EQ(column.size(), 7u);
  EXPECT_EQ(column.value<std::int32_t>(0), 1);
  EXPECT_TRUE(column.is_null(1));
  EXPECT_EQ(column.value<std::int32_t>(2), 63);
  EXPECT_TRUE(column.is_null(3));
  EXPECT_EQ(column.value<std::int32_t>(4), 65);
  EXPECT_TRUE(column.is_null(5));
  EXPECT_EQ(column.value<std::int32_t>(6), 199);
}

TEST(Column, GathersFromAnotherInAnyOrderWithRepeats) {
  Column source(TypeKind::kString);
  source.append<std::string_view>("zero");
  source.append_null();
  source.append<std::string_view>("two");
  Column target(TypeKind::kString);
  target.append_null();
  const auto wanted = rows({2, 1, 0, 2});
  target.gather_from(source, wanted);

  ASSERT_EQ(target.size(), 4u);
  EXPECT_EQ(target.text(0), "two");
  EXPECT_TRUE(target.is_null(1));
  EXPECT_EQ(target.text(2), "zero");
  EXPECT_EQ(target.text(3), "two");
}

TEST(Column, GathersNothingIntoNothing) {
  Column source(TypeKind::kBoolean);
  Column target(TypeKind::kBoolean);
  target.gather_from(source, {});
  EXPECT_EQ(target.size(), 0u);
  target.gather({});
  EXPECT_EQ(target.size(), 0u);
}

TEST(Column, CopiesAnArrayOfStructsRowByRow) {
  const DataType header =
      DataType::structure({{"key", TypeKind::kString}, {"value", TypeKind::kBytes}});
  Column source(DataType::array(header));
  source.append(ListEntry{0, 2});
  source.append(ListEntry{2, 0});
  source.append_null();
  Column& headers = source.child(0);
  headers.resize(2);
  headers.child(0).values<std::string_view>()[0] = "trace";
  headers.child(0).values<std::string_view>()[1] = "trace";
  headers.child(1).values<std::string_view>()[0] = "x";
  headers.child(1).set_null(1);

  Column copy(DataType::array(header));
  copy.append_from(source, 2);
  copy.append_from(source, 0);

  EXPECT_TRUE(copy.is_null(0));
  const auto entry = copy.value<ListEntry>(1);
  EXPECT_EQ(entry.length, 2u);
  EXPECT_EQ(copy.child(0).child(0).text(entry.offset + 1), "trace");
  EXPECT_EQ(copy.child(0).child(1).text(entry.offset), "x");
  EXPECT_TRUE(copy.child(0).child(1).is_null(entry.offset + 1));

  Column gathered(DataType::array(header));
  const auto wanted = rows({0, 0});
  gathered.gather_from(source, wanted);
  EXPECT_EQ(gathered.value<ListEntry>(1).length, 2u);
  EXPECT_EQ(gathered.child(0).child(1).text(0), "x");
  EXPECT_TRUE(gathered.child(0).child(1).is_null(1));
}

TEST(Column, MakesTheFieldsOfANullStructNull) {
  Column column(DataType::structure({{"a", TypeKind::kString}}));
  column.resize(2);
  column.set_null(1);

  EXPECT_TRUE(column.child(0).is_null(1));
  EXPECT_FALSE(column.child(0).is_null(0));
}

TEST(Column, TakesOverTheNullsOfAnother) {
  Column source(TypeKind::kInt32);
  source.resize(3);
  source.set_null(2);
  Column target(TypeKind::kDouble);
  target.resize(3);
  target.copy_validity(source);

  EXPECT_FALSE(target.is_null(0));
  EXPECT_TRUE(target.is_null(2));
}

/// Rows of [1, null], null, [], [4, 5, 6] in a map's values.
Column column_of_maps_of_arrays() {
  const DataType list = DataType::array(TypeKind::kInt32);
  const auto entry = [&](const char* key, std::vector<Value> elements) {
    return Value::map(TypeKind::kString, list,
                      {{Value::string(key), Value::array(TypeKind::kInt32, std::move(elements))}});
  };
  static const std::vector<Value> values = {
      entry("a", {Value::int32(1), Value::null(TypeKind::kInt32)}),
      Value::null(DataType::map(TypeKind::kString, list)), entry("c", {}),
      entry("d", {Value::int32(4), Value::int32(5), Value::int32(6)})};
  Column column(values[0].type);
  for (const Value& value : values) append_value(column, value);
  return column;
}

std::vector<std::string> texts_of(const Column& column) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < column.size(); ++row)
    texts.push_back(value_of(column, row).to_string());
  return texts;
}

TEST(Column, GathersOnlyWhatTheRowsReferTo) {
  const Column source = column_of_maps_of_arrays();
  Column target(source.type());

  target.gather_from(source, rows({3, 1, 0, 3}));

  EXPECT_EQ(texts_of(target),
            (std::vector<std::string>{"map('d', array[4, 5, 6])", "null",
                                      "map('a', array[1, null])", "map('d', array[4, 5, 6])"}));
  EXPECT_EQ(target.child(0).size(), 3u);
  EXPECT_EQ(target.child(1).child(0).size(), 8u);
}

TEST(Column, CopiesNestedRowsDeeplyByEveryWay) {
  const Column source = column_of_maps_of_arrays();
  const auto expected = texts_of(source);
  Column copied(source.type());
  Column appended(source.type());
  Column assigned(source.type());
  assigned.resize(4);

  copied.copy_from(source);
  for (std::size_t row = 0; row < 4; ++row) appended.append_from(source, row);
  for (std::size_t row = 0; row < 4; ++row) assigned.assign(3 - row, source, 3 - row);

  EXPECT_EQ(texts_of(copied), expected);
  EXPECT_EQ(texts_of(appended), expected);
  EXPECT_EQ(texts_of(assigned), expected);
}

TEST(Column, AssignsOverANull) {
  const Column source = column_of_maps_of_arrays();
  Column target(source.type());
  target.resize(2);
  target.set_all_null();

  target.assign(1, source, 0);

  EXPECT_EQ(texts_of(target), (std::vector<std::string>{"null", "map('a', array[1, null])"}));
}

TEST(Column, HoldsEmptyListsAfterAResize) {
  Column column = column_of_maps_of_arrays();

  column.resize(4);

  EXPECT_EQ(column.value<ListEntry>(3).length, 0u);
  EXPECT_EQ(column.child(1).size(), 0u);
}

}  // namespace
}  // namespace millrace
