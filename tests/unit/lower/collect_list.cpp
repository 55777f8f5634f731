#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

// Lists of values that come out of aggregates.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Visit {
  text visitor;
  timestamp at;
  std::optional<text> page;
  std::int64_t seconds;
};
struct Path {
  text visitor;
  std::vector<text> pages;
  std::vector<std::int64_t> seconds;
  std::int64_t total;
};

template <class Result>
struct outcome {
  std::shared_ptr<memory_sink<Result>> out = std::make_shared<memory_sink<Result>>();
  std::shared_ptr<memory_sink<rejected<Result>>> invalid = std::make_shared<memory_sink<rejected<Result>>>();

  void run(const auto& pipeline, const std::vector<std::vector<Visit>>& batches) {
    auto in = std::make_shared<memory_source<Visit>>();
    for (const auto& each : batches) in->add(each);
    profile where;
    where.name = "test";
    where.trigger.kind = trigger_kind::available_now;
    where.assets["in"].made_source = in;
    where.assets["out"].made_sink = out;
    where.assets["wrong"].made_sink = invalid;
    const auto done = etlantic::run(pipeline, where);
    INFO((done ? "" : done.error().message));
    REQUIRE(done.ok());
  }
};

std::vector<std::string> texts(const std::vector<text>& of) {
  std::vector<std::string> made;
  for (const text& each : of) made.push_back(each.value);
  return made;
}
using strings = std::vector<std::string>;

}  // namespace

TEST_CASE("the first pages of a visitor in source order, over batches; those behind the bound are not kept") {
  outcome<Path> got;
  const auto pipeline =
      from<Visit>("in") | watermark<"at">(0s) | group_by<"visitor"> | session<"at">(1h) |
      aggregate<Path>(named<"pages"> = collect_list<3>(field<"page">),
                      named<"seconds"> = collect_list<2>(field<"seconds">), named<"total"> = count()) |
      into("out");
  got.run(pipeline, {{{"ann", {5}, "a", 1}, {"bob", {1}, std::nullopt, 2}, {"ann", {3}, std::nullopt, 3}},
                     {{"ann", {1}, "a page with a long name", 4}, {"ann", {9}, "c", 5}, {"ann", {2}, "d", 6}},
                     {{"zed", {90'000'000'000}, "z", 7}}});
  std::vector<Path> rows = got.out->rows();
  std::sort(rows.begin(), rows.end(), [](const Path& a, const Path& b) { return a.visitor < b.visitor; });
  REQUIRE(rows.size() == 2);
  CHECK(texts(rows[0].pages) == strings{"a", "a page with a long name", "c"});
  CHECK(rows[0].seconds == std::vector<std::int64_t>{1, 3});
  CHECK(rows[0].total == 5);
  CHECK(rows[1].pages.empty());
  CHECK(rows[1].seconds == std::vector<std::int64_t>{2});
}

TEST_CASE("the list of a rejected result goes with it, and those of the others stay whole") {
  outcome<Path> got;
  const auto pipeline =
      from<Visit>("in") | group_by<"visitor"> |
      aggregate<Path>(named<"pages"> = collect_list<3>(field<"page">),
                      named<"seconds"> = collect_list<3>(field<"seconds">), named<"total"> = sum(field<"seconds">)) |
      into<output_mode::complete>("out", side_assets{.invalid_results = "wrong"});
  std::vector<Visit> visits;
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 200; ++i) {
    const std::string visitor = std::to_string(i);
    const std::int64_t seconds = i % 3 == 0 ? largest : i;
    visits.push_back({text(visitor), {i}, text("first of " + visitor), seconds});
    visits.push_back({text(visitor), {i}, text("then " + visitor), seconds});
  }
  got.run(pipeline, {visits});
  REQUIRE(got.out->rows().size() == 133);
  for (const Path& each : got.out->rows()) {
    const int number = std::stoi(each.visitor.value);
    CHECK(number % 3 != 0);
    CHECK(texts(each.pages) == strings{"first of " + each.visitor.value, "then " + each.visitor.value});
    CHECK(each.seconds == std::vector<std::int64_t>{number, number});
  }
  REQUIRE(got.invalid->rows().size() == 67);
  const std::string payload = got.invalid->rows()[0].payload.value;
  INFO(payload);
  CHECK(payload.find("\"pages\":[\"first of ") != std::string::npos);
}

TEST_CASE("many long lists are given out in several blocks") {
  struct List {
    std::int64_t seconds;
    std::vector<text> visitors;
  };
  const auto pipeline = from<Visit>("in") | group_by<"seconds"> |
                        aggregate<List>(named<"visitors"> = collect_list<100>(field<"visitor">)) |
                        into<output_mode::complete>("out");
  auto work = lower_stage(etlantic::detail::as_port_stream(pipeline.chain), stage_place{output_mode::complete, "step"});
  static const std::string long_name(10'000, 'x');
  struct checked_blocks final : stage_outputs {
    std::size_t blocks = 0, rows = 0;
    bool right = true;
    result<void> emit(std::size_t, const block& of) override {
      ++blocks;
      rows += of.rows;
      for (std::size_t i = 0; i < of.rows; ++i) {
        const List list = row_at<List>(of, i);
        right &= list.visitors.size() == 100 && list.visitors.back() == text(long_name);
      }
      return {};
    }
  } out;
  work->begin({});
  for (std::int64_t second = 0; second < 100; ++second) {  // a megabyte each
    block rows(schema_of<Visit>());
    for (int i = 0; i < 101; ++i) append_row(rows, Visit{text(long_name), {0}, std::nullopt, second});
    REQUIRE(work->process(0, rows, out).ok());
  }
  REQUIRE(work->finish(out).ok());
  CHECK(out.right);
  CHECK(out.rows == 100);
  CHECK(out.blocks == 2);
}

TEST_CASE("a list takes the room of its values up to the bound, and a saved one that is cut short is refused") {
  struct List {
    std::vector<text> pages;
  };
  const auto pipeline = from<Visit>("in") | aggregate<List>(named<"pages"> = collect_list<100>(field<"page">)) |
                        into<output_mode::complete>("out");
  const auto make = [&] {
    return lower_stage(etlantic::detail::as_port_stream(pipeline.chain), stage_place{output_mode::complete, "step"});
  };
  struct ignored final : stage_outputs {
    result<void> emit(std::size_t, const block&) override { return {}; }
  } nowhere;
  auto work = make();
  std::int64_t bytes_when_full = 0;
  for (int batch = 0; batch < 50; ++batch) {
    work->begin({});
    block rows(schema_of<Visit>());
    for (int i = 0; i < 100; ++i) append_row(rows, Visit{text("a"), {0}, text("the name of a page that is long"), 0});
    REQUIRE(work->process(0, rows, nowhere).ok());
    REQUIRE(work->finish(nowhere).ok());
    if (batch == 0) bytes_when_full = work->state().bytes;
    CHECK(work->state().bytes == bytes_when_full);
  }
  CHECK(bytes_when_full > 100 * 31);
  state_writer saved;
  work->save(saved);
  const std::string whole(saved.bytes());
  for (std::size_t size = 0; size + sizeof(std::uint64_t) < whole.size(); size += 5) {
    state_reader from(std::string_view(whole).substr(0, size));
    REQUIRE(!make()->restore(from).ok());
  }
  for (std::size_t at = 0; at < whole.size(); at += 3) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(~damaged[at]);
    state_reader from(damaged);
    auto other = make();
    if (!other->restore(from)) continue;
    other->begin({});
    REQUIRE(other->finish(nowhere).ok());
  }
}

TEST_CASE("the schema of a state says what a list holds") {
  struct List {
    std::vector<text> pages;
  };
  const auto made = lower(from<Visit>("in") | aggregate<List>(named<"pages"> = collect_list<100>(field<"page">)) |
                          into<output_mode::complete>("out"));
  REQUIRE(made.ok());
  CHECK(made->nodes[1].state_schema == "aggregate pages = collect_list<100>(page) list of text");
}
