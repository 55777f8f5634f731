#include "support/catch.hpp"

#include <etlantic/testing.hpp>

// The test kit, used as its users use it, on a pipeline whose results are worked out by hand.

using namespace etlantic;
using namespace etlantic::test_kit;
using namespace std::chrono_literals;

namespace {

enum class order_status { paid, cancelled };

struct Order {
  checked<std::int64_t, gt<0>> id;
  checked<std::int64_t, gt<0>> customer;
  decimal<10, 2> total;
  order_status status;
  timestamp time;
};

struct Hour {
  std::int64_t customer;
  timestamp window_start, window_end;
  std::int64_t orders;
  decimal<38, 2> total;
  using key = primary_key<"customer", "window_start", "window_end">;
};

struct CountOrders {
  input<Order> orders;
  parameter<duration> delay{10min};
  output<Hour> result;
};
constexpr auto implement(const CountOrders& t) {
  return t.orders | watermark<"time">(t.delay) | etlantic::where(field<"status"> == order_status::paid) |
         group_by<"customer"> | tumbling<"time">(1h) |
         aggregate<Hour>(named<"orders"> = count(), named<"total"> = sum(field<"total">));
}

struct Orders {
  extract<Order, "orders"> orders;
  step<CountOrders, "orders.valid"> count;
  load<Hour, "hours", "count.result"> hours;
  load<rejected<Order>, "rejected", "orders.invalid"> quarantine;
  load<late<Order>, "late", "count.late"> late_orders;
};

Order order(std::int64_t id, std::int64_t customer, const char* total, const char* time,
            order_status status = order_status::paid) {
  return {{id}, {customer}, decimal<10, 2>(total), status, at(time)};
}
Hour hour(std::int64_t customer, int start, std::int64_t orders, const char* total) {
  const timestamp midnight = at("2026-03-01T00:00:00Z");
  return {customer, midnight + std::chrono::hours(start), midnight + std::chrono::hours(start + 1), orders,
          decimal<38, 2>(total)};
}

void add_four_batches(pipeline_test<Orders>& test) {
  test.add_events("orders",
                  std::vector{order(1, 7, "10.00", "2026-03-01T10:05:00Z"), order(2, 7, "2.50", "2026-03-01T10:59:59Z"),
                              order(3, 8, "1.00", "2026-03-01T10:30:00Z", order_status::cancelled)});
  test.add_raw("orders",
               {R"({"id":4,"customer":8,"total":"5","status":"paid","time":"2026-03-01T12:00:00Z"})",
                R"({"id":0,"customer":8,"total":"5","status":"paid","time":"2026-03-01T12:00:00Z"})", "no json"});
  test.add_events("orders", std::vector{order(6, 8, "1.00", "2026-03-01T11:55:00Z")});
  // Late, because the batch before it ran under 11:50.
  test.add_events("orders", std::vector{order(5, 7, "100.00", "2026-03-01T10:00:00Z")});
}

const std::vector<Hour> hours_of_four_batches() {
  return {hour(7, 10, 2, "12.50"), hour(8, 11, 1, "1.00"), hour(8, 12, 1, "5.00")};
}

struct Numbered {
  std::int64_t customer;
  std::int64_t number;
};
struct seen_rows {
  std::int64_t rows;
};
/// Wrong on purpose: what it gives depends on how often the process has called it.
struct NumberCalls {
  using state = seen_rows;
  using result = Numbered;
  static inline std::int64_t calls = 0;
  void on_row(seen_rows&, const Order& row, process_context<Numbered>& context) const {
    context.emit({row.customer.value, ++calls});
  }
};

}  // namespace

TEST_CASE("rows and lines go in, and tables, late rows, quarantine, counts, watermark and state come out") {
  pipeline_test<Orders> test;
  add_four_batches(test);
  CHECK(test.process_all_available());
  CHECK(test.expect_table("hours", hours_of_four_batches()));
  CHECK(test.expect_late("late", std::vector{order(5, 7, "100.00", "2026-03-01T10:00:00Z")}));
  CHECK(test.expect_quarantine("rejected", {{"id", "constraint"}, {"", "malformed", "no json"}}));
  CHECK(test.expect_watermark(at("2026-03-01T11:50:00Z")));
  CHECK(test.expect_counts("orders", {.read = 8, .valid = 6, .invalid = 2}));
  CHECK(test.expect_counts("count", {.received = 6, .filtered = 1, .late = 1, .kept = 4}));
  CHECK(test.expect_state("count", {.windows = 2, .groups = 2, .most_bytes = 1 << 20}));
  CHECK(test.expect_batch("hours", 0, std::vector{hour(7, 10, 2, "12.50")}));
}

TEST_CASE("an expectation that does not hold says what differs") {
  pipeline_test<Orders> test;
  add_four_batches(test);
  CHECK(test.process_all_available());
  const auto wrong =
      test.expect_table("hours", std::vector{hour(7, 10, 3, "12.50"), hour(8, 12, 1, "5.00"), hour(9, 1, 1, "1.00")});
  CHECK_FALSE(wrong);
  CHECK(wrong.text() ==
        "table hours: expected 3 rows, found 3\n"
        "  differs: {customer: 7, window_start: \"2026-03-01T10:00:00.000000Z\", window_end: "
        "\"2026-03-01T11:00:00.000000Z\", orders: 2, total: 12.50}\n"
        "    orders: expected 3, found 2\n"
        "  missing: {customer: 9, window_start: \"2026-03-01T01:00:00.000000Z\", window_end: "
        "\"2026-03-01T02:00:00.000000Z\", orders: 1, total: 1.00}\n"
        "  not expected: {customer: 8, window_start: \"2026-03-01T11:00:00.000000Z\", window_end: "
        "\"2026-03-01T12:00:00.000000Z\", orders: 1, total: 1.00}");
  CHECK(test.expect_counts("orders", {.read = 9, .invalid = 2}).text() == "orders, read: expected 9, found 8");
  CHECK(test.expect_watermark(at("2026-03-01T11:51:00Z")).text() ==
        "watermark: expected 2026-03-01T11:51:00.000000Z, found 2026-03-01T11:50:00.000000Z");
  CHECK(test.expect_state("count", {.windows = 1}).text() == "count, windows in state: expected 1, found 2");
  CHECK(test.expect_quarantine("rejected", {{"id", "missing"}}).text() ==
        "quarantine rejected: expected 1 rows, found 2\nquarantine rejected, row 0: expected id=missing, found "
        "id=constraint\n  not expected: =malformed no json");
  CHECK_FALSE(test.expect_late("late", std::vector<Order>{}));
  CHECK_FALSE(test.expect_batch("hours", 0, std::vector<Hour>{}));
  CHECK_FALSE(test.expect_batches(1));
}

TEST_CASE("batches run by hand, each by its id; a replay brings the same rows and doubles nothing") {
  pipeline_test<Orders> test;
  add_four_batches(test);
  CHECK(test.run_batch(0));
  CHECK(test.expect_batches(1));
  CHECK_THROWS_WITH(test.run_batch(0), "the next batch is 1, not 0; replay_batch runs one again that was committed");
  CHECK(test.run_batch(1));
  CHECK(test.run_batch(2));
  CHECK(test.run_batch(3));
  CHECK(test.process_all_available());
  for (std::int64_t batch = 0; batch < 4; ++batch) CHECK(test.replay_batch(batch));
  CHECK(test.expect_table("hours", hours_of_four_batches()));
  CHECK_THROWS_WITH(test.replay_batch(77), Catch::Matchers::StartsWith("batch 77 was not committed"));
  test.add_events("orders", std::vector{order(9, 9, "1.00", "2026-03-01T12:30:00Z")});
  CHECK(test.process_all_available());
  CHECK(test.expect_counts("orders", {.read = 9}));
}

TEST_CASE("a replay that brings other rows is told") {
  pipeline_test test(from<Order>("orders") | group_by<"customer"> | process(NumberCalls{}) | into("numbers"));
  test.add_events("orders", std::vector{order(1, 7, "1.00", "2026-03-01T10:05:00Z")});
  CHECK(test.process_all_available());
  CHECK(test.expect_table("numbers", std::vector<Numbered>{{7, 1}}));
  CHECK(test.replay_batch(0).text() ==
        "replay of batch 0, numbers: expected 1 rows, found 1\n  missing: {customer: 7, number: 1}\n"
        "  not expected: {customer: 7, number: 2}");
  CHECK(test.expect_table("numbers", std::vector<Numbered>{{7, 1}}));
}

TEST_CASE("a crash at any boundary and at any write, and a restart behind it, change nothing") {
  int crashes = 0;
  const auto run_on = [&](pipeline_test<Orders>& test) {
    add_four_batches(test);
    while (!test.process_all_available()) {
      CHECK(test.has_died());
      ++crashes;
      CHECK(test.restart());
    }
    CHECK(test.expect_table("hours", hours_of_four_batches()));
    CHECK(test.expect_late("late", std::vector{order(5, 7, "100.00", "2026-03-01T10:00:00Z")}));
  };
  for (const boundary each : all_boundaries)
    for (const std::string load : {"hours", "late"}) {
      INFO(name_of(each) << " " << load);
      pipeline_test<Orders> test;
      test.fail_at(each, load);
      if (each != boundary::after_prepare && each != boundary::after_commit) test.fail_at(each);
      run_on(test);
      // The listener was told before the process died.
      CHECK(test.expect_counts("orders", {.read = 8, .valid = 6, .invalid = 2}));
    }
  CHECK(crashes == 12);
  crashes = 0;
  int points = 0;
  for (bool died = true; died; ++points) {
    INFO("file operation " << points);
    pipeline_test<Orders> test;
    // The checkpoint is there before, so that every point lies in a batch.
    CHECK(test.restart());
    test.fail_at_file_operation(points);
    const int before = crashes;
    run_on(test);
    died = crashes != before;
  }
  CHECK(crashes == points - 1);
  CHECK(points > 20);
}

TEST_CASE("after a failure the query must be started again, and the help says how") {
  pipeline_test<Orders> test;
  add_four_batches(test);
  test.fail_at(boundary::after_commit, "hours");
  const run_outcome died = test.process_all_available();
  CHECK_FALSE(died);
  CHECK(died.text().find("the process died here") != std::string::npos);
  CHECK(died.text().find("where: after commit") != std::string::npos);
  CHECK_THROWS_WITH(test.process_all_available(), "the query has ended; restart() starts it again from its checkpoint");
}

TEST_CASE("the watermark is moved without rows, and the clock by hand") {
  pipeline_test<Orders> test;
  test.add_events("orders", std::vector{order(1, 7, "10.00", "2026-03-01T10:05:00Z")});
  CHECK(test.process_all_available());
  CHECK(test.expect_table("hours", std::vector{hour(7, 10, 1, "10.00")}));
  CHECK(test.expect_state("count", {.windows = 1}));
  CHECK(test.advance_watermark(at("2026-03-01T11:00:00Z")));
  CHECK(test.expect_watermark(at("2026-03-01T11:00:00Z")));
  CHECK(test.expect_state("count", {.windows = 0, .groups = 0}));
  CHECK_THROWS_WITH(test.advance_watermark(at("2026-03-01T10:00:00Z")),
                    "the watermark is at 2026-03-01T11:00:00.000000Z already and never moves back");
  CHECK(test.restart());
  test.add_events("orders", std::vector{order(2, 7, "1.00", "2026-03-01T10:06:00Z")});
  CHECK(test.process_all_available());
  CHECK(test.expect_late("late", std::vector{order(2, 7, "1.00", "2026-03-01T10:06:00Z")}));
  test.set_clock(at("2026-03-01T12:00:00Z"));
  test.advance_clock(5s);
  test.add_raw("orders", {"{}"});
  CHECK(test.process_all_available());
  CHECK(test.rows<rejected<Order>>("rejected").at(0).observed_time == at("2026-03-01T12:00:05Z"));
  CHECK(test.rows<rejected<Order>>("rejected").at(0).position == 2);
}

TEST_CASE("the same rows in other batches come to the same tables") {
  pipeline_test<Orders> at_once, one_by_one;
  for (auto* each : {&at_once, &one_by_one})
    each->add_events(
        "orders", std::vector{order(1, 7, "10.00", "2026-03-01T10:05:00Z"), order(2, 8, "2.50", "2026-03-01T10:59:59Z"),
                              order(3, 7, "1.00", "2026-03-01T10:58:00Z")});
  one_by_one.cut_batches("orders", 1);
  CHECK(at_once.process_all_available());
  CHECK(one_by_one.process_all_available());
  CHECK(one_by_one.expect_same_tables(at_once));
  CHECK(one_by_one.totals().batch > at_once.totals().batch);
  one_by_one.add_events("orders", std::vector{order(4, 7, "1.00", "2026-03-01T10:58:00Z")});
  CHECK(one_by_one.process_all_available());
  CHECK_FALSE(one_by_one.expect_same_tables(at_once));
}

TEST_CASE("a mistake in a test is a sentence that names what was meant") {
  pipeline_test<Orders> test;
  CHECK_THROWS_WITH(test.add_raw("order", {}), "the pipeline has no extract of asset 'order'; did you mean 'orders'?");
  CHECK_THROWS_WITH(test.add_events("orders", std::vector<Hour>{}), "asset 'orders' has rows of Order, not of Hour");
  CHECK_THROWS_WITH(test.expect_table<Hour>("customers", {}),
                    "the pipeline has no load of asset 'customers'; there is 'hours', 'late', 'rejected'");
  CHECK_THROWS_WITH(test.expect_table<Order>("hours", {}), "asset 'hours' has rows of Hour, not of Order");
  CHECK_THROWS_WITH(test.expect_quarantine("hours", {}), "asset 'hours' has rows of Hour, which are no rejected rows");
  CHECK_THROWS_WITH(test.expect_state("cuont", {}), "the pipeline has no step 'cuont'; did you mean 'count'?");
  CHECK_THROWS_WITH(test.expect_state("orders", {}), "'orders' is no step and has no state");
  CHECK_THROWS_WITH(test.run_batch(3), "the next batch is 0, not 3");
  CHECK_THROWS_WITH(test.run_batch(0), "there is nothing to do for batch 0: no input waits");
  CHECK_THROWS_WITH(test.fail_at(boundary::after_commit, "hour"),
                    "the pipeline has no load of asset 'hour'; did you mean 'hours'?");
  CHECK_THROWS_WITH(test.add_raw("orders", {"{}\n{}"}),
                    Catch::Matchers::StartsWith("a line of add_raw has a line feed"));
  CHECK_THROWS_WITH(at("noon"), "'noon' is not a time; write 2026-03-01T12:00:00Z");
  test.add_raw("orders", {"{}"});
  CHECK(test.process_all_available());
  CHECK_THROWS_WITH(test.expect_counts("orders", {.late = 1}),
                    "'orders' is an extract and does not count rows that are late");
}

TEST_CASE("a contract is tested line by line") {
  const std::string right = R"({"id":4,"customer":8,"total":"5","status":"paid","time":"2026-03-01T12:00:00Z"})";
  CHECK(expect_valid<Order>(right));
  CHECK(read_line<Order>(right).row->total == decimal<10, 2>("5"));
  const std::string wrong = R"({"id":0,"customer":8,"total":"5.001","status":"lost"})";
  CHECK(expect_invalid<Order>(wrong, "id=constraint;total=scale;status=not_in_set;time=missing"));
  CHECK(expect_invalid<Order>(wrong, "id=constraint").text() ==
        "violations of " + wrong +
            ": expected id=constraint, found id=constraint;total=scale;status=not_in_set;time=missing");
  CHECK_FALSE(expect_valid<Order>(wrong));
  CHECK_FALSE(expect_invalid<Order>(right, "id=missing"));
  CHECK_THROWS_AS(read_line<Order>(""), wrong_use);
}
