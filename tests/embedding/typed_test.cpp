#include "millrace/typed.hpp"

#include "millrace/expression.hpp"
#include "millrace/session.hpp"
#include "millrace/test.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace millrace {
namespace {

using test::TestBed;

struct Trade {
  std::int64_t id = 0;
  std::string_view symbol;
  std::optional<double> price;
};
BOOST_DESCRIBE_STRUCT(Trade, (), (id, symbol, price))

struct Priced {
  std::string_view symbol;
  std::string label;
  double twice = 0;
};
BOOST_DESCRIBE_STRUCT(Priced, (), (symbol, label, twice))

struct Letter {
  std::int64_t id = 0;
  std::string letter;
};
BOOST_DESCRIBE_STRUCT(Letter, (), (id, letter))

struct Times {
  std::chrono::sys_days day;
  std::chrono::sys_time<std::chrono::microseconds> at;
  std::optional<bool> flag;
  std::int32_t count = 0;
};
BOOST_DESCRIBE_STRUCT(Times, (), (day, at, flag, count))

struct Wrong {
  double id = 0;
};
BOOST_DESCRIBE_STRUCT(Wrong, (), (id))

struct Unknown {
  std::string_view symbl;
};
BOOST_DESCRIBE_STRUCT(Unknown, (), (symbl))

struct Leg {
  std::string_view venue;
  std::optional<std::int32_t> lots;
};
BOOST_DESCRIBE_STRUCT(Leg, (), (venue, lots))

using Price = FixedDecimal<10, 2>;

struct Deal {
  Price price;
  Leg main;
  std::optional<Leg> hedge;
  ListView<Leg> legs;
  ListView<std::optional<std::int64_t>> marks;
  MapView<std::string_view, Price> fees;
};
BOOST_DESCRIBE_STRUCT(Deal, (), (price, main, hedge, legs, marks, fees))

struct StrictMarks {
  ListView<std::int64_t> marks;
};
BOOST_DESCRIBE_STRUCT(StrictMarks, (), (marks))

struct WrongLeg {
  std::string_view venue;
};
BOOST_DESCRIBE_STRUCT(WrongLeg, (), (venue))

struct WrongDeal {
  std::vector<WrongLeg> legs;
};
BOOST_DESCRIBE_STRUCT(WrongDeal, (), (legs))

struct Made {
  Price twice;
  Leg main;
  std::optional<Leg> hedge;
  ListView<Leg> legs;
  std::vector<std::string> venues;
  std::map<std::string, std::vector<std::int32_t>> lots;
};
BOOST_DESCRIBE_STRUCT(Made, (), (twice, main, hedge, legs, venues, lots))

class Typed : public testing::Test {
 protected:
  Row trade(std::int64_t id, const char* symbol, std::optional<double> price) {
    return {Value::int64(id), Value::string(symbol),
            price ? Value::real(*price) : Value::null(TypeKind::kDouble), Value::int32(0)};
  }
  void start(const DataFrame& rows) {
    const auto query = rows.write_stream().to(sink).start();
    ASSERT_TRUE(query) << query.error().message;
    last = *query;
  }
  std::string refusal(const DataFrame& rows) {
    const auto query = rows.write_stream().to(sink).start();
    return query ? "" : query.error().message;
  }

  TestBed bed;
  MemorySource trades{"trades",
                      {{"id", TypeKind::kInt64},
                       {"symbol", TypeKind::kString},
                       {"price", TypeKind::kDouble},
                       {"other", TypeKind::kInt32}}};
  MemorySink sink{"sink"};
  DataFrame frame = bed.session().read_stream(trades);
  std::optional<Query> last;
};

TEST_F(Typed, MapsFiltersAndGoesOnAsAFrame) {
  start(frame.as<Trade>()
            .filter([](const Trade& one) { return one.price.has_value(); })
            .map([](const Trade& one) {
              return Priced{one.symbol, "nr " + std::to_string(one.id), 2 * *one.price};
            })
            .frame()
            .where(col("twice") > lit(3.0))
            .select({"label", "symbol"}));
  ASSERT_TRUE(trades.add_rows(
      {trade(1, "ACME", 1.0), trade(2, "BOLT", std::nullopt), trade(3, "CUBE", 2.5)}));
  ASSERT_TRUE(bed.run());

  const std::vector<Row> expected = {{Value::string("nr 3"), Value::string("CUBE")}};
  EXPECT_EQ(sink.rows(), expected);
}

TEST_F(Typed, TakesTheRowsOfAUnion) {
  MemorySource others{"others",
                      {{"id", TypeKind::kInt64},
                       {"symbol", TypeKind::kString},
                       {"price", TypeKind::kDouble},
                       {"other", TypeKind::kInt32}}};
  start(frame.union_all(bed.session().read_stream(others))
            .as<Trade>()
            .map([](const Trade& one) {
              return Letter{one.id, std::string(one.symbol)};
            })
            .frame());
  ASSERT_TRUE(trades.add(trade(1, "ACME", 1.0)));
  ASSERT_TRUE(others.add(trade(2, "BOLT", std::nullopt)));
  ASSERT_TRUE(bed.run());

  std::vector<Row> rows = sink.rows();
  std::ranges::sort(rows, {}, [](const Row& row) { return std::get<std::int64_t>(row[0].data); });
  const std::vector<Row> expected = {{Value::int64(1), Value::string("ACME")},
                                     {Value::int64(2), Value::string("BOLT")}};
  EXPECT_EQ(rows, expected);
}

TEST_F(Typed, FlatMapMakesAnyNumberOfRows) {
  start(frame.where(col("id") != lit(2))
            .as<Trade>()
            .flat_map<Letter>([](const Trade& one, Collector<Letter>& out) {
              for (const char letter : one.symbol) out({one.id, std::string(1, letter)});
            })
            .frame());
  ASSERT_TRUE(trades.add_rows(
      {trade(1, "AB", 1.0), trade(2, "NO", 1.0), trade(3, "", 1.0), trade(4, "C", std::nullopt)}));
  ASSERT_TRUE(bed.run());

  const std::vector<Row> expected = {{Value::int64(1), Value::string("A")},
                                     {Value::int64(1), Value::string("B")},
                                     {Value::int64(4), Value::string("C")}};
  EXPECT_EQ(sink.rows(), expected);
}

TEST_F(Typed, FlatMapMakesMoreRowsThanABatchHolds) {
  start(frame.as<Trade>()
            .flat_map<Letter>([](const Trade& one, Collector<Letter>& out) {
              for (int i = 0; i < 3'000; ++i) out({one.id, one.symbol.data() + std::to_string(i)});
            })
            .frame());
  ASSERT_TRUE(trades.add_rows({trade(1, "A", 1.0), trade(2, "B", 1.0)}));
  ASSERT_TRUE(bed.run());

  const std::vector<Row> rows = sink.rows();
  ASSERT_EQ(rows.size(), 6'000U);
  EXPECT_EQ(rows[1'024], (Row{Value::int64(1), Value::string("A1024")}));
  EXPECT_EQ(rows[5'999], (Row{Value::int64(2), Value::string("B2999")}));
}

TEST_F(Typed, MapBatchSeesTheWholeBatch) {
  start(frame.as<Trade>()
            .map_batch<Letter>([](std::span<const Trade> all, Collector<Letter>& out) {
              out({static_cast<std::int64_t>(all.size()), std::string(all.back().symbol)});
            })
            .frame());
  ASSERT_TRUE(trades.add_rows({trade(1, "A", 1.0), trade(2, "B", 1.0)}));
  ASSERT_TRUE(bed.run());

  EXPECT_EQ(sink.rows(), std::vector<Row>({{Value::int64(2), Value::string("B")}}));
}

TEST_F(Typed, ReadsAndWritesDatesTimesAndNulls) {
  MemorySource source("times", {{"count", TypeKind::kInt32},
                                {"flag", TypeKind::kBoolean},
                                {"at", TypeKind::kTimestamp},
                                {"day", TypeKind::kDate}});
  start(bed.session()
            .read_stream(source)
            .as<Times>()
            .map([](Times one) {
              one.day += std::chrono::days(1);
              one.at += std::chrono::microseconds(1);
              if (one.flag) one.flag = !*one.flag;
              return one;
            })
            .frame());
  ASSERT_TRUE(source.add_rows(
      {{Value::int32(1), Value::boolean(true), Value::timestamp(1'000), Value::date(10)},
       {Value::int32(2), Value::null(TypeKind::kBoolean), Value::timestamp(2'000),
        Value::date(20)}}));
  ASSERT_TRUE(bed.run());

  const std::vector<Row> expected = {
      {Value::date(11), Value::timestamp(1'001), Value::boolean(false), Value::int32(1)},
      {Value::date(21), Value::timestamp(2'001), Value::null(TypeKind::kBoolean), Value::int32(2)}};
  EXPECT_EQ(sink.rows(), expected);
  EXPECT_EQ(sink.schema().to_string(), "day date, at timestamp, flag boolean, count int");
}

TEST_F(Typed, NamesTheFieldAndBothTypesWhenTheRowsDoNotFit) {
  const auto same = [](const auto& row) { return row; };
  EXPECT_EQ(refusal(frame.as<Wrong>().map(same).frame()),
            "Wrong.id is double, the column is bigint: cast one to the other");
  EXPECT_EQ(refusal(frame.as<Unknown>().map(same).frame()),
            "Unknown.symbl is string, the rows have no such column; did you mean symbol?");
}

TEST_F(Typed, FailsOnANullInAMemberThatIsNeverNull) {
  MemorySource source("letters", {{"id", TypeKind::kInt64}, {"letter", TypeKind::kString}});
  start(bed.session()
            .read_stream(source)
            .as<Letter>()
            .filter([](const Letter&) { return true; })
            .frame());
  ASSERT_TRUE(source.add({Value::null(TypeKind::kInt64), Value::string("A")}));
  ASSERT_TRUE(bed.run());
  ASSERT_TRUE(last->exception());
  EXPECT_EQ(last->exception()->message,
            "Letter.id is null in row 0 of a batch: make it a std::optional, or drop such rows "
            "before");
}

TEST_F(Typed, FailsTheQueryWithWhatAFunctionThrows) {
  start(frame.as<Trade>()
            .filter([](const Trade&) -> bool { throw std::runtime_error("out of patience"); })
            .frame());
  ASSERT_TRUE(trades.add(trade(1, "A", 1.0)));
  ASSERT_TRUE(bed.run());
  ASSERT_TRUE(last->exception());
  EXPECT_EQ(last->exception()->message, "filter over Trade threw: out of patience");
}

const DataType kLegType =
    DataType::structure({{"venue", TypeKind::kString}, {"lots", TypeKind::kInt32}});
const std::vector<Field> kDealFields = {
    {"price", DataType::decimal(10, 2)},
    {"main", kLegType},
    {"hedge", kLegType},
    {"legs", DataType::array(kLegType)},
    {"marks", DataType::array(TypeKind::kInt64)},
    {"fees", DataType::map(TypeKind::kString, DataType::decimal(10, 2))}};

Value leg(const char* venue, std::optional<std::int32_t> lots) {
  return Value::structure({{"venue", Value::string(venue)},
                           {"lots", lots ? Value::int32(*lots) : Value::null(TypeKind::kInt32)}});
}
Row deal(std::int64_t price, Value hedge, std::vector<Value> legs) {
  return {Value::decimal(price, 10, 2),
          leg("XETRA", 1),
          std::move(hedge),
          Value::array(kLegType, std::move(legs)),
          Value::array(TypeKind::kInt64, {Value::int64(5), Value::null(TypeKind::kInt64)}),
          Value::map(TypeKind::kString, DataType::decimal(10, 2),
                     {{Value::string("tax"), Value::decimal(7, 10, 2)}})};
}

TEST_F(Typed, DescribesWhatIsNestedAsColumns) {
  EXPECT_EQ(fields_of<Deal>(), kDealFields);
  EXPECT_EQ(MemberType<decltype(Made::lots)>::type().to_string(), "map<string, array<int>>");
}

TEST_F(Typed, ReadsAndMakesStructsListsMapsAndDecimals) {
  MemorySource deals("deals", kDealFields);
  start(bed.session()
            .read_stream(deals)
            .as<Deal>()
            .map([](const Deal& one) {
              Made made;
              made.twice.unscaled = 2 * one.price.unscaled + one.fees.find("tax")->unscaled;
              made.main = one.main;
              made.hedge = one.hedge;
              made.legs = one.legs;
              for (const Leg& each : one.legs) made.venues.emplace_back(each.venue);
              made.lots["known"] = {};
              for (const Leg& each : one.legs)
                if (each.lots) made.lots["known"].push_back(*each.lots);
              for (const auto& mark : one.marks)
                if (!mark) made.lots["unmarked"].push_back(0);
              return made;
            })
            .frame());
  const std::vector<Value> legs = {leg("A", 3), leg("B", std::nullopt)};
  ASSERT_TRUE(deals.add(deal(1250, Value::null(kLegType), legs)));
  ASSERT_TRUE(deals.add(deal(-1, leg("H", 9), {})));
  ASSERT_TRUE(bed.run());

  const auto list = [](std::vector<Value> values) {
    return Value::array(TypeKind::kInt32, std::move(values));
  };
  const auto lots = [&](std::vector<Value> known) {
    return Value::map(TypeKind::kString, DataType::array(TypeKind::kInt32),
                      {{Value::string("known"), list(std::move(known))},
                       {Value::string("unmarked"), list({Value::int32(0)})}});
  };
  const std::vector<Row> expected = {
      {Value::decimal(2507, 10, 2), leg("XETRA", 1), Value::null(kLegType),
       Value::array(kLegType, legs),
       Value::array(TypeKind::kString, {Value::string("A"), Value::string("B")}),
       lots({Value::int32(3)})},
      {Value::decimal(5, 10, 2), leg("XETRA", 1), leg("H", 9), Value::array(kLegType, {}),
       Value::array(TypeKind::kString, {}), lots({})}};
  EXPECT_EQ(sink.rows(), expected);
}

TEST_F(Typed, ANullInsideWhereNoneMayBeFailsTheQuery) {
  MemorySource deals("deals", kDealFields);
  start(bed.session()
            .read_stream(deals)
            .as<StrictMarks>()
            .filter([](const StrictMarks&) { return true; })
            .frame());
  ASSERT_TRUE(deals.add(deal(1, leg("H", 9), {})));
  ASSERT_TRUE(bed.run());

  ASSERT_TRUE(last->exception());
  EXPECT_NE(last->exception()->message.find(
                "StrictMarks.marks (inside) is null in row 0 of a batch: make it a std::optional"),
            std::string::npos)
      << last->exception()->message;
}

TEST_F(Typed, RefusesNestedTypesThatDifferNamingBoth) {
  MemorySource deals("deals", kDealFields);
  EXPECT_EQ(refusal(bed.session()
                        .read_stream(deals)
                        .as<WrongDeal>()
                        .filter([](const WrongDeal&) { return true; })
                        .frame()),
            "WrongDeal.legs is array<struct<venue: string>>, the column is array<struct<venue: "
            "string, lots: int>>: cast one to the other");
}

TEST_F(Typed, SaysInThePlanWhatIsNotReproducible) {
  const auto positive = [](const Trade& one) { return one.id > 0; };
  const auto plan = frame.as<Trade>()
                        .filter(reproducible(positive))
                        .filter(positive)
                        .write_stream()
                        .to(sink)
                        .explain();
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_NE(plan->find("filter in C++ over Trade: id bigint, symbol string, price double\n"),
            std::string::npos)
      << *plan;
  EXPECT_NE(plan->find("      not declared reproducible\n"), std::string::npos) << *plan;
  EXPECT_EQ(plan->find("not declared"), plan->rfind("not declared")) << *plan;
}

TEST_F(Typed, GivesEachTaskAFunctionOfItsOwn) {
  MemorySource source("numbers", {{"id", TypeKind::kInt64}, {"letter", TypeKind::kString}}, 2);
  start(bed.session()
            .read_stream(source)
            .as<Letter>()
            .map([count = std::int64_t{0}](const Letter& one) mutable {
              return Letter{++count, one.letter};
            })
            .frame());
  for (const std::int32_t partition : {0, 1})
    ASSERT_TRUE(source.add({Value::int64(0), Value::string("A")}, partition));
  ASSERT_TRUE(bed.run());

  const Row first = {Value::int64(1), Value::string("A")};
  EXPECT_EQ(sink.rows(), (std::vector<Row>{first, first}));
}

}  // namespace
}  // namespace millrace
