#include "support/catch.hpp"
#include "support/csv.hpp"
#include "support/data.hpp"
#include "support/decoded_rows.hpp"

#include <etlantic/connect/json/decoder.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace etlantic;

namespace {

const constant_description zero[] = {{}};
const constraint_description positive[] = {{constraint_kind::gt, zero}};
const std::string_view states[] = {"new", "paid", "void"};

field_description constrained(field_description field, std::span<const constraint_description> rules) {
  field.constraints = rules;
  return field;
}

/// Decodes the lines with and without the fast path, which must not differ, and gives the rows in order.
std::vector<std::string> decode(std::span<const field_description> fields, std::string_view bytes,
                                std::int64_t begin = 0, std::size_t max_line_bytes = 1 << 20) {
  const schema contract{.id = "rows", .version = "1.0.0", .fields = fields};
  std::vector<std::string> texts[2];
  for (const bool fast : {false, true}) {
    const auto decoder = make_json_decoder(contract, test::rejected_schema(), {"pipeline", "rows 1.0.0"},
                                           {.fast_path = fast, .max_line_bytes = max_line_bytes});
    test::decoded_rows seen;
    const test::padded_bytes padded(bytes);
    const auto rows = decoder->decode("split", begin, padded.view(), seen);
    REQUIRE(rows.ok());
    REQUIRE(static_cast<std::size_t>(*rows) == seen.rows.size());
    REQUIRE(decoder->counts().valid + decoder->counts().invalid == *rows);
    for (const auto& [position, text] : seen.rows) texts[fast].push_back(text);
  }
  REQUIRE(texts[0] == texts[1]);
  return texts[0];
}

std::vector<std::string> decode_values(const field_description& field, std::initializer_list<const char*> values) {
  std::string bytes;
  for (const char* value : values) bytes += "{\"v\":" + std::string(value) + "}\n";
  return decode({&field, 1}, bytes);
}

using texts = std::vector<std::string>;

const field_description order_fields[] = {constrained(test::plain_field("id", logical_type::int64), positive),
                                          test::enum_field("status", states),
                                          test::nullable(test::plain_field("note", logical_type::text))};

}  // namespace

TEST_CASE("a row is valid, invalid or malformed, and nothing of it reaches its neighbours") {
  CHECK(decode(order_fields,
               "{\"id\":1,\"status\":\"paid\"}\n"
               "{\"id\":2,\"status\":\"paid\"\n"
               "{\"id\":0,\"status\":\"lost\",\"note\":7}\n"
               "{\"id\":4,\"status\":\"void\",\"note\":\"x\"}\n") ==
        texts{"valid 1 1 null", "PMSTREAM201 malformed {\"id\":2,\"status\":\"paid\"",
              "PMSTREAM202 id=constraint;status=not_in_set;note=wrong_type {\"id\":0,\"status\":\"lost\",\"note\":7}",
              "valid 4 2 'x'"});
}

TEST_CASE("JS-30: one rejected row names all fields in contract order, whatever the order in the text") {
  CHECK(decode(order_fields, "{\"note\":1,\"status\":2}") ==
        texts{"PMSTREAM202 id=missing;status=wrong_type;note=wrong_type {\"note\":1,\"status\":2}"});
}

TEST_CASE("a rejected row carries where it came from, when, and for whom") {
  const schema contract{.id = "rows", .version = "1.0.0", .fields = order_fields};
  const auto decoder = make_json_decoder(contract, test::rejected_schema(), {"orders_hourly", "rows 1.0.0"});
  struct : row_receiver {
    std::vector<std::string> columns;
    result<void> valid(const block&) override { return {}; }
    result<void> invalid(const block& rows) override {
      REQUIRE(rows.rows == 1);
      REQUIRE(rows.split == "in/a.json");
      for (const column& each : rows.columns) columns.push_back(test::value_text(each, 0));
      return {};
    }
  } seen;
  const test::padded_bytes bytes("\n {\"id\":0,\"status\":\"paid\"}\r\n");
  decoder->begin({1234});
  REQUIRE(decoder->decode("in/a.json", 100, bytes.view(), seen).ok());
  CHECK(seen.columns == texts{"'in/a.json'", "101", "'PMSTREAM202'", "'id'", "'constraint'", "'id=constraint'",
                              "' {\"id\":0,\"status\":\"paid\"}'", "1234", "'orders_hourly'", "'rows 1.0.0'"});
}

TEST_CASE("blank lines are no rows, and a carriage return before the line feed is not part of the line") {
  const auto rows =
      decode(order_fields, "\n \t \r\n{\"id\":1,\"status\":\"new\"}\r\n\r\n  {\"id\":2,\"status\":\"new\"}  \n\n");
  CHECK(rows == texts{"valid 1 0 null", "valid 2 0 null"});
}

TEST_CASE("JS-14: a byte order mark is skipped at the very start of a split only") {
  const std::string line = "\xef\xbb\xbf{\"id\":1,\"status\":\"new\"}\n";
  CHECK(decode(order_fields, line + line) ==
        texts{"valid 1 0 null", "PMSTREAM201 malformed " + line.substr(0, line.size() - 1)});
  CHECK(decode(order_fields, line, 10) == texts{"PMSTREAM201 malformed " + line.substr(0, line.size() - 1)});
  CHECK(decode(order_fields, "\xef\xbb\xbf\n{\"id\":1,\"status\":\"new\"}").size() == 1);
}

TEST_CASE("a JSON text that is no object breaks the contract as a whole") {
  for (std::string text : {"[]", "1", "\"x\"", "null", "true", "[{\"id\":1}]"})
    CHECK(decode(order_fields, text) == texts{"PMSTREAM202 =wrong_type " + text});
  for (std::string text : {"[", "01", "\"x", "nul", "true false", "{}{}"})
    CHECK(decode(order_fields, text) == texts{"PMSTREAM201 malformed " + text});
}

TEST_CASE("a line over the limit is too long, and only its beginning is kept") {
  const std::string longest = "{\"id\":1,\"status\":\"new\",\"x\":\"" + std::string(70, 'a') + "\"}";
  CHECK(decode(order_fields, longest + "\r\n", 0, longest.size()) == texts{"valid 1 0 null"});
  CHECK(decode(order_fields, longest + "\n" + longest.substr(0, 22) + "}\n", 0, longest.size() - 1) ==
        texts{"PMSTREAM201 too_long " + longest, "valid 1 0 null"});
  const std::string huge(200'000, ' ');
  const auto rows = decode(order_fields, huge + "{}\n", 0, 100'000);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0] == "PMSTREAM201 too_long " + huge.substr(0, json_decoder::too_long_payload_bytes));
}

TEST_CASE("JS-08, JS-12: the last of several members of one name wins, also when the name is escaped") {
  CHECK(decode(order_fields, "{\"id\":-1,\"status\":\"new\",\"\\u0069d\":5}") == texts{"valid 5 0 null"});
  CHECK(decode(order_fields, "{\"\\u0069d\":5,\"status\":\"new\",\"id\":null}")
            .front()
            .starts_with("PMSTREAM202 id=null"));
}

TEST_CASE("JS-20: what the contract does not name is checked as deeply as the rest") {
  const auto row = [](std::size_t depth) {
    return "{\"id\":1,\"status\":\"new\",\"x\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  CHECK(decode(order_fields, row(1023)) == texts{"valid 1 0 null"});
  CHECK(decode(order_fields, row(1024)).front().starts_with("PMSTREAM201 depth"));
  CHECK(decode(order_fields, "{\"x\":[1,],\"id\":1,\"status\":\"new\"}").front().starts_with("PMSTREAM201 malformed"));
  CHECK(decode(order_fields, "{\"id\":1,\"status\":\"new\",\"x\":01}").front().starts_with("PMSTREAM201 malformed"));
  CHECK(
      decode(order_fields, "{\"id\":1,\"status\":\"new\",\"x\":\"\t\"}").front().starts_with("PMSTREAM201 malformed"));
}

TEST_CASE("every JSONTestSuite text without a line feed has its verdict as a row") {
  const std::string suite = test::data_folder() / "json-test-suite/";
  const field_description field = test::nullable(test::plain_field("a", logical_type::text));
  int seen = 0;
  for (const auto& row : test::read_csv(suite + "expected.csv")) {
    const std::string text = test::read_bytes(suite + "test_parsing/" + row[0]);
    if (text.empty() || text.find('\n') != std::string::npos) continue;
    if (text.find_first_not_of(" \t\r\xef\xbb\xbf") == std::string::npos) continue;  // a blank line is no row
    INFO(row[0]);
    const auto rows = decode({&field, 1}, text);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].starts_with("PMSTREAM201") == (row[1] == "malformed"));
    ++seen;
  }
  CHECK(seen > 280);
}

TEST_CASE("integers of every width") {
  CHECK(decode_values(test::plain_field("v", logical_type::int8), {"-128", "127", "128", "1.0", "\"1\"", "null"}) ==
        texts{"valid -128", "valid 127", "PMSTREAM202 v=out_of_range {\"v\":128}",
              "PMSTREAM202 v=wrong_type {\"v\":1.0}", "PMSTREAM202 v=wrong_type {\"v\":\"1\"}",
              "PMSTREAM202 v=null {\"v\":null}"});
  CHECK(decode_values(test::plain_field("v", logical_type::uint64), {"18446744073709551615", "-0", "-1"}) ==
        texts{"valid 18446744073709551615", "valid 0", "PMSTREAM202 v=out_of_range {\"v\":-1}"});
  CHECK(decode_values(test::plain_field("v", logical_type::uint32), {"4294967295", "4294967296"}) ==
        texts{"valid 4294967295", "PMSTREAM202 v=out_of_range {\"v\":4294967296}"});
}

TEST_CASE("decimals are numbers or text in the grammar of numbers, and exact") {
  CHECK(decode_values(test::decimal_field("v", 10, 2),
                      {"12.3", "\"12.30\"", "-0.00", "12.345", "1e9", "\"x\"", "true"}) ==
        texts{"valid 12.30", "valid 12.30", "valid 0.00", "PMSTREAM202 v=scale {\"v\":12.345}",
              "PMSTREAM202 v=out_of_range {\"v\":1e9}", "PMSTREAM202 v=bad_text {\"v\":\"x\"}",
              "PMSTREAM202 v=wrong_type {\"v\":true}"});
  field_description rounds = test::decimal_field("v", 10, 2);
  rounds.rounds = true;
  CHECK(decode_values(rounds, {"1.005", "\"1.00499\"", "1.5"}) == texts{"valid 1.01", "valid 1.00", "valid 1.50"});
  CHECK(decode_values(test::decimal_field("v", 38, 0), {"99999999999999999999999999999999999999"}) ==
        texts{"valid 99999999999999999999999999999999999999"});
}

TEST_CASE("bool, floating point, binary, date and duration") {
  CHECK(decode_values(test::plain_field("v", logical_type::boolean), {"true", "false", "1", "\"true\""}) ==
        texts{"valid true", "valid false", "PMSTREAM202 v=wrong_type {\"v\":1}",
              "PMSTREAM202 v=wrong_type {\"v\":\"true\"}"});
  CHECK(decode_values(test::plain_field("v", logical_type::float64), {"0.1", "1", "1e400", "1e-400", "\"NaN\""}) ==
        texts{"valid 0.1", "valid 1", "PMSTREAM202 v=out_of_range {\"v\":1e400}", "valid 0.0",
              "PMSTREAM202 v=wrong_type {\"v\":\"NaN\"}"});
  CHECK(decode_values(test::plain_field("v", logical_type::float32), {"0.1", "1e39"}) ==
        texts{"valid 0.1", "PMSTREAM202 v=out_of_range {\"v\":1e39}"});
  CHECK(decode_values(test::plain_field("v", logical_type::binary), {"\"Zm9vYmE=\"", "\"Zm9\"", "\"\\u005am9v\""}) ==
        texts{"valid 'fooba'", "PMSTREAM202 v=bad_text {\"v\":\"Zm9\"}", "valid 'foo'"});
  CHECK(decode_values(test::plain_field("v", logical_type::date), {"\"1970-01-02\"", "\"1970-02-30\"", "1"}) ==
        texts{"valid 1", "PMSTREAM202 v=bad_text {\"v\":\"1970-02-30\"}", "PMSTREAM202 v=wrong_type {\"v\":1}"});
  CHECK(decode_values(test::plain_field("v", logical_type::duration), {"-1500000", "\"PT1S\""}) ==
        texts{"valid -1500000", "PMSTREAM202 v=wrong_type {\"v\":\"PT1S\"}"});
}

TEST_CASE("a count of seconds, milliseconds or microseconds is a time only where the contract says so") {
  field_description field = test::plain_field("v", logical_type::timestamp);
  CHECK(decode_values(field, {"\"1970-01-01T00:00:01Z\"", "1"}) ==
        texts{"valid 1000000", "PMSTREAM202 v=wrong_type {\"v\":1}"});
  field.form = time_form::epoch_seconds;
  CHECK(decode_values(field, {"-1", "9223372036855", "1.5", "\"1\""}) ==
        texts{"valid -1000000", "PMSTREAM202 v=out_of_range {\"v\":9223372036855}",
              "PMSTREAM202 v=wrong_type {\"v\":1.5}", "PMSTREAM202 v=wrong_type {\"v\":\"1\"}"});
  field.form = time_form::epoch_milliseconds;
  CHECK(decode_values(field, {"1700000000123"}) == texts{"valid 1700000000123000"});
  field.form = time_form::epoch_microseconds;
  CHECK(decode_values(field, {"1700000000123456"}) == texts{"valid 1700000000123456"});
}

TEST_CASE("a time without a zone is in the zone that the contract names") {
  field_description field = test::plain_field("v", logical_type::timestamp);
  field.form = time_form::local;
  field.zone = "Europe/Berlin";
  // The clock goes from 02:00 to 03:00 on 2024-03-31 and back from 03:00 to 02:00 on 2024-10-27.
  CHECK(decode_values(field, {"\"2024-03-31T01:59:59.999999\"", "\"2024-03-31T02:30:00\"", "\"2024-03-31T03:00:00\"",
                              "\"2024-10-27T01:59:59\"", "\"2024-10-27T02:30:00\"", "\"2024-10-27T03:00:00\""}) ==
        texts{"valid 1711846799999999", "valid 1711848600000000", "valid 1711846800000000", "valid 1729987199000000",
              "valid 1729989000000000", "valid 1729994400000000"});
  CHECK(decode_values(field, {"\"2024-07-01T12:00:00.1234567\"", "\"2024-07-01T12:00:00Z\"",
                              "\"2024-07-01T12:00:00-08:00\"", "\"2024-07-01T12\\u003a00:00\""}) ==
        texts{"valid 1719828000123456", "valid 1719835200000000", "valid 1719864000000000", "valid 1719828000000000"});
  CHECK(decode_values(field, {"\"2024-07-01\"", "\"2024-07-01T12:00\"", "\"2024-07-01T12:00:00.\"",
                              "\"2024-07-01T12:00:00 Europe/Berlin\"", "\"0000-01-01T00:00:00\"", "1"}) ==
        texts{"PMSTREAM202 v=bad_text {\"v\":\"2024-07-01\"}", "PMSTREAM202 v=bad_text {\"v\":\"2024-07-01T12:00\"}",
              "PMSTREAM202 v=bad_text {\"v\":\"2024-07-01T12:00:00.\"}",
              "PMSTREAM202 v=bad_text {\"v\":\"2024-07-01T12:00:00 Europe/Berlin\"}",
              "PMSTREAM202 v=bad_text {\"v\":\"0000-01-01T00:00:00\"}", "PMSTREAM202 v=wrong_type {\"v\":1}"});
}

TEST_CASE("text is taken with its escapes resolved; short, long and empty text, U+0000 and U+FFFF") {
  const std::string plain(40, 'p');
  CHECK(decode_values(test::plain_field("v", logical_type::text),
                      {"\"\"", "\"abc\"", ("\"" + plain + "\"").c_str(), "\"a\\u0000b\"",
                       "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\ud834\\udd1e and more than twelve bytes\"",
                       "\"\xef\xbf\xbf\"", "\"twelve bytes\"", "\"13 bytes long\""}) ==
        texts{"valid ''", "valid 'abc'", "valid '" + plain + "'", std::string("valid 'a\0b'", 11),
              "valid '\"\\/\b\f\n\r\t'", "valid '\xf0\x9d\x84\x9e and more than twelve bytes'", "valid '\xef\xbf\xbf'",
              "valid 'twelve bytes'", "valid '13 bytes long'"});
}

TEST_CASE("structs, lists and optional members, and the places of what is wrong in them") {
  const field_description address[] = {
      test::plain_field("city", logical_type::text),
      test::nullable(constrained(test::plain_field("zip", logical_type::int32), positive))};
  const field_description item[] = {test::plain_field("item", logical_type::int16)};
  const field_description fields[] = {test::nested_field("address", logical_type::structure, address),
                                      test::nullable(test::nested_field("items", logical_type::list, item))};
  CHECK(decode(fields, R"({"address":{"city":"Ulm","zip":89073},"items":[1,2,3]}
{"address":{"zip":null,"city":"Ulm","x":{}},"items":[]}
{"items":[ 7 , 8 ],"address":{"city":"first"},"address":{"city":"last"}}
{"address":{"city":"Ulm"},"items":null}
{"address":{"zip":0},"items":[1,"x",null,70000]}
{"address":[],"items":{}}
{"address":{"city":"Ulm"},"items":[9]})") ==
        texts{"valid {'Ulm' 89073 } [1 2 3 ]", "valid {'Ulm' null } []", "valid {'last' null } [7 8 ]",
              "valid {'Ulm' null } null",
              "PMSTREAM202 address.city=missing;address.zip=constraint;items[1]=wrong_type;items[2]=null;"
              "items[3]=out_of_range {\"address\":{\"zip\":0},\"items\":[1,\"x\",null,70000]}",
              "PMSTREAM202 address=wrong_type;items=wrong_type {\"address\":[],\"items\":{}}",
              "valid {'Ulm' null } [9 ]"});
}

TEST_CASE("members are found by their name in the data, and violations name the field") {
  field_description field = test::plain_field("order_id", logical_type::int64);
  field.data_name = "orderId";
  CHECK(decode({&field, 1}, "{\"orderId\":1}\n{\"order_id\":1}") ==
        texts{"valid 1", "PMSTREAM202 order_id=missing {\"order_id\":1}"});
}

TEST_CASE("blocks hold at most 8192 rows, and all rows are handed over") {
  const schema contract{.id = "rows", .version = "1.0.0", .fields = order_fields};
  const auto decoder = make_json_decoder(contract, test::rejected_schema(), {});
  std::string bytes;
  for (int i = 1; i <= 20'000; ++i) {
    bytes += "{\"id\":" + std::to_string(i) + ",\"status\":\"new\"}\n";
    if (i % 2 == 0) bytes += "{\"id\":0}\n";
  }
  test::decoded_rows seen;
  const test::padded_bytes padded(bytes);
  const auto rows = decoder->decode("s", 0, padded.view(), seen);
  REQUIRE(rows.ok());
  CHECK(*rows == 30'000);
  CHECK(seen.rows.size() == 30'000);
  CHECK(seen.largest_block == json_decoder::block_rows);
  CHECK(decoder->counts().valid == 20'000);
  CHECK(decoder->counts().by_reason[static_cast<std::size_t>(violation_reason::constraint)] == 10'000);
}

TEST_CASE("what the receiver refuses ends the decoding") {
  struct : row_receiver {
    result<void> valid(const block&) override { return failure{failure_class::sink_rejected, "X", "no", "", ""}; }
    result<void> invalid(const block&) override { return {}; }
  } refusing;
  const schema contract{.id = "rows", .version = "1.0.0", .fields = order_fields};
  const auto decoder = make_json_decoder(contract, test::rejected_schema(), {});
  const test::padded_bytes bytes("{\"id\":1,\"status\":\"new\"}\n");
  CHECK(decoder->decode("s", 0, bytes.view(), refusing).error().code == "X");
  test::decoded_rows seen;
  REQUIRE(decoder->decode("s", 0, bytes.view(), seen).ok());
  CHECK(seen.rows.size() == 1);
}

TEST_CASE("rows that are columns already are checked against the constraints of their contract") {
  const schema contract{.id = "rows", .version = "1.0.0", .fields = order_fields};
  const auto decoder = make_json_decoder(contract, test::rejected_schema(), {});
  block typed = test::make_block(contract, {{1, 1, nullptr}, {0, 2, "x"}, {3, 0, "y"}});
  typed.positions = {10, 11, 12};
  test::decoded_rows seen;
  REQUIRE(decoder->check(typed, seen).ok());
  CHECK(seen.rows == std::map<std::int64_t, std::string>{
                         {10, "valid 1 1 null"},
                         {11, "PMSTREAM202 id=constraint {\"id\":0,\"status\":\"void\",\"note\":\"x\"}"},
                         {12, "valid 3 0 'y'"}});
}
