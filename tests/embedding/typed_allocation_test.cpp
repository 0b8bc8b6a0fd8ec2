#include "millrace/typed.hpp"

#include "tests/operators/allocation_counter.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

struct Leg {
  std::string_view venue;
  std::optional<std::int32_t> lots;
};
BOOST_DESCRIBE_STRUCT(Leg, (), (venue, lots))

struct Deal {
  FixedDecimal<10, 2> price;
  Leg main;
  ListView<Leg> legs;
  MapView<std::string_view, std::int64_t> marks;
};
BOOST_DESCRIBE_STRUCT(Deal, (), (price, main, legs, marks))

// Views look at the columns where they lie, and what is written is added to columns that keep their
// memory.
TEST(TypedAllocation, NothingIsAllocatedForNestedViewsOnceItIsWarm) {
  BatchPool pool(make_schema(fields_of<Deal>()));
  const std::vector<std::size_t> places = {0, 1, 2, 3};
  Batch rows = pool.take();
  RowWriter<Deal> first;
  first.open(rows, 100, rows.arena());
  for (std::size_t row = 0; row < 100; ++row) first.write(row, Deal{{1250}, {"XETRA", 1}, {}, {}});
  rows.set_rows(100);
  for (std::int32_t element = 0; element < 3; ++element) {
    rows.column(2).child(0).child(0).append(std::string_view("a venue that is long enough"));
    rows.column(2).child(0).child(1).append(element);
    rows.column(2).child(0).append_struct();
    rows.column(3).child(0).append(std::string_view(element == 1 ? "wanted" : "other"));
    rows.column(3).child(1).append(std::int64_t{element});
  }
  for (ListEntry& entry : rows.column(2).values<ListEntry>()) entry = {0, 3};
  for (ListEntry& entry : rows.column(3).values<ListEntry>()) entry = {0, 3};

  RowReader<Deal> reader;
  RowWriter<Deal> writer;
  std::int64_t sum = 0;
  const auto round = [&] {
    Batch out = pool.take();
    ASSERT_TRUE(reader.open(rows, places));
    writer.open(out, 100, out.arena());
    for (std::size_t row = 0; row < 100; ++row) {
      const Deal deal = reader.read(row);
      for (const Leg& leg : deal.legs) sum += leg.lots.value_or(0);
      sum += deal.marks.find("wanted").value_or(0);
      writer.write(row, deal);
    }
    ASSERT_EQ(out.column(2).child(0).size(), 300U);
  };
  for (int warm_up = 0; warm_up < 5; ++warm_up) round();

  const std::int64_t before = allocation_count();
  for (int times = 0; times < 100; ++times) round();
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_EQ(sum, 105 * 100 * (0 + 1 + 2 + 1));
}

}  // namespace
}  // namespace millrace
