#include "millrace/column.hpp"

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

}  // namespace
}  // namespace millrace
