#pragma once
#include <etlantic/column/state_io.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace etlantic::kernel {

/// How many different hashes were added, by HyperLogLog: P. Flajolet, E. Fusy, O. Gandouet, F. Meunier, "HyperLogLog:
/// the analysis of a near-optimal cardinality estimation algorithm" (2007), with the estimator of O. Ertl, "New
/// cardinality estimation algorithms for HyperLogLog sketches" (2017), which needs no tables against bias.
///
/// Up to `most_listed` hashes are kept as they are and counted exactly; more of them as 4096 registers, whose standard
/// error is 1.04 / sqrt(4096) = 1.6 %. What it holds is a function of the set of hashes alone.
class hyperloglog {
 public:
  static constexpr int index_bits = 12;
  static constexpr std::size_t register_count = std::size_t{1} << index_bits;
  static constexpr std::size_t most_listed = 256;

  void add(std::uint64_t hash) {
    if (!registers_.empty()) return put(hash);
    const auto place = std::lower_bound(listed_.begin(), listed_.end(), hash);
    if (place != listed_.end() && *place == hash) return;
    if (listed_.size() < most_listed)
      listed_.insert(place, hash);
    else {
      spread();
      put(hash);
    }
  }

  void merge(const hyperloglog& other) {
    for (const std::uint64_t hash : other.listed_) add(hash);
    if (other.registers_.empty()) return;
    if (registers_.empty()) spread();
    for (std::size_t i = 0; i < register_count; ++i) registers_[i] = std::max(registers_[i], other.registers_[i]);
  }

  std::int64_t estimate() const {
    if (registers_.empty()) return static_cast<std::int64_t>(listed_.size());
    std::array<int, highest + 1> with_value{};
    for (const std::uint8_t value : registers_) ++with_value[value];
    // Products of sums below are by powers of two only, so that all machines come to the same, with fused
    // multiplications or without.
    constexpr auto count = static_cast<double>(register_count);
    double sum = count * tau(1 - with_value[highest] / count);
    for (int value = highest - 1; value >= 1; --value) sum = 0.5 * (sum + with_value[static_cast<std::size_t>(value)]);
    sum += count * sigma(with_value[0] / count);
    constexpr double alpha = 0.72134752044448170367996;  // 1 / (2 ln 2)
    const double found = alpha * count * count / sum;
    return found < 9e18 ? std::llround(found) : std::numeric_limits<std::int64_t>::max();
  }

  std::size_t heap_bytes() const { return listed_.capacity() * sizeof(std::uint64_t) + registers_.capacity(); }

  void save(state_writer& into) const {
    into.put(static_cast<std::uint8_t>(!registers_.empty()));
    if (registers_.empty()) {
      into.put(static_cast<std::uint16_t>(listed_.size()));
      for (const std::uint64_t hash : listed_) into.put(hash);
    } else
      for (const std::uint8_t value : registers_) into.put(value);
  }
  void restore(state_reader& from) {
    *this = {};
    if (from.get<std::uint8_t>() == 0) {
      const auto count = from.get<std::uint16_t>();
      for (std::uint16_t i = 0; i < count && from.ok(); ++i) add(from.get<std::uint64_t>());
    } else {
      registers_.resize(register_count);
      for (std::uint8_t& value : registers_)  // it may be damaged
        value = std::min(from.get<std::uint8_t>(), static_cast<std::uint8_t>(highest));
    }
  }

 private:
  static constexpr int highest = 64 - index_bits + 1;

  /// The first bits of a hash choose a register, which keeps how many zeros have been seen at most behind them, and
  /// one.
  void put(std::uint64_t hash) {
    const std::uint64_t rest = hash << index_bits | std::uint64_t{1} << (index_bits - 1);
    std::uint8_t& value = registers_[hash >> (64 - index_bits)];
    value = std::max(value, static_cast<std::uint8_t>(std::countl_zero(rest) + 1));
  }
  void spread() {
    registers_.resize(register_count);
    for (const std::uint64_t hash : listed_) put(hash);
    listed_ = std::vector<std::uint64_t>();  // gives its memory back
  }

  static double sigma(double x) {
    if (x == 1) return std::numeric_limits<double>::infinity();
    double power = 1, sum = x, before;
    do {
      x *= x;
      before = sum;
      sum += x * power;
      power += power;
    } while (sum != before);
    return sum;
  }
  static double tau(double x) {
    if (x == 0 || x == 1) return 0;
    double power = 1, sum = 1 - x, before;
    do {
      x = std::sqrt(x);
      before = sum;
      power *= 0.5;
      const double square = (1 - x) * (1 - x);
      sum -= square * power;
    } while (sum != before);
    return sum / 3;
  }

  std::vector<std::uint64_t> listed_;    // ascending
  std::vector<std::uint8_t> registers_;  // instead, once there are more
};

}  // namespace etlantic::kernel
