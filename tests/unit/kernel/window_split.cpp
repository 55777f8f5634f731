#include "support/catch.hpp"

#include <etlantic/kernel/window_split.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

using namespace etlantic::kernel;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

time_range range_of_all(const std::vector<std::int64_t>& times) {
  return {*std::min_element(times.begin(), times.end()), *std::max_element(times.begin(), times.end())};
}

/// Splits all times; windows come in order and hold, in the order of the rows, exactly the rows that are in them.
void check_split(const std::vector<std::int64_t>& times, std::int64_t length, std::int64_t offset) {
  std::map<std::int64_t, std::vector<std::uint16_t>> expected, seen;
  std::vector<std::uint16_t> rows;
  for (std::size_t i = 0; i < times.size(); ++i) {
    rows.push_back(static_cast<std::uint16_t>(i));
    expected[tumbling_window(times[i], length, offset).start].push_back(rows.back());
  }
  window_split split;
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  split.for_each(times.data(), rows.data(), rows.size(), range_of_all(times), length, offset,
                 [&](window_bounds bounds, const std::uint16_t* chosen, std::size_t count) {
                   REQUIRE(bounds.start >= before);
                   before = bounds.start;
                   seen[bounds.start].insert(seen[bounds.start].end(), chosen, chosen + count);
                 });
  REQUIRE(seen == expected);
}

}  // namespace

TEST_CASE("rows are sorted by window at every length, also where quotients are next to whole numbers") {
  std::mt19937_64 random(3);
  for (const std::int64_t length :
       {std::int64_t{1}, std::int64_t{3}, std::int64_t{7}, std::int64_t{10}, std::int64_t{49}, std::int64_t{1'000'003},
        std::int64_t{3'600'000'000}, (std::int64_t{1} << 49) + 1, (std::int64_t{1} << 52) + 1, std::int64_t{1} << 60,
        most})
    for (const std::int64_t windows : {1, 2, 30, 500, 100'000})
      for (const std::int64_t offset : {std::int64_t{0}, length / 3}) {
        const std::int64_t reach = std::min(windows, most / length / 2);
        std::vector<std::int64_t> times;
        for (std::size_t i = 0; i < morsel_rows; ++i) {
          const std::int64_t window =
              std::uniform_int_distribution<std::int64_t>(-reach / 2, reach - reach / 2)(random);
          times.push_back(window * length + std::uniform_int_distribution<std::int64_t>(-1, 1)(random));
        }
        INFO("length " << length << ", windows " << windows << ", offset " << offset);
        check_split(times, length, offset);
      }
}

TEST_CASE("windows that the ends of the range of times cut short are windows, too") {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t length : {std::int64_t{10}, std::int64_t{1} << 40, most})
    check_split({most, least, 0, most - 1, least + 1, most, -1, least, most - 10, least + 10}, length, 3);
}
