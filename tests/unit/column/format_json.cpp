#include <etlantic/column/format_json.hpp>
#include <etlantic/core/decimal.hpp>

#include "support/catch.hpp"
#include "support/rows.hpp"

#include <cstdint>
#include <limits>
#include <string>

using namespace etlantic;
using namespace etlantic::test;

namespace {

std::string json_text(std::string_view text) {
  std::string to;
  append_json_text(to, text);
  return to;
}

}  // namespace

TEST_CASE("JSON text is escaped where it must be and nowhere else") {
  CHECK(json_text("") == R"("")");
  CHECK(json_text("plain text of more than eight bytes") == R"("plain text of more than eight bytes")");
  CHECK(json_text("a\"b\\c/d") == R"("a\"b\\c/d")");
  CHECK(json_text("\b\f\n\r\t") == R"("\b\f\n\r\t")");
  CHECK(json_text(std::string_view("\0\x01\x1f\x7f", 4)) == "\"\\u0000\\u0001\\u001f\x7f\"");
  CHECK(json_text("ü€😀 and so on ü€😀") == "\"ü€😀 and so on ü€😀\"");
}

TEST_CASE("JSON text: a character that needs care is found at every place of a word") {
  for (const char special : {'"', '\\', '\n', '\x1f'})
    for (std::size_t at = 0; at < 20; ++at) {
      std::string text(20, '!');  // 0x21, next to the quote
      text[at] = special;
      std::string expected(20, '!');
      expected.replace(at, 1, special == '"' ? "\\\"" : special == '\\' ? "\\\\" : special == '\n' ? "\\n" : "\\u001f");
      CHECK(json_text(text) == '"' + expected + '"');
    }
}

TEST_CASE("JSON text: bytes that are not UTF-8 become U+FFFD") {
  CHECK(json_text("a\xff"
                  "b") ==
        "\"a\xef\xbf\xbd"
        "b\"");
  CHECK(json_text("\xc0\xaf") == "\"\xef\xbf\xbd\xef\xbf\xbd\"");                  // overlong
  CHECK(json_text("\xed\xa0\x80") == "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");  // a surrogate
  CHECK(json_text("\xf4\x90\x80\x80").size() == 14);                               // above U+10FFFF
  CHECK(json_text("\xe2\x82") == "\"\xef\xbf\xbd\xef\xbf\xbd\"");                  // cut
}

TEST_CASE("a row of every type is a JSON object in the order of the contract") {
  static constexpr std::string_view statuses[] = {"paid", "cancelled"};
  static const field_description point[] = {plain_field("x", logical_type::int8),
                                            nullable(plain_field("y", logical_type::float64))};
  static const field_description points[] = {nullable(nested_field("point", logical_type::structure, point))};
  field_description renamed = plain_field("inside", logical_type::text);
  renamed.data_name = "out\"side";
  field_description epoch = plain_field("e", logical_type::timestamp);
  epoch.form = time_form::epoch_milliseconds;
  const field_description fields[] = {renamed,
                                      plain_field("b", logical_type::boolean),
                                      plain_field("u", logical_type::uint64),
                                      decimal_field("d", 18, 2),
                                      decimal_field("big", 38, 0),
                                      plain_field("bin", logical_type::binary),
                                      plain_field("day", logical_type::date),
                                      plain_field("ts", logical_type::timestamp),
                                      epoch,
                                      plain_field("took", logical_type::duration),
                                      enum_field("status", statuses),
                                      nested_field("points", logical_type::list, points),
                                      nested_field("f", logical_type::structure, point),
                                      nullable(plain_field("n", logical_type::int32))};
  const schema everything{.id = "everything", .version = "1", .fields = fields};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const block rows = make_block(
      everything, {{"t", false, std::numeric_limits<std::uint64_t>::max(), 1230, -power_of_ten(37), "foo", date{1},
                    timestamp{1}, timestamp{2000}, 3, 0, std::vector<cell>{std::vector<cell>{1, 0.5}, nullptr},
                    std::vector<cell>{-1, nan}, nullptr},
                   {"", true, 0, -1, 0, "", date{0}, timestamp{0}, timestamp{0}, 0, 1, std::vector<cell>{},
                    std::vector<cell>{0, nullptr}, 5}});
  const auto members = json_members_of(everything.fields);
  std::string first;
  append_json_row(first, members, rows.columns, 0);
  CHECK(
      first ==
      R"({"out\"side":"t","b":false,"u":18446744073709551615,"d":12.30,"big":-10000000000000000000000000000000000000,)"
      R"("bin":"Zm9v","day":"1970-01-02","ts":"1970-01-01T00:00:00.000001Z","e":2,"took":3,"status":"paid",)"
      R"("points":[{"x":1,"y":0.5},null],"f":{"x":-1,"y":"NaN"},"n":null})");
  std::string second;
  append_json_row(second, members, rows.columns, 1);
  CHECK(second == R"({"out\"side":"","b":true,"u":0,"d":-0.01,"big":0,"bin":"","day":"1970-01-01",)"
                  R"("ts":"1970-01-01T00:00:00.000000Z","e":0,"took":0,"status":"cancelled","points":[],)"
                  R"("f":{"x":0,"y":null},"n":5})");
}
