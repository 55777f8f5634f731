#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>

// What every kind of join of two streams keeps, over a thousand lengths of its range: rows, memory and bytes of a
// checkpoint stay level.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Order {
  std::int64_t id;
  timestamp time;
  text coupon;
};
struct Paid {
  std::optional<std::int64_t> id;
  std::optional<text> coupon;
  std::optional<timestamp> paid_at;
};

struct counted final : stage_outputs {
  std::size_t rows = 0;
  result<void> emit(std::size_t, const block& given) override {
    rows += given.rows;
    return {};
  }
};

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t batches = 10'000;  // of a second; the range of the joins is ten
constexpr std::int64_t rows_per_batch = 20;
constexpr auto orders = input<Order>{0} | watermark<"time">(0s);
constexpr auto payments = input<Order>{1} | watermark<"time">(0s);

constexpr auto both =
    select<Paid>(named<"id"> = left<"id">, named<"coupon"> = right<"coupon">, named<"paid_at"> = right<"time">);

/// Orders whose keys never come back; every second one is paid, so many seconds later.
template <class Chain>
void stays_level(const Chain& chain, std::int64_t paid_after) {
  const auto work = etlantic::detail::lower_stream(chain, stage_place{.step = "join"});
  counted out;
  std::int64_t most_rows = 0, most_bytes = 0;
  std::size_t most_saved = 0;
  for (std::int64_t at = 1; at <= batches; ++at) {
    batch_context batch;
    batch.late_watermark.microseconds = std::max<std::int64_t>(at - 2, 0) * second;
    batch.watermark.microseconds = (at - 1) * second;
    work->begin(batch);
    block left_rows(schema_of<Order>()), right_rows(schema_of<Order>());
    for (std::int64_t i = 0; i < rows_per_batch; ++i) {
      const timestamp time{at * second + i};
      append_row(left_rows, Order{at * 100 + i, time, text("a coupon of more than twelve bytes")});
      if (i % 2 == 0) append_row(right_rows, Order{(at - paid_after) * 100 + i, time, text("another long coupon")});
    }
    REQUIRE(work->process(0, left_rows, out).ok());
    REQUIRE(work->process(1, right_rows, out).ok());
    REQUIRE(work->finish(out).ok());
    const state_metrics kept = work->state();
    if (at <= batches / 10) {
      most_rows = std::max(most_rows, kept.groups);
      most_bytes = std::max(most_bytes, kept.bytes);
    } else {
      REQUIRE(kept.groups <= most_rows);
      REQUIRE(kept.bytes <= most_bytes * 5 / 4);  // what is given back is given back now and then
    }
    if (at % 10 != 0) continue;
    state_writer saved;
    work->save(saved);
    if (at <= batches / 10)
      most_saved = std::max(most_saved, saved.bytes().size());
    else
      REQUIRE(saved.bytes().size() <= most_saved + most_saved / 20);
  }
  CHECK(most_rows > rows_per_batch);
  CHECK(out.rows > static_cast<std::size_t>(batches * rows_per_batch) / 3);
}

}  // namespace

TEST_CASE("what joins in a range of times keep stays level") {
  const auto range = within(0s, 10s);
  stays_level(inner_join(orders, payments, on<"id">, range) | both, 3);
  stays_level(left_join(orders, payments, on<"id">, range) | both, 3);
  stays_level(right_join(orders, payments, on<"id">, range) | both, 3);
  stays_level(full_join(orders, payments, on<"id">, range) | both, 3);
  stays_level(semi_join(orders, payments, on<"id">, range), 3);
  stays_level(anti_join(orders, payments, on<"id">, range), 3);
}
TEST_CASE("what joins of rows in the same window keep stays level") {
  stays_level(left_join(orders, payments, on<"id">, same_window(10s)) | both, 3);
  stays_level(anti_join(orders, payments, on<"id">, same_window(10s)), 3);
}
TEST_CASE("what joins of rows with the same time keep stays level") {
  stays_level(full_join(orders, payments, on<"id">, same_time()) | both, 0);
  stays_level(semi_join(orders, payments, on<"id">, same_time()), 0);
}
