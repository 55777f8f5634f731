#pragma once
#include <etlantic/core/tuple_indices.hpp>
#include <etlantic/kernel/aggregate_state.hpp>
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/group_table.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/aggregate_settings.hpp>
#include <etlantic/runtime/closed_groups.hpp>
#include <etlantic/runtime/late_rows.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/result_emission.hpp>
#include <etlantic/runtime/result_failure.hpp>
#include <etlantic/runtime/stage.hpp>
#include <etlantic/runtime/window_panes.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

namespace etlantic {

/// Filters rows, groups them by key and window, and keeps aggregates per group. `Time` is the event time's node, or
/// void. `Fields` say how a result row is put together.
template <class Time, class Filters, class Keys, class Arguments, class Table, class... Fields>
class aggregate_stage final : public stage {
 public:
  aggregate_stage(aggregate_settings settings, Time time, Filters filters, Keys keys, Arguments arguments)
      : settings_(std::move(settings)),
        time_(std::move(time)),
        filters_(std::move(filters)),
        keys_(std::move(keys)),
        arguments_(std::move(arguments)),
        emission_(settings_),
        rejected_(*settings_.result, settings_.invalid, settings_.invalid_port, settings_.where),
        late_(settings_.late != nullptr ? std::optional<late_rows>(*settings_.late) : std::nullopt) {}

  void begin(const batch_context& batch) override {
    batch_ = batch;
    rejected_.begin(batch);
    counts_ = {};
    greatest_time_.reset();
    current_ = nullptr;
    current_bounds_ = {0, 0};
    panes_.for_each([](auto& each) { each.groups.for_each([](auto& group) { group.changed = false; }); });
  }

  result<void> process(std::size_t, const block& rows, stage_outputs& out) override {
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::lane_count) {
      kernel::chunk at(rows, begin);
      if constexpr (can_overflow) {
        if (const std::uint64_t invalid = overflowing(at, key_indices{}, argument_indices{}); invalid != 0) {
          if (batch_.on_overflow == overflow_policy::fail)
            return arithmetic_overflow(settings_.where, rows, begin + static_cast<std::size_t>(std::countr_zero(invalid)));
          leave_out(at, invalid);
        }
      }
      take(at);
    }
    if (can_overflow)
      if (auto given = rejected_.give(out); !given) return given;
    if (late_ && !late_->empty()) {
      auto given = out.emit(settings_.late_port, late_->rows());
      late_->clear();
      return given;
    }
    return {};
  }

  result<void> finish(stage_outputs& out) override {
    const closed_groups<Table> closed{settings_, batch_.watermark.microseconds};
    result<void> given = emission_.emit(closed, panes_, {out, rejected_, counts_, batch_.on_overflow});
    if (given && settings_.mode != output_mode::complete) {
      emission_.forget(closed.watermark);
      current_ = nullptr;
      current_bounds_ = {0, 0};
      closed.remove_from(panes_);
    }
    return given;
  }

  stage_counts counts() const override { return counts_; }

  state_metrics state() const override {
    state_metrics metrics;
    panes_.for_each([&](const auto& each) {
      ++metrics.windows;
      metrics.groups += static_cast<std::int64_t>(each.groups.size());
      metrics.bytes += static_cast<std::int64_t>(each.groups.bytes());
    });
    metrics.bytes += static_cast<std::int64_t>(emission_.bytes());
    if (settings_.window_length == 0) metrics.windows = 0;
    return metrics;
  }

  std::optional<timestamp> greatest_event_time() const override { return greatest_time_; }

  void save(state_writer& into) const override {
    panes_.save(into);
    emission_.save(into);
  }

  result<void> restore(state_reader& from) override {
    current_ = nullptr;
    current_bounds_ = {0, 0};
    panes_.restore(from);
    emission_.restore(from);
    if (from.ok()) return {};
    return failure{failure_class::state, "PMSTREAM483", "the saved state of this step ends too early", settings_.where,
                   "restore the checkpoint directory from a copy, or start a new checkpoint"};
  }

 private:
  static constexpr bool has_time = !std::is_same_v<Time, std::nullptr_t>;
  using pane = typename window_panes<Table>::pane;
  using key_indices = std::make_index_sequence<Table::key_count>;
  using argument_indices = tuple_indices<Arguments>;

  static constexpr bool can_overflow = kernel::any_may_overflow<Filters, Keys, Arguments>;

  /// The rows of a chunk for which something cannot be computed. They are looked for before any row is taken, so that
  /// state never holds a value of one.
  template <std::size_t... K, std::size_t... A>
  std::uint64_t overflowing(kernel::chunk at, std::index_sequence<K...>, std::index_sequence<A...>) {
    at.active = kernel::apply_filters(filters_, at).passed & ~at.overflow;
    if constexpr (has_time)
      if (settings_.window_length != 0) at.active &= time_.evaluate(at).valid;
    (static_cast<void>(boost::hana::at_c<K>(keys_).evaluate(at)), ...);
    (static_cast<void>(boost::hana::at_c<A>(arguments_).evaluate(at)), ...);
    return at.overflow;
  }

  void leave_out(kernel::chunk& at, std::uint64_t invalid) {
    const wrong_field wrong[] = {{{}, overflow_reason}};
    kernel::for_each_lane(invalid, [&](std::size_t row) {
      rejected_.add_row(*at.rows, at.begin + row, arithmetic_overflow_code, wrong);
    });
    at.active &= ~invalid;
    counts_.invalid += std::popcount(invalid);
    counts_.filtered -= std::popcount(invalid);  // where they count as rows that are not active
  }

  void take(kernel::chunk& at) {
    counts_.received += static_cast<std::int64_t>(at.count);
    kernel::filtered_rows rows = kernel::apply_filters(filters_, at);
    if constexpr (has_time) {
      const kernel::lanes<std::int64_t> times = time_.evaluate(at);
      if (settings_.has_watermark) observe(times, rows.for_watermark & times.valid);
      // A row without an event time joins no window; without windows it is in the group of its key.
      if (settings_.window_length != 0) rows.passed &= times.valid;
      counts_.filtered += static_cast<std::int64_t>(at.count) - std::popcount(rows.passed);
      at.active = rows.passed;
      if (rows.passed != 0) update(at, times, rows.passed, key_indices{}, argument_indices{});
    } else {
      counts_.filtered += static_cast<std::int64_t>(at.count) - std::popcount(rows.passed);
      if (rows.passed != 0) update(at, {}, rows.passed, key_indices{}, argument_indices{});
    }
  }

  void observe(const kernel::lanes<std::int64_t>& times, std::uint64_t rows) {
    if (rows == 0) return;
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
    kernel::for_each_lane(rows, [&](std::size_t row) { greatest = std::max(greatest, times.values[row]); });
    if (!greatest_time_ || greatest > greatest_time_->microseconds) greatest_time_ = timestamp{greatest};
  }

  template <std::size_t... K, std::size_t... A>
  void update(kernel::chunk& at, kernel::lanes<std::int64_t> times, std::uint64_t rows, std::index_sequence<K...>,
              std::index_sequence<A...>) {
    const auto keys = boost::hana::make_tuple(boost::hana::at_c<K>(keys_).evaluate(at)...);
    const auto arguments = boost::hana::make_tuple(boost::hana::at_c<A>(arguments_).evaluate(at)...);
    static_cast<void>(keys), static_cast<void>(arguments);
    std::int64_t late = 0;
    kernel::for_each_lane(rows, [&](std::size_t row) {
      const bool timed = kernel::is_present(times, row);
      if (!enter_window(timed ? times.values[row] : 0, timed)) {
        ++late;
        if (late_) late_->add(*at.rows, at.begin + row, batch_.late_watermark, current_bounds_);
        return;
      }
      auto& group = current_->groups.at(
          typename Table::probe{kernel::probe_of(boost::hana::at_c<K>(keys), row)...});
      group.changed = true;
      (boost::hana::at_c<A>(group.aggregates).add(boost::hana::at_c<A>(arguments), row), ...);
    });
    counts_.late += late;
    counts_.kept += std::popcount(rows) - late;
  }

  /// Makes the row's window the current one; false if the row is late.
  bool enter_window(std::int64_t time, bool timed) {
    if (settings_.late_by == lateness::row_time && timed && drops_late() && time <= batch_.late_watermark.microseconds) {
      current_bounds_ = {time, time};
      current_ = nullptr;
      return false;
    }
    if (settings_.window_length == 0) {
      if (current_ == nullptr) current_ = &panes_.at(no_window);
      return true;
    }
    if (!current_bounds_.contains(time)) {
      current_bounds_ = kernel::tumbling_window(time, settings_.window_length, settings_.window_offset);
      const bool late = drops_late() && settings_.late_by == lateness::window &&
                        current_bounds_.end <= batch_.late_watermark.microseconds;
      current_ = late ? nullptr : &panes_.at(current_bounds_);
    }
    return current_ != nullptr;
  }

  bool drops_late() const { return settings_.mode != output_mode::complete; }

  static constexpr kernel::window_bounds no_window{std::numeric_limits<std::int64_t>::min(),
                                                   std::numeric_limits<std::int64_t>::max()};

  aggregate_settings settings_;
  [[no_unique_address]] Time time_;
  Filters filters_;
  Keys keys_;
  Arguments arguments_;
  window_panes<Table> panes_;

  batch_context batch_;
  stage_counts counts_;
  std::optional<timestamp> greatest_time_;
  pane* current_ = nullptr;  // of the window of the last row; nullptr if that was late
  kernel::window_bounds current_bounds_{0, 0};
  result_emission<Table, Fields...> emission_;
  rejected_output rejected_;
  std::optional<late_rows> late_;
};

}  // namespace etlantic
