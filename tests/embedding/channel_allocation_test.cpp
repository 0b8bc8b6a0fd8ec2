#include "millrace/channel.hpp"
#include "millrace/clock.hpp"
#include "millrace/typed.hpp"

#include "stream/host_table.hpp"
#include "stream/sink.hpp"
#include "stream/source.hpp"
#include "tests/operators/allocation_counter.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

struct Order {
  std::int64_t id = 0;
  std::string_view note;
};
BOOST_DESCRIBE_STRUCT(Order, (), (id, note))

// The way of a row through both channels, without the query between them: handed in, read as a task
// reads, written as a task writes, received.
TEST(ChannelAllocation, NothingIsAllocatedOnceItIsWarm) {
  const SystemClock clock;
  ChannelSource orders("orders", fields_of<Order>());
  ChannelSink answers("answers");
  const auto source = orders.host()->open_source(clock).value();
  const auto partition = source->partitions().value().front();
  const auto reader = source->open_reader(partition, 0, {"id", "note"}).value();
  const auto sink = answers.host()->open_sink(reader->schema(), clock).value();
  sink->set_events({[](Epoch) {}, [](const Error&) {}, [] {}});
  auto writer = sink->open_writer(reader->schema()).value();
  const auto sender = ChannelSender<Order>::open(orders).value();
  BatchPool pool(reader->schema());

  const std::string note(300, 'x');
  const std::vector<Order> many(1'000, Order{1, note});
  const auto round = [&](std::size_t rows) {
    ASSERT_TRUE(sender.send(std::span<const Order>(many).first(rows)));
    for (std::size_t left = rows; left > 0;) {
      Batch batch = pool.take();
      ASSERT_EQ(reader->poll(batch, kBatchRowsMax, stream::kNoLimit), stream::PollOutcome::kRows);
      left -= batch.rows();
      ASSERT_TRUE(writer->is_ready());
      ASSERT_TRUE(writer->write(batch, Epoch(0)));
      const auto received = answers.try_receive();
      ASSERT_TRUE(received);
      ASSERT_EQ(received->rows().column(1).text(0), note);
    }
  };
  for (int warm_up = 0; warm_up < 50; ++warm_up) {
    round(1);
    round(1'000);
  }

  const std::int64_t before = allocation_count();
  for (int times = 0; times < 100; ++times) {
    round(1);
    round(1'000);
  }
  EXPECT_EQ(allocation_count() - before, 0);
  writer.reset();
  sink->close();
}

}  // namespace
}  // namespace millrace
