#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <memory>
#include <tuple>
#include <vector>

// Which rows a filter keeps from moving the watermark.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Payment {
  timestamp time;
  bool paid;
};
struct Window {
  timestamp window_start, window_end;
  std::int64_t payments;
};

constexpr timestamp at(std::int64_t seconds) { return {seconds * 1'000'000}; }

/// (batch, window start in seconds, payments) of all results.
using results = std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>>;

template <class Chain>
results results_of(const Chain& filtered) {
  const auto from = std::make_shared<memory_source<Payment>>();
  const auto to = std::make_shared<memory_sink<Window>>();
  from->add({{at(1), true}, {at(100), false}});
  from->add({{at(2), true}});
  from->add({{at(3), true}});
  from->add({{at(50), true}});
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.assets["payments"].made_source = from;
  where_it_runs.assets["windows"].made_sink = to;
  REQUIRE(run(filtered | tumbling<"time">(10s) | aggregate<Window>(named<"payments"> = count()) | into("windows"),
              where_it_runs)
              .ok());
  results found;
  for (const auto& batch : to->batches())
    for (const Window& each : batch.rows)
      found.emplace_back(batch.batch, each.window_start.microseconds / 1'000'000, each.payments);
  return found;
}

}  // namespace

TEST_CASE("a condition beside one on the event time holds back the watermark as it does in a filter of its own") {
  const auto marked = from<Payment>("payments") | watermark<"time">(10s);
  const auto paid = field<"paid"> == true;
  const auto recent = field<"time"> >= at(0);
  // The row at 100 s is not paid: the watermark stays at 0 until the row at 50 s, and no row is late.
  const results right = {{4, 0, 3}};
  CHECK(results_of(marked | etlantic::where(paid) | etlantic::where(recent)) == right);
  CHECK(results_of(marked | etlantic::where(paid && recent)) == right);
  CHECK(results_of(marked | etlantic::where(recent && paid)) == right);
  CHECK(results_of(marked | etlantic::where(recent && (paid && recent))) == right);
}

TEST_CASE("a condition that mixes the event time with another one does not hold back the watermark") {
  const auto marked = from<Payment>("payments") | watermark<"time">(10s);
  // The row at 100 s goes, but by a condition on its time: the watermark is 90 s behind it, and 3 s is late.
  const auto mixed = field<"paid"> == true || field<"time"> < at(0);
  CHECK(results_of(marked | etlantic::where(mixed)) == results{{1, 0, 2}});
}
