#include <etlantic/tool/quantity.hpp>

#include "support/catch.hpp"

using namespace etlantic;
using namespace std::chrono_literals;

TEST_CASE("durations are a whole number and a unit") {
  CHECK(parse_duration("250us") == 250us);
  CHECK(parse_duration("250ms") == 250ms);
  CHECK(parse_duration("10s") == 10s);
  CHECK(parse_duration("5min") == 5min);
  CHECK(parse_duration("1h") == 1h);
  CHECK(parse_duration("1d") == 24h);
  CHECK(parse_duration("30 s") == 30s);
  for (const char* wrong : {"", "10", "s", "-1s", "1.5h", "10sec", "10S", "s10", "99999999999999d", "1h30min", " 1s"})
    CHECK(parse_duration(wrong) == std::nullopt);
}

TEST_CASE("sizes know both kinds of units, and numbers one") {
  CHECK(parse_size("4096") == 4096);
  CHECK(parse_size("100k") == 100'000);
  CHECK(parse_size("64MiB") == 67'108'864);
  CHECK(parse_size("1GB") == 1'000'000'000);
  CHECK(parse_size("2Gi") == 2'147'483'648);
  CHECK(parse_size("9223372036854775807") == INT64_MAX);
  CHECK(parse_count("2M") == 2'000'000);
  for (const char* wrong : {"", "x", "1Q", "9223372036854775808", "9007199254740993KiB", "-5", "0x10"})
    CHECK(parse_size(wrong) == std::nullopt);
  CHECK(parse_count("1MiB") == std::nullopt);
}

TEST_CASE("what was read can be written in the greatest unit that is exact") {
  CHECK(to_text(duration{0}) == "0s");
  CHECK(to_text(duration{90s}) == "90s");
  CHECK(to_text(duration{3600s}) == "1h");
  CHECK(to_text(duration{48h}) == "2d");
  CHECK(to_text(duration{1500ms}) == "1500ms");
  CHECK(size_text(67'108'864) == "64MiB");
  CHECK(size_text(1000) == "1000B");
  CHECK(size_text(0) == "0B");
  CHECK(short_size(0) == "0 bytes");
  CHECK(short_size(1) == "1 byte");
  CHECK(short_size(1023) == "1023 bytes");
  CHECK(short_size(1536) == "1.5 KiB");
  CHECK(short_size((1 << 20) - 1) == "1.0 MiB");
  CHECK(short_size(INT64_MAX) == "8.0 EiB");
  CHECK(size_text(INT64_MAX) == "no limit");
}

TEST_CASE("numbers and times are written for people") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(grouped(-1234) == "-1,234");
  CHECK(to_text(timestamp{0}) == "1970-01-01T00:00:00Z");
  CHECK(to_text(timestamp{1'767'225'600'000'000}) == "2026-01-01T00:00:00Z");
  CHECK(to_text(timestamp{1'767'225'600'250'000}) == "2026-01-01T00:00:00.250Z");
  CHECK(to_text(timestamp{-1}) == "1969-12-31T23:59:59.999999Z");
}
