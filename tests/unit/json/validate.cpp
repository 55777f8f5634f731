#include "support/catch.hpp"
#include "support/csv.hpp"
#include "support/data.hpp"

#include <etlantic/connect/json/validate.hpp>
#include <etlantic/core/utf8.hpp>

#include <filesystem>
#include <random>
#include <string>

using namespace etlantic;

namespace {

json_verdict verdict_of(const std::string& text) {
  const std::string padded = text + std::string(64, 'x');
  return validate_json({padded.data(), text.size()});
}

const std::string suite = test::data_folder() / "json-test-suite/";

}  // namespace

TEST_CASE("JSONTestSuite: every text gets its verdict") {
  // What the standard leaves open (i_) is decided in expected.csv.
  const auto rows = test::read_csv(suite + "expected.csv");
  REQUIRE(rows.size() == 318);
  for (const auto& row : rows) {
    INFO(row[0]);
    CHECK((verdict_of(test::read_bytes(suite + "test_parsing/" + row[0])) == json_verdict::json) == (row[1] == "json"));
    if (row[0].starts_with("y_")) CHECK(row[1] == "json");
    if (row[0].starts_with("n_")) CHECK(row[1] == "malformed");
  }
}

TEST_CASE("a text that is cut anywhere is malformed") {
  const std::string text = R"({"a":[1,-2.5e+3,{"b":"x\u00e9\ud834\udd1e\n"},[],{},true,false,null],"c":""})";
  REQUIRE(verdict_of(text) == json_verdict::json);
  for (std::size_t size = 0; size < text.size(); ++size)
    CHECK(verdict_of(text.substr(0, size)) == json_verdict::malformed);
  for (const char* tail : {"x", "]", "}", ",", "1", "\"", "{}"})
    CHECK(verdict_of(text + tail) == json_verdict::malformed);
}

TEST_CASE("JS-20: at most 1024 arrays and objects are open at once") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(verdict_of(nested(1024)) == json_verdict::json);
  CHECK(verdict_of(nested(1025)) == json_verdict::too_deep);
  CHECK(verdict_of(std::string(10'000'000, '[')) == json_verdict::too_deep);
  std::string objects;
  for (int i = 0; i < 1024; ++i) objects += "{\"a\":";
  CHECK(verdict_of(objects + "1" + std::string(1024, '}')) == json_verdict::json);
  CHECK(verdict_of("[" + objects + "1" + std::string(1024, '}') + "]") == json_verdict::too_deep);
}

TEST_CASE("the fast check of UTF-8 agrees with the plain one") {
  std::mt19937 random(20260101);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto n = random() % 40; n > 0; --n)
      if (random() % 8 == 0)
        text.push_back(static_cast<char>(random() % 256));
      else
        append_utf8(text, random() % 3 == 0 ? 0x20ac : static_cast<std::uint32_t>(random() % 0xd800));
    REQUIRE(detail::is_utf8_text(text) == is_utf8(text));
  }
}
