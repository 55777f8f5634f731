#include <etlantic/core/timestamp_writer.hpp>

#include "support/catch.hpp"

#include <string>

using namespace etlantic;

namespace {

std::string written(timestamp_writer& by, std::int64_t microseconds) {
  char text[scalar_text_size];
  return std::string(text, by.write(text, timestamp{microseconds}));
}

}  // namespace

TEST_CASE("a writer of many times changes the day when it changes, forwards and back") {
  timestamp_writer by;
  CHECK(written(by, 0) == "1970-01-01T00:00:00.000000Z");
  CHECK(written(by, 86'399'999'999) == "1970-01-01T23:59:59.999999Z");
  CHECK(written(by, 86'400'000'000) == "1970-01-02T00:00:00.000000Z");
  CHECK(written(by, 1) == "1970-01-01T00:00:00.000001Z");
  CHECK(written(by, -1) == "1969-12-31T23:59:59.999999Z");
  CHECK(written(by, 1'767'225'609'040'302) == "2026-01-01T00:00:09.040302Z");
}

TEST_CASE("a writer of many times gives years the width they need") {
  timestamp_writer by;
  CHECK(written(by, 253'402'300'800'000'000) == "+010000-01-01T00:00:00.000000Z");
  CHECK(written(by, 253'402'300'799'999'999) == "9999-12-31T23:59:59.999999Z");
  CHECK(written(by, INT64_MIN) == "-290308-12-21T19:59:05.224192Z");
}
