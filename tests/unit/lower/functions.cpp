#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <map>

// Functions in whole pipelines: as filters, as columns, as keys and as event time.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Line {
  text code;
  text amount;
  text time;
};

template <class Row, class Result>
struct outcome {
  std::shared_ptr<memory_source<Row>> in = std::make_shared<memory_source<Row>>();
  std::shared_ptr<memory_sink<Result>> out = std::make_shared<memory_sink<Result>>();
  std::shared_ptr<memory_sink<rejected<Result>>> invalid = std::make_shared<memory_sink<rejected<Result>>>();
  stage_counts counts;

  void run(const auto& pipeline) {
    profile where;
    where.name = "test";
    where.trigger.kind = trigger_kind::available_now;
    where.assets["in"].made_source = in;
    where.assets["out"].made_sink = out;
    where.assets["wrong"].made_sink = invalid;
    const auto done = etlantic::run(pipeline, where);
    INFO((done ? "" : done.error().message + " " + done.error().where));
    REQUIRE(done.ok());
    counts = done->steps.at(0).counts;
    CHECK(counts.received == accounted_for(counts));
  }
};

constexpr side_assets to_quarantine{.invalid_results = "wrong"};

}  // namespace

TEST_CASE("a row whose checked_cast fails goes to the output invalid, and the others go on") {
  struct Item {
    text code;
    std::int32_t pieces;
    std::optional<decimal<10, 2>> price;
    text size;
  };
  outcome<Line, Item> test;
  test.in->add({{" ab-1 ", "7", "1.005"}, {"ab-2", "seven", "2"}, {"xy-3", "8", "3"}, {"ab-4", "2000", "none"}});
  test.run(from<Line>("in") | where(like(trim(field<"code">), "ab-%")) |
           select<Item>(
               named<"code"> = upper_ascii(trim(field<"code">)),
               named<"pieces"> = checked_cast<std::int32_t>(field<"amount">),
               named<"price"> = try_cast<decimal<10, 2>>(field<"time">),
               named<"size"> = case_when(try_cast<std::int64_t>(field<"amount">) > 1000, "large").otherwise("small")) |
           into("out", to_quarantine));
  REQUIRE(test.out->rows().size() == 2);
  const auto rows = test.out->rows();
  CHECK(rows[0].code.value == "AB-1");
  CHECK(rows[0].pieces == 7);
  CHECK(rows[0].price == decimal<10, 2>("1.01"));
  CHECK(rows[0].size.value == "small");
  CHECK(rows[1].code.value == "AB-4");
  CHECK(!rows[1].price);
  CHECK(rows[1].size.value == "large");
  REQUIRE(test.invalid->rows().size() == 1);
  CHECK(test.invalid->rows()[0].code == text("PMSTREAM480"));
  CHECK(test.invalid->rows()[0].field == text("pieces"));
  CHECK(test.invalid->rows()[0].reason == text("cast_to_int32"));
  CHECK(test.counts.filtered == 1);
  CHECK(test.counts.invalid == 1);
}

TEST_CASE("an invalid row says which field failed, and whether by a cast, to what, or by arithmetic") {
  struct Read {
    std::int64_t pieces;
    timestamp time;
    std::int64_t doubled;
  };
  outcome<Line, Read> test;
  const std::string largest = "9223372036854775807", time = "2024-02-29T10:15:00Z";
  test.in->add({{"a", "1", text(time)},
                {"b", "one", "never"},
                {"c", text(largest), text(time)},
                {"d", "2", "never"},
                {"e", text(largest), "never"}});
  test.run(from<Line>("in") |
           select<Read>(named<"pieces"> = checked_cast<std::int64_t>(field<"amount">),
                        named<"time"> = checked_cast<timestamp>(field<"time">),
                        named<"doubled"> = coalesce(try_cast<std::int64_t>(field<"amount">), std::int64_t{0}) * 2) |
           into("out", to_quarantine));
  CHECK(test.out->rows().size() == 1);
  std::vector<std::string> violations;
  for (const auto& each : test.invalid->rows()) violations.push_back(each.violations.value);
  CHECK(violations == std::vector<std::string>{"pieces=cast_to_int64;time=cast_to_timestamp", "doubled=overflow",
                                               "time=cast_to_timestamp", "time=cast_to_timestamp;doubled=overflow"});
}

TEST_CASE("a cast that fails in a key, a filter or an argument of an aggregate is the reason of its row") {
  struct Total {
    std::int32_t pieces;
    std::optional<date> last;
  };
  outcome<Line, Total> test;
  test.in->add({{"true", "1", "2024-02-29"},
                {"yes", "1", "2024-02-29"},
                {"true", "3000000000", "2024-02-29"},
                {"true", "1", "2024-02-30"},
                {"false", "one", "never"}});
  test.run(from<Line>("in") | where(checked_cast<bool>(field<"code">)) |
           derive<"pieces">(checked_cast<std::int32_t>(field<"amount">)) | group_by<"pieces"> |
           aggregate<Total>(named<"last"> = max(checked_cast<date>(field<"time">))) |
           into<output_mode::complete>("out", to_quarantine));
  CHECK(test.out->rows().size() == 1);
  std::vector<std::string> violations;
  for (const auto& each : test.invalid->rows()) violations.push_back(each.violations.value);
  CHECK(violations == std::vector<std::string>{"=cast_to_bool", "=cast_to_int32", "=cast_to_date"});
}

TEST_CASE("a cast that fails ends the query where that is wanted, and says to what it was") {
  struct Read {
    std::int64_t pieces;
  };
  auto in = std::make_shared<memory_source<Line>>();
  in->add({{"a", "1", ""}, {"b", "one", ""}});
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.on_overflow = overflow_policy::fail;
  where.assets["in"].made_source = in;
  where.assets["out"].made_sink = std::make_shared<memory_sink<Read>>();
  const auto selected =
      run(from<Line>("in") | select<Read>(named<"pieces"> = checked_cast<std::int64_t>(field<"amount">)) | into("out"),
          where);
  REQUIRE(!selected.ok());
  CHECK(selected.error().code == "PMSTREAM480");
  CHECK(selected.error().message.starts_with("a value of a row cannot be cast to int64"));
  const auto summed =
      run(from<Line>("in") | aggregate<Read>(named<"pieces"> = sum(checked_cast<std::int64_t>(field<"amount">))) |
              into<output_mode::complete>("out"),
          where);
  REQUIRE(!summed.ok());
  CHECK(summed.error().message.starts_with("a value of a row cannot be cast to int64"));
}

TEST_CASE("texts that functions make are keys, over many rows") {
  struct Total {
    text key;
    std::int64_t rows;
    std::optional<text> greatest;
  };
  outcome<Line, Total> test;
  std::map<std::string, std::int64_t> expected;
  std::map<std::string, std::string> greatest;
  std::vector<Line> lines;
  for (int i = 0; i < 5'000; ++i) {
    std::string code = "? is a name that stands in no view";
    code[0] = static_cast<char>('a' + i % 7);
    const std::string amount = std::to_string(i % 91) + " pieces of something";
    lines.push_back({text(code), text(amount), text("")});
    std::string key = "? IS A NAME THAT STANDS IN NO VIEW/" + std::to_string(i % 3);
    key[0] = static_cast<char>('A' + i % 7);
    lines.back().time = text(std::to_string(i % 3));
    ++expected[key];
    greatest[key] = std::max(greatest[key], amount + "!");
  }
  test.in->add(lines);
  test.run(from<Line>("in") | derive<"key">(concat(upper_ascii(field<"code">), "/", field<"time">)) | group_by<"key"> |
           aggregate<Total>(named<"rows"> = count(), named<"greatest"> = max(concat(field<"amount">, "!"))) |
           into<output_mode::complete>("out"));
  std::size_t wrong = 0;
  for (const Total& each : test.out->rows())
    wrong += expected[each.key.value] != each.rows || each.greatest->value != greatest[each.key.value];
  CHECK(test.out->rows().size() == expected.size());
  CHECK(wrong == 0);
}

TEST_CASE("a time read from text is an event time; a row without one is invalid and moves no watermark") {
  struct Hour {
    timestamp window_start;
    std::int64_t rows;
  };
  outcome<Line, Hour> test;
  test.in->add({{"a", "1", "2024-02-29T10:15:00Z"},
                {"a", "1", "2024-02-29 10:16:00"},
                {"a", "1", "2024-02-29T10:59:59.999999Z"}});
  test.in->add({{"a", "1", "9999-99-99T00:00:00Z"}});
  test.in->add({{"a", "1", "2024-02-29T11:00:00Z"}});
  test.run(from<Line>("in") | derive<"at">(checked_cast<timestamp>(field<"time">)) | watermark<"at">(0s) |
           tumbling<"at">(1h) | aggregate<Hour>(named<"rows"> = count()) | into("out", to_quarantine));
  REQUIRE(test.out->rows().size() == 1);
  CHECK(test.out->rows()[0].window_start == timestamp{1'709'200'800'000'000});
  CHECK(test.out->rows()[0].rows == 2);
  CHECK(test.counts.invalid == 2);
}

TEST_CASE("an event time that fails makes its row invalid where no column shows it too") {
  struct Code {
    text code;
  };
  outcome<Line, Code> test;
  test.in->add({{"a", "1", "2024-02-29T10:15:00Z"}, {"b", "1", "yesterday"}, {"c", "1", "2024-02-29T10:16:00Z"}});
  test.run(from<Line>("in") | derive<"at">(checked_cast<timestamp>(field<"time">)) | watermark<"at">(0s) |
           select<Code>(named<"code"> = field<"code">) | into("out", to_quarantine));
  REQUIRE(test.out->rows().size() == 2);
  CHECK(test.out->rows()[1].code.value == "c");
  CHECK(test.counts.invalid == 1);
}

TEST_CASE("plans show functions as they are written") {
  CHECK(describe(case_when(field<"a"> > 1, "x").otherwise(upper_ascii(field<"b">))) ==
        "case_when((a > 1), \"x\", upper_ascii(b))");
  CHECK(describe(in(field<"a">, 1, 2)) == "in(a, 1, 2)");
  CHECK(describe(like(field<"a">, "x_%")) == "like<\"x_%\", escape \\>(a)");
  CHECK(describe(try_cast<decimal<5, 2>>(field<"a">)) == "try_cast<decimal(5,2)>(a)");
  CHECK(describe(truncate_to<std::chrono::weeks>(field<"t">)) == "truncate_to<week>(t)");
  CHECK(describe(substring(field<"a">, 1, 2)) == "substring(a, 1, 2)");
}
