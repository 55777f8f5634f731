#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

// Numbered cases that have no folder in tests/data/cases, since they need two steps, another order of extracts, values
// that JSON does not have, or counts.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

constexpr timestamp second(std::int64_t count) { return {count * 1'000'000}; }

struct Bid {
  std::int64_t price;
  timestamp ts;
};
struct Highest {
  std::int64_t price;
  timestamp window_start, window_end;
};
struct HighestBid {
  std::int64_t price;
  timestamp window_end, ts;
  bool operator==(const HighestBid&) const = default;
};
struct FindHighest {
  input<Bid> bids;
  output<Highest> result;
};
constexpr auto implement(const FindHighest& t) {
  return t.bids | watermark<"ts">(0s) | tumbling<"ts">(10s) | aggregate<Highest>(named<"price"> = max(field<"price">));
}
struct FindTheirBids {
  input<Highest> highest;
  input<Bid> bids;
  output<HighestBid> result;
};
constexpr auto implement(const FindTheirBids& t) {
  return inner_join(t.highest, t.bids, on<"price">, unbounded(),
                    where_matched(between(right<"ts">, left<"window_start">, left<"window_end">))) |
         select<HighestBid>(named<"price"> = left<"price">, named<"window_end"> = left<"window_end">,
                            named<"ts"> = right<"ts">);
}
struct HighestBids {
  extract<Bid, "bids"> bids;
  step<FindHighest, "bids.valid"> highest;
  step<FindTheirBids, "highest.result", "bids.valid"> found;
  load<HighestBid, "found", "found.result"> out;
};

void await(result<query> running) {
  if (!running) FAIL(running.error().message);
  running->await();
  const result<void> outcome = running->outcome();
  if (!outcome) FAIL(outcome.error().message);
}

struct temporary_checkpoint {
  std::string path =
      (std::filesystem::temp_directory_path() / ("etlantic-numbered-" + std::to_string(getpid()))).string();
  temporary_checkpoint() { std::filesystem::remove_all(path); }
  ~temporary_checkpoint() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("WIN-15: an inclusive range next to a half-open window finds a row at the end of one in both") {
  auto bids = std::make_shared<memory_source<Bid>>();
  auto found = std::make_shared<memory_sink<HighestBid>>();
  bids->add({{9, second(10)}, {5, second(3)}, {9, second(4)}});
  bids->add({{1, second(60)}});  // closes what the case gives out in complete mode
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["bids"].made_source = bids;
  where.assets["found"].made_sink = found;
  await(start<HighestBids>(where));
  auto rows = found->rows();
  std::sort(rows.begin(), rows.end(), [](const HighestBid& l, const HighestBid& r) {
    return std::pair(l.window_end.microseconds, l.ts.microseconds) <
           std::pair(r.window_end.microseconds, r.ts.microseconds);
  });
  CHECK(rows ==
        std::vector<HighestBid>{{9, second(10), second(4)}, {9, second(10), second(10)}, {9, second(20), second(10)}});
}

namespace {

struct Side {
  text key, value;
};
struct Both {
  text left_value, right_value;
  bool operator==(const Both&) const = default;
};
struct MatchSides {
  input<Side> l, r;
  output<Both> result;
};
constexpr auto implement(const MatchSides& t) {
  return inner_join(t.l, t.r, on<"key">, unbounded()) |
         select<Both>(named<"left_value"> = left<"value">, named<"right_value"> = right<"value">);
}
struct RightReadFirst {
  extract<Side, "r"> r;
  extract<Side, "l"> l;
  step<MatchSides, "l.valid", "r.valid"> matched;
  load<Both, "out", "matched.result"> out;
};

}  // namespace

TEST_CASE("JN-16: both sides in one batch match once, also if the right one is read first") {
  auto l = std::make_shared<memory_source<Side>>(), r = std::make_shared<memory_source<Side>>();
  auto out = std::make_shared<memory_sink<Both>>();
  l->add({{text("k"), text("l")}});
  r->add({{text("k"), text("r")}});
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["l"].made_source = l;
  where.assets["r"].made_source = r;
  where.assets["out"].made_sink = out;
  await(start<RightReadFirst>(where));
  CHECK(out->rows() == std::vector<Both>{{text("l"), text("r")}});
}

namespace {

struct Event {
  std::int64_t number;
  timestamp ts;
};
struct Counted {
  timestamp window_start, window_end;
  std::int64_t count;
};
struct CountedTwice {
  timestamp window_start, window_end;
  std::int64_t results, sum;
};

}  // namespace

TEST_CASE("OM-08: dropped rows are counted as rows, not as groups") {
  const temporary_checkpoint kept;
  auto in = std::make_shared<memory_source<Event>>();
  auto late_rows = std::make_shared<memory_sink<late<Event>>>();
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.checkpoint = kept.path;
  where.assets["in"].made_source = in;
  where.assets["out"].made_sink = std::make_shared<memory_sink<CountedTwice>>();
  where.assets["late"].made_sink = late_rows;
  const auto counts = from<Event>("in") | watermark<"ts">(0s) | tumbling<"ts">(5s) |
                      aggregate<Counted>(named<"count"> = count()) | tumbling<"window_time">(10s) |
                      aggregate<CountedTwice>(named<"results"> = count(), named<"sum"> = sum(field<"count">)) |
                      into("out", {.late = "late"});
  std::vector<std::int64_t> late_counts;
  // A run for each batch: input that waits would hold back the batch without data in between.
  for (const auto& [first, last] : {std::pair{10, 21}, std::pair{10, 29}, std::pair{30, 31}}) {
    std::vector<Event> batch;
    for (std::int64_t i = first; i <= last; ++i) batch.push_back({i, second(i)});
    in->add(batch);
    const auto done = run(counts, where);
    if (!done) FAIL(done.error().message);
    late_counts.push_back(done->steps[0].counts.late);
  }
  CHECK(late_counts == std::vector<std::int64_t>{0, 10, 0});
  CHECK(late_rows->rows().size() == 10);
}

namespace {

struct Keyed {
  text id;
};
struct KeyCount {
  text id;
  std::int64_t count;
  using key = primary_key<"id">;
  bool operator==(const KeyCount&) const = default;
};

}  // namespace

TEST_CASE("RC-08: counts go on when the number of workers changes over a restart") {
  const temporary_checkpoint kept;
  auto out = std::make_shared<memory_sink<KeyCount>>();
  auto in = std::make_shared<memory_source<Keyed>>();
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.checkpoint = kept.path;
  where.assets["in"].made_source = in;
  where.assets["out"].made_sink = out;
  for (const std::size_t workers : {4U, 8U}) {
    where.workers = workers;
    in->add({{text("a")}, {text("b")}, {text("c")}, {text("d")}});
    REQUIRE(run(from<Keyed>("in") | group_by<"id"> | aggregate<KeyCount>(named<"count"> = count()) |
                    into<output_mode::update>("out"),
                where)
                .ok());
  }
  std::vector<std::int64_t> counts;
  const auto batches = out->batches();
  for (const KeyCount& each : batches.back().rows) counts.push_back(each.count);
  CHECK(counts == std::vector<std::int64_t>{2, 2, 2, 2});
}

namespace {

struct Real {
  double value;
};
struct RealCount {
  double value;
  std::int64_t count;
  using key = primary_key<"value">;
};
struct RealPair {
  double left_value, right_value;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::vector<Real> zeros_and_nans{{0.0}, {-0.0}, {nan}, {-nan}};

}  // namespace

TEST_CASE("FL-01: both zeros are one group, and all NaN are") {
  auto in = std::make_shared<memory_source<Real>>();
  auto out = std::make_shared<memory_sink<RealCount>>();
  in->add(zeros_and_nans);
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = in;
  where.assets["out"].made_sink = out;
  REQUIRE(run(from<Real>("in") | group_by<"value"> | aggregate<RealCount>(named<"count"> = count()) |
                  into<output_mode::update>("out"),
              where)
              .ok());
  REQUIRE(out->rows().size() == 2);
  for (const RealCount& each : out->rows()) CHECK(each.count == 2);
  CHECK(std::isnan(out->rows()[0].value) != std::isnan(out->rows()[1].value));
}

TEST_CASE("FL-01: both zeros are equal as keys of a join, and all NaN are") {
  const auto chain = inner_join(input<Real>{0}, input<Real>{1}, on<"value">, unbounded()) |
                     select<RealPair>(named<"left_value"> = left<"value">, named<"right_value"> = right<"value">);
  auto work = etlantic::detail::lower_stream(chain, stage_place{.step = "join"});
  struct counted_rows final : stage_outputs {
    std::size_t zeros = 0, nans = 0;
    result<void> emit(std::size_t, const block& given) override {
      for (std::size_t i = 0; i < given.rows; ++i) {
        const auto row = row_at<RealPair>(given, i);
        CHECK(std::isnan(row.left_value) == std::isnan(row.right_value));
        ++(std::isnan(row.left_value) ? nans : zeros);
      }
      return {};
    }
  } out;
  block rows(schema_of<Real>());
  for (const Real& each : zeros_and_nans) append_row(rows, each);
  work->begin(batch_context{});
  REQUIRE(work->process(0, rows, out).ok());
  REQUIRE(work->process(1, rows, out).ok());
  REQUIRE(work->finish(out).ok());
  CHECK(out.zeros == 4);
  CHECK(out.nans == 4);
}
