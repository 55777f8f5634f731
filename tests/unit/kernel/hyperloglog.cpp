#include "support/catch.hpp"

#include <etlantic/kernel/hyperloglog.hpp>
#include <etlantic/kernel/sketch_hash.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace etlantic;
using namespace etlantic::kernel;

namespace {

std::string saved(const hyperloglog& of) {
  state_writer into;
  of.save(into);
  return std::string(into.bytes());
}
hyperloglog restored(std::string_view bytes) {
  hyperloglog made;
  state_reader from(bytes);
  made.restore(from);
  REQUIRE(from.ok());
  REQUIRE(from.at_end());
  return made;
}

/// `count` different values that begin somewhere.
hyperloglog counted(std::uint64_t begin, std::uint64_t count) {
  hyperloglog made;
  for (std::uint64_t i = 0; i < count; ++i) made.add(sketch_hash(begin + i));
  return made;
}

double relative_error(const hyperloglog& of, double count) {
  return (static_cast<double>(of.estimate()) - count) / count;
}

}  // namespace

TEST_CASE("hashes of sketches are those that saved states hold") {
  // The last steps of MurmurHash3.
  CHECK(sketch_mix(0) == 0);
  CHECK(sketch_mix(1) == 0xB456BCFC34C2CB2Cu);
  // Computed by another program, with integers of any length.
  CHECK(sketch_hash(std::int64_t{0}) == 0x9CA066F1A4AB2EEAu);
  CHECK(sketch_hash(std::int64_t{-1}) == 0x25B775FAECA8F520u);
  CHECK(sketch_hash(1.5) == 0x7849CFD64EB7A65Du);
  CHECK(sketch_hash(int128{1} << 64) == 0xC6FFE416E9A5DFEEu);
  CHECK(sketch_hash(std::string_view("")) == 0x9CA066F1A4AB2EEAu);
  CHECK(sketch_hash(std::string_view("a")) == 0x954885E329AE01CCu);
  CHECK(sketch_hash(std::string_view("twelve bytes")) == 0x22251E864CC0DF2Au);
}

TEST_CASE("values that are one key have one hash in sketches, whatever their width") {
  CHECK(sketch_hash(0.0) == sketch_hash(-0.0));
  CHECK(sketch_hash(std::numeric_limits<double>::quiet_NaN()) ==
        sketch_hash(-std::numeric_limits<double>::quiet_NaN()));
  CHECK(sketch_hash(1.5f) == sketch_hash(1.5));
  CHECK(sketch_hash(std::int8_t{-3}) == sketch_hash(std::int64_t{-3}));
  CHECK(sketch_hash(std::string_view("ab", 1)) != sketch_hash(std::string_view("a\0", 2)));
}

TEST_CASE("up to 256 different values are counted exactly, whatever comes twice") {
  hyperloglog sketch;
  for (std::uint64_t i = 1; i <= 256; ++i)
    for (int again = 0; again < 3; ++again) {
      sketch.add(sketch_hash(i * 1'000'003));
      REQUIRE(sketch.estimate() == static_cast<std::int64_t>(i));
    }
}

TEST_CASE("the error of larger numbers stays within four standard errors, and is 1.6 % on average") {
  constexpr double standard_error = 1.04 / 64;
  for (const std::uint64_t count : {257u, 1'000u, 3'000u, 10'000u, 30'000u, 100'000u, 1'000'000u}) {
    double squares = 0;
    const int runs = count > 100'000 ? 8 : 60;
    for (int run = 0; run < runs; ++run) {
      const double error =
          relative_error(counted(static_cast<std::uint64_t>(run + 1) << 40, count), static_cast<double>(count));
      INFO(count << " values, run " << run);
      CHECK(std::abs(error) < 4 * standard_error);
      squares += error * error;
    }
    INFO(count << " values");
    CHECK(std::sqrt(squares / runs) < (count > 100'000 ? 1.8 : 1.2) * standard_error);
  }
}

TEST_CASE("numbers far beyond what fits into memory are estimated, too: registers that are all full") {
  std::string bytes = saved(counted(0, 1'000));
  REQUIRE(bytes.size() == 1 + hyperloglog::register_count);
  for (std::size_t i = 1; i < bytes.size(); ++i) bytes[i] = 30;
  const auto found = static_cast<double>(restored(bytes).estimate());
  CHECK(found > 0.5e12);  // about 0.7 * 4096 * 2^30
  CHECK(found < 8e12);
  for (std::size_t i = 1; i < bytes.size(); ++i) bytes[i] = static_cast<char>(255);
  CHECK(restored(bytes).estimate() == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("parts give, merged in any order, bit by bit what all values give at once") {
  std::mt19937_64 random(7);
  for (const std::uint64_t size : {10u, 200u, 256u, 257u, 300u, 5'000u}) {
    std::vector<std::uint64_t> hashes;
    for (std::uint64_t i = 0; i < size; ++i) hashes.push_back(sketch_hash(random() % (size + size / 2)));
    hyperloglog whole;
    for (const std::uint64_t hash : hashes) whole.add(hash);
    for (int division = 0; division < 10; ++division) {
      std::vector<hyperloglog> parts(1 + random() % 6);
      for (const std::uint64_t hash : hashes) parts[random() % parts.size()].add(hash);
      while (parts.size() > 1) {
        const std::size_t from = random() % parts.size(), into = (from + 1) % parts.size();
        parts[into].merge(parts[from]);
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(from));
      }
      REQUIRE(saved(parts[0]) == saved(whole));
      REQUIRE(saved(restored(saved(whole))) == saved(whole));
      REQUIRE(restored(saved(whole)).estimate() == whole.estimate());
    }
  }
}

TEST_CASE("registers are what the definition says, of hashes looked at bit by bit") {
  hyperloglog sketch;
  std::vector<int> wanted(hyperloglog::register_count);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const std::uint64_t hash = sketch_hash(i);
    sketch.add(hash);
    std::size_t index = 0;
    for (int bit = 63; bit >= 52; --bit) index = index * 2 + ((hash >> bit) & 1);
    int place = 1;
    for (int bit = 51; bit >= 0 && ((hash >> bit) & 1) == 0; --bit) ++place;
    wanted[index] = std::max(wanted[index], place);
  }
  const std::string bytes = saved(sketch);
  for (std::size_t i = 0; i < wanted.size(); ++i) REQUIRE(bytes[i + 1] == wanted[i]);
}

TEST_CASE("a sketch takes 2 KiB for few values, 4 KiB for any number") {
  CHECK(hyperloglog().heap_bytes() == 0);
  CHECK(counted(0, 3).heap_bytes() <= 64);
  std::size_t most = 0;
  for (const std::uint64_t count : {256u, 257u, 1'000u, 100'000u})
    most = std::max(most, counted(0, count).heap_bytes());
  CHECK(most <= 4096);
  CHECK(saved(counted(0, 256)).size() == 3 + 256 * 8);
  CHECK(saved(counted(0, 100'000)).size() == 1 + 4096);
}

TEST_CASE("a damaged sketch is read as some sketch, or not at all") {
  for (const std::uint64_t count : {20u, 300u}) {
    const std::string whole = saved(counted(0, count));
    for (std::size_t size = 0; size < whole.size(); size += 7) {
      hyperloglog made;
      state_reader from(std::string_view(whole).substr(0, size));
      made.restore(from);
      CHECK(!from.ok());
    }
    for (std::size_t at = 0; at < whole.size(); at += 3) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(~damaged[at]);
      hyperloglog made;
      state_reader from(damaged);
      made.restore(from);
      made.merge(counted(0, 1'000));
      CHECK(made.estimate() > 0);
    }
  }
}
