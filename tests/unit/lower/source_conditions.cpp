#include "support/catch.hpp"

#include <etlantic/runtime/source_conditions.hpp>
#include <etlantic/testing.hpp>

#include <string>
#include <vector>

// What filters directly behind an extract tell its source.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Sale {
  std::int64_t id;
  checked<text, named_as<"region_name">> region;
  decimal<12, 2> total;
  std::optional<double> share;
  timestamp time;
};
struct Hour {
  timestamp window_start, window_end;
  std::int64_t sales;
};

constexpr auto sales = from<Sale>("sales");

template <class Pipeline>
std::vector<row_condition> told(const Pipeline& pipeline, const profile& where = {}) {
  profile bound = where;
  bound.assets["sales"];
  const result<program> made = lower(pipeline);
  REQUIRE(made.ok());
  return detail::conditions_of(*made, 0, bound);
}

row_condition needs(const char* field, comparison op, decltype(row_condition::value) value) {
  return {field, op, std::move(value)};
}
using conditions = std::vector<row_condition>;

}  // namespace

TEST_CASE("comparisons of fields with constants are told to the source, by the names in the data") {
  CHECK(told(sales | etlantic::where(field<"id"> > 5) | into("out")) ==
        conditions{needs("id", comparison::greater, exact_number{5, 0})});
  CHECK(told(sales | etlantic::where(5 > field<"id"> && field<"region"> == "north") | into("out")) ==
        conditions{needs("id", comparison::less, exact_number{5, 0}),
                   needs("region_name", comparison::equal, std::string("north"))});
  CHECK(told(sales | etlantic::where(field<"share"> <= 0.5) | etlantic::where(field<"total"> != decimal<4, 1>("7.5")) |
             into("out")) == conditions{needs("share", comparison::less_equal, 0.5),
                                        needs("total", comparison::not_equal, exact_number{75, 1})});
  CHECK(told(sales | etlantic::where(field<"time"> >= timestamp{9}) | watermark<"time">(1min) | tumbling<"time">(1h) |
             aggregate<Hour>(named<"sales"> = count()) | into("out")) ==
        conditions{needs("time", comparison::greater_equal, exact_number{9, 0})});
}

TEST_CASE("other predicates, and filters behind something else, tell a source nothing") {
  CHECK(told(sales | etlantic::where(field<"id"> > 5 || field<"id"> < 2) | into("out")).empty());
  CHECK(told(sales | etlantic::where(field<"id"> > field<"id">) | into("out")).empty());
  CHECK(told(sales | derive<"twice">(field<"id"> * 2) | etlantic::where(field<"id"> > 5) | select<Sale>() | into("out"))
            .empty());
  // A sum may not fit, and rows of which it does not are invalid.
  CHECK(told(sales | etlantic::where(field<"id"> + 1 > 5 && field<"id"> > 5) | into("out")).empty());
  CHECK(told(sales | etlantic::where(field<"id"> > 4) | etlantic::where(field<"id"> + 1 > 5) |
             etlantic::where(field<"id"> > 5) | into("out")) ==
        conditions{needs("id", comparison::greater, exact_number{4, 0})});
  CHECK(told(sales | watermark<"time">(1min) | etlantic::where(field<"id"> > 5) | tumbling<"time">(1h) |
             aggregate<Hour>(named<"sales"> = count()) | into("out"))
            .empty());
}

TEST_CASE("where a profile looks at all rows of an asset, its source is told nothing") {
  const auto pipeline = sales | etlantic::where(field<"id"> > 5) | into("out");
  CHECK(told(pipeline).size() == 1);
  profile gated;
  gated.quality.push_back({.name = "share", .of = "sales"});
  CHECK(told(pipeline, gated).empty());
  profile bounded;
  bounded.assets["sales"].reject_future = 1min;
  CHECK(told(pipeline, bounded).empty());
  profile followed;
  followed.assets["sales"].watermark_per = watermark_unit::split;
  CHECK(told(pipeline, followed).empty());
}

namespace {

struct Divide {
  input<Sale> sales;
  output<Sale> small;
  output<Sale> great;
};
constexpr auto implement(const Divide& t) {
  return outputs(named<"small"> = t.sales | etlantic::where(field<"id"> < 5),
                 named<"great"> = t.sales | etlantic::where(field<"id"> > 9));
}
struct Keep {
  input<Sale> sales;
  output<Sale> kept;
};
constexpr auto implement(const Keep& t) { return t.sales | etlantic::where(field<"id"> > 5); }

struct DividedSales {
  extract<Sale, "sales"> sales;
  step<Divide, "sales.valid"> divide;
  load<Sale, "small", "divide.small"> small;
  load<Sale, "great", "divide.great"> great;
};
struct KeptSales {
  extract<Sale, "sales"> sales;
  step<Keep, "sales.valid"> keep;
  load<Sale, "kept", "keep.kept"> kept;
};
struct CopiedSales {
  extract<Sale, "sales"> sales;
  step<Keep, "sales.valid"> keep;
  load<Sale, "kept", "keep.kept"> kept;
  load<Sale, "all", "sales.valid"> all;
};

}  // namespace

TEST_CASE("of rows that several streams or nodes read, no filter speaks for all") {
  CHECK(told(KeptSales{}).size() == 1);
  CHECK(told(DividedSales{}).empty());
  CHECK(told(CopiedSales{}).empty());
}
