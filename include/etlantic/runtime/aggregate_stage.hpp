#pragma once
#include <etlantic/core/tuple_indices.hpp>
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/group_table.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/selection.hpp>
#include <etlantic/kernel/time_check.hpp>
#include <etlantic/kernel/window.hpp>
#include <etlantic/kernel/window_split.hpp>
#include <etlantic/runtime/aggregate_settings.hpp>
#include <etlantic/runtime/closed_groups.hpp>
#include <etlantic/runtime/late_rows.hpp>
#include <etlantic/runtime/missed_windows.hpp>
#include <etlantic/runtime/plain_windows.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/result_emission.hpp>
#include <etlantic/runtime/row_intake.hpp>
#include <etlantic/runtime/stage.hpp>
#include <etlantic/runtime/window_panes.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace etlantic {

/// Filters rows, groups them by key and window, and keeps aggregates per group. `Time` is the event time's node, or
/// void. `Windows` makes windows of panes when results are due. `Fields` say how a result row is put together.
template <class Time, class Filters, class Keys, class Arguments, class Table, class Windows, class... Fields>
class aggregate_stage final : public stage {
 public:
  aggregate_stage(aggregate_settings settings, Time time, Filters filters, Keys keys, Arguments arguments)
      : settings_(std::move(settings)),
        intake_(std::move(time), std::move(filters), settings_.has_watermark || settings_.looks_for_union),
        keys_(std::move(keys)),
        arguments_(std::move(arguments)),
        pane_length_(settings_.windows.exists() ? settings_.windows.pane_length() : 0),
        windows_(settings_.windows),
        emission_(settings_),
        rejected_(*settings_.result, settings_.invalid, settings_.invalid_port, settings_.where, settings_.most_bytes),
        late_(settings_.late != nullptr ? std::optional<late_rows>(*settings_.late) : std::nullopt) {}

  void begin(const batch_context& batch) override {
    batch_ = batch;
    rejected_.begin(batch);
    counts_ = {};
    intake_.begin();
    current_ = nullptr;
    to_correct_ = settings_.corrects && batch.to_correct != nullptr ? &batch.to_correct->of(settings_.where) : nullptr;
    if (settings_.mode == output_mode::update) panes_.for_each([](auto& each) { each.groups.forget_changes(); });
    closed_before_ = settings_.late_by == lateness::window && drops_late()
                         ? settings_.closed_up_to(settings_.closing_watermark(batch.late_watermark))
                         : kernel::closed_windows{};
  }

  result<void> process(std::size_t, const block& rows, stage_outputs& out) override {
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::morsel_rows)
      if (auto taken = take(rows, begin, key_indices{}, argument_indices{}); !taken) return taken;
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
    const closed_groups<Table> closed = closed_now();
    const due_windows due{settings_.mode, closed_before_, closed.closed_windows()};
    const auto visit_windows = [&](auto&& visit) { windows_.for_each(panes_, due, visit); };
    result<void> given = emission_.emit(closed, visit_windows, {out, rejected_, counts_, batch_.on_overflow});
    if (given && settings_.mode != output_mode::complete) {
      emission_.forget(closed.watermark);
      current_ = nullptr;
      closed.remove_from(panes_);
    }
    return given;
  }

  stage_counts counts() const override { return counts_; }

  state_metrics state() const override {
    state_metrics metrics;
    panes_.for_each([&](const auto& each) {
      metrics.groups += static_cast<std::int64_t>(each.groups.size());
      metrics.bytes += static_cast<std::int64_t>(each.groups.bytes());
    });
    metrics.bytes += static_cast<std::int64_t>(emission_.bytes() + windows_.bytes());
    if (settings_.has_windows())
      metrics.windows = windows_.count(panes_, drops_late() ? closed_now().closed_windows() : kernel::closed_windows{});
    return metrics;
  }

  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    if (settings_.has_watermark) into.push_back(intake_.greatest());
  }
  void forget_event_times() override { intake_.begin(); }
  std::optional<timestamp> take_greatest_event_time() override { return intake_.take_greatest(); }

  void save(state_writer& into) const override {
    panes_.save(into);
    emission_.save(into);
  }

  result<void> restore(state_reader& from) override {
    current_ = nullptr;
    windows_.forget();
    panes_.restore(from);
    emission_.restore(from);
    continue_orders(argument_indices{});
    if (from.ok()) return {};
    return failure{failure_class::state, "PMSTREAM483", "the saved state of this step ends too early", settings_.where,
                   "restore the checkpoint directory from a copy, or start a new checkpoint"};
  }

 private:
  static constexpr bool has_time = row_intake<Time, Filters>::has_time;
  using pane = typename window_panes<Table>::pane;

  using key_indices = std::make_index_sequence<Table::key_count>;
  using argument_indices = tuple_indices<Arguments>;

  static constexpr bool can_overflow = kernel::any_may_overflow<Filters, Keys, Arguments> || kernel::may_overflow<Time>;

  result<void> leave_out(kernel::chunk& at, std::uint64_t invalid) {
    at.active &= ~invalid;
    counts_.invalid += std::popcount(invalid);
    counts_.filtered -= std::popcount(invalid);  // where they count as rows that are not active
    return rejected_.set_aside(at, invalid);
  }

  /// Takes a morsel: the rows that pass the filters and what they hold, then window by window into the tables.
  template <std::size_t... K, std::size_t... A>
  result<void> take(const block& rows, std::size_t begin, std::index_sequence<K...>, std::index_sequence<A...>) {
    const std::size_t count = std::min(kernel::morsel_rows, rows.rows - begin);
    intake_.start(rows, begin);
    (boost::hana::at_c<K>(key_values_).start(boost::hana::at_c<K>(keys_), rows, begin), ...);
    (boost::hana::at_c<A>(argument_values_).start(boost::hana::at_c<A>(arguments_), rows, begin), ...);

    const bool has_next = begin + 2 * kernel::morsel_rows <= rows.rows;
    ahead_ = has_next ? kernel::morsel_rows : 0;
    const bool times_are_argument = (false || ... || is_times(boost::hana::at_c<A>(argument_values_)));
    passed_.fill(0);
    for (std::size_t first = 0; first < count; first += kernel::lane_count) {
      kernel::chunk at(rows, begin + first);
      if (begin == 0) {  // nobody has fetched it
        (boost::hana::at_c<K>(key_values_).fetch_ahead(first), ...);
        (fetch_argument<A>(first), ...);
      }
      if (!times_are_argument) {
        if (begin == 0) intake_.fetch_ahead(first);
        if (has_next) intake_.fetch_ahead(first + kernel::morsel_rows);
      }
      if (has_next) (fetch_composed<A>(first + kernel::morsel_rows), ...);
      if constexpr (can_overflow) {
        const std::uint64_t invalid = intake_.overflowing(at, settings_.has_windows(), [&](kernel::chunk& of) {
          kernel::evaluate_all(keys_, of);
          kernel::evaluate_all(arguments_, of);
        });
        if (invalid != 0)
          if (auto done = leave_out(at, invalid); !done) return done;
      }
      const std::uint64_t passed = filter(at, first / kernel::lane_count);
      if (passed != 0) {
        (boost::hana::at_c<K>(key_values_).collect(boost::hana::at_c<K>(keys_), at, first / kernel::lane_count), ...);
        (collect_argument<A>(at, first / kernel::lane_count), ...);
      }
      passed_[first / kernel::lane_count] = passed;
    }
    const std::size_t selected = kernel::select_rows(passed_, selected_.data(), instructions_);
    counts_.received += static_cast<std::int64_t>(count);
    counts_.filtered += static_cast<std::int64_t>(count - selected);
    if (selected != 0) update(rows, begin, selected);
    return {};
  }

  /// The rows of a chunk that go on: they passed the filters, and have an event time if there are windows; without
  /// windows a row that has none is in the group of its key. Of a morsel's rows with windows the greatest time is known
  /// anyway.
  std::uint64_t filter(kernel::chunk& at, std::size_t index) {
    const std::uint64_t timed = intake_.filter(at, index, !settings_.has_windows());
    if (settings_.has_windows()) at.active &= timed;
    return at.active;
  }

  template <std::size_t A>
  [[gnu::always_inline]] void fetch_argument(std::size_t row) const {
    if constexpr (Table::template reads_rows<A>) boost::hana::at_c<A>(argument_values_).fetch_ahead(row);
  }
  /// Arguments that are not fetched row by row while those of the morsel before are used.
  template <std::size_t A>
  [[gnu::always_inline]] void fetch_composed(std::size_t row) const {
    if constexpr (!kernel::is_column<decltype(boost::hana::at_c<A>(argument_values_).values())>) fetch_argument<A>(row);
  }

  template <class Collector>
  bool is_times(const Collector& from) const {
    if constexpr (has_time && std::is_same_v<decltype(from.values()), kernel::column_values<std::int64_t>>)
      return from.values().values == intake_.times().values;
    else
      return false;
  }

  template <std::size_t A>
  void collect_argument(kernel::chunk& at, std::size_t index) {
    if constexpr (Table::template reads_rows<A>)
      boost::hana::at_c<A>(argument_values_).collect(boost::hana::at_c<A>(arguments_), at, index);
  }

  void update(const block& rows, std::size_t begin, std::size_t count) {
    if constexpr (has_time) {
      const kernel::row_values<std::int64_t> times = intake_.times();
      if (!settings_.has_windows()) {
        if (settings_.late_by == lateness::row_time && drops_late())
          count = without_late(rows, begin, count, [&](std::size_t row) {
            return times.is_present(row) && times.at(row) <= batch_.late_watermark.microseconds;
          });
        add(no_window, selected_.data(), count);
        return;
      }
      if (const auto greatest = within_current(times.values, count)) {
        intake_.see(*greatest);
        add(current_->bounds, selected_.data(), count);
        return;
      }
      kernel::time_range range = kernel::range_of(times.values, selected_.data(), count);
      intake_.see(range.greatest);
      if (closed_before_.covers(range.least)) {
        count = without_late(rows, begin, count, [&](std::size_t row) { return closed_before_.covers(times.at(row)); });
        if (count == 0) return;
        range = kernel::range_of(times.values, selected_.data(), count);
      }
      if (to_correct_ != nullptr) {
        count = only_to_correct(times, count);
        if (count == 0) return;
        range = kernel::range_of(times.values, selected_.data(), count);
      }
      split(times.values, count, range);
    } else
      add(no_window, selected_.data(), count);
  }

  /// The greatest time of the selected rows, if all of them lie in the window of the rows before and belong there.
  std::optional<std::int64_t> within_current(const std::int64_t* times, std::size_t count) const {
    if (current_ == nullptr || to_correct_ != nullptr || closed_before_.covers(current_->bounds.start)) return {};
    return kernel::greatest_within(current_->bounds, times, passed_, {selected_.data(), count}, instructions_);
  }

  void split(const std::int64_t* times, std::size_t count, kernel::time_range range) {
    const auto visit = [&](kernel::window_bounds bounds, const std::uint16_t* chosen, std::size_t chosen_count) {
      add(bounds, chosen, chosen_count);
    };
    if (settings_.calendar != nullptr)
      split_.for_each(times, selected_.data(), count, range, *settings_.calendar, visit);
    else
      split_.for_each(times, selected_.data(), count, range, pane_length_, settings_.windows.offset, visit);
  }

  /// Sets the late rows aside; how many others there are, which are now the first ones.
  template <class IsLate>
  std::size_t without_late(const block& rows, std::size_t begin, std::size_t count, IsLate&& is_late) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t row = selected_[i];
      if (!is_late(row))
        selected_[kept++] = row;
      else if (late_)
        late_->add(rows, begin + row, batch_.late_watermark, missed_window(row));
    }
    counts_.late += static_cast<std::int64_t>(count - kept);
    return kept;
  }

  /// Leaves the rows of the windows that this run corrects. The others count as filtered.
  std::size_t only_to_correct(const kernel::row_values<std::int64_t>& times, std::size_t count) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t row = selected_[i];
      if (to_correct_->contains(settings_.last_window(times.at(row)))) selected_[kept++] = row;
    }
    counts_.filtered += static_cast<std::int64_t>(count - kept);
    return kept;
  }

  kernel::window_bounds missed_window(std::size_t row) const {
    const std::int64_t time = intake_.times().at(row);
    if (!settings_.has_windows()) return {time, time};
    return settings_.last_window(time);
  }

  void add(kernel::window_bounds bounds, const std::uint16_t* rows, std::size_t count) {
    if (count == 0) return;
    if (current_ == nullptr || current_->bounds.start != bounds.start) current_ = &panes_.at(bounds);
    current_->touched = true;
    counts_.kept += static_cast<std::int64_t>(count);
    current_->groups.add_rows(kernel::values_of(key_values_), kernel::values_of(argument_values_), rows, count,
                              settings_.mode == output_mode::update, ahead_);
  }

  /// Aggregates that choose a row by its place in source order go on behind those that the restored state knows.
  template <std::size_t... A>
  void continue_orders(std::index_sequence<A...>) {
    const auto go_on = [&]<std::size_t At>(std::integral_constant<std::size_t, At>) {
      auto& collector = boost::hana::at_c<At>(argument_values_);
      if constexpr (requires { collector.continue_behind(0); })
        panes_.for_each([&](const auto& each) {
          each.groups.for_each(
              [&](const auto& group) { collector.continue_behind(boost::hana::at_c<At>(group.aggregates).order); });
        });
    };
    (go_on(std::integral_constant<std::size_t, A>{}), ...);
    static_cast<void>(go_on);
  }

  closed_groups<Table> closed_now() const { return {settings_, settings_.closing_watermark(batch_.watermark)}; }

  bool drops_late() const { return settings_.mode != output_mode::complete; }

  static constexpr kernel::window_bounds no_window{std::numeric_limits<std::int64_t>::min(),
                                                   std::numeric_limits<std::int64_t>::max()};

  aggregate_settings settings_;
  row_intake<Time, Filters> intake_;
  Keys keys_;
  Arguments arguments_;
  window_panes<Table> panes_;
  std::int64_t pane_length_;
  [[no_unique_address]] Windows windows_;

  batch_context batch_;
  stage_counts counts_;
  pane* current_ = nullptr;               // of the rows before
  kernel::closed_windows closed_before_;  // when the batch before ran
  const window_set* to_correct_ = nullptr;

  // Of the morsel at hand.
  typename kernel::row_collectors<Keys>::type key_values_;
  typename kernel::row_collectors<Arguments>::type argument_values_;
  std::size_t ahead_ = 0;  // how far behind a row the same one of the next morsel lies, if there is one
  kernel::morsel_bits passed_;
  std::array<std::uint16_t, kernel::morsel_rows + 32> selected_;  // what select_rows writes behind the end
  instruction_set instructions_ = available_instruction_set();
  kernel::window_split split_;

  result_emission<Table, Fields...> emission_;
  rejected_output rejected_;
  std::optional<late_rows> late_;
};

}  // namespace etlantic
