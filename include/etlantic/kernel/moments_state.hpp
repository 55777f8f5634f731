#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/core/integer128.hpp>
#include <etlantic/kernel/row_values.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace etlantic::kernel {

/// 10 to the power of the scale of a decimal, which a scaled integer is divided by.
template <int Scale>
inline constexpr double scale_divisor = [] {
  double made = 1;
  for (int i = 0; i < Scale; ++i) made *= 10;
  return made;
}();

/// Number, mean and sum of squared distances from the mean, by Welford's recurrence, and Chan's to merge: no large
/// squares are subtracted from each other. The same steps as Spark's.
template <int Scale, bool Root>
struct moments_state {
  std::int64_t count = 0;
  double mean = 0;
  double squares = 0;

  template <class Value>
  void add(const row_values<Value>& from, std::size_t row) {
    if (!from.is_present(row)) return;
    double value = static_cast<double>(from.at(row));
    if constexpr (Scale != 0) value /= scale_divisor<Scale>;
    const double distance = value - mean;
    const double step = distance / static_cast<double>(++count);
    mean += step;
    squares += distance * (distance - step);
  }
  void merge(const moments_state& other) {
    if (other.count == 0) return;
    const auto own = static_cast<double>(count), added = static_cast<double>(other.count);
    const double distance = other.mean - mean;
    const double step = distance / (own + added);
    mean += step * added;
    squares += other.squares + distance * step * own * added;
    count += other.count;
  }
  template <class To>
  bool write(column& into, std::size_t row) const {
    if (count < 2) return into.set_null(row), true;
    const double variance = squares / static_cast<double>(count - 1);
    into.set(row, static_cast<To>(Root ? std::sqrt(variance) : variance));
    return true;
  }
  void save(state_writer& into) const {
    into.put(count);
    into.put(mean);
    into.put(squares);
  }
  void restore(state_reader& from) {
    count = from.get<std::int64_t>();
    mean = from.get<double>();
    squares = from.get<double>();
  }
};

}  // namespace etlantic::kernel
