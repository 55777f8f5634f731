#include "support/catch.hpp"
#include "support/rounds.hpp"

#include <etlantic/core/local_times.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/core/time_zone.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

using namespace etlantic;

namespace {

/// What the C library says a clock shows, as seconds since 1970-01-01T00:00:00 on that clock.
class c_library_zone {
 public:
  explicit c_library_zone(const char* name) {
    ::setenv("TZ", name, 1);
    ::tzset();
  }
  ~c_library_zone() {
    ::unsetenv("TZ");
    ::tzset();
  }

  std::int64_t offset_at(std::int64_t second) const {
    const std::time_t time = second;
    std::tm parts{};
    ::localtime_r(&time, &parts);
    return parts.tm_gmtoff;
  }

  /// The first second that shows the reading; where none does, the one that the offset before the gap gives.
  std::int64_t second_of(std::int64_t reading) const {
    std::vector<std::int64_t> shown;
    for (std::int64_t second = reading - 90'000; second <= reading + 90'000; second += 900) {
      const std::int64_t guess = reading - offset_at(second);
      if (guess + offset_at(guess) == reading) shown.push_back(guess);
    }
    if (!shown.empty()) return *std::min_element(shown.begin(), shown.end());
    std::int64_t before = reading - 90'000;  // the last second that shows less than the reading
    std::int64_t behind = reading + 90'000;
    while (behind - before > 1) {
      const std::int64_t middle = before + (behind - before) / 2;
      (middle + offset_at(middle) < reading ? before : behind) = middle;
    }
    return reading - offset_at(before);
  }
};

}  // namespace

TEST_CASE("local times are those of the C library") {
  std::mt19937_64 random(20240331);
  for (const char* name : {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia",
                           "America/Sao_Paulo", "Africa/Casablanca", "Europe/Dublin", "Asia/Tehran", "UTC"}) {
    const c_library_zone expected(name);
    const time_zone& zone = **find_time_zone(name);
    local_times times;
    std::int64_t reading = 0;
    for (unsigned i = 0; i < test::rounds(3000); ++i) {
      // Somewhere from 1925 to 2080, then some steps near it; often close to a change of the clock.
      if (i % 20 == 0) {
        reading = std::uniform_int_distribution<std::int64_t>(-1'420'070'400, 3'471'292'800)(random);
        for (int day = 0; i % 40 == 0 && day < 400; ++day, reading += 86'400)
          if (expected.offset_at(reading) != expected.offset_at(reading + 86'400)) break;
      }
      reading += std::uniform_int_distribution<std::int64_t>(-7'000, 20'000)(random);
      const std::int64_t second = expected.second_of(reading);
      INFO(name << " " << reading);
      REQUIRE(zone.time_of(reading * 1'000'000 + 7) == timestamp{second * 1'000'000 + 7});
      REQUIRE(zone.reading_at({second * 1'000'000}) == (second + expected.offset_at(second)) * 1'000'000);
      const std::string text = format_rfc3339({reading * 1'000'000 + 7});
      REQUIRE(times.parse(text.substr(0, text.size() - 1), name) == timestamp{second * 1'000'000 + 7});
    }
  }
}
