#include "support/catch.hpp"
#include "support/rounds.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/testing.hpp>

#include <random>
#include <vector>

// A finished input comes to the same tables in one batch and in many, whatever the operators are, where the delay
// covers the disorder of its rows.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t second = 1'000'000;

struct Order {
  std::int64_t id;
  std::optional<text> customer;
  std::int64_t amount;
  timestamp time;
};
struct Payment {
  text customer;
  std::int64_t paid;
  timestamp time;
};
struct Window {
  std::optional<text> customer;
  timestamp window_start, window_end;
  std::int64_t orders, amount, different;
  std::optional<std::int64_t> first, of_greatest;
  std::optional<double> deviation;
};
struct Total {
  text customer;
  timestamp window_start;
  std::int64_t orders, amount;
  using key = primary_key<"customer", "window_start">;
};
struct OfAll {
  text customer;
  std::int64_t orders;
  std::optional<std::int64_t> greatest;
  using key = primary_key<"customer">;
};
struct Hour {
  timestamp window_start, window_end;
  std::int64_t windows, orders;
};
struct Paid {
  std::int64_t id;
  std::optional<text> customer;
  std::optional<std::int64_t> paid;
};
struct Ranked {
  std::int64_t rank, id, amount;
  timestamp window_start;
};
struct Followed {
  std::int64_t id;
  std::optional<std::int64_t> lag_amount;
};

struct Windows {
  input<Order> orders;
  output<Window> rows;
};
template <class Kind>
constexpr auto windows_of(const Windows& t, const Kind& window) {
  return t.orders | watermark<"time">(30s) | group_by<"customer"> | window |
         aggregate<Window>(named<"orders"> = count(), named<"amount"> = sum(field<"amount">),
                           named<"different"> = count_distinct(field<"amount">), named<"first"> = first(field<"id">),
                           named<"of_greatest"> = max_by(field<"id">, field<"amount">),
                           named<"deviation"> = stddev(field<"amount">));
}
struct Tumbling {
  input<Order> orders;
  output<Window> rows;
};
constexpr auto implement(const Tumbling& t) { return windows_of({t.orders, {}}, tumbling<"time">(10s)); }
struct Sliding {
  input<Order> orders;
  output<Window> rows;
};
constexpr auto implement(const Sliding& t) { return windows_of({t.orders, {}}, sliding<"time">(20s, 5s)); }
struct Sessions {
  input<Order> orders;
  output<Window> rows;
};
constexpr auto implement(const Sessions& t) { return windows_of({t.orders, {}}, session<"time">(4s)); }

struct Totals {
  input<Order> orders;
  output<Total> rows;
};
constexpr auto implement(const Totals& t) {
  return t.orders | where(is_not_null(field<"customer">)) | derive<"customer">(coalesce(field<"customer">, "")) |
         watermark<"time">(30s) | deduplicate<"id", "time"> | group_by<"customer"> | tumbling<"time">(10s) |
         aggregate<Total>(named<"orders"> = count(), named<"amount"> = sum(field<"amount">));
}
struct Everything {
  input<Order> orders;
  output<OfAll> rows;
};
constexpr auto implement(const Everything& t) {
  return t.orders | derive<"customer">(coalesce(field<"customer">, "nobody")) | group_by<"customer"> |
         aggregate<OfAll>(named<"orders"> = count(), named<"greatest"> = max(field<"amount">));
}
struct Hours {
  input<Order> orders;
  output<Hour> rows;
};
constexpr auto implement(const Hours& t) {
  return windows_of({t.orders, {}}, tumbling<"time">(10s)) | tumbling<"window_time">(60s) |
         aggregate<Hour>(named<"windows"> = count(), named<"orders"> = sum(field<"orders">));
}
struct Match {
  input<Order> orders;
  input<Payment> payments;
  output<Paid> rows;
};
constexpr auto implement(const Match& t) {
  return left_join(t.orders | watermark<"time">(30s), t.payments | watermark<"time">(30s), on<"customer">,
                   within(-5s, 10s)) |
         select<Paid>(named<"id"> = left<"id">, named<"customer"> = left<"customer">, named<"paid"> = right<"paid">);
}
struct Rank {
  input<Order> orders;
  output<Ranked> rows;
};
constexpr auto implement(const Rank& t) {
  return t.orders | watermark<"time">(30s) | tumbling<"time">(20s) | top<3, "amount"> | select<Ranked>();
}
struct Follow {
  input<Order> orders;
  output<Followed> rows;
};
constexpr auto implement(const Follow& t) {
  return t.orders | watermark<"time">(30s) | group_by<"customer"> | lag<"amount", 2>.forget_after(60s) |
         select<Followed>();
}

struct Everywhere {
  extract<Order, "orders"> orders;
  extract<Payment, "payments"> payments;
  step<Tumbling, "orders.valid"> tumble;
  step<Sliding, "orders.valid"> slide;
  step<Sessions, "orders.valid"> visit;
  step<Totals, "orders.valid"> total;
  step<Everything, "orders.valid"> all;
  step<Hours, "orders.valid"> hour;
  step<Match, "orders.valid", "payments.valid"> match;
  step<Rank, "orders.valid"> rank;
  step<Follow, "orders.valid"> follow;
  load<Window, "tumbling", "tumble.rows", output_mode::append> tumbling_rows;
  load<Window, "sliding", "slide.rows", output_mode::append> sliding_rows;
  load<Window, "sessions", "visit.rows", output_mode::append> session_rows;
  load<Total, "totals", "total.rows"> totals;
  load<OfAll, "of_all", "all.rows", output_mode::update> of_all;
  load<Hour, "hours", "hour.rows", output_mode::append> hours;
  load<Paid, "paid", "match.rows", output_mode::append> paid;
  load<Ranked, "ranked", "rank.rows", output_mode::append> ranked;
  load<Followed, "followed", "follow.rows", output_mode::append> followed;
};

struct given {
  std::vector<Order> orders;
  std::vector<Payment> payments;
};

given rows_of(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned bound) { return static_cast<std::int64_t>(random() % bound); };
  static const char* const names[] = {"ada", "bob", "eve"};
  given made;
  std::int64_t clock = 100 * second;
  for (std::int64_t i = 0; i < 60; ++i) {
    clock += below(4) * second;
    const timestamp time{clock - below(20) * second};
    const std::optional<text> customer = below(6) == 0 ? std::nullopt : std::optional(text(names[below(3)]));
    made.orders.push_back({below(40), customer, below(20) - 5, time});
    if (below(5) == 0) made.orders.push_back(made.orders.back());
    if (below(2) == 0)
      made.payments.push_back({text(names[below(3)]), below(9), timestamp{clock - below(20) * second}});
  }
  // What lets the watermark pass all of them.
  made.orders.push_back({99, text("end"), 0, timestamp{clock + 600 * second}});
  made.payments.push_back({text("end"), 0, timestamp{clock + 600 * second}});
  return made;
}

void fill(test_kit::pipeline_test<Everywhere>& test, const given& rows, std::int64_t orders, std::int64_t payments) {
  test.add_events("orders", rows.orders);
  test.add_events("payments", rows.payments);
  test.cut_batches("orders", orders);
  test.cut_batches("payments", payments);
  CHECK(test.process_all_available());
}

}  // namespace

TEST_CASE("one batch and many come to the same tables") {
  for (unsigned seed = 0; seed < test::rounds(20); ++seed) {
    INFO("seed " << seed);
    const given rows = rows_of(seed);
    test_kit::pipeline_test<Everywhere> at_once;
    fill(at_once, rows, 1000, 1000);
    REQUIRE(at_once.expect_batches(2));  // the second one has no data
    REQUIRE(at_once.rows<Window>("tumbling").size() > 5);
    REQUIRE(at_once.rows<Paid>("paid").size() > 20);
    REQUIRE(at_once.rows<Followed>("followed").size() > 20);
    for (const auto& [orders, payments] : {std::pair{1, 1}, {3, 50}, {17, 2}}) {
      test_kit::pipeline_test<Everywhere> bit_by_bit;
      fill(bit_by_bit, rows, orders, payments);
      CHECK(bit_by_bit.expect_same_tables(at_once));
    }
  }
}
