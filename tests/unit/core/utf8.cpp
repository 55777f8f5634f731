#include "support/catch.hpp"

#include <etlantic/core/utf8.hpp>

#include <string>

using namespace etlantic;

static_assert(is_utf8("\xc3\xa9") && !is_utf8("\xc3"));

TEST_CASE("JS-15: overlong forms, surrogates and what lies beyond Unicode are not UTF-8") {
  for (std::string text :
       {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\x80",
        "\xc3\x28", "\xe2\x82", "\xf5\x80\x80\x80", "\xed\xbf\xbf", "\xf8\x88\x80\x80\x80"}) {
    CHECK_FALSE(is_utf8(text));
    CHECK_FALSE(is_utf8("a" + text));
    CHECK_FALSE(is_utf8(text + "a"));
  }
  for (const char* text : {"", "a", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80",
                           "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf", "\xee\x80\x80"})
    CHECK(is_utf8(text));
}

TEST_CASE("every code point that is appended is UTF-8 of one character") {
  for (std::uint32_t code_point = 0; code_point <= 0x10ffff; code_point += code_point < 0x11000 ? 1 : 977) {
    if (code_point >= 0xd800 && code_point <= 0xdfff) continue;
    std::string text;
    append_utf8(text, code_point);
    if (!is_utf8(text) || count_code_points(text) != 1) FAIL(code_point);
  }
  std::string text;
  append_utf8(text, 0x20ac);
  append_utf8(text, 0x1d11e);
  CHECK(text == "\xe2\x82\xac\xf0\x9d\x84\x9e");
}
