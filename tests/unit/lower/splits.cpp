#include "support/catch.hpp"

#include <etlantic/testing.hpp>

#include <algorithm>
#include <vector>

// A stream that is split by predicates into outputs: every row goes to exactly one of them.

using namespace etlantic;

namespace {

enum class order_status { paid, cancelled, refunded };

struct Order {
  std::int64_t id;
  std::optional<order_status> status;
  std::optional<std::int64_t> total;
};
struct SplitOrders {
  input<Order> orders;
  parameter<std::int64_t> limit{100};
  output<Order> paid, large, rest;
};
constexpr auto implement(const SplitOrders& t) {
  const auto paid = field<"status"> == order_status::paid;
  const auto large = field<"total"> >= t.limit;
  return outputs(named<"paid"> = t.orders | etlantic::where(paid),
                 named<"large"> = t.orders | etlantic::where(otherwise(paid) && large),
                 named<"rest"> = t.orders | etlantic::where(otherwise(paid, large)));
}
struct Orders {
  extract<Order, "orders"> orders;
  step<SplitOrders, "orders.valid"> split;
  load<Order, "paid", "split.paid"> paid;
  load<Order, "large", "split.large"> large;
  load<Order, "rest", "split.rest"> rest;
};

}  // namespace

TEST_CASE("a stream that is split by predicates loses no row and doubles none, nulls included") {
  const std::optional<order_status> statuses[] = {order_status::paid, order_status::cancelled, order_status::refunded,
                                                  std::nullopt};
  const std::optional<std::int64_t> totals[] = {99, 100, 101, std::nullopt};
  std::vector<Order> rows;
  std::vector<std::int64_t> paid, large, rest;
  for (std::int64_t id = 0; id < 500; ++id) {
    const Order& row = rows.emplace_back(Order{id, statuses[id % 4], totals[id / 4 % 4]});
    if (row.status && *row.status == order_status::paid)
      paid.push_back(id);
    else if (row.total && *row.total >= 100)
      large.push_back(id);
    else
      rest.push_back(id);
  }
  test_kit::pipeline_test<Orders> test;
  test.add_events("orders", rows);
  REQUIRE(test.process_all_available());

  const auto ids = [&](const char* table) {
    std::vector<std::int64_t> made;
    for (const Order& each : test.rows<Order>(table)) made.push_back(each.id);
    return made;
  };
  CHECK(ids("paid") == paid);
  CHECK(ids("large") == large);
  CHECK(ids("rest") == rest);
  CHECK(paid.size() + large.size() + rest.size() == rows.size());
  CHECK(std::count_if(rest.begin(), rest.end(), [&](std::int64_t id) {
          const Order& row = rows[static_cast<std::size_t>(id)];
          return !row.status || !row.total;
        }) > 0);
}
