// The C++ of docs/embedding.md, so that it compiles as it is printed: a test compares the two.

#include "millrace/expression.hpp"
#include "millrace/session.hpp"
#include "millrace/test.hpp"
#include "millrace/typed.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace {

struct Order {
  std::int64_t id = 0;
  std::string_view account;
  double price = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (id, account, price))

struct Priced {
  std::int64_t id = 0;
  double twice = 0;
};
BOOST_DESCRIBE_STRUCT(Priced, (), (id, twice))

TEST(DocumentedCode, HandsRowsInAndTakesThemBack) {
  millrace::Session session;
  millrace::ChannelSource orders("orders", millrace::fields_of<Order>());
  millrace::ChannelSink answers("answers");
  auto query = session.read_stream(orders)
                   .where(millrace::col("price") > millrace::lit(10.0))
                   .write_stream()
                   .to(answers)
                   .start();

  auto sender = millrace::ChannelSender<Order>::open(orders);
  auto number = sender->send(Order{1, "alpha", 99.5});  // waits for room
  auto received = answers.receive();                    // waits for rows

  ASSERT_TRUE(query) << query.error().message;
  ASSERT_TRUE(number) << number.error().message;
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(received->rows().column(1).text(0), "alpha");
  { const millrace::ReceivedRows seen = std::move(*received); }  // delivered when it is dropped
  EXPECT_TRUE(query->stop());
}

TEST(DocumentedCode, RunsFunctionsOverStructs) {
  millrace::Session session;
  millrace::ChannelSource orders("orders", millrace::fields_of<Order>());
  millrace::ChannelSink answers("answers");

  auto priced = session.read_stream(orders)
                    .as<Order>()
                    .filter([](const Order& order) { return order.price > 0; })
                    .map([](const Order& order) {
                      return Priced{order.id, 2 * order.price};
                    });
  auto query = priced.frame()
                   .where(millrace::col("twice") < millrace::lit(100.0))
                   .write_stream()
                   .to(answers)
                   .start();

  ASSERT_TRUE(query) << query.error().message;
  EXPECT_TRUE(query->stop());
}

millrace::DataFrame my_job(const millrace::DataFrame& orders) {
  return orders.where(millrace::col("id") > millrace::lit(std::int64_t{0}));
}

TEST(DocumentedCode, TestsAJob) {
  millrace::test::TestBed bed;
  millrace::MemorySource orders("orders", {{"id", millrace::TypeKind::kInt64}});
  millrace::MemorySink checked("checked");
  auto query = my_job(bed.session().read_stream(orders)).write_stream().to(checked).start();
  ASSERT_TRUE(query) << query.error().message;

  ASSERT_TRUE(orders.add({millrace::Value::int64(7)}));
  ASSERT_TRUE(bed.run());  // until nothing is left to do
  EXPECT_EQ(checked.rows(), (std::vector<millrace::Row>{{millrace::Value::int64(7)}}));

  ASSERT_TRUE(bed.advance(std::chrono::seconds(5)));  // triggers look at the clock
  ASSERT_TRUE(bed.restart());                         // a crash, and again from the checkpoint
}

// Lines without what they are indented by: the page shows them at the margin.
std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  for (std::string line; std::getline(file, line);)
    text += line.substr(std::min(line.find_first_not_of(' '), line.size())) + "\n";
  return text;
}

TEST(DocumentedCode, IsWhatThePageShows) {
  const std::string here = text_of("tests/embedding/documented_code_test.cpp");
  const std::string page = text_of("docs/embedding.md");
  constexpr std::string_view kBegin = "\n```cpp\n";
  int pieces = 0;
  for (std::size_t at = 0; (at = page.find(kBegin, at)) != std::string::npos; ++pieces) {
    at += kBegin.size();
    const std::string code = page.substr(at, page.find("```\n", at) - at);
    EXPECT_NE(here.find(code), std::string::npos) << code;
  }
  EXPECT_EQ(pieces, 5);
}

}  // namespace
