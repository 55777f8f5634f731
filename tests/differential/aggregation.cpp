#include "support/catch.hpp"
#include "support/random_rows.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <map>
#include <tuple>

// Whole stages over random blocks against a reference that keeps every row in a std::map.

using namespace etlantic;
using namespace std::chrono_literals;
using random_rows::Row;

namespace {

struct Result {
  text name;
  std::optional<bool> maybe_flag;
  timestamp window_start, window_end;
  std::int64_t rows, present;
  std::optional<decimal<38, 4>> wide_sum;
  decimal<28, 2> money_sum;
  std::optional<double> real_sum;
  std::optional<text> least_name;
  double greatest_real;
  std::optional<double> mean;
};

auto pipeline() {
  return from<Row>("in") | watermark<"maybe_time">(3s) | etlantic::where(field<"small"> >= 0) |
         group_by<"name", "maybe_flag"> | tumbling<"maybe_time">(5s) |
         aggregate<Result>(named<"rows"> = count(), named<"present"> = count(field<"maybe">),
                           named<"wide_sum"> = sum(field<"wide">), named<"money_sum"> = sum(field<"money">),
                           named<"real_sum"> = sum(field<"maybe_real">), named<"least_name"> = min(field<"maybe_name">),
                           named<"greatest_real"> = max(field<"real">), named<"mean"> = avg(field<"maybe">)) |
         into<output_mode::complete>("out");
}

struct collected final : stage_outputs {
  std::vector<Result> results;
  result<void> emit(std::size_t port, const block& rows) override {
    if (port == 0)
      for (std::size_t i = 0; i < rows.rows; ++i) results.push_back(row_at<Result>(rows, i));
    return {};
  }
};

using group_key = std::tuple<std::string, std::optional<bool>, std::int64_t>;

std::map<group_key, std::vector<Row>> reference_groups(const std::vector<Row>& rows) {
  std::map<group_key, std::vector<Row>> groups;
  for (const Row& row : rows) {
    if (row.small < 0 || !row.maybe_time) continue;
    std::int64_t start = row.maybe_time->microseconds / 5'000'000 * 5'000'000;
    if (start > row.maybe_time->microseconds) start -= 5'000'000;
    groups[{row.name.value, row.maybe_flag, start}].push_back(row);
  }
  return groups;
}

bool same_real(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void check_group(const Result& got, const std::vector<Row>& rows) {
  std::int64_t present = 0, count = 0;
  int128 wide = 0, money = 0, integers = 0;
  bool any_wide = false, any_real = false, any_name = false;
  double real = 0, greatest = rows[0].real;
  std::string least;
  for (const Row& row : rows) {
    present += row.maybe.has_value();
    if (row.maybe) integers += *row.maybe, ++count;
    if (row.wide) wide += row.wide->scaled, any_wide = true;
    money += row.money.scaled;
    if (row.maybe_real) real += *row.maybe_real, any_real = true;
    if (row.maybe_name && (!any_name || row.maybe_name->value < least)) least = row.maybe_name->value, any_name = true;
    if (std::isnan(row.real) || (!std::isnan(greatest) && row.real > greatest)) greatest = row.real;
  }
  CHECK(got.rows == static_cast<std::int64_t>(rows.size()));
  CHECK(got.present == present);
  CHECK(got.wide_sum.has_value() == any_wide);
  if (any_wide) CHECK((got.wide_sum->scaled == wide));
  CHECK((got.money_sum.scaled == money));
  CHECK(got.real_sum.has_value() == any_real);
  if (any_real) CHECK(same_real(*got.real_sum, real));
  CHECK(got.least_name.has_value() == any_name);
  if (any_name) CHECK(got.least_name->value == least);
  CHECK(same_real(got.greatest_real, greatest));
  CHECK(got.mean.has_value() == (count > 0));
  if (count > 0) CHECK(*got.mean == static_cast<double>(integers) / static_cast<double>(count));
  CHECK(got.window_end - got.window_start == duration(5s));
}

}  // namespace

TEST_CASE(
    "a stage of filter, window and aggregates agrees with a map of all rows, however blocks and batches are cut") {
  const result<program> lowered = lower(pipeline());
  REQUIRE(lowered.ok());
  const auto& make = lowered->nodes.at(1).make_stage;
  random_rows::generator random(5);
  for (std::size_t size : {1u, 64u, 65u, 700u, 4000u}) {
    const std::vector<Row> rows = random.rows(size);
    const auto expected = reference_groups(rows);
    for (std::size_t cut : {std::size_t{1}, std::size_t{63}, size}) {
      auto work = make(output_mode::complete);
      collected out;
      for (std::size_t begin = 0; begin < size; begin += cut * 3) {
        work->begin({});
        for (std::size_t at = begin; at < std::min(size, begin + cut * 3); at += cut)
          REQUIRE(work->process(
                          0,
                          random_rows::as_block({rows.begin() + static_cast<std::ptrdiff_t>(at),
                                                 rows.begin() + static_cast<std::ptrdiff_t>(std::min(size, at + cut))}),
                          out)
                      .ok());
        out.results.clear();
        REQUIRE(work->finish(out).ok());
        const stage_counts counts = work->counts();
        CHECK(counts.received == counts.filtered + counts.late + counts.kept);

        // A restart in between changes nothing.
        state_writer saved;
        work->save(saved);
        work = make(output_mode::complete);
        state_reader reader(saved.bytes());
        REQUIRE(work->restore(reader).ok());
        CHECK(reader.at_end());
      }
      INFO(size << " rows in blocks of " << cut);
      REQUIRE(out.results.size() == expected.size());
      for (const Result& got : out.results) {
        const auto found = expected.find({got.name.value, got.maybe_flag, got.window_start.microseconds});
        REQUIRE(found != expected.end());
        check_group(got, found->second);
      }
    }
  }
}
