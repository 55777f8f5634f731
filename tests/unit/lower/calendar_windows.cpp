#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>

// What windows of a calendar are in a whole pipeline.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Sale {
  std::int64_t shop;
  timestamp time;
  std::int64_t amount = 1;
};
struct Total {
  std::int64_t shop;
  timestamp window_start, window_end;
  std::int64_t amount;
  bool operator==(const Total&) const = default;
};
struct KeyedTotal {
  std::int64_t shop;
  timestamp window_start;
  std::int64_t amount;
  using key = primary_key<"shop", "window_start">;
};

timestamp at(const char* text) { return parse_rfc3339(text).value(); }
constexpr std::int64_t hour_length = 3'600'000'000;

template <class Result>
struct outcome {
  std::shared_ptr<memory_source<Sale>> in = std::make_shared<memory_source<Sale>>();
  std::shared_ptr<memory_sink<Result>> out = std::make_shared<memory_sink<Result>>();
  std::shared_ptr<memory_sink<late<Sale>>> late_sales = std::make_shared<memory_sink<late<Sale>>>();
  progress done;

  void run(const auto& pipeline, const std::vector<std::vector<Sale>>& batches) {
    for (const auto& each : batches) in->add(each);
    profile where;
    where.trigger.kind = trigger_kind::available_now;
    where.assets["in"].made_source = in;
    where.assets["out"].made_sink = out;
    where.assets["late"].made_sink = late_sales;
    const auto ran = etlantic::run(pipeline, where);
    INFO((ran ? "" : ran.error().message + " " + ran.error().where));
    REQUIRE(ran.ok());
    done = *ran;
  }
};

template <output_mode Mode = output_mode::append, class Result = Total>
auto totals(const auto& window) {
  return from<Sale>("in") | watermark<"time">(0s) | group_by<"shop"> | window |
         aggregate<Result>(named<"amount"> = sum(field<"amount">)) |
         into<Mode>("out", {.invalid = {}, .late = "late", .invalid_results = {}});
}

std::vector<Total> of_times(const auto& window, std::initializer_list<const char*> times) {
  outcome<Total> made;
  std::vector<Sale> sales;
  for (const char* time : times) sales.push_back({1, at(time)});
  made.run(totals<output_mode::complete>(window), {sales});
  return made.out->rows();
}

}  // namespace

TEST_CASE("a day has 23 or 25 hours where the clocks change") {
  const auto found =
      of_times(tumbling<"time">(calendar::day, in_zone<"America/New_York">),
               {"2024-03-10T04:59:59Z", "2024-03-10T05:00:00Z", "2024-03-11T03:59:59Z", "2024-03-11T04:00:00Z",
                "2024-03-11T04:59:59Z", "2024-11-03T04:00:00Z", "2024-11-04T04:59:59.999999Z"});
  CHECK(found == std::vector<Total>{{1, at("2024-03-09T05:00:00Z"), at("2024-03-10T05:00:00Z"), 1},
                                    {1, at("2024-03-10T05:00:00Z"), at("2024-03-11T04:00:00Z"), 2},
                                    {1, at("2024-03-11T04:00:00Z"), at("2024-03-12T04:00:00Z"), 2},
                                    {1, at("2024-11-03T04:00:00Z"), at("2024-11-04T05:00:00Z"), 2}});
  CHECK((found[1].window_end - found[1].window_start).count() == 23 * hour_length);
  CHECK((found[3].window_end - found[3].window_start).count() == 25 * hour_length);
}

TEST_CASE("weeks start on Monday, or on the day that is named") {
  CHECK(of_times(tumbling<"time">(calendar::week), {"2024-05-12T23:59:59Z", "2024-05-13T00:00:00Z"}) ==
        std::vector<Total>{{1, at("2024-05-06T00:00:00Z"), at("2024-05-13T00:00:00Z"), 1},
                           {1, at("2024-05-13T00:00:00Z"), at("2024-05-20T00:00:00Z"), 1}});
  CHECK(of_times(tumbling<"time">(calendar::week.starting(std::chrono::Sunday)),
                 {"2024-05-11T23:59:59Z", "2024-05-12T00:00:00Z", "1969-12-31T00:00:00Z"}) ==
        std::vector<Total>{{1, at("1969-12-28T00:00:00Z"), at("1970-01-04T00:00:00Z"), 1},
                           {1, at("2024-05-05T00:00:00Z"), at("2024-05-12T00:00:00Z"), 1},
                           {1, at("2024-05-12T00:00:00Z"), at("2024-05-19T00:00:00Z"), 1}});
  // A week of 167 hours.
  CHECK(of_times(tumbling<"time">(calendar::week, in_zone<"Europe/Berlin">), {"2024-03-31T12:00:00Z"}) ==
        std::vector<Total>{{1, at("2024-03-24T23:00:00Z"), at("2024-03-31T22:00:00Z"), 1}});
}

TEST_CASE("months, quarters and years are as long as they are") {
  CHECK(of_times(tumbling<"time">(calendar::month), {"2024-02-29T23:59:59.999999Z", "2024-03-01T00:00:00Z",
                                                     "1969-12-31T23:59:59Z", "1900-02-28T12:00:00Z"}) ==
        std::vector<Total>{{1, at("1900-02-01T00:00:00Z"), at("1900-03-01T00:00:00Z"), 1},
                           {1, at("1969-12-01T00:00:00Z"), at("1970-01-01T00:00:00Z"), 1},
                           {1, at("2024-02-01T00:00:00Z"), at("2024-03-01T00:00:00Z"), 1},
                           {1, at("2024-03-01T00:00:00Z"), at("2024-04-01T00:00:00Z"), 1}});
  CHECK(of_times(tumbling<"time">(calendar::month, in_zone<"Europe/Berlin">), {"2024-03-31T22:30:00Z"}) ==
        std::vector<Total>{{1, at("2024-03-31T22:00:00Z"), at("2024-04-30T22:00:00Z"), 1}});
  CHECK(of_times(tumbling<"time">(calendar::quarter), {"2024-05-31T00:00:00Z"}) ==
        std::vector<Total>{{1, at("2024-04-01T00:00:00Z"), at("2024-07-01T00:00:00Z"), 1}});
  CHECK(of_times(tumbling<"time">(calendar::year, in_zone<"Asia/Tokyo">),
                 {"2023-12-31T14:59:59Z", "2023-12-31T15:00:00Z"}) ==
        std::vector<Total>{{1, at("2022-12-31T15:00:00Z"), at("2023-12-31T15:00:00Z"), 1},
                           {1, at("2023-12-31T15:00:00Z"), at("2024-12-31T15:00:00Z"), 1}});
}

TEST_CASE("a day that a zone skipped has no window, and one that begins late begins then") {
  CHECK(of_times(tumbling<"time">(calendar::day, in_zone<"Pacific/Apia">),
                 {"2011-12-30T09:59:59Z", "2011-12-30T10:00:00Z"}) ==
        std::vector<Total>{{1, at("2011-12-29T10:00:00Z"), at("2011-12-30T10:00:00Z"), 1},
                           {1, at("2011-12-30T10:00:00Z"), at("2011-12-31T10:00:00Z"), 1}});
  CHECK(of_times(tumbling<"time">(calendar::day, in_zone<"America/Sao_Paulo">),
                 {"2018-11-04T03:00:00Z", "2018-02-18T02:30:00Z"}) ==
        std::vector<Total>{{1, at("2018-02-17T02:00:00Z"), at("2018-02-18T03:00:00Z"), 1},
                           {1, at("2018-11-04T03:00:00Z"), at("2018-11-05T02:00:00Z"), 1}});
}

TEST_CASE("a calendar window is final when its end equals the watermark, and what comes then is late") {
  outcome<Total> made;
  made.run(totals(tumbling<"time">(calendar::day, in_zone<"Europe/Berlin">)),
           {{{1, at("2024-03-31T10:00:00Z")}, {2, at("2024-03-31T21:59:59.999Z")}},
            {{1, at("2024-03-31T22:00:00Z"), 5}},
            {{1, at("2024-03-31T22:00:00Z"), 5}},
            {{1, at("2024-03-31T21:59:59.999999Z")}}});
  std::vector<Total> found = made.out->rows();
  std::sort(found.begin(), found.end(), [](const Total& a, const Total& b) { return a.shop < b.shop; });
  CHECK(found == std::vector<Total>{{1, at("2024-03-30T23:00:00Z"), at("2024-03-31T22:00:00Z"), 1},
                                    {2, at("2024-03-30T23:00:00Z"), at("2024-03-31T22:00:00Z"), 1}});
  REQUIRE(made.late_sales->rows().size() == 1);
  CHECK(made.late_sales->rows()[0].window_start == at("2024-03-30T23:00:00Z"));
  CHECK(made.late_sales->rows()[0].window_end == at("2024-03-31T22:00:00Z"));
  CHECK(made.done.steps[0].counts.late == 1);
  CHECK(made.done.steps[0].state.windows == 1);
}

TEST_CASE("update mode gives out calendar windows that changed, as often as they change") {
  outcome<KeyedTotal> made;
  made.run(totals<output_mode::update, KeyedTotal>(tumbling<"time">(calendar::month)),
           {{{1, at("2024-02-01T00:00:00Z"), 3}},
            {{1, at("2024-02-29T00:00:00Z"), 4}},
            {{2, at("2024-02-29T00:00:00Z"), 5}}});
  std::vector<std::int64_t> amounts;
  for (const KeyedTotal& each : made.out->rows()) amounts.push_back(each.amount);
  CHECK(amounts == std::vector<std::int64_t>{3, 7, 5});
}

TEST_CASE("months of days: a window over windows counts each in the one that it belongs to") {
  struct Month {
    timestamp window_start;
    std::int64_t days;
    std::int64_t amount;
    bool operator==(const Month&) const = default;
  };
  outcome<Month> made;
  const auto pipeline = from<Sale>("in") | watermark<"time">(0s) | group_by<"shop"> |
                        tumbling<"time">(calendar::day, in_zone<"Europe/Berlin">) |
                        aggregate<Total>(named<"amount"> = sum(field<"amount">)) |
                        tumbling<"window_time">(calendar::month, in_zone<"Europe/Berlin">) |
                        aggregate<Month>(named<"days"> = count(), named<"amount"> = sum(field<"amount">)) |
                        into<output_mode::append>("out");
  made.run(
      pipeline,
      {{{1, at("2024-03-31T12:00:00Z"), 2}, {2, at("2024-03-31T21:59:59Z"), 3}, {1, at("2024-03-31T22:00:00Z"), 100}},
       {{1, at("2024-04-30T22:00:00Z")}}});
  CHECK(made.out->rows() ==
        std::vector<Month>{{at("2024-02-29T23:00:00Z"), 2, 5}, {at("2024-03-31T22:00:00Z"), 1, 100}});
}

TEST_CASE("a calendar in a zone that the system does not have is refused before anything runs") {
  outcome<Total> made;
  profile where;
  where.assets["in"].made_source = made.in;
  where.assets["out"].made_sink = made.out;
  where.assets["late"].made_sink = made.late_sales;
  const auto ran = run(totals(tumbling<"time">(calendar::day, in_zone<"Europe/Atlantis">)), where);
  REQUIRE(!ran.ok());
  CHECK(ran.error().code == "PMPLAN205");
  CHECK(ran.error().where == "step 'transform'");
}

TEST_CASE("period, first day and zone of a calendar are part of what saved state must agree with") {
  const auto lowered =
      lower(totals(tumbling<"time">(calendar::week.starting(std::chrono::Saturday), in_zone<"Asia/Dubai">)));
  REQUIRE(lowered.ok());
  const program_node& step = lowered->nodes[1];
  CHECK(
      step.state_schema ==
      "key shop int64; tumbling time calendar week from Saturday in Asia/Dubai; aggregate amount = sum(amount) int64");
  CHECK(step.zones == std::vector<std::string>{"Asia/Dubai"});
  CHECK(lower(totals(tumbling<"time">(calendar::month)))->nodes[1].operators[2].settings[1].value ==
        "calendar month in UTC");
}

TEST_CASE("windows of fixed lengths from hours to years are in UTC and aligned to 1970") {
  CHECK(of_times(tumbling<"time">(std::chrono::days{365}),
                 {"1970-12-31T23:59:59Z", "1971-01-01T00:00:00Z", "1969-01-01T00:00:00Z"}) ==
        std::vector<Total>{{1, at("1969-01-01T00:00:00Z"), at("1970-01-01T00:00:00Z"), 1},
                           {1, at("1970-01-01T00:00:00Z"), at("1971-01-01T00:00:00Z"), 1},
                           {1, at("1971-01-01T00:00:00Z"), at("1972-01-01T00:00:00Z"), 1}});
}
