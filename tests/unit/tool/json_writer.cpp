#include <etlantic/tool/json_writer.hpp>

#include <limits>

#include "support/catch.hpp"

using namespace etlantic;

namespace {

std::string quoted_json(std::string_view text) {
  json_writer json;
  json.value(text);
  return json.text();
}

}  // namespace

TEST_CASE("text is escaped as RFC 8259 wants it") {
  CHECK(quoted_json("a\"b\\c/d") == R"("a\"b\\c/d")");
  CHECK(quoted_json("line\nfeed\ttab\rreturn") == R"("line\nfeed\ttab\rreturn")");
  CHECK(quoted_json(std::string_view("\0\x1f\x7f", 3)) == R"("\u0000\u001f\u007f")");
  CHECK(quoted_json("Gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80") ==
        "\"Gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\"");
}

TEST_CASE("bytes that are not UTF-8 become the replacement character, one each") {
  CHECK(quoted_json("a\xff"
                    "b") == R"("a\ufffdb")");
  CHECK(quoted_json("\xc3") == R"("\ufffd")");
  CHECK(quoted_json("\xed\xa0\x80") == R"("\ufffd\ufffd\ufffd")");
}

TEST_CASE("numbers are written exactly, and what JSON cannot say is null") {
  json_writer json;
  json.begin_array().value(INT64_MIN).value(UINT64_MAX).value(0.1).value(2.0).value(1234567.25).value(-0.0000004);
  json.value(std::numeric_limits<double>::infinity()).value(std::numeric_limits<double>::quiet_NaN()).value(true);
  json.null().end_array();
  CHECK(json.text() == "[-9223372036854775808,18446744073709551615,0.1,2,1234567.25,-0,null,null,true,null]");
}

TEST_CASE("objects and arrays nest, in one line or indented") {
  const auto write = [](json_writer json) {
    json.begin_object().member("a", 1).key("b").begin_array().value("x").begin_object().end_object().end_array();
    json.key("c").begin_object().member("d", false).end_object().key("e").begin_array().end_array().end_object();
    return json.text();
  };
  CHECK(write(json_writer()) == R"({"a":1,"b":["x",{}],"c":{"d":false},"e":[]})");
  CHECK(write(json_writer(json_writer::layout::indented)) ==
        "{\n  \"a\": 1,\n  \"b\": [\n    \"x\",\n    {}\n  ],\n  \"c\": {\n    \"d\": false\n  },\n  \"e\": []\n}");
}
