#pragma once
#include <etlantic/column/rows.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

// Random rows with every sort of awkward value, for tests that compare kernels with a plain reference.

namespace random_rows {

enum class colour { red, green, blue, grey };

struct Row {
  std::int64_t id;
  std::int32_t small;
  std::uint64_t natural;
  std::optional<std::int64_t> maybe;
  etlantic::decimal<18, 2> money;
  std::optional<etlantic::decimal<30, 4>> wide;
  double real;
  std::optional<double> maybe_real;
  bool flag;
  std::optional<bool> maybe_flag;
  colour paint;
  etlantic::text name;
  std::optional<etlantic::text> maybe_name;
  etlantic::timestamp time;
  std::optional<etlantic::timestamp> maybe_time;
};

class generator {
 public:
  explicit generator(std::uint64_t seed) : random_(seed) {}

  Row next(bool all_null) {
    Row made{};
    made.id = integer();
    made.small = static_cast<std::int32_t>(integer() % 100);
    made.natural = chance(8) ? std::numeric_limits<std::uint64_t>::max() - random_() % 3 : random_() % 100;
    if (!all_null && !chance(4)) made.maybe = integer();
    made.money = etlantic::decimal<18, 2>::from_scaled(decimal_units());
    if (!all_null && !chance(4))
      made.wide =
          etlantic::decimal<30, 4>::from_scaled(etlantic::int128{decimal_units()} * (chance(3) ? 1'000'000'000 : 1));
    made.real = real();
    if (!all_null && !chance(4)) made.maybe_real = real();
    made.flag = chance(2);
    if (!all_null && !chance(4)) made.maybe_flag = chance(2);
    made.paint = static_cast<colour>(random_() % 4);
    made.name = characters();
    if (!all_null && !chance(4)) made.maybe_name = characters();
    made.time = {static_cast<std::int64_t>(random_() % 40'000'000) - 20'000'000};
    if (!all_null && !chance(4)) made.maybe_time = made.time;
    return made;
  }

  std::vector<Row> rows(std::size_t count, bool all_null = false) {
    std::vector<Row> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(next(all_null));
    return made;
  }

  std::uint64_t number() { return random_(); }

 private:
  bool chance(std::uint64_t one_in) { return random_() % one_in == 0; }

  // Small values meet often; extreme ones are there, but far enough from the ends that sums of two do not overflow.
  std::int64_t integer() {
    if (chance(20)) return std::numeric_limits<std::int64_t>::max() / 4;
    if (chance(20)) return std::numeric_limits<std::int64_t>::min() / 4;
    return static_cast<std::int64_t>(random_() % 21) - 10;
  }
  std::int64_t decimal_units() {
    if (chance(20)) return 999'999'999'999'999'999;
    if (chance(20)) return -999'999'999'999'999'999;
    return static_cast<std::int64_t>(random_() % 2001) - 1000;
  }
  double real() {
    switch (random_() % 12) {
      case 0: return std::numeric_limits<double>::quiet_NaN();
      case 1: return std::numeric_limits<double>::infinity();
      case 2: return -std::numeric_limits<double>::infinity();
      case 3: return -0.0;
      case 4: return 0.0;
      default: return static_cast<double>(random_() % 9) - 4.0;
    }
  }
  std::string characters() {
    static const char* const words[] = {
        "", "a", "b", "é", "exactly12...", "thirteen char", "a much longer text than fits"};
    return words[random_() % 7];
  }

  std::mt19937_64 random_;
};

inline etlantic::block as_block(const std::vector<Row>& rows) {
  etlantic::block made(etlantic::schema_of<Row>());
  for (const Row& each : rows) append_row(made, each);
  return made;
}

}  // namespace random_rows
