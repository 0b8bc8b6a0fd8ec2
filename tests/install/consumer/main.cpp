#include <millrace/channel.hpp>
#include <millrace/sql.hpp>
#include <millrace/test.hpp>
#include <millrace/typed.hpp>

// Uses every surface that is a header of its own, and every library behind them by linking.

struct Order {
  std::int64_t id = 0;
  double price = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (id, price))

int main() {
  using millrace::TypeKind;
  millrace::test::TestBed bed;
  millrace::ChannelSource orders("orders",
                                 {{"id", TypeKind::kInt64}, {"price", TypeKind::kDouble}});
  millrace::MemorySink cheap("cheap");
  millrace::MemorySink all("all");
  auto doubled = bed.session().read_stream(orders).as<Order>().map([](const Order& order) {
    return Order{order.id, 2 * order.price};
  });
  if (!doubled.write_stream().to(all).start()) return 1;

  millrace::MemorySource more("more", {{"id", TypeKind::kInt64}});
  if (!bed.session().create_table(more) || !bed.session().create_table(cheap)) return 2;
  if (!millrace::run_sql(bed.session(), "INSERT INTO cheap SELECT id FROM more WHERE id > 1"))
    return 3;

  const auto sender = millrace::ChannelSender<Order>::open(orders);
  if (!sender || !sender->send(Order{1, 2.5})) return 4;
  if (!more.add({millrace::Value::int64(1)}) || !more.add({millrace::Value::int64(2)})) return 5;
  if (!bed.run()) return 6;

  const std::vector<millrace::Row> doubled_rows = {
      {millrace::Value::int64(1), millrace::Value::real(5.0)}};
  const std::vector<millrace::Row> cheap_rows = {{millrace::Value::int64(2)}};
  if (all.rows() != doubled_rows) return 7;
  if (cheap.rows() != cheap_rows) return 8;
  return 0;
}
