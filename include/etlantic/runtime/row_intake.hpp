#pragma once
#include <etlantic/core/time.hpp>
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/lanes.hpp>
#include <etlantic/kernel/row_values.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace etlantic {

/// What a stage with state asks of rows before it takes them: whether all that it needs can be computed, whether the
/// filters let them pass, and what their event time is, of which it keeps the greatest. `Time` is the event time's
/// node, or nullptr_t.
template <class Time, class Filters>
class row_intake {
 public:
  static constexpr bool has_time = !std::is_same_v<Time, std::nullptr_t>;

  /// `follows_time`: somebody wants to know the greatest event time.
  row_intake(Time time, Filters filters, bool follows_time)
      : time_(std::move(time)), filters_(std::move(filters)), follows_time_(follows_time) {}

  /// Before the first row of a batch.
  void begin() { greatest_.reset(); }
  /// Before the first chunk of a morsel.
  void start(const block& rows, std::size_t begin) {
    if constexpr (has_time) times_.start(time_, rows, begin);
  }
  void fetch_ahead(std::size_t row) const {
    if constexpr (has_time) times_.fetch_ahead(row);
  }

  /// The rows of a chunk for which something cannot be computed. They are looked for before any row is taken, so that
  /// state never holds a value of one. `compute_others` evaluates what the stage needs besides, of the active rows.
  template <class ComputeOthers>
  std::uint64_t overflowing(kernel::chunk& of, bool needs_time, ComputeOthers&& compute_others) {
    kernel::chunk at = of;
    at.active = kernel::apply_filters(filters_, at).passed & ~at.overflow;
    if constexpr (has_time) {
      const std::uint64_t timed = time_.evaluate(at).valid;
      if (needs_time) at.active &= timed;
    }
    compute_others(at);
    if (at.cast_failed != 0) {  // for the reason
      of.cast_failed = at.cast_failed;
      std::copy_n(at.cast_to, kernel::lane_count, of.cast_to);
    }
    return at.overflow;
  }

  /// Leaves the rows of a chunk active that pass the filters; those that have an event time. The greatest is taken over
  /// the rows that pass, unless `sees_passed` is false because the stage does that itself, and those that only filters
  /// on the event time remove.
  std::uint64_t filter(kernel::chunk& at, std::size_t index, bool sees_passed = true) {
    const kernel::filtered_rows rows = kernel::apply_filters(filters_, at);
    if constexpr (!has_time)
      return ~std::uint64_t{0};
    else {
      at.active = rows.for_watermark;
      times_.collect(time_, at, index);
      at.active = rows.passed;
      const kernel::row_values<std::int64_t> times = times_.values();
      const std::uint64_t timed = times.valid == nullptr ? ~std::uint64_t{0} : times.valid[index];
      if (follows_time_) {
        // A time that could not be computed is none.
        const std::uint64_t seen = rows.for_watermark & (sees_passed ? ~std::uint64_t{0} : ~rows.passed);
        see(times.values + index * kernel::lane_count, seen & timed & ~at.overflow);
      }
      return timed;
    }
  }

  /// Event times of the morsel.
  auto times() const { return times_.values(); }

  void see(std::int64_t time) {
    if (!follows_time_) return;
    if (!greatest_ || time > greatest_->microseconds) greatest_ = timestamp{time};
  }

  std::optional<timestamp> greatest() const { return greatest_; }
  std::optional<timestamp> take_greatest() { return std::exchange(greatest_, std::nullopt); }

 private:
  void see(const std::int64_t* times, std::uint64_t rows) {
    if (rows == 0) return;
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
    if (rows == ~std::uint64_t{0})
      greatest = *std::max_element(times, times + kernel::lane_count);
    else
      kernel::for_each_lane(rows, [&](std::size_t row) { greatest = std::max(greatest, times[row]); });
    see(greatest);
  }

  [[no_unique_address]] Time time_;
  Filters filters_;
  bool follows_time_;
  std::optional<timestamp> greatest_;
  [[no_unique_address]] std::conditional_t<has_time, kernel::row_collector<Time>, std::nullptr_t> times_{};
};

}  // namespace etlantic
