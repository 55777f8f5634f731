#include "support/catch.hpp"

#include <etlantic/kernel/quantile_buckets.hpp>
#include <etlantic/kernel/quantile_sketch.hpp>
#include <etlantic/kernel/quantile_state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace etlantic;
using namespace etlantic::kernel;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Sketch>
std::string saved(const Sketch& of) {
  state_writer into;
  of.save(into);
  return std::string(into.bytes());
}
template <class Sketch>
Sketch restored(std::string_view bytes) {
  Sketch made;
  state_reader from(bytes);
  made.restore(from);
  REQUIRE(from.ok());
  REQUIRE(from.at_end());
  return made;
}

template <class Value>
ordered_values<Value> of_values(const std::vector<Value>& values) {
  ordered_values<Value> made;
  for (const Value& each : values) made.add(each);
  return made;
}

/// Every place of the values in order is within a share of the value there.
template <class Value>
void check_places(std::vector<Value> values, double bound) {
  const ordered_values<Value> sketch = of_values(values);
  std::sort(values.begin(), values.end());
  REQUIRE(sketch.count() == static_cast<std::int64_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto wanted = static_cast<double>(values[i]);
    const auto got = static_cast<double>(sketch.at(static_cast<std::int64_t>(i + 1)));
    if (std::abs(got - wanted) > bound * std::abs(wanted)) {
      INFO("place " << i + 1 << ": " << got << " for " << wanted);
      REQUIRE(std::abs(got - wanted) <= bound * std::abs(wanted));
    }
  }
  CHECK(sketch.at(1) == values.front());
  CHECK(sketch.at(static_cast<std::int64_t>(values.size())) == values.back());
}

}  // namespace

TEST_CASE("buckets of integers: each of the first 127 has its own, then there are 64 in an octave") {
  for (int i = 1; i < 128; ++i) CHECK(bucket_of(i) > bucket_of(i - 1));
  CHECK(bucket_of(0) == 0);
  CHECK(bucket_of(1) == 64);
  CHECK(bucket_of(64) == 7 * 64);
  CHECK(bucket_of(127) == 7 * 64 + 63);
  CHECK(bucket_of(128) == 8 * 64);
  CHECK(bucket_of(129) == 8 * 64);
  CHECK(bucket_of(130) == 8 * 64 + 1);
  CHECK(bucket_of(-1) == ~64);
  CHECK(bucket_of(std::numeric_limits<std::int64_t>::min()) == ~(64 * 64));
  CHECK(bucket_of(~std::uint64_t{0}) == 64 * 64 + 63);
  CHECK(middle_of<int>(bucket_of(100), 0) == 100);
  CHECK(middle_of<int>(bucket_of(-100), 0) == -100);
  CHECK(middle_of<int>(bucket_of(1000), 0) == 1003);  // of 1000 to 1007
  CHECK(middle_of<int>(0, 0) == 0);
}

TEST_CASE("buckets of floating point: zero and 64 for each exponent") {
  CHECK(bucket_of(0.0) == 0);
  CHECK(bucket_of(-0.0) == 0);
  CHECK(bucket_of(std::numeric_limits<double>::denorm_min()) == 0);
  CHECK(bucket_of(-std::numeric_limits<double>::denorm_min()) == 0);
  CHECK(bucket_of(1.0) == 1023 * 64);
  CHECK(bucket_of(1.0f) == 1023 * 64);
  CHECK(bucket_of(std::nextafter(2.0, 0.0)) == 1023 * 64 + 63);
  CHECK(bucket_of(-2.0) == ~(1024 * 64));
  CHECK(middle_of<double>(1023 * 64, 0) == 1 + 1.0 / 128);
  CHECK(middle_of<double>(~(1023 * 64), 0) == -1 - 1.0 / 128);
  CHECK(middle_of<double>(1023, 6) == 1.5);  // the octave from 1 to 2
  CHECK(middle_of<double>(0, 0) == 0);
}

TEST_CASE("every bucket holds its middle, and what it holds is within 1/128 of it") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const auto integer = static_cast<std::int64_t>(random() >> (random() % 64)) * (random() % 2 == 0 ? 1 : -1);
    const int128 middle = middle_of<std::int64_t>(bucket_of(integer), 0);
    REQUIRE(bucket_of(middle) == bucket_of(integer));
    REQUIRE(std::abs(static_cast<double>(middle - integer)) <= std::abs(static_cast<double>(integer)) / 128);
    const int128 wide = int128{integer} << (random() % 64);
    REQUIRE(bucket_of(middle_of<int128>(bucket_of(wide), 0)) == bucket_of(wide));
    const double real = std::ldexp(static_cast<double>(integer), static_cast<int>(random() % 1900) - 1000);
    const double real_middle = middle_of<double>(bucket_of(real), 0);
    REQUIRE(bucket_of(real_middle) == bucket_of(real));
    if (std::abs(real) >= std::numeric_limits<double>::min())
      REQUIRE(std::abs(real_middle - real) <= std::abs(real) / 128);
  }
}

TEST_CASE("every place in the order of some values is within 1/128 of the value there") {
  std::mt19937_64 random(5);
  for (int run = 0; run < 20; ++run) {
    std::vector<std::int64_t> uniform, wide, natural;
    std::vector<double> normal, heavy;
    std::vector<std::int32_t> small;
    std::normal_distribution<double> bell(0, 100);
    const std::size_t size = run < 10 ? static_cast<std::size_t>(run) + 1 : 5'000;
    for (std::size_t i = 0; i < size; ++i) {
      uniform.push_back(static_cast<std::int64_t>(random() % 1'000'000));
      natural.push_back(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
      small.push_back(static_cast<std::int32_t>(random()) >> (random() % 31));
      normal.push_back(bell(random));
      heavy.push_back(std::exp(bell(random) / 30));
    }
    check_places(uniform, 1.0 / 128);
    check_places(natural, 1.0 / 128);  // whatever integers that are not negative
    check_places(small, 1.0 / 128);    // whatever integers of 32 bits
    check_places(normal, 1.0 / 128);
    check_places(heavy, 1.0 / 128);
  }
}

TEST_CASE("values that are further apart than there are buckets keep a bound that is twice as large each time") {
  std::mt19937_64 random(9);
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<int128> wide;
  for (int i = 0; i < 60'000; ++i) {
    const int sign = random() % 2 == 0 ? 1 : -1;
    integers.push_back(static_cast<std::int64_t>(random() >> (1 + random() % 57)) * sign);
    wide.push_back((int128{static_cast<std::int64_t>(random() >> 1)} << (random() % 63)) * sign);
    std::uint64_t bits = random();
    if (const auto exponent = bits >> 52 & 2047; exponent == 2047 || exponent == 0) bits ^= std::uint64_t{1} << 62;
    reals.push_back(std::bit_cast<double>(bits));
  }
  quantile_sketch sketch;
  for (const std::int64_t each : integers) sketch.add(bucket_of(each));
  CHECK(sketch.level() == 1);
  check_places(integers, 1.0 / 64);
  check_places(wide, 1.0 / 32);
  check_places(reals, 1.0 / 2);
}

TEST_CASE("infinities and NaN have their places in the order") {
  const auto sketch =
      of_values<double>({not_a_number, 3, infinite, -infinite, 1, -infinite, 2, infinite, -not_a_number});
  REQUIRE(sketch.count() == 9);
  CHECK(sketch.at(1) == -infinite);
  CHECK(sketch.at(2) == -infinite);
  CHECK(sketch.at(3) == 1);
  CHECK(std::abs(sketch.at(4) - 2) <= 2.0 / 128);
  CHECK(sketch.at(5) == 3);
  CHECK(sketch.at(6) == infinite);
  CHECK(sketch.at(7) == infinite);
  CHECK(std::isnan(sketch.at(8)));
  CHECK(std::isnan(sketch.at(9)));
  CHECK(of_values<double>({infinite}).at(1) == infinite);
  CHECK(std::isnan(of_values<float>({std::numeric_limits<float>::quiet_NaN()}).at(1)));
}

TEST_CASE("parts give, merged in any order, bit by bit what all values give at once, also where buckets were joined") {
  std::mt19937_64 random(7);
  for (const std::size_t size : {1u, 30u, 3'000u, 30'000u}) {
    std::vector<double> values;
    for (std::size_t i = 0; i < size; ++i)
      values.push_back(std::ldexp(static_cast<double>(random() % 1'000) - 500, static_cast<int>(random() % 600) - 300));
    if (size > 100) values[0] = not_a_number, values[1] = infinite, values[2] = -infinite;
    const std::string whole = saved(of_values(values));
    for (int division = 0; division < 6; ++division) {
      std::shuffle(values.begin(), values.end(), random);
      std::vector<ordered_values<double>> parts(1 + random() % 6);
      for (const double each : values) parts[random() % parts.size()].add(each);
      while (parts.size() > 1) {
        const std::size_t from = random() % parts.size(), into = (from + 1) % parts.size();
        parts[into].merge(parts[from]);
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(from));
      }
      REQUIRE(saved(parts[0]) == whole);
      REQUIRE(saved(restored<ordered_values<double>>(whole)) == whole);
    }
  }
}

TEST_CASE("a sketch holds at most 4096 buckets") {
  std::mt19937_64 random(1);
  ordered_values<double> sketch;
  std::size_t most = 0;
  for (int i = 0; i < 300'000; ++i) {
    sketch.add(std::bit_cast<double>(random()));
    most = std::max(most, sketch.heap_bytes());
  }
  CHECK(most <= 2 * 4096 * 12);
  CHECK(saved(sketch).size() <= 64 + 4096 * 12);
  CHECK(of_values<double>({1, 2, 3}).heap_bytes() <= 64);
}

TEST_CASE("a damaged sketch of quantiles is read as some sketch, or not at all") {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(std::ldexp(1, i) - 1000);
  values.push_back(infinite);
  const std::string reals = saved(of_values(values));
  const std::string integers = saved(of_values<std::int64_t>({1, -5, 1'000'000, 7}));
  const auto damage = [](const std::string& whole, auto value) {
    using sketch = ordered_values<decltype(value)>;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      sketch made;
      state_reader from(std::string_view(whole).substr(0, size));
      made.restore(from);
      CHECK(!from.ok());
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(~damaged[at]);
      sketch made;
      state_reader from(damaged);
      made.restore(from);
      made.add(value);
      made.merge(of_values<decltype(value)>({value, value}));
      for (std::int64_t place = 1; place <= std::min<std::int64_t>(made.count(), 50); ++place) {
        const auto found = made.at(place);
        static_cast<void>(found);
      }
    }
  };
  damage(reals, 5.0);
  damage(integers, std::int64_t{5});
}
