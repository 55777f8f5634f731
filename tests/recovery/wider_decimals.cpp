#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

#include <etlantic/core/format_decimal.hpp>
#include <etlantic/etlantic.hpp>
#include <etlantic/runtime/wider_state.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

template <int Digits>
struct Payment {
  std::int64_t customer;
  decimal<Digits, 2> amount;
  timestamp time;
};
template <int Digits>
struct CustomerHour {
  std::int64_t customer;
  timestamp window_start;
  decimal<Digits + 10, 2> total;
  decimal<Digits, 2> largest;
};

template <int Digits>
Payment<Digits> payment(std::int64_t customer, const char* amount, timestamp time) {
  return {customer, decimal<Digits, 2>(amount), time};
}

/// Reads payments with so many digits and waits with their sums until the hour is over; gives out what came.
template <int Digits>
result<std::string> sums_of(const std::string& checkpoint, const std::vector<std::vector<Payment<Digits>>>& batches) {
  const auto payments = std::make_shared<memory_source<Payment<Digits>>>();
  for (const auto& each : batches) payments->add(each);
  const auto hours = std::make_shared<memory_sink<CustomerHour<Digits>>>();
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.checkpoint = checkpoint;
  where.assets["payments"].made_source = payments;
  where.assets["hours"].made_sink = hours;
  result<query> started = start_program(
      *lower(from<Payment<Digits>>("payments") | watermark<"time">(0s) | group_by<"customer"> | tumbling<"time">(1h) |
             aggregate<CustomerHour<Digits>>(named<"total"> = sum(field<"amount">),
                                             named<"largest"> = max(field<"amount">)) |
             into<output_mode::append>("hours")),
      where);
  if (!started) return started.error();
  started->await();
  if (const result<void> done = started->outcome(); !done) return done.error();
  std::string text;
  for (const CustomerHour<Digits>& each : hours->rows())
    text += std::to_string(each.customer) + " " + format_decimal(each.total.scaled, 2) + " " +
            format_decimal(each.largest.scaled, 2) + "\n";
  return text;
}

}  // namespace

TEST_CASE("a decimal may get more digits, and the sums that are kept go on") {
  const test::temporary_directory kept;
  const std::string checkpoint = kept / "checkpoint";
  const timestamp first{60 * test::second}, later{7'200 * test::second};
  const std::vector<std::vector<Payment<10>>> before{
      {payment<10>(1, "12.50", first), payment<10>(1, "1.00", first), payment<10>(2, "0.07", first)}};
  const result<std::string> nothing_yet = sums_of<10>(checkpoint, before);
  REQUIRE(nothing_yet.ok());
  CHECK(nothing_yet->empty());
  std::vector<std::vector<Payment<15>>> after{
      {payment<15>(1, "12.50", first), payment<15>(1, "1.00", first), payment<15>(2, "0.07", first)}};
  after.push_back({payment<15>(1, "1000000000000.00", first), payment<15>(3, "0.01", later)});
  const result<std::string> sums = sums_of<15>(checkpoint, after);
  INFO((sums ? std::string() : sums.error().message));
  REQUIRE(sums.ok());
  CHECK(*sums == "2 0.07 0.07\n1 1000000000013.50 1000000000000.00\n");  // groups come in the order of their hashes
}

TEST_CASE("a decimal may not get fewer digits or another scale") {
  const test::temporary_directory kept;
  const timestamp first{60 * test::second};
  REQUIRE(sums_of<15>(kept / "checkpoint", {{payment<15>(1, "12.50", first)}}).ok());
  const result<std::string> refused = sums_of<10>(kept / "checkpoint", {{payment<10>(1, "12.50", first)}});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM465");
}

TEST_CASE("which states are written alike though their decimals have more digits") {
  const auto wider = [](std::string_view old, std::string_view now) { return detail::is_wider_state(old, now); };
  CHECK(wider("key a text; aggregate t = sum(x) decimal(28,2)", "key a text; aggregate t = sum(x) decimal(38,2)"));
  CHECK(wider("aggregate t = sum(x) decimal(10,2)", "aggregate t = sum(x) decimal(28,2)"));
  CHECK(wider("aggregate t = max(x) decimal(10,2)", "aggregate t = max(x) decimal(18,2)"));
  CHECK(wider("key k decimal(19,0); aggregate n = count() int64", "key k decimal(20,0); aggregate n = count() int64"));
  CHECK_FALSE(wider("aggregate t = max(x) decimal(18,2)", "aggregate t = max(x) decimal(19,2)"));  // 64 to 128 bits
  CHECK_FALSE(wider("aggregate t = sum(x) decimal(28,2)", "aggregate t = sum(x) decimal(27,2)"));
  CHECK_FALSE(wider("aggregate t = sum(x) decimal(28,2)", "aggregate t = sum(x) decimal(28,3)"));
  CHECK_FALSE(wider("aggregate t = sum(x) decimal(28,2)", "aggregate t = sum(y) decimal(38,2)"));
  CHECK_FALSE(wider("aggregate t = sum(x) decimal(28,2)", "aggregate t = sum(x) int64"));
  CHECK_FALSE(wider("aggregate t = avg(x) decimal(28,2)", "aggregate t = avg(x) decimal(38,2)"));
  CHECK_FALSE(wider("aggregate t = max_by(x, y) decimal(8,2)", "aggregate t = max_by(x, y) decimal(9,2)"));
  CHECK_FALSE(
      wider("aggregate t = sum(x) decimal(28,2)", "aggregate t = sum(x) decimal(38,2); aggregate n = count() int64"));
}
