#include "support.hpp"

#include <etlantic/core/decimal.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

using namespace etlantic;
using namespace etlantic::test;

namespace {

constexpr std::string_view statuses[] = {"paid", "cancelled"};
const field_description tags[] = {plain_field("tag", logical_type::text)};
const field_description place[] = {plain_field("city", logical_type::text),
                                   nullable(plain_field("zip", logical_type::int32))};
const field_description all_types[] = {
    keyed(plain_field("id", logical_type::int64)),
    plain_field("b", logical_type::boolean),
    plain_field("i8", logical_type::int8),
    plain_field("i16", logical_type::int16),
    plain_field("i32", logical_type::int32),
    plain_field("u8", logical_type::uint8),
    plain_field("u16", logical_type::uint16),
    plain_field("u32", logical_type::uint32),
    plain_field("u64", logical_type::uint64),
    plain_field("f32", logical_type::float32),
    plain_field("f64", logical_type::float64),
    decimal_field("d18", 18, 2),
    decimal_field("d38", 38, 3),
    plain_field("t", logical_type::text),
    plain_field("bin", logical_type::binary),
    plain_field("day", logical_type::date),
    plain_field("ts", logical_type::timestamp),
    plain_field("took", logical_type::duration),
    enum_field("status", statuses),
    nested_field("home", logical_type::structure, place),
    nullable(nested_field("work", logical_type::structure, place)),
    nested_field("tags", logical_type::list, tags),
    nullable(plain_field("n", logical_type::text)),
};
const schema everything{.id = "everything", .version = "1", .fields = all_types};

std::vector<cell> a_row() {
  return {1,
          true,
          -8,
          -16,
          -32,
          8,
          16,
          32,
          std::numeric_limits<std::int64_t>::max(),
          0.5,
          0.1,
          1230,
          -5,
          "plain",
          std::string("\0\xff", 2),
          date{0},
          timestamp{-1},
          1'500'000,
          1,
          std::vector<cell>{"Köln", nullptr},
          nullptr,
          std::vector<cell>{"a", "b\"c"},
          nullptr};
}

const field_description numbers[] = {keyed(plain_field("id", logical_type::int64)),
                                     plain_field("count", logical_type::uint64),
                                     plain_field("real", logical_type::float64)};
const schema counted{.id = "counted", .version = "1", .fields = numbers};

}  // namespace

TEST_CASE("sqlite: every type has its column, and structs become columns of their own") {
  const temporary_database at;
  auto to = at.sink_for("everything");
  succeed(to->open(everything, output_mode::append, {"q", "n"}));
  CHECK(
      at.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('everything')") ==
      texts{
          "id|INTEGER|1|1",       "b|INTEGER|1|0",      "i8|INTEGER|1|0",       "i16|INTEGER|1|0", "i32|INTEGER|1|0",
          "u8|INTEGER|1|0",       "u16|INTEGER|1|0",    "u32|INTEGER|1|0",      "u64|INTEGER|1|0", "f32|REAL|1|0",
          "f64|REAL|1|0",         "d18|TEXT|1|0",       "d38|TEXT|1|0",         "t|TEXT|1|0",      "bin|BLOB|1|0",
          "day|TEXT|1|0",         "ts|TEXT|1|0",        "took|INTEGER|1|0",     "status|TEXT|1|0", "home_city|TEXT|1|0",
          "home_zip|INTEGER|0|0", "work_city|TEXT|0|0", "work_zip|INTEGER|0|0", "tags|TEXT|1|0",   "n|TEXT|0|0"});
}

TEST_CASE("sqlite: every type keeps its value") {
  const temporary_database at;
  auto to = at.sink_for("everything");
  succeed(to->open(everything, output_mode::append, {"q", "n"}));
  publish(*to, batch_of(1, output_mode::append, make_block(everything, {a_row()})));
  CHECK(at.rows("SELECT b, i8, i16, i32, u8, u16, u32, u64, f32, f64 FROM everything") ==
        texts{"1|-8|-16|-32|8|16|32|9223372036854775807|0.5|0.1"});
  CHECK(at.rows("SELECT d18, d38, t, hex(bin), day, ts, took, status FROM everything") ==
        texts{"12.30|-0.005|plain|00FF|1970-01-01|1969-12-31T23:59:59.999999Z|1500000|cancelled"});
  CHECK(at.rows("SELECT home_city, home_zip, work_city, work_zip, tags, n FROM everything") ==
        texts{"Köln|NULL|NULL|NULL|[\"a\",\"b\\\"c\"]|NULL"});
  CHECK(at.rows("SELECT typeof(d18), typeof(f64), typeof(bin), typeof(ts) FROM everything") ==
        texts{"text|real|blob|text"});
}

TEST_CASE("sqlite: a decimal of 38 digits keeps them all") {
  const temporary_database at;
  const field_description fields[] = {decimal_field("d", 38, 0), decimal_field("e", 38, 38)};
  const schema wide{.id = "wide", .version = "1", .fields = fields};
  auto to = at.sink_for("wide");
  succeed(to->open(wide, output_mode::append, {"q", "n"}));
  const int128 most = power_of_ten(38) - 1;
  publish(*to, batch_of(1, output_mode::append, make_block(wide, {{most, most}, {-most, -1}})));
  CHECK(at.rows("SELECT d, e FROM wide") == texts{"99999999999999999999999999999999999999|"
                                                  "0.99999999999999999999999999999999999999",
                                                  "-99999999999999999999999999999999999999|"
                                                  "-0.00000000000000000000000000000000000001"});
}

TEST_CASE("sqlite: an unsigned number that does not fit refuses the batch and never wraps") {
  const temporary_database at;
  auto to = at.sink_for("counted");
  succeed(to->open(counted, output_mode::append, {"q", "n"}));
  const std::uint64_t too_much = std::uint64_t{1} << 63;
  const auto refused =
      to->prepare(batch_of(1, output_mode::append, make_block(counted, {{1, 1, 1.0}, {2, too_much, 1.0}})));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::sink_rejected);
  CHECK(refused.error().message ==
        "SQLite holds whole numbers up to 9223372036854775807; `count` is 9223372036854775808");
  CHECK(at.rows("SELECT count(*) FROM counted") == texts{"0"});
  publish(*to, batch_of(1, output_mode::append, make_block(counted, {{1, 1, 1.0}})));
  CHECK(at.rows("SELECT count(*) FROM counted") == texts{"1"});
}

TEST_CASE("sqlite: NaN is a text and infinity a number, and neither is null") {
  const temporary_database at;
  auto to = at.sink_for("counted");
  succeed(to->open(counted, output_mode::append, {"q", "n"}));
  const double infinity = std::numeric_limits<double>::infinity();
  publish(*to, batch_of(1, output_mode::append,
                        make_block(counted, {{1, 1, std::nan("")}, {2, 1, infinity}, {3, 1, -infinity}})));
  CHECK(at.rows("SELECT typeof(real), real = 9e999, real = -9e999, real = 'NaN' FROM counted ORDER BY id") ==
        texts{"text|0|0|1", "real|1|0|0", "real|0|1|0"});
}

TEST_CASE("sqlite: text with U+0000 and hostile text survive") {
  const temporary_database at;
  const field_description fields[] = {plain_field("t", logical_type::text)};
  const schema one{.id = "one", .version = "1", .fields = fields};
  auto to = at.sink_for("one");
  succeed(to->open(one, output_mode::append, {"q", "n"}));
  const std::string long_text = "'); DROP TABLE one; --" + std::string("\0tail", 5);
  publish(*to, batch_of(1, output_mode::append, make_block(one, {{std::string("a\0b", 3)}, {long_text}, {""}})));
  CHECK(at.rows("SELECT hex(t), typeof(t) FROM one ORDER BY rowid") ==
        texts{"610062|text", "27293B2044524F50205441424C45206F6E653B202D2D007461696C|text", "|text"});
}

TEST_CASE("sqlite: hostile names of tables, columns, queries and nodes are names") {
  const temporary_database at;
  const field_description fields[] = {keyed(plain_field("select \"x\"; --", logical_type::int64)),
                                      plain_field("it's `a` [b]", logical_type::int64)};
  const schema odd{.id = "odd", .version = "1", .fields = fields};
  auto to = at.sink_for("t\"; DROP TABLE x; --");
  succeed(to->open(odd, output_mode::update, {"q' OR 1=1", "n\"; --"}));
  publish(*to, batch_of(1, output_mode::update, make_block(odd, {{1, 2}})));
  publish(*to, batch_of(2, output_mode::update, make_block(odd, {{1, 3}})));
  CHECK(at.rows("SELECT * FROM \"t\"\"; DROP TABLE x; --\"") == texts{"1|3"});
  CHECK(at.rows("SELECT * FROM etlantic_ledger") == texts{"q' OR 1=1|n\"; --|2"});
}
