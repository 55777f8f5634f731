#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <unistd.h>
#include <filesystem>
#include <limits>

// What cannot be right goes to the step's output `invalid`, and everything else goes on.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

/// What a bare pipeline from `in` into `out` published, and what it could not.
template <class Row, class Result>
struct outcome {
  std::shared_ptr<memory_source<Row>> in = std::make_shared<memory_source<Row>>();
  std::shared_ptr<memory_sink<Result>> out = std::make_shared<memory_sink<Result>>();
  std::shared_ptr<memory_sink<rejected<Result>>> invalid = std::make_shared<memory_sink<rejected<Result>>>();
  profile where;
  progress totals;

  outcome() {
    where.name = "test";
    where.trigger.kind = trigger_kind::available_now;
    where.assets["in"].made_source = in;
    where.assets["out"].made_sink = out;
    where.assets["wrong"].made_sink = invalid;
  }

  void run(const auto& pipeline) {
    const auto done = etlantic::run(pipeline, where);
    INFO((done ? "" : done.error().message + " " + done.error().where));
    REQUIRE(done.ok());
    totals = *done;
    for (const step_progress& each : totals.steps) CHECK(each.counts.received == accounted_for(each.counts));
  }

  const stage_counts& counts() const { return totals.steps.at(0).counts; }
  std::string payload(std::size_t row) const { return invalid->rows().at(row).payload.value; }
};

constexpr side_assets to_quarantine{.invalid_results = "wrong"};

struct Amount {
  std::int64_t account;
  std::int64_t value;
  timestamp time;
};
struct Balance {
  std::int64_t account;
  timestamp window_start;
  std::int64_t total;
  std::int64_t rows;
};

struct Product {
  std::int64_t account;
  std::int64_t value;
};

std::vector<std::string> reasons(const auto& rows) {
  std::vector<std::string> made;
  for (const auto& each : rows) made.push_back(each.code.value + " " + each.violations.value);
  return made;
}

}  // namespace

TEST_CASE("DC-08: a decimal sum beyond 128 bits is rejected, and other groups are published") {
  struct Wide {
    std::int64_t account;
    decimal<38, 0> value;
  };
  struct Sum {
    std::int64_t account;
    std::optional<decimal<38, 0>> sum;
  };
  const auto big = decimal<38, 0>("99000000000000000000000000000000000000");
  outcome<Wide, Sum> test;
  test.in->add({{1, big}, {2, decimal<38, 0>("7")}, {1, big}});
  test.run(from<Wide>("in") | group_by<"account"> | aggregate<Sum>(named<"sum"> = sum(field<"value">)) |
           into<output_mode::complete>("out", to_quarantine));
  REQUIRE(test.out->rows().size() == 1);
  CHECK(test.out->rows()[0].account == 2);
  CHECK(test.out->rows()[0].sum == decimal<38, 0>("7"));
  REQUIRE(test.invalid->rows().size() == 1);
  const rejected<Sum> row = test.invalid->rows()[0];
  CHECK(row.code == text("PMSTREAM481"));
  CHECK(row.field == text("sum"));
  CHECK(row.reason == text("overflow"));
  CHECK(row.violations == text("sum=overflow"));
  CHECK(row.payload.value == R"({"account":1})");
  CHECK(row.split == text("transform"));
  CHECK(row.position >= 0);
  CHECK(row.pipeline == text("out"));
  CHECK(row.contract == text("Sum 0.0.0"));
  CHECK(test.counts().kept == 3);
  CHECK(test.counts().rejected_results == 1);
}

TEST_CASE("DC-13: an int64 sum that does not fit is rejected with key and window when its window closes, once") {
  outcome<Amount, Balance> test;
  test.in->add({{1, largest, {0}}, {2, 5, {1'000'000}}, {1, 1, {2'000'000}}});
  test.in->add({{3, 1, {25'000'000}}});
  test.in->add({{3, 1, {55'000'000}}});
  test.run(from<Amount>("in") | watermark<"time">(0s) | group_by<"account"> | tumbling<"time">(10s) |
           aggregate<Balance>(named<"total"> = sum(field<"value">), named<"rows"> = count()) |
           into("out", to_quarantine));
  std::vector<std::int64_t> accounts;
  for (const Balance& each : test.out->rows()) accounts.push_back(each.account);
  CHECK(accounts == std::vector<std::int64_t>{2, 3});
  REQUIRE(test.invalid->rows().size() == 1);
  // window_end is no field of the contract; it is told all the same.
  CHECK(test.payload(0) == R"({"window_end":"1970-01-01T00:00:10.000000Z","account":1,)"
                           R"("window_start":"1970-01-01T00:00:00.000000Z","rows":2})");
  CHECK(test.counts().emitted == 2);
}

TEST_CASE("in update mode a wrong result is told once until it is right again") {
  outcome<Amount, Product> test;
  for (const std::int64_t value : {largest, std::int64_t{1}, std::int64_t{1}, std::int64_t{-10}, std::int64_t{100}})
    test.in->add({{1, value, {}}});
  test.run(from<Amount>("in") | group_by<"account"> | aggregate<Product>(named<"value"> = sum(field<"value">)) |
           into<output_mode::update>("out", to_quarantine));
  std::vector<std::int64_t> values;
  for (const Product& each : test.out->rows()) values.push_back(each.value);
  CHECK(values == std::vector<std::int64_t>{largest, largest - 8});
  REQUIRE(test.invalid->rows().size() == 2);
  // The same group has the same place; the time says which of the two it is.
  CHECK(test.invalid->rows()[0].position == test.invalid->rows()[1].position);
  CHECK(test.counts().rejected_results == 2);
}

TEST_CASE("a result that breaks its contract is rejected with the field's own reason") {
  struct Checked {
    std::optional<text> account;
    checked<std::int64_t, gt<0>> total;
    checked<std::int64_t, le<2>> rows;
  };
  struct Named {
    std::optional<text> account;
    std::int64_t value;
  };
  outcome<Named, Checked> test;
  test.in->add({{text("a"), 1}, {text("b"), -1}, {std::nullopt, -1}, {std::nullopt, -1}, {std::nullopt, -1}});
  test.run(from<Named>("in") | group_by<"account"> |
           aggregate<Checked>(named<"total"> = sum(field<"value">), named<"rows"> = count()) |
           into<output_mode::complete>("out", to_quarantine));
  REQUIRE(test.out->rows().size() == 1);
  CHECK(test.out->rows()[0].account == text("a"));
  auto rows = test.invalid->rows();
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.payload.value < b.payload.value; });
  CHECK(reasons(rows) ==
        std::vector<std::string>{"PMSTREAM482 total=constraint", "PMSTREAM482 total=constraint;rows=constraint"});
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].payload.value == R"({"account":"b","total":-1,"rows":1})");
  CHECK(rows[1].payload.value == R"({"account":null,"total":-3,"rows":3})");
}

TEST_CASE("a null in a rejected result leaves no trace in the next one") {
  struct Sums {
    std::int64_t account;
    std::optional<std::int64_t> value;
    std::int64_t big;
  };
  struct Maybe {
    std::int64_t account;
    std::optional<std::int64_t> value;
    std::int64_t big;
  };
  outcome<Maybe, Sums> test;
  std::vector<Maybe> rows;
  for (std::int64_t account = 0; account < 10'000; ++account) {
    const bool wrong = account % 2 == 0;
    rows.push_back({account, wrong ? std::nullopt : std::optional<std::int64_t>(account), wrong ? largest : 1});
    rows.push_back({account, wrong ? std::nullopt : std::optional<std::int64_t>(account), 1});
  }
  test.in->add(rows);
  test.run(from<Maybe>("in") | group_by<"account"> |
           aggregate<Sums>(named<"value"> = sum(field<"value">), named<"big"> = sum(field<"big">)) |
           into<output_mode::complete>("out", to_quarantine));
  CHECK(test.out->rows().size() == 5'000);
  CHECK(test.invalid->rows().size() == 5'000);
  for (const Sums& each : test.out->rows())
    if (each.value != 2 * each.account || each.big != 2) FAIL(each.account);
}

TEST_CASE("a row whose arithmetic overflows is rejected as it came in, with its place, and moves no watermark") {
  outcome<Amount, Product> test;
  std::vector<Amount> rows;
  for (std::int64_t i = 0; i < 200; ++i) rows.push_back({i, i % 50 == 7 ? largest - i : i, {i}});
  rows.push_back({1000, largest, {1'000'000'000}});
  test.in->add(rows);
  test.run(from<Amount>("in") | watermark<"time">(0s) | select<Product>(named<"value"> = field<"value"> * 2) |
           into("out", to_quarantine));
  CHECK(test.out->rows().size() == 196);
  std::int64_t sum = 0;
  for (const Product& each : test.out->rows()) sum += each.value - 2 * each.account;
  CHECK(sum == 0);
  const auto invalid = test.invalid->rows();
  REQUIRE(invalid.size() == 5);
  CHECK(invalid[1].split == text("memory"));
  CHECK(invalid[1].position == 57);
  CHECK(invalid[1].code == text("PMSTREAM480"));
  CHECK(invalid[1].field == text("value"));
  CHECK(invalid[1].reason == text("overflow"));
  CHECK(test.payload(1) == R"({"account":57,"value":9223372036854775750,"time":"1970-01-01T00:00:00.000057Z"})");
  CHECK(test.counts().invalid == 5);
  CHECK(test.counts().kept == 196);
  CHECK(test.totals.watermark.microseconds == 0);
}

TEST_CASE("a row that overflows in a predicate is invalid, not filtered") {
  outcome<Amount, Amount> test;
  test.in->add({{1, largest, {}}, {2, 5, {}}, {3, 50, {}}});
  test.run(from<Amount>("in") | etlantic::where(field<"value"> * 10 > 100) | into("out", to_quarantine));
  REQUIRE(test.out->rows().size() == 1);
  CHECK(test.out->rows()[0].account == 3);
  CHECK(reasons(test.invalid->rows()) == std::vector<std::string>{"PMSTREAM480 =overflow"});
  CHECK(test.counts().filtered == 1);
  CHECK(test.counts().invalid == 1);
}

TEST_CASE("a transformed value that does not fit or breaks the contract is rejected; the first field counts") {
  struct In {
    decimal<10, 2> price;
    std::int64_t amount;
    std::vector<text> tags;
  };
  struct Out {
    decimal<4, 2> price;
    checked<std::int64_t, lt<10>> amount;
    std::vector<text> tags;
  };
  outcome<In, Out> test;
  const text tag("a tag that is too long to lie inline");
  std::vector<In> rows(64, {decimal<10, 2>("1.00"), 1, {tag, tag}});  // what is wrong comes behind good rows
  rows.push_back({decimal<10, 2>("100.00"), 20, {tag}});
  rows.push_back({decimal<10, 2>("2.00"), 20, {tag, tag, tag}});
  rows.push_back({decimal<10, 2>("99.99"), 2, {tag}});
  test.in->add(rows);
  test.run(from<In>("in") | select<Out>() | into("out", to_quarantine));
  REQUIRE(test.out->rows().size() == 65);
  CHECK(test.out->rows()[63].tags == std::vector<text>{tag, tag});
  CHECK(test.out->rows()[64].price == decimal<4, 2>("99.99"));
  CHECK(test.out->rows()[64].tags == std::vector<text>{tag});
  CHECK(reasons(test.invalid->rows()) ==
        std::vector<std::string>{"PMSTREAM481 price=overflow", "PMSTREAM482 amount=constraint"});
  CHECK(test.invalid->rows()[1].position == 65);
}

TEST_CASE("a row that overflows on its way into an aggregation is left out of its group") {
  outcome<Amount, Product> test;
  std::vector<Amount> rows{{1, largest, {}}};
  for (std::int64_t i = 0; i < 100; ++i) rows.push_back({1, 1, {}});
  rows.push_back({1, largest, {}});
  rows.push_back({7, -1, {}});
  test.in->add(rows);
  // Three times the largest would wrap to a positive number, which no filter stops.
  test.run(from<Amount>("in") | derive<"triple">(field<"value"> * 3) | etlantic::where(field<"triple"> > 0) |
           group_by<"account"> | aggregate<Product>(named<"value"> = sum(field<"triple">)) |
           into<output_mode::complete>("out", to_quarantine));
  REQUIRE(test.out->rows().size() == 1);
  CHECK(test.out->rows()[0].value == 300);
  CHECK(reasons(test.invalid->rows()) == std::vector<std::string>{"PMSTREAM480 =overflow", "PMSTREAM480 =overflow"});
  CHECK(test.invalid->rows()[1].position == 101);
  CHECK(test.counts().received == 103);
  CHECK(test.counts().filtered == 1);
  CHECK(test.counts().invalid == 2);
  CHECK(test.counts().kept == 100);
}

TEST_CASE("what a step behind an aggregate rejects is a result, and the contract says of what") {
  outcome<Amount, Product> test;
  test.in->add({{1, largest, {}}, {2, 3, {}}});
  test.run(from<Amount>("in") | group_by<"account"> | aggregate<Product>(named<"value"> = sum(field<"value">)) |
           select<Product>(named<"value"> = field<"value"> * 2) | into<output_mode::complete>("out", to_quarantine));
  REQUIRE(test.out->rows().size() == 1);
  CHECK(test.out->rows()[0].value == 6);
  REQUIRE(test.invalid->rows().size() == 1);
  CHECK(test.payload(0) == R"({"account":1,"value":9223372036854775807})");
  CHECK(test.invalid->rows()[0].split == text("transform"));
  CHECK(test.counts().invalid == 0);
  CHECK(test.counts().rejected_results == 1);
}

TEST_CASE("without a reader rejected results are counted, and the plan says that they are dropped") {
  outcome<Amount, Product> test;
  test.in->add({{1, largest, {}}, {1, 1, {}}});
  const auto pipeline = from<Amount>("in") | group_by<"account"> |
                        aggregate<Product>(named<"value"> = sum(field<"value">)) | into<output_mode::complete>("out");
  test.run(pipeline);
  CHECK(test.out->rows().empty());
  CHECK(test.counts().rejected_results == 1);
  const std::vector<std::string> warnings = lower(pipeline)->warnings;
  CHECK(std::count(warnings.begin(), warnings.end(),
                   "nothing reads transform.invalid: its rows are counted and dropped") == 1);
  // Nothing can be wrong with rows that are given on as they are.
  const std::vector<std::string> filtered =
      lower(from<Amount>("in") | etlantic::where(field<"value"> > 0) | into("out"))->warnings;
  CHECK(filtered == std::vector<std::string>{"nothing reads in.invalid: its rows are counted and dropped"});
}

TEST_CASE("state that ends before what was told of rejected results is read: then nothing was told") {
  const auto pipeline = from<Amount>("in") | group_by<"account"> |
                        aggregate<Product>(named<"value"> = sum(field<"value">)) | into<output_mode::update>("out");
  const auto made = lower(pipeline)->nodes.at(1).make_stage(output_mode::update);
  state_writer written;
  made->save(written);
  const std::string_view bytes = written.bytes();
  state_reader whole(bytes);
  CHECK(made->restore(whole).ok());
  state_reader before(bytes.substr(0, bytes.size() - sizeof(std::uint64_t)));
  CHECK(made->restore(before).ok());
  state_reader cut(bytes.substr(0, bytes.size() - 1));
  CHECK(made->restore(cut).error().code == "PMSTREAM483");
}

namespace {

// Each input feeds an output of its own; what is wrong leaves through one.
struct TwoOutputs {
  input<Amount> amounts;
  output<Product> doubled;
  output<Balance> sums;
};
constexpr auto implement(const TwoOutputs& t) {
  return outputs(named<"doubled"> = t.amounts | select<Product>(named<"value"> = field<"value"> * 2),
                 named<"sums"> = t.amounts | watermark<"time">(0s) | group_by<"account"> | tumbling<"time">(10s) |
                                 aggregate<Balance>(named<"total"> = sum(field<"value">), named<"rows"> = count()));
}
struct Both {
  extract<Amount, "in"> in;
  step<TwoOutputs, "in.valid"> both;
  load<Product, "doubled", "both.doubled"> doubled;
  load<Balance, "sums", "both.sums"> sums;
  load<rejected<Product>, "wrong", "both.invalid"> wrong;
  load<late<Amount>, "late", "both.late"> late_rows;
};

}  // namespace

TEST_CASE("a step with several outputs has one for what is invalid in any of them, and late rows still have theirs") {
  auto in = std::make_shared<memory_source<Amount>>();
  in->add({{1, largest, {1}}, {1, 1, {2}}});
  in->add({{2, 1, {20'000'000}}});
  in->add({{3, 1, {30'000'000}}});
  in->add({{9, 1, {3}}});
  auto wrong = std::make_shared<memory_sink<rejected<Product>>>();
  auto late_rows = std::make_shared<memory_sink<late<Amount>>>();
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.assets["in"].made_source = in;
  where.assets["doubled"].made_sink = std::make_shared<memory_sink<Product>>();
  where.assets["sums"].made_sink = std::make_shared<memory_sink<Balance>>();
  where.assets["wrong"].made_sink = wrong;
  where.assets["late"].made_sink = late_rows;
  const auto done = run(Both{}, where);
  INFO((done ? "" : done.error().message));
  REQUIRE(done.ok());
  std::vector<std::string> contracts;
  for (const auto& each : wrong->rows()) contracts.push_back(each.contract.value + " " + each.reason.value);
  CHECK(contracts == std::vector<std::string>{"Product 0.0.0 overflow", "Balance 0.0.0 overflow"});
  REQUIRE(late_rows->rows().size() == 1);
  CHECK(late_rows->rows()[0].event.account == 9);
}
