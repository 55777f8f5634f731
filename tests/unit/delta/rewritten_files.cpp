#include <etlantic/connect/delta/statistics.hpp>
#include <etlantic/connect/parquet/parquet_file.hpp>

#include "unit/delta/support.hpp"

#include <random>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description counted_fields[] = {keyed(plain_field("k", logical_type::int64)),
                                            plain_field("v", logical_type::int64)};
const schema counted{.id = "counted", .version = "1", .fields = counted_fields};

const std::map<std::string, std::string> files_of_100 = {{"rows_per_file", "100"}};

block counted_rows(std::int64_t begin, std::int64_t end, std::int64_t value) {
  std::vector<std::vector<cell>> rows;
  for (std::int64_t k = begin; k < end; ++k) rows.push_back({k, value});
  return make_block(counted, rows);
}

/// The rows of each file, as they lie there.
std::vector<texts> rows_by_file(const table_folder& at) {
  const delta::table_state table = at.state();
  const auto layout = value_of(delta::layout_of(*table.metadata, at.path()));
  std::vector<texts> found;
  for (const auto& [identity, file] : table.files) {
    texts& rows = found.emplace_back();
    for (const block& each : value_of(delta::read_file_rows(at.store(), layout, file)))
      for (std::size_t row = 0; row < each.rows; ++row) rows.push_back(row_text(each, row));
  }
  std::sort(found.begin(), found.end(), [](const texts& a, const texts& b) { return a.size() > b.size(); });
  return found;
}

const field_description parts[] = {plain_field("number", logical_type::int64),
                                   nullable(plain_field("text", logical_type::text)),
                                   nullable(plain_field("whole", logical_type::int32))};
const schema three{.id = "three", .version = "1", .fields = parts};

block three_rows(std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 chance(seed);
  std::vector<std::vector<cell>> rows;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::int64_t>(chance() % 1'000'000);
    rows.push_back({number, chance() % 3 == 0 ? cell(nullptr) : cell("a text of some length " + std::to_string(number)),
                    chance() % 3 == 0 ? cell(nullptr) : cell(static_cast<std::int64_t>(chance() % 5))});
  }
  return make_block(three, rows);
}

texts texts_of(std::span<const block> rows) {
  texts found;
  for (const block& each : rows)
    for (std::size_t row = 0; row < each.rows; ++row) found.push_back(row_text(each, row));
  return found;
}

std::string encoded(const block& rows, const parquet::encoding& how) {
  return value_of(parquet::encode(*rows.contract, std::span(&rows, 1), how));
}

std::string bytes_of(const buffer& values) { return {reinterpret_cast<const char*>(values.data()), values.size()}; }

}  // namespace

TEST_CASE("delta: rows of a full file are replaced where they stand, and new ones go into another file") {
  const table_folder at;
  auto to = at.opened(counted, output_mode::update, {"q", "n"}, files_of_100);
  publish(*to, batch_of(0, output_mode::update, counted_rows(0, 100, 0)));
  publish(*to, batch_of(1, output_mode::update, counted_rows(40, 50, 1)));
  publish(*to, batch_of(2, output_mode::update, counted_rows(98, 103, 2)));
  texts wanted;
  for (int k = 0; k < 100; ++k)
    wanted.push_back(std::to_string(k) + (k >= 98 ? "|2" : k >= 40 && k < 50 ? "|1" : "|0"));
  CHECK(rows_by_file(at) == std::vector<texts>{wanted, {"100|2", "101|2", "102|2"}});
  for (const auto& [identity, file] : at.state().files) {
    const auto keys = delta::range_in_statistics(file.statistics, counted_fields[0]);
    REQUIRE(keys);
    CHECK((std::get<int128>(keys->least) == 0 || std::get<int128>(keys->least) == 100));
  }
}

TEST_CASE("delta: of rows with one key in several full files, and in one, a merge leaves a single one") {
  const table_folder at;
  auto adding = at.opened(counted, output_mode::append, {"q", "a"}, {{"mode", "append"}, {"rows_per_file", "100"}});
  publish(*adding, batch_of(0, output_mode::append, counted_rows(0, 100, 0)));
  publish(*adding, batch_of(1, output_mode::append, counted_rows(3, 100, 0)));
  std::vector<std::vector<cell>> twice;
  for (std::int64_t i = 0; i < 100; ++i) twice.push_back({1000 + i / 2, 0});
  publish(*adding, batch_of(2, output_mode::append, make_block(counted, twice)));
  CHECK(at.rows().size() == 297);

  auto to = at.opened(counted, output_mode::update, {"q", "n"}, files_of_100);
  publish(*to, batch_of(0, output_mode::update, make_block(counted, {{5, 1}, {95, 1}, {1007, 1}})));
  const texts rows = at.rows();
  CHECK(rows.size() == 294);
  for (const char* const each : {"5|1", "95|1", "1007|1"}) CHECK(std::count(rows.begin(), rows.end(), each) == 1);
  for (const char* const each : {"5|0", "95|0", "1007|0"}) CHECK(std::count(rows.begin(), rows.end(), each) == 0);
  CHECK(std::count(rows.begin(), rows.end(), "1008|0") == 2);
}

TEST_CASE("delta: values of every type that has no parts are overwritten, nulls by values and values by nulls") {
  const field_description fields[] = {keyed(plain_field("k", logical_type::int32)),
                                      nullable(plain_field("flag", logical_type::boolean)),
                                      nullable(plain_field("text", logical_type::text)),
                                      nullable(plain_field("real", logical_type::float64)),
                                      nullable(decimal_field("wide", 30, 2)),
                                      nullable(decimal_field("narrow", 10, 2)),
                                      nullable(plain_field("small", logical_type::int8)),
                                      nullable(plain_field("short", logical_type::int16)),
                                      nullable(plain_field("day", logical_type::date)),
                                      nullable(plain_field("time", logical_type::timestamp))};
  const schema all{.id = "all", .version = "1", .fields = fields};
  std::mt19937_64 chance(11);
  const auto row_of = [&](std::int64_t key, std::string& text) {
    const auto is_there = [&] { return chance() % 3 > 0; };
    const auto value = static_cast<std::int64_t>(chance() % 100) - 50;
    std::vector<cell> row{key};
    text = std::to_string(key);
    const auto add = [&](cell given, const std::string& as) {
      const bool there = is_there();
      row.push_back(there ? std::move(given) : cell(nullptr));
      text += '|' + (there ? as : "null");
    };
    add(value > 0, value > 0 ? "true" : "false");
    const std::string name = value % 2 == 0 ? "short" : "a text that does not fit into its view";
    add(name, name);
    add(static_cast<double>(value), std::to_string(static_cast<double>(value)));
    add(int128{value} << 70, format_decimal(int128{value} << 70, 2));
    add(value, format_decimal(value, 2));
    add(value, std::to_string(value));
    add(value * 100, std::to_string(value * 100));
    add(value, std::to_string(value));
    add(value, std::to_string(value));
    return row;
  };
  const table_folder at;
  auto to = at.opened(all, output_mode::update, {"q", "n"}, files_of_100);
  std::map<std::int64_t, std::string> expected;
  std::string text;
  for (std::int64_t batch = 0; batch < 8; ++batch) {
    std::vector<std::vector<cell>> rows;
    for (std::int64_t i = 0; i < (batch == 0 ? 200 : 30); ++i) {
      const std::int64_t key = batch == 0 ? i : static_cast<std::int64_t>(chance() % 205);
      rows.push_back(row_of(key, text));
      expected[key] = text;
    }
    publish(*to, batch_of(batch, output_mode::update, make_block(all, rows)));
  }
  texts wanted;
  for (const auto& [key, row] : expected) wanted.push_back(row);
  std::sort(wanted.begin(), wanted.end());
  CHECK(at.rows() == wanted);
}

TEST_CASE("delta: values of columns that a batch lacks stay in a full file") {
  const field_description more[] = {counted_fields[0], counted_fields[1],
                                    nullable(plain_field("name", logical_type::text))};
  const schema wide{.id = "wide", .version = "1", .fields = more};
  const table_folder at;
  {
    auto to = at.opened(wide, output_mode::update, {"q", "wide"}, files_of_100);
    std::vector<std::vector<cell>> rows;
    for (std::int64_t k = 0; k < 100; ++k) rows.push_back({k, 0, "n" + std::to_string(k)});
    publish(*to, batch_of(0, output_mode::update, make_block(wide, rows)));
  }
  auto to = at.opened(counted, output_mode::update, {"q", "n"}, files_of_100);
  publish(*to, batch_of(0, output_mode::update, make_block(counted, {{7, 1}, {200, 1}})));
  texts wanted;
  for (int k = 0; k < 100; ++k) wanted.push_back(std::to_string(k) + (k == 7 ? "|1|n" : "|0|n") + std::to_string(k));
  CHECK(rows_by_file(at) == std::vector<texts>{wanted, {"200|1|null"}});
}

TEST_CASE("parquet: columns that have not changed are copied as they are encoded") {
  const block old = three_rows(1000, 1);
  block changed = three_rows(1000, 2);
  changed.columns[0] = old.columns[0];
  changed.columns[2] = old.columns[2];
  const texts wanted = texts_of(std::span(&changed, 1));
  const std::string before = encoded(old, {.codec = "none"});
  const std::string numbers = bytes_of(old.columns[0].values);
  REQUIRE(before.find(numbers) != std::string::npos);
  for (const std::string codec : {"zstd", "snappy", "none"}) {
    const std::vector<bool> unchanged{true, false, true};
    parquet::encoding how{.codec = codec};
    how.before.emplace(before, unchanged);
    const std::string after = encoded(changed, how);
    CHECK(after.find(numbers) != std::string::npos);
    CHECK(texts_of(value_of(parquet::decode(after, three, "x"))) == wanted);
    CHECK((encoded(changed, {.codec = codec}).find(numbers) != std::string::npos) == (codec == "none"));

    parquet::encoding again{.codec = codec};  // what was copied once can be copied on
    const std::vector<bool> all(3, true);
    again.before.emplace(after, all);
    CHECK(texts_of(value_of(parquet::decode(encoded(changed, again), three, "x"))) == wanted);
  }
}

TEST_CASE("parquet: columns of a file that has other rows, other types or several groups are encoded anew") {
  const block rows = three_rows(1000, 3);
  const texts wanted = texts_of(std::span(&rows, 1));
  const std::vector<bool> all(3, true);
  const auto after = [&](const std::string& before) {
    parquet::encoding how{.codec = "zstd"};
    how.before.emplace(before, all);
    return encoded(rows, how);
  };
  const field_description others[] = {nullable(plain_field("number", logical_type::int64)),
                                      nullable(plain_field("text", logical_type::binary)),
                                      nullable(plain_field("whole", logical_type::int64))};
  const schema other{.id = "other", .version = "1", .fields = others};
  std::vector<std::vector<cell>> cells(1000, {1, "b", 2});
  const std::string fresh = encoded(rows, {.codec = "zstd"});
  CHECK(after(encoded(three_rows(999, 4), {.codec = "none"})) == fresh);
  CHECK(after(encoded(make_block(other, cells), {.codec = "none"})) == fresh);
  CHECK(after(encoded(rows, {.codec = "none", .rows_per_group = 400})) == fresh);
  CHECK(texts_of(value_of(parquet::decode(fresh, three, "x"))) == wanted);
}

TEST_CASE("parquet: rows of several groups and pages are read one behind the other, with and without nulls") {
  const field_description fields[] = {
      plain_field("whole", logical_type::int64), nullable(plain_field("maybe", logical_type::int64)),
      nullable(plain_field("never", logical_type::float64)), nullable(plain_field("day", logical_type::date))};
  const schema wide{.id = "wide", .version = "1", .fields = fields};
  block rows(wide);
  rows.resize(150'000);
  std::mt19937_64 chance(7);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    rows.columns[0].set(row, chance());
    rows.columns[1].set(row, chance());
    if (chance() % 4 == 0) rows.columns[1].set_null(row);
    rows.columns[2].set_null(row);
    rows.columns[3].set(row, static_cast<std::int32_t>(row / 1000));
    if (row % 70'000 < 100) rows.columns[3].set_null(row);
  }
  const auto read = value_of(parquet::decode(encoded(rows, {.codec = "snappy", .rows_per_group = 40'000}), wide, "x"));
  CHECK(texts_of(read) == texts_of(std::span(&rows, 1)));
}
