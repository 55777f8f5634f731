#include <etlantic/connect/delta/file_filter.hpp>
#include <etlantic/connect/delta/whole_values.hpp>
#include <etlantic/connect/parquet/repeated_values.hpp>

#include "unit/delta/support.hpp"

#include <random>
#include <set>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description window_fields[] = {keyed(plain_field("k", logical_type::int64)),
                                           keyed(plain_field("time", logical_type::timestamp), 1),
                                           plain_field("v", logical_type::int64)};
const schema windows{.id = "windows", .version = "1", .fields = window_fields};

constexpr std::int64_t hour = 3'600'000'000;

publication windows_of(std::int64_t batch, const std::vector<std::vector<cell>>& rows) {
  return batch_of(batch, output_mode::update, make_block(windows, rows));
}

std::set<std::string> paths(const table_folder& at) {
  std::set<std::string> found;
  for (const auto& [identity, file] : at.state().files) found.insert(file.path);
  return found;
}

}  // namespace

TEST_CASE("delta: keys of every type are found again, the last row of each counts, and no other row is touched") {
  const field_description fields[] = {keyed(plain_field("b", logical_type::boolean), 1),
                                      keyed(plain_field("t", logical_type::text), 0),
                                      keyed(plain_field("f", logical_type::float64), 2),
                                      keyed(decimal_field("wide", 30, 2), 3),
                                      keyed(plain_field("small", logical_type::int8), 4),
                                      keyed(plain_field("day", logical_type::date), 5),
                                      plain_field("v", logical_type::int64)};
  const schema all{.id = "all", .version = "1", .fields = fields};
  const char* const names[] = {"", "a", "a text that is too long for its view", "a text that is too long for its vieW"};
  const double numbers[] = {0.0, -0.0, 1.5, std::numeric_limits<double>::infinity()};
  std::mt19937_64 chance(5);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(chance() % count); };

  const table_folder at;
  auto to = at.opened(all, output_mode::update, {"q", "n"}, {{"rows_per_file", "32"}});
  std::map<std::string, std::string> expected;  // by the key, with one zero
  for (std::int64_t batch = 0; batch < 12; ++batch) {
    std::vector<std::vector<cell>> rows;
    for (std::int64_t i = 0; i < 40; ++i) {
      const std::string name = names[below(4)];
      const bool flag = below(2) == 0;
      const double number = numbers[below(4)];
      const int128 wide = (int128{1} << 90) * static_cast<int>(below(2)) + 5;
      const int small = static_cast<int>(below(2)) - 1;
      const date day{static_cast<std::int32_t>(below(2)) - 1};
      const std::int64_t value = batch * 1000 + i;
      rows.push_back({flag, name, number, wide, small, day, value});
      const std::string rest =
          '|' + format_decimal(wide, 2) + '|' + std::to_string(small) + '|' + std::to_string(day.days);
      const std::string begin = (flag ? "true|" : "false|") + name + '|';
      expected[begin + std::to_string(number == 0 ? 0.0 : number) + rest] =
          begin + std::to_string(number) + rest + '|' + std::to_string(value);
    }
    publish(*to, batch_of(batch, output_mode::update, make_block(all, rows)));
  }
  texts wanted;
  for (const auto& [key, row] : expected) wanted.push_back(row);
  std::sort(wanted.begin(), wanted.end());
  CHECK(at.rows() == wanted);
}

TEST_CASE("delta: rows of older windows go into a file of their own, which the next merge leaves alone") {
  const table_folder at;
  auto to = at.opened(windows, output_mode::update, {"q", "n"}, {{"rows_per_file", "100"}});
  std::vector<std::vector<cell>> all;
  for (std::int64_t i = 0; i < 80; ++i) all.push_back({i % 20, timestamp{i / 20 * hour}, 0});
  publish(*to, windows_of(0, all));
  CHECK(paths(at).size() == 1);

  publish(*to, windows_of(1, {{3, timestamp{3 * hour}, 1}, {19, timestamp{3 * hour}, 1}}));
  const auto parted = paths(at);
  CHECK(parted.size() == 2);
  publish(*to, windows_of(2, {{0, timestamp{3 * hour}, 2}, {19, timestamp{3 * hour}, 2}}));
  const auto later = paths(at);
  CHECK(later.size() == 2);
  std::set<std::string> both;
  std::set_intersection(parted.begin(), parted.end(), later.begin(), later.end(), std::inserter(both, both.end()));
  CHECK(both.size() == 1);

  const texts rows = at.rows();
  CHECK(rows.size() == 80);
  CHECK(std::count_if(rows.begin(), rows.end(), [](const std::string& row) { return row.ends_with("|0"); }) == 77);
}

TEST_CASE("delta: few rows of older windows are written again instead of becoming a file") {
  const table_folder at;
  auto to = at.opened(windows, output_mode::update, {"q", "n"}, {{"rows_per_file", "1000"}});
  publish(*to, windows_of(0, {{1, timestamp{0}, 0}, {2, timestamp{hour}, 0}}));
  publish(*to, windows_of(1, {{2, timestamp{hour}, 1}}));
  CHECK(paths(at).size() == 1);
  CHECK(at.rows() == texts{"1|0|0", "2|3600000000|1"});
}

TEST_CASE("delta: a late row does not make a merge read the files between it and the others") {
  const table_folder at;
  auto to = at.opened(windows, output_mode::update, {"q", "n"}, {{"rows_per_file", "10"}});
  for (std::int64_t window = 0; window < 5; ++window)
    publish(*to, windows_of(window, {{1, timestamp{window * hour}, 0}, {2, timestamp{window * hour}, 0}}));
  CHECK(paths(at).size() == 5);
  for (const auto& [identity, file] : at.state().files)  // what is gone cannot be read
    if (file.statistics.find("1970-01-01T02:00:00") != std::string::npos)
      std::filesystem::remove(at.path() + '/' + file.path);
  publish(*to, windows_of(5, {{1, timestamp{0}, 7}, {2, timestamp{4 * hour}, 7}}));
  CHECK(at.version() == 6);
}

TEST_CASE("delta: the least and the greatest of any number of values") {
  std::mt19937_64 chance(9);
  for (std::size_t count = 0; count < 20; ++count) {
    const field_description field = plain_field("v", logical_type::int64);
    column values(field);
    std::vector<std::int64_t> plain;
    values.resize(count);
    for (std::size_t row = 0; row < count; ++row) {
      plain.push_back(static_cast<std::int64_t>(chance() % 2001) - 1000);
      values.set(row, plain.back());
    }
    std::int64_t least = INT64_MAX, greatest = INT64_MIN;
    delta::widen(values, count, least, greatest);
    CHECK(least == (count == 0 ? INT64_MAX : *std::min_element(plain.begin(), plain.end())));
    CHECK(greatest == (count == 0 ? INT64_MIN : *std::max_element(plain.begin(), plain.end())));
  }
}

TEST_CASE("parquet: a column has repeated values if a sample of it has") {
  const field_description fields[] = {plain_field("different", logical_type::int64),
                                      plain_field("few", logical_type::int64), plain_field("text", logical_type::text),
                                      nullable(plain_field("nothing", logical_type::text))};
  const schema four{.id = "four", .version = "1", .fields = fields};
  std::vector<block> blocks;
  for (std::int64_t first = 0; first < 3000; first += 1000) {
    std::vector<std::vector<cell>> rows;
    for (std::int64_t i = first; i < first + 1000; ++i)
      rows.push_back({i * 7, i % 50, "a text of its own, number " + std::to_string(i), nullptr});
    blocks.push_back(make_block(four, rows));
  }
  CHECK_FALSE(parquet::has_repeated_values(blocks, 0));
  CHECK(parquet::has_repeated_values(blocks, 1));
  CHECK_FALSE(parquet::has_repeated_values(blocks, 2));
  CHECK(parquet::has_repeated_values(blocks, 3));
  CHECK(parquet::has_repeated_values({}, 0));
}

TEST_CASE("delta: a merge does not trust bounds that others may have written by way of a double") {
  const auto may_match = [](int precision) {
    const std::string type = "decimal(" + std::to_string(precision) + ",0)";
    delta::table_metadata table;
    table.schema =
        R"({"type":"struct","fields":[{"name":"k","type":")" + type + R"(","nullable":false,"metadata":{}}]})";
    const delta::table_layout layout = value_of(delta::layout_of(table, ""));
    const field_description fields[] = {keyed(decimal_field("k", precision, 0))};
    const schema keys{.id = "keys", .version = "1", .fields = fields};
    const block rows = make_block(keys, {{int128{100'000'000'000'001}}});
    const std::size_t key[] = {0};
    delta::add_file file;
    file.statistics =
        R"({"numRecords":1,"minValues":{"k":100000000000000},"maxValues":{"k":100000000000000},"nullCount":{"k":0}})";
    return delta::file_filter(layout, std::span(&rows, 1), key).may_match(file);
  };
  CHECK_FALSE(may_match(15));
  CHECK(may_match(16));
}
