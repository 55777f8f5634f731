#include "support/catch.hpp"

#include <etlantic/kernel/selection.hpp>
#include <etlantic/kernel/time_check.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <vector>

using namespace etlantic;
using namespace etlantic::kernel;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                       least = std::numeric_limits<std::int64_t>::min();

std::vector<instruction_set> usable_sets() {
  std::vector<instruction_set> sets;
  for (const instruction_set each : {instruction_set::baseline, instruction_set::avx2, instruction_set::avx512})
    if (each <= available_instruction_set()) sets.push_back(each);
  return sets;
}

/// Some rows of the first `count` of a morsel, each with the given chance.
struct some_rows {
  morsel_bits bits{};
  std::vector<std::uint16_t> numbers;

  some_rows(std::mt19937_64& random, std::size_t count, double chance) {
    std::bernoulli_distribution is_one(chance);
    for (std::size_t row = 0; row < count; ++row) {
      if (!is_one(random)) continue;
      bits[row / lane_count] |= std::uint64_t{1} << row % lane_count;
      numbers.push_back(static_cast<std::uint16_t>(row));
    }
  }
};

}  // namespace

TEST_CASE("the rows of a morsel are numbered alike with every instruction set") {
  std::mt19937_64 random(11);
  for (const instruction_set each : usable_sets())
    for (const double chance : {0.0, 0.01, 0.3, 0.9, 1.0})
      for (const std::size_t count : {std::size_t{1}, std::size_t{63}, std::size_t{700}, morsel_rows}) {
        INFO(name_of(each) << ", " << count << " rows, chance " << chance);
        const some_rows rows(random, count, chance);
        std::vector<std::uint16_t> found(morsel_rows + 32);
        found.resize(select_rows(rows.bits, found.data(), each));
        REQUIRE(found == rows.numbers);
      }
}

TEST_CASE("rows lie in a window exactly if each of their times does, and then their greatest is known") {
  std::mt19937_64 random(12);
  const window_bounds windows[] = {
      {0, 10}, {-10, 0}, {1'000'000, 1'000'001}, {least, least + 100}, {most - 100, most}, {least, most}};
  for (const instruction_set each : usable_sets())
    for (const window_bounds window : windows)
      for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{65}, std::size_t{700}, morsel_rows})
        for (int wrong = -1; wrong < 4; ++wrong) {
          INFO(name_of(each) << ", " << count << " rows from " << window.start << ", wrong " << wrong);
          some_rows rows(random, count, 0.4);
          if (rows.numbers.empty()) continue;
          // Times of rows that were not chosen lie anywhere, and there are none behind the last one.
          std::vector<std::int64_t> times(count);
          for (std::int64_t& time : times) time = static_cast<std::int64_t>(random());
          std::uniform_int_distribution<std::int64_t> inside(window.start, window.end - 1);
          for (const std::uint16_t row : rows.numbers) times[row] = inside(random);
          if (wrong >= 0) {
            const std::size_t which = std::uniform_int_distribution<std::size_t>(0, rows.numbers.size() - 1)(random);
            const std::int64_t outside[] = {window.end, most, least,
                                            window.start == least ? window.end : window.start - 1};
            times[rows.numbers[which]] = outside[wrong];
          }
          std::optional<std::int64_t> expected = least;
          for (const std::uint16_t row : rows.numbers) {
            if (!window.contains(times[row])) {
              expected.reset();
              break;
            }
            expected = std::max(*expected, times[row]);
          }
          REQUIRE(greatest_within(window, times.data(), rows.bits, rows.numbers, each) == expected);
        }
}
