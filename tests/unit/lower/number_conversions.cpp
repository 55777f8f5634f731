#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <limits>
#include <memory>

// Numbers of two types in one expression.

using namespace etlantic;

namespace {

struct Amounts {
  decimal<38, 0> whole;
  decimal<10, 4> exact;
};
struct Whole {
  decimal<38, 0> whole;
};

struct Counter {
  std::uint64_t count;
  bool wanted;
};
struct Changed {
  std::int64_t value;
};

template <class Result, class Row, class Pipeline>
result<std::vector<Result>> results_of(const Pipeline& pipeline, const std::vector<Row>& rows) {
  const auto from = std::make_shared<memory_source<Row>>();
  const auto to = std::make_shared<memory_sink<Result>>();
  from->add(rows);
  profile where_it_runs;
  where_it_runs.trigger.kind = trigger_kind::available_now;
  where_it_runs.assets["in"].made_source = from;
  where_it_runs.assets["out"].made_sink = to;
  if (const auto done = run(pipeline, where_it_runs); !done) return done.error();
  return to->rows();
}

}  // namespace

TEST_CASE("decimals of 38 digits compare with those of another scale") {
  const char* const nines = "99999999999999999999999999999999999999";
  const char* const below = "-99999999999999999999999999999999999999";
  const std::vector<Amounts> rows = {{decimal<38, 0>(nines), decimal<10, 4>("1.5")},
                                     {decimal<38, 0>("20000000000000000000000000000000000000"), decimal<10, 4>("1.5")},
                                     {decimal<38, 0>("2"), decimal<10, 4>("1.5")},
                                     {decimal<38, 0>("1"), decimal<10, 4>("1.5")},
                                     {decimal<38, 0>(below), decimal<10, 4>("1.5")}};
  const auto greater = results_of<Whole>(
      from<Amounts>("in") | etlantic::where(field<"whole"> > field<"exact">) | select<Whole>() | into("out"), rows);
  REQUIRE(greater.ok());
  REQUIRE(greater->size() == 3);
  CHECK((*greater)[0].whole == decimal<38, 0>(nines));
  CHECK((*greater)[2].whole == decimal<38, 0>("2"));
  const auto less = results_of<Whole>(
      from<Amounts>("in") | etlantic::where(field<"whole"> < field<"exact">) | select<Whole>() | into("out"), rows);
  REQUIRE(less.ok());
  REQUIRE(less->size() == 2);
  CHECK((*less)[1].whole == decimal<38, 0>(below));
}

TEST_CASE("arithmetic on a uint64 that an int64 cannot hold is an overflow, not another number") {
  const auto less_one = from<Counter>("in") | etlantic::where(field<"wanted"> == true) |
                        derive<"value">(field<"count"> - 1) | select<Changed>() | into("out");
  const std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t fits = greatest / 2;  // the greatest int64

  const auto kept = results_of<Changed>(less_one, std::vector<Counter>{{fits, true}});
  REQUIRE(kept.ok());
  REQUIRE(kept->size() == 1);
  CHECK((*kept)[0].value == 9223372036854775806);

  for (const std::uint64_t beyond : {fits + 1, greatest}) {
    const auto rejected = results_of<Changed>(less_one, std::vector<Counter>{{1, true}, {beyond, true}});
    REQUIRE(rejected.ok());
    REQUIRE(rejected->size() == 1);
    CHECK((*rejected)[0].value == 0);
  }

  const auto filtered = results_of<Changed>(less_one, std::vector<Counter>{{1, true}, {greatest, false}});
  REQUIRE(filtered.ok());
  CHECK(filtered->size() == 1);
}
