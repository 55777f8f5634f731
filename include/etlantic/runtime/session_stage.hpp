#pragma once
#include <etlantic/core/tuple_indices.hpp>
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/selection.hpp>
#include <etlantic/kernel/session_gap.hpp>
#include <etlantic/kernel/session_table.hpp>
#include <etlantic/runtime/aggregate_settings.hpp>
#include <etlantic/runtime/closed_groups.hpp>
#include <etlantic/runtime/late_rows.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/result_emission.hpp>
#include <etlantic/runtime/row_intake.hpp>
#include <etlantic/runtime/stage.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

namespace etlantic {

/// One session, in the manner of a table of groups.
template <class Sessions>
struct only_session {
  static constexpr std::size_t key_count = Sessions::key_count;
  const Sessions& sessions;
  std::uint32_t which;

  template <class Visit>
  void for_each(Visit&& visit) const {
    visit(sessions.group_of(which));
  }
};

/// Filters rows, puts them into the sessions of their keys, and keeps aggregates per session. `Time` and `Gap` say
/// which piece of time is a row's own session. `Fields` say how a result row is put together.
template <class Time, class Gap, class Filters, class Keys, class Arguments, class Sessions, class... Fields>
class session_stage final : public stage {
 public:
  session_stage(aggregate_settings settings, Time time, Gap gap, Filters filters, Keys keys, Arguments arguments)
      : settings_(std::move(settings)),
        intake_(std::move(time), std::move(filters), settings_.has_watermark || settings_.looks_for_union),
        gap_(std::move(gap)),
        keys_(std::move(keys)),
        arguments_(std::move(arguments)),
        sessions_(closes()),
        emission_(settings_),
        rejected_(*settings_.result, settings_.invalid, settings_.invalid_port, settings_.where, settings_.most_bytes),
        late_(settings_.late != nullptr ? std::optional<late_rows>(*settings_.late) : std::nullopt) {}

  void begin(const batch_context& batch) override {
    batch_ = batch;
    rejected_.begin(batch);
    counts_ = {};
    intake_.begin();
  }

  result<void> process(std::size_t, const block& rows, stage_outputs& out) override {
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::morsel_rows)
      if (auto taken = take(rows, begin, key_indices{}, argument_indices{}); !taken) return taken;
    if constexpr (can_overflow)
      if (auto given = rejected_.give(out); !given) return given;
    if (late_ && !late_->empty()) {
      auto given = out.emit(settings_.late_port, late_->rows());
      late_->clear();
      return given;
    }
    return {};
  }

  result<void> finish(stage_outputs& out) override {
    const bool everything = settings_.mode == output_mode::complete;
    std::vector<std::uint32_t> due;
    if (everything)
      due = sessions_.all();
    else if (closes())
      due = sessions_.closed_by(batch_.watermark.microseconds);
    const auto visit_due = [&](auto&& visit) {
      for (const std::uint32_t each : due) visit(sessions_.bounds_of(each), only_session<Sessions>{sessions_, each});
    };
    const closed_groups<only_session<Sessions>> closed{settings_, batch_.watermark.microseconds};
    result<void> given = emission_.emit(closed, visit_due, {out, rejected_, counts_, batch_.on_overflow});
    if (given && !everything) sessions_.remove(due);
    return given;
  }

  stage_counts counts() const override { return counts_; }

  state_metrics state() const override {
    const auto open = static_cast<std::int64_t>(sessions_.size());
    return {open, open, static_cast<std::int64_t>(sessions_.bytes() + emission_.bytes())};
  }

  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    if (settings_.has_watermark) into.push_back(intake_.greatest());
  }
  void forget_event_times() override { intake_.begin(); }
  std::optional<timestamp> take_greatest_event_time() override { return intake_.take_greatest(); }

  void save(state_writer& into) const override {
    into.put(state_version);
    sessions_.save(into);
    emission_.save(into);
  }

  result<void> restore(state_reader& from) override {
    if (from.get<std::uint8_t>() != state_version)
      return unreadable("the saved sessions of this step have another form than this program knows");
    if (!sessions_.restore(from)) return unreadable("the saved sessions of this step are damaged");
    const bool ends_too_early = from.at_end();
    emission_.restore(from);
    if (ends_too_early || !from.ok()) return unreadable("the saved state of this step ends too early");
    continue_orders(argument_indices{});
    return {};
  }

 private:
  static constexpr std::uint8_t state_version = 1;

  using key_indices = std::make_index_sequence<Sessions::key_count>;
  using argument_indices = tuple_indices<Arguments>;

  static constexpr bool can_overflow =
      kernel::any_may_overflow<Filters, Keys, Arguments, boost::hana::tuple<Gap>, boost::hana::tuple<Time>>;

  bool drops_late() const { return settings_.mode != output_mode::complete && settings_.late_by == lateness::window; }
  bool closes() const { return drops_late(); }

  result<void> unreadable(const char* what) const {
    return failure{failure_class::state, "PMSTREAM483", what, settings_.where,
                   "restore the checkpoint directory from a copy, or start a new checkpoint"};
  }

  // ---- rows ---------------------------------------------------------------------------------------------------------

  result<void> leave_out(kernel::chunk& at, std::uint64_t invalid) {
    at.active &= ~invalid;
    counts_.invalid += std::popcount(invalid);
    counts_.filtered -= std::popcount(invalid);  // where they count as rows that are not active
    return rejected_.set_aside(at, invalid);
  }

  /// Takes a morsel: the rows that pass the filters and what they hold, then row by row into the sessions.
  template <std::size_t... K, std::size_t... A>
  result<void> take(const block& rows, std::size_t begin, std::index_sequence<K...>, std::index_sequence<A...>) {
    const std::size_t count = std::min(kernel::morsel_rows, rows.rows - begin);
    intake_.start(rows, begin);
    gap_.start(rows, begin);
    (boost::hana::at_c<K>(key_values_).start(boost::hana::at_c<K>(keys_), rows, begin), ...);
    (boost::hana::at_c<A>(argument_values_).start(boost::hana::at_c<A>(arguments_), rows, begin), ...);

    std::uint16_t* end = selected_.data();
    for (std::size_t first = 0; first < count; first += kernel::lane_count) {
      const std::size_t index = first / kernel::lane_count;
      kernel::chunk at(rows, begin + first);
      if constexpr (can_overflow) {
        const std::uint64_t invalid = intake_.overflowing(at, true, [&](kernel::chunk& of) {
          gap_.evaluate(of);
          kernel::evaluate_all(keys_, of);
          kernel::evaluate_all(arguments_, of);
        });
        if (invalid != 0)
          if (auto done = leave_out(at, invalid); !done) return done;
      }
      if (const std::uint64_t passed = filter(at, index); passed != 0) {
        (boost::hana::at_c<K>(key_values_).collect(boost::hana::at_c<K>(keys_), at, index), ...);
        (boost::hana::at_c<A>(argument_values_).collect(boost::hana::at_c<A>(arguments_), at, index), ...);
        end = kernel::append_rows(passed, first, end);
      }
    }
    const auto selected = static_cast<std::size_t>(end - selected_.data());
    counts_.received += static_cast<std::int64_t>(count);
    counts_.filtered += static_cast<std::int64_t>(count - selected);
    const std::size_t kept = set_ends(rows, begin, selected);
    counts_.kept += static_cast<std::int64_t>(kept);
    if (kept != 0)
      sessions_.add_rows(kernel::values_of(key_values_), kernel::values_of(argument_values_), intake_.times().values,
                         ends_.data(), selected_.data(), kept);
    return {};
  }

  /// The rows of a chunk that go on: they passed the filters, have an event time, and a gap that is positive. For the
  /// watermark, the gap is like a filter on the event time: it does not hold it back.
  std::uint64_t filter(kernel::chunk& at, std::size_t index) {
    at.active &= intake_.filter(at, index);
    at.active = gap_.collect(at, index);
    return at.active;
  }

  /// Computes where the rows' own sessions end and sets the late ones aside; how many others there are, which are then
  /// the first ones.
  std::size_t set_ends(const block& rows, std::size_t begin, std::size_t count) {
    const std::int64_t* times = intake_.times().values;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t row = selected_[i];
      ends_[row] = kernel::session_end(times[row], gap_.at(row));
    }
    if (!drops_late()) return count;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t row = selected_[i];
      if (ends_[row] > batch_.late_watermark.microseconds)
        selected_[kept++] = row;
      else if (late_)
        late_->add(rows, begin + row, batch_.late_watermark, {times[row], ends_[row]});
    }
    counts_.late += static_cast<std::int64_t>(count - kept);
    return kept;
  }

  /// Aggregates that choose a row by its place in source order go on behind those that the restored state knows.
  template <std::size_t... A>
  void continue_orders(std::index_sequence<A...>) {
    const auto go_on = [&]<std::size_t At>(std::integral_constant<std::size_t, At>) {
      auto& collector = boost::hana::at_c<At>(argument_values_);
      if constexpr (requires { collector.continue_behind(0); })
        for (const std::uint32_t each : sessions_.all())
          collector.continue_behind(boost::hana::at_c<At>(sessions_.group_of(each).aggregates).order);
    };
    (go_on(std::integral_constant<std::size_t, A>{}), ...);
    static_cast<void>(go_on);
  }

  aggregate_settings settings_;
  row_intake<Time, Filters> intake_;
  Gap gap_;
  Keys keys_;
  Arguments arguments_;
  Sessions sessions_;

  batch_context batch_;
  stage_counts counts_;

  // Of the morsel at hand.
  typename kernel::row_collectors<Keys>::type key_values_;
  typename kernel::row_collectors<Arguments>::type argument_values_;
  std::array<std::uint16_t, kernel::morsel_rows + 8> selected_;  // what append_rows writes behind the end
  std::array<std::int64_t, kernel::morsel_rows> ends_;           // by row

  result_emission<only_session<Sessions>, Fields...> emission_;
  rejected_output rejected_;
  std::optional<late_rows> late_;
};

}  // namespace etlantic
