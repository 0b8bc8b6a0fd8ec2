#include "millrace/channel.hpp"

#include "millrace/data_frame.hpp"
#include "millrace/expression.hpp"
#include "millrace/session.hpp"
#include "millrace/test.hpp"
#include "millrace/typed.hpp"

#include <gtest/gtest.h>

#include <future>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace millrace {
namespace {

using test::TestBed;

struct Order {
  std::int64_t id = 0;
  std::string_view symbol;
};
BOOST_DESCRIBE_STRUCT(Order, (), (id, symbol))

std::vector<Field> order_fields() {
  return {{"id", TypeKind::kInt64}, {"symbol", TypeKind::kString}};
}

Row order(std::int64_t id, const char* symbol) { return {Value::int64(id), Value::string(symbol)}; }

std::vector<std::int64_t> ids_of(const ReceivedRows& received) {
  std::vector<std::int64_t> ids;
  for (std::size_t row = 0; row < received.rows().rows(); ++row)
    ids.push_back(received.rows().column(0).value<std::int64_t>(row));
  return ids;
}

// -- on one thread: every step is the test's
// --------------------------------------------------------

TEST(Channel, GivesAQueryWhatTheProgramHandsInAndTheProgramWhatTheQueryMakes) {
  TestBed bed;
  ChannelSource orders("orders", order_fields());
  ChannelSink answers("answers");
  const auto query = bed.session()
                         .read_stream(orders)
                         .where(col("id") > lit(1))
                         .write_stream()
                         .to(answers)
                         .start();
  ASSERT_TRUE(query) << query.error().message;

  EXPECT_EQ(orders.send(order(1, "ACME")), 0);
  EXPECT_EQ(orders.send_rows({order(2, "BOLT"), order(3, "ACME")}), 1);
  EXPECT_EQ(orders.next_sequence(), 3);
  EXPECT_EQ(orders.rows_waiting(), 3U);
  ASSERT_TRUE(bed.run());

  auto received = answers.try_receive();
  ASSERT_TRUE(received);
  ASSERT_EQ(received->rows().rows(), 2U);
  EXPECT_EQ(received->row(0), order(2, "BOLT"));
  EXPECT_EQ(received->row(1), order(3, "ACME"));
  EXPECT_EQ(orders.rows_waiting(), 0U);
  EXPECT_FALSE(answers.try_receive());
}

TEST(Channel, CommitsAnEpochOnceTheProgramHasTakenItsRows) {
  TestBed bed;
  ChannelSource orders("orders", order_fields());
  ChannelSink answers("answers");
  std::vector<std::int64_t> told;
  orders.on_committed([&told](std::int64_t up_to) { told.push_back(up_to); });
  const auto query = bed.session().read_stream(orders).write_stream().to(answers).start();
  ASSERT_TRUE(query);
  ASSERT_TRUE(orders.send_rows({order(1, "ACME"), order(2, "BOLT")}));
  ASSERT_TRUE(bed.run());
  auto received = answers.try_receive();

  const auto early = query->close_epoch();
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(orders.committed_up_to(), 0);

  received.reset();
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(orders.committed_up_to(), 2);
  EXPECT_EQ(told, std::vector<std::int64_t>{2});
  EXPECT_EQ(query->progress().rows_out, 2);
}

TEST(Channel, SaysWhereToGoOnAfterARestart) {
  TestBed bed;
  ChannelSource orders("orders", order_fields(), {.is_resent = true});
  ChannelSink answers("answers");
  const auto query = bed.session().read_stream(orders).write_stream().to(answers).start();
  ASSERT_TRUE(query);
  ASSERT_TRUE(orders.send(order(1, "ACME")));
  ASSERT_TRUE(bed.run());
  answers.try_receive().reset();
  ASSERT_TRUE(bed.close_epoch());
  ASSERT_TRUE(orders.send_rows({order(2, "ACME"), order(3, "ACME")}));
  ASSERT_TRUE(bed.run());

  ASSERT_TRUE(bed.restart());
  EXPECT_EQ(orders.next_sequence(), 1);
  EXPECT_EQ(orders.send(order(2, "ACME")), 1);
  ASSERT_TRUE(bed.run());

  const auto received = answers.try_receive();
  ASSERT_TRUE(received);
  EXPECT_EQ(ids_of(*received), std::vector<std::int64_t>{2});
}

TEST(Channel, GoesOnBehindWhatIsLostWhenNobodyHandsItInAgain) {
  TestBed bed;
  ChannelSource orders("orders", order_fields());
  ChannelSink answers("answers");
  const auto query = bed.session().read_stream(orders).write_stream().to(answers).start();
  ASSERT_TRUE(query);
  ASSERT_TRUE(orders.send_rows({order(1, "ACME"), order(2, "BOLT")}));
  ASSERT_TRUE(bed.run());
  // Closed, and not committed: the program never takes the rows.
  ASSERT_FALSE(query->close_epoch());

  ASSERT_TRUE(bed.restart());
  ASSERT_TRUE(orders.send(order(3, "ACME")));
  ASSERT_TRUE(bed.run());

  const auto received = answers.try_receive();
  ASSERT_TRUE(received);
  EXPECT_EQ(ids_of(*received), std::vector<std::int64_t>{3});
}

TEST(Channel, IsBoundedAndHasATryForm) {
  TestBed bed;
  ChannelSource orders("orders", order_fields(), {.rows_max = 3});
  ChannelSink answers("answers");
  const auto query = bed.session().read_stream(orders).write_stream().to(answers).start();
  ASSERT_TRUE(query);

  EXPECT_EQ(orders.try_send_rows({order(1, "A"), order(2, "B")}), 2U);
  EXPECT_EQ(orders.try_send_rows({order(3, "C"), order(4, "D")}), 1U);
  EXPECT_EQ(*orders.try_send(order(4, "D")), std::optional<std::int64_t>());
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(*orders.try_send(order(4, "D")), std::optional<std::int64_t>(3));
}

TEST(Channel, HoldsTheQueryBackWhileNobodyReceives) {
  TestBed bed({.batch_rows = 1});
  ChannelSource orders("orders", order_fields());
  ChannelSink answers("answers", {.batches_max = 2});
  const auto query = bed.session().read_stream(orders).write_stream().to(answers).start();
  ASSERT_TRUE(query);
  ASSERT_TRUE(orders.send_rows({order(1, "A"), order(2, "B"), order(3, "C"), order(4, "D")}));
  ASSERT_TRUE(bed.run());
  EXPECT_EQ(orders.rows_waiting(), 2U);

  std::vector<std::int64_t> all;
  while (auto received = answers.try_receive()) {
    for (const std::int64_t id : ids_of(*received)) all.push_back(id);
    ASSERT_TRUE(bed.run());
  }
  EXPECT_EQ(all, (std::vector<std::int64_t>{1, 2, 3, 4}));
}

TEST(Channel, RefusesRowsThatNoQueryReads) {
  ChannelSource orders("orders", order_fields());
  const auto sent = orders.send(order(1, "ACME"));
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(sent.error().message, "no query reads channel orders");
}

TEST(Channel, IsReadByOneQueryAtATime) {
  TestBed bed;
  ChannelSource orders("orders", order_fields());
  MemorySink first("first");
  MemorySink second("second");
  const DataFrame frame = bed.session().read_stream(orders);
  ASSERT_TRUE(frame.write_stream().to(first).start());
  const auto refused = frame.write_stream().to(second).start();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "channel orders is read by another query already");
}

TEST(Channel, ShowsInThePlanThatItIsNotReplayable) {
  TestBed bed;
  ChannelSource orders("orders", order_fields());
  MemorySink sink("sink");
  const auto plan = bed.session().read_stream(orders).write_stream().to(sink).explain();
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_NE(plan->find("source channel orders: id bigint, symbol string\n      not replayable: "),
            std::string::npos)
      << *plan;
}

TEST(Channel, CallsBackOnTheQuerysThread) {
  TestBed bed;
  ChannelSource orders("orders", order_fields());
  std::vector<std::string> symbols;
  ChannelRows<Order> rows;
  ChannelSink answers("answers", [&](const Batch& batch) {
    ASSERT_TRUE(
        rows.for_each(batch, [&symbols](const Order& one) { symbols.emplace_back(one.symbol); }));
  });
  const auto query = bed.session().read_stream(orders).write_stream().to(answers).start();
  ASSERT_TRUE(query);
  const auto sender = ChannelSender<Order>::open(orders);
  ASSERT_TRUE(sender);

  EXPECT_EQ(sender->send({7, "ACME"}), 0);
  EXPECT_EQ(sender->send({8, "BOLT"}), 1);
  ASSERT_TRUE(bed.close_epoch());

  EXPECT_EQ(symbols, (std::vector<std::string>{"ACME", "BOLT"}));
  EXPECT_EQ(orders.committed_up_to(), 2);
}

TEST(Channel, StopsTheQueryWithWhatACallbackThrows) {
  TestBed bed;
  ChannelSource orders("orders", order_fields());
  ChannelSink answers("answers", [](const Batch&) { throw std::runtime_error("no more"); });
  const auto query = bed.session().read_stream(orders).write_stream().to(answers).start();
  ASSERT_TRUE(query);
  ASSERT_TRUE(orders.send(order(1, "ACME")));
  ASSERT_TRUE(bed.run());
  ASSERT_TRUE(query->exception());
  EXPECT_EQ(query->exception()->message, "the callback of channel answers threw: no more");
}

// -- with the query's threads
// -----------------------------------------------------------------------

struct RunningJob {
  explicit RunningJob(ChannelSourceOptions source = {}, ChannelSinkOptions sink = {})
      : orders("orders", order_fields(), source), answers("answers", sink) {
    auto started = session.read_stream(orders).write_stream().to(answers).start();
    EXPECT_TRUE(started) << started.error().message;
    query = *started;
  }

  Session session;
  ChannelSource orders;
  ChannelSink answers;
  std::optional<Query> query;
};

TEST(ChannelThreads, AnswersARowThatAThreadWaitsFor) {
  RunningJob job;
  for (std::int64_t id = 0; id < 200; ++id) {
    ASSERT_EQ(job.orders.send(order(id, "ACME")), id);
    const auto received = job.answers.receive();
    ASSERT_TRUE(received) << received.error().message;
    ASSERT_EQ(ids_of(*received), std::vector<std::int64_t>{id});
  }
  EXPECT_TRUE(job.query->stop());
}

TEST(ChannelThreads, KeepsTheOrderOfEachOfSeveralSenders) {
  RunningJob job({.rows_max = 50}, {.batches_max = 4});
  constexpr std::int64_t kRows = 3'000;
  const auto send_all = [&job](std::int64_t first) {
    const auto sender = ChannelSender<Order>::open(job.orders);
    for (std::int64_t id = 0; id < kRows; ++id)
      if (!sender->send({first + id, "ACME"})) return;
  };
  std::vector<std::int64_t> low, high;
  {
    std::jthread first(send_all, 0);
    std::jthread second(send_all, 1'000'000);
    while (low.size() + high.size() < 2 * kRows) {
      const auto received = job.answers.receive();
      ASSERT_TRUE(received) << received.error().message;
      for (const std::int64_t id : ids_of(*received)) (id < 1'000'000 ? low : high).push_back(id);
    }
  }
  std::vector<std::int64_t> expected(kRows);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(low, expected);
  std::iota(expected.begin(), expected.end(), 1'000'000);
  EXPECT_EQ(high, expected);
  EXPECT_EQ(job.orders.next_sequence(), 2 * kRows);
  EXPECT_TRUE(job.query->close_epoch());
  EXPECT_EQ(job.orders.committed_up_to(), 2 * kRows);
  EXPECT_TRUE(job.query->stop());
}

TEST(ChannelThreads, FreesEveryoneWhoWaitsWhenTheQueryEnds) {
  RunningJob job({.rows_max = 1}, {.batches_max = 1});
  auto sent = std::async(std::launch::async, [&job] {
    Result<std::int64_t> result = 0;
    while (result) result = job.orders.send(order(1, "ACME"));
    return result.error();
  });
  // The channel is full on both sides once a row waits in it for long enough to be seen twice.
  while (job.orders.rows_waiting() == 0) std::this_thread::yield();
  job.query->abort();

  EXPECT_EQ(sent.get().code, ErrorCode::kUnavailable);
  const auto received = job.answers.receive();
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().code, ErrorCode::kCancelled);
}

TEST(ChannelThreads, ReceivesForABoundedTime) {
  RunningJob job;
  const auto nothing = job.answers.receive(std::chrono::milliseconds(1));
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(*nothing);
  ASSERT_TRUE(job.orders.send(order(5, "ACME")));
  const auto received = job.answers.receive(std::chrono::seconds(10));
  ASSERT_TRUE(received);
  ASSERT_TRUE(*received);
  EXPECT_EQ(ids_of(**received), std::vector<std::int64_t>{5});
}

TEST(ChannelThreads, LetsRowsOutliveTheirQuery) {
  std::optional<ReceivedRows> kept;
  {
    RunningJob job;
    ASSERT_TRUE(job.orders.send(order(5, "a text that is too long for the string itself")));
    auto received = job.answers.receive();
    ASSERT_TRUE(received);
    kept = std::move(*received);
    job.query->abort();
  }
  EXPECT_EQ(kept->rows().column(1).text(0), "a text that is too long for the string itself");
}

}  // namespace
}  // namespace millrace
