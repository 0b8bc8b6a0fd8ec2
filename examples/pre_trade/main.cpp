// A pre-trade check inside a trading program: each order is held against its account's limits
// before it goes to the market. The program's own thread hands orders in through a channel and
// waits for the verdict; the query runs on a thread of the library. Only public headers.
//
//     build/bin/millrace_pre_trade [ORDERS [park|adaptive|spin]]
//
// Prints what the checks cost the orders: from `send` to the verdict in the sender's hands.

#include "millrace/channel.hpp"
#include "millrace/memory.hpp"
#include "millrace/session.hpp"
#include "millrace/typed.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Order {
  std::int64_t id = 0;
  std::string_view account;
  std::string_view symbol;
  std::int64_t quantity = 0;
  double price = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (id, account, symbol, quantity, price))

/// An order beside what its account may do.
struct Checked {
  std::int64_t id = 0;
  std::int64_t quantity = 0;
  double price = 0;
  std::int64_t quantity_max = 0;
  double value_max = 0;
};
BOOST_DESCRIBE_STRUCT(Checked, (), (id, quantity, price, quantity_max, value_max))

struct Verdict {
  std::int64_t id = 0;
  bool is_accepted = false;
  std::string_view reason;
};
BOOST_DESCRIBE_STRUCT(Verdict, (), (id, is_accepted, reason))

Verdict check(const Checked& order) {
  if (order.quantity > order.quantity_max) return {order.id, false, "quantity above the limit"};
  if (static_cast<double>(order.quantity) * order.price > order.value_max)
    return {order.id, false, "value above the limit"};
  return {order.id, true, ""};
}

/// The accounts that may trade at all; in real life a file that the session reads.
millrace::Result<millrace::MemoryTable> load_limits() {
  using millrace::TypeKind;
  using millrace::Value;
  millrace::MemoryTable limits("limits", {{"account", TypeKind::kString},
                                          {"quantity_max", TypeKind::kInt64},
                                          {"value_max", TypeKind::kDouble}});
  MILLRACE_TRY(limits.add({Value::string("alpha"), Value::int64(1'000), Value::real(50'000.0)}));
  MILLRACE_TRY(limits.add({Value::string("beta"), Value::int64(100), Value::real(1'000'000.0)}));
  return limits;
}

struct Counts {
  std::int64_t accepted = 0;
  std::int64_t refused = 0;
};

/// Sends each order, waits for its verdict, and keeps how long that took, in ns.
millrace::Result<std::vector<std::int64_t>> trade(const millrace::ChannelSender<Order>& orders,
                                                  millrace::ChannelSink& verdicts,
                                                  std::int64_t count, bool spins, Counts& counts) {
  std::vector<std::int64_t> waits;
  millrace::ChannelRows<Verdict> rows;
  for (std::int64_t id = 0; id < count; ++id) {
    const Order order{id, id % 3 == 0 ? "beta" : "alpha", "ACME", 1 + id % 150, 99.5};
    const auto sent_at = std::chrono::steady_clock::now();
    MILLRACE_TRY(orders.send(order));
    std::optional<millrace::ReceivedRows> received;
    if (spins) {
      while (!received) received = verdicts.try_receive();
    } else {
      MILLRACE_ASSIGN(received, verdicts.receive());
    }
    waits.push_back((std::chrono::steady_clock::now() - sent_at).count());
    MILLRACE_TRY(rows.for_each(received->rows(), [&counts](const Verdict& verdict) {
      ++(verdict.is_accepted ? counts.accepted : counts.refused);
    }));
  }
  return waits;
}

void print(const std::vector<std::int64_t>& sorted, const Counts& counts) {
  const auto at = [&sorted](std::size_t per_mille) {
    return static_cast<double>(sorted[sorted.size() * per_mille / 1'000]) / 1'000.0;
  };
  std::cout << sorted.size() << " orders: " << counts.accepted << " accepted, " << counts.refused
            << " refused; verdict after " << at(500) << " us (median), " << at(990)
            << " us (99 %)\n";
}

millrace::Status run(std::int64_t count, std::string_view wait_policy) {
  using millrace::TypeKind;
  millrace::Session session;
  MILLRACE_TRY(session.set("wait_policy", wait_policy));
  const millrace::ChannelSource orders("orders", millrace::fields_of<Order>());
  millrace::ChannelSink verdicts("verdicts");
  MILLRACE_ASSIGN(const millrace::MemoryTable limits, load_limits());

  // Orders of unknown accounts come to nothing: an outer join would give them a verdict as well.
  const auto checked = session.read_stream(orders)
                           .join(session.read(limits),
                                 millrace::col("orders.account") == millrace::col("limits.account"))
                           .as<Checked>()
                           .map(millrace::reproducible(check));
  MILLRACE_ASSIGN(const millrace::Query query, checked.write_stream().to(verdicts).start());

  MILLRACE_ASSIGN(const auto sender, millrace::ChannelSender<Order>::open(orders));
  Counts counts;
  MILLRACE_ASSIGN(std::vector<std::int64_t> waits,
                  trade(sender, verdicts, count, wait_policy == "spin", counts));
  std::ranges::sort(waits);
  print(waits, counts);
  return query.stop();
}

}  // namespace

int main(int argument_count, char** arguments) {
  std::int64_t count = 10'000;
  if (argument_count > 1) {
    const std::string_view text = arguments[1];
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    if (parsed.ec != std::errc() || count <= 0) {
      std::cerr << "usage: millrace_pre_trade [ORDERS [park|adaptive|spin]]\n";
      return 2;
    }
  }
  const millrace::Status status = run(count, argument_count > 2 ? arguments[2] : "park");
  if (!status) {
    std::cerr << "pre_trade: " << status.error().message << '\n';
    return 1;
  }
  return 0;
}
