#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/core/integer128.hpp>
#include <etlantic/expression/quantile.hpp>
#include <etlantic/kernel/aggregate_state.hpp>
#include <etlantic/kernel/bind.hpp>
#include <etlantic/kernel/quantile_buckets.hpp>
#include <etlantic/kernel/quantile_sketch.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/shared_state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace etlantic::kernel {

template <class E, int Share, int Of>
struct binder<quantile_of<E, Share, Of>> {
  template <class Row>
  static auto bind(const quantile_of<E, Share, Of>& of, const Row& row) {
    return kernel::bind(of.value, row);
  }
};

/// Values in the order of `min`: what is finite in buckets, the rest as numbers of it.
template <class Value>
class ordered_values {
 public:
  void add(Value value) {
    if constexpr (std::is_floating_point_v<Value>) {
      if (value != value) return ++not_a_number_, void();
      if (value < std::numeric_limits<Value>::lowest()) return ++below_, void();
      if (value > std::numeric_limits<Value>::max()) return ++above_, void();
    }
    see(value, value);
    sketch_.add(bucket_of(value));
  }
  void merge(const ordered_values& other) {
    if (other.sketch_.count() != 0) see(other.least_, other.greatest_);
    sketch_.merge(other.sketch_);
    below_ += other.below_;
    above_ += other.above_;
    not_a_number_ += other.not_a_number_;
  }

  std::int64_t count() const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(sketch_.count()) + below_ + above_ + not_a_number_);
  }

  /// About the value at a place in the order; the first is at 1.
  Value at(std::int64_t place) const {
    if constexpr (std::is_floating_point_v<Value>) {
      using limits = std::numeric_limits<Value>;
      const auto numbers = static_cast<std::uint64_t>(sketch_.count());
      const auto before = static_cast<std::uint64_t>(place) - 1;
      if (before < below_) return -limits::infinity();
      if (before >= below_ + numbers)
        return before < below_ + numbers + above_ ? limits::infinity() : limits::quiet_NaN();
      place = static_cast<std::int64_t>(before - below_ + 1);
    }
    if (place <= 1 || sketch_.count() < 2) return least_;
    if (place >= sketch_.count()) return greatest_;
    return within(middle_of<Value>(sketch_.bucket_at(place), sketch_.level()));
  }

  std::size_t heap_bytes() const { return sketch_.heap_bytes(); }

  void save(state_writer& into) const {
    sketch_.save(into);
    into.put(least_);
    into.put(greatest_);
    if constexpr (std::is_floating_point_v<Value>) {
      into.put(below_);
      into.put(above_);
      into.put(not_a_number_);
    }
  }
  void restore(state_reader& from) {
    sketch_.restore(from);
    least_ = from.get<Value>();
    greatest_ = from.get<Value>();
    if constexpr (std::is_floating_point_v<Value>) {
      below_ = from.get<std::uint64_t>();
      above_ = from.get<std::uint64_t>();
      not_a_number_ = from.get<std::uint64_t>();
    }
  }

 private:
  /// Before they are in the sketch.
  void see(Value least, Value greatest) {
    const bool any = sketch_.count() != 0;
    least_ = any && least_ <= least ? least_ : least;
    greatest_ = any && greatest_ >= greatest ? greatest_ : greatest;
  }

  template <class Middle>
  Value within(Middle middle) const {
    if (middle <= static_cast<Middle>(least_)) return least_;
    if (middle >= static_cast<Middle>(greatest_)) return greatest_;
    return static_cast<Value>(middle);
  }

  quantile_sketch sketch_;
  Value least_{};  // of what is in the sketch
  Value greatest_{};
  std::uint64_t below_ = 0, above_ = 0, not_a_number_ = 0;
};

/// About the value that so many of all do not exceed.
template <class Value, int Share, int Of>
class quantile_state {
 public:
  void add(const row_values<Value>& from, std::size_t row) {
    if (from.is_present(row)) values_.own().add(from.at(row));
  }
  void merge(const quantile_state& other) { values_.merge(other.values_); }
  template <class To>
  bool write(column& into, std::size_t row) const {
    const std::int64_t count = values_.get() == nullptr ? 0 : values_.get()->count();
    if (count <= 0) return into.set_null(row), true;
    const int128 place = (int128{count} * Share + Of - 1) / Of;
    return write_value<To>(into, row, values_.get()->at(std::max(std::int64_t{1}, static_cast<std::int64_t>(place))));
  }
  std::size_t heap_bytes() const { return values_.heap_bytes(); }

  void save(state_writer& into) const {
    values_.get() == nullptr ? ordered_values<Value>().save(into) : values_.get()->save(into);
  }
  void restore(state_reader& from) { values_.own().restore(from); }

 private:
  shared_state<ordered_values<Value>> values_;
};

}  // namespace etlantic::kernel
