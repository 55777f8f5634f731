#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/forgetting_time.hpp>
#include <etlantic/kernel/group_table.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/selection.hpp>
#include <etlantic/runtime/late_rows.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/row_intake.hpp>
#include <etlantic/runtime/stage.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace etlantic {

struct deduplicate_settings {
  bool has_watermark = false;    ///< this stage follows the greatest event time
  bool looks_for_union = false;  ///< for the parts of a union before it
  bool drops_late = false;
  /// How long after its first row a key is forgotten; a row without an event time is forgotten then, or never.
  duration kept_for{};
  bool forgets_without_time = false;
  const schema* rows = nullptr;
  std::string where;
  const schema* late = nullptr;
  std::size_t late_port = 0;
  const schema* invalid = nullptr;
  std::size_t invalid_port = 0;
};

/// Filters rows and gives on, as it came, the first one of each key. `Time` is the event time's node, or nullptr_t;
/// `Table` is a group_table with the keys and either a forgetting_time or, if no key is ever forgotten, nothing.
template <class Time, class Filters, class Keys, class Table>
class deduplicate_stage final : public stage {
 public:
  deduplicate_stage(deduplicate_settings settings, Time time, Filters filters, Keys keys)
      : settings_(std::move(settings)),
        intake_(std::move(time), std::move(filters), settings_.has_watermark || settings_.looks_for_union),
        keys_(std::move(keys)),
        given_(*settings_.rows),
        rejected_(*settings_.rows, settings_.invalid, settings_.invalid_port, settings_.where),
        late_(settings_.late != nullptr ? std::optional<late_rows>(*settings_.late) : std::nullopt) {}

  void begin(const batch_context& batch) override {
    batch_ = batch;
    rejected_.begin(batch);
    counts_ = {};
    intake_.begin();
  }

  result<void> process(std::size_t, const block& rows, stage_outputs& out) override {
    first_rows_.clear();
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::morsel_rows)
      if (auto taken = take(rows, begin, key_indices{}); !taken) return taken;
    if (auto given = give_on(rows, out); !given) return given;
    if (can_overflow)
      if (auto given = rejected_.give(out); !given) return given;
    if (!late_ || late_->empty()) return {};
    auto given = out.emit(settings_.late_port, late_->rows());
    late_->clear();
    return given;
  }

  result<void> finish(stage_outputs&) override {
    if constexpr (forgets) forget(batch_.watermark.microseconds);
    return {};
  }

  stage_counts counts() const override { return counts_; }
  bool gives_rows_on() const override { return true; }
  state_metrics state() const override {
    return {0, static_cast<std::int64_t>(seen_.size()), static_cast<std::int64_t>(seen_.bytes())};
  }
  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    if (settings_.has_watermark) into.push_back(intake_.greatest());
  }
  void forget_event_times() override { intake_.begin(); }
  std::optional<timestamp> take_greatest_event_time() override { return intake_.take_greatest(); }

  void save(state_writer& into) const override { seen_.save(into); }
  result<void> restore(state_reader& from) override {
    seen_.restore(from);
    next_closing_ = std::numeric_limits<std::int64_t>::min();  // looked up when the next batch ends
    if (from.ok()) return {};
    return failure{failure_class::state, "PMSTREAM483", "the saved state of this step ends too early", settings_.where,
                   "restore the checkpoint directory from a copy, or start a new checkpoint"};
  }

 private:
  static constexpr bool has_time = row_intake<Time, Filters>::has_time;
  static constexpr bool forgets = Table::state_count != 0;
  static constexpr bool can_overflow = kernel::any_may_overflow<Filters, Keys> || kernel::may_overflow<Time>;
  static constexpr std::int64_t never = kernel::forgetting_time::never;
  using key_indices = std::make_index_sequence<Table::key_count>;

  /// Takes a morsel: the rows that pass the filters and are in time, then the first ones of their keys.
  template <std::size_t... K>
  result<void> take(const block& rows, std::size_t begin, std::index_sequence<K...>) {
    const std::size_t count = std::min(kernel::morsel_rows, rows.rows - begin);
    intake_.start(rows, begin);
    (boost::hana::at_c<K>(key_values_).start(boost::hana::at_c<K>(keys_), rows, begin), ...);

    std::uint16_t* end = selected_.data();
    for (std::size_t first = 0; first < count; first += kernel::lane_count) {
      kernel::chunk at(rows, begin + first);
      if constexpr (can_overflow) {
        const std::uint64_t invalid =
            intake_.overflowing(at, false, [&](kernel::chunk& of) { kernel::evaluate_all(keys_, of); });
        if (invalid != 0)
          if (auto done = leave_out(at, invalid); !done) return done;
      }
      intake_.filter(at, first / kernel::lane_count);
      if (at.active == 0) continue;
      (boost::hana::at_c<K>(key_values_).collect(boost::hana::at_c<K>(keys_), at, first / kernel::lane_count), ...);
      end = kernel::append_rows(at.active, first, end);
    }
    auto selected = static_cast<std::size_t>(end - selected_.data());
    counts_.received += static_cast<std::int64_t>(count);
    counts_.filtered += static_cast<std::int64_t>(count - selected);
    if (settings_.drops_late) selected = without_late(rows, begin, selected);
    if (selected != 0) keep_first(begin, selected);
    return {};
  }

  result<void> leave_out(kernel::chunk& at, std::uint64_t invalid) {
    at.active &= ~invalid;
    counts_.invalid += std::popcount(invalid);
    counts_.filtered -= std::popcount(invalid);  // where they count as rows that are not active
    return rejected_.set_aside(at, invalid);
  }

  /// Sets the late rows aside; how many others there are, which are now the first ones. Rows without an event time are
  /// never late.
  std::size_t without_late(const block& rows, std::size_t begin, std::size_t count) {
    std::size_t kept = 0;
    if constexpr (has_time) {
      const kernel::row_values<std::int64_t> times = intake_.times();
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t row = selected_[i];
        if (!times.is_present(row) || times.at(row) > batch_.late_watermark.microseconds)
          selected_[kept++] = row;
        else if (late_)
          late_->add(rows, begin + row, batch_.late_watermark, {times.at(row), times.at(row)});
      }
      counts_.late += static_cast<std::int64_t>(count - kept);
    }
    return kept;
  }

  void keep_first(std::size_t begin, std::size_t count) {
    std::array<std::uint16_t, kernel::morsel_rows> first;
    const std::size_t found =
        seen_.add_first_rows(key_values(key_indices{}), forgetting_times(count), selected_.data(), count, first.data());
    if constexpr (forgets)
      for (std::size_t i = 0; i < found; ++i) next_closing_ = std::min(next_closing_, closings_[first[i]]);
    for (std::size_t i = 0; i < found; ++i) first_rows_.push_back(begin + first[i]);
    counts_.kept += static_cast<std::int64_t>(found);
    counts_.duplicate += static_cast<std::int64_t>(count - found);
  }

  template <std::size_t... K>
  auto key_values(std::index_sequence<K...>) const {
    return boost::hana::make_tuple(boost::hana::at_c<K>(key_values_).values()...);
  }

  /// When the selected rows' keys are forgotten if they are the first ones; what the table's state takes.
  auto forgetting_times(std::size_t count) {
    if constexpr (!forgets)
      return boost::hana::tuple<>{};
    else {
      const kernel::row_values<std::int64_t> times = intake_.times();
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint16_t row = selected_[i];
        closings_[row] = times.is_present(row)            ? closing_of(times.at(row))
                         : settings_.forgets_without_time ? closing_of(0)
                                                          : never;
      }
      return boost::hana::make_tuple(kernel::row_values<std::int64_t>{closings_.data(), nullptr});
    }
  }
  std::int64_t closing_of(std::int64_t time) const {
    std::int64_t closing = 0;
    return __builtin_add_overflow(time, static_cast<std::int64_t>(settings_.kept_for.count()), &closing) ? never
                                                                                                         : closing;
  }

  /// Rows are copied only if some of the block do not go on.
  result<void> give_on(const block& rows, stage_outputs& out) {
    if (first_rows_.empty()) return {};
    counts_.emitted += static_cast<std::int64_t>(first_rows_.size());
    if (first_rows_.size() == rows.rows) return out.emit(0, rows);
    given_.clear();
    given_.split = rows.split;
    for (std::size_t i = 0; i < given_.columns.size(); ++i)
      for (const std::size_t row : first_rows_) given_.columns[i].append(rows.columns[i], row);
    for (const std::size_t row : first_rows_)
      if (row < rows.positions.size()) given_.positions.push_back(rows.positions[row]);
    given_.rows = first_rows_.size();
    return out.emit(0, given_);
  }

  /// Nothing is looked at while the first key to be forgotten is not due.
  void forget(std::int64_t watermark) {
    if (next_closing_ > watermark) return;
    std::int64_t next = never;
    seen_.remove_if([&](const auto& key) {
      const std::int64_t closing = boost::hana::at_c<0>(key.aggregates).at;
      if (closing <= watermark) return true;
      next = std::min(next, closing);
      return false;
    });
    next_closing_ = next;
  }

  deduplicate_settings settings_;
  row_intake<Time, Filters> intake_;
  Keys keys_;
  Table seen_;
  std::int64_t next_closing_ = never;  // of the first key to be forgotten, or earlier

  batch_context batch_;
  stage_counts counts_;
  std::vector<std::size_t> first_rows_;  // of the block at hand
  block given_;

  // Of the morsel at hand.
  typename kernel::row_collectors<Keys>::type key_values_;
  std::array<std::uint16_t, kernel::morsel_rows + 8> selected_;  // what append_rows writes behind the end
  std::array<std::int64_t, kernel::morsel_rows> closings_;

  rejected_output rejected_;
  std::optional<late_rows> late_;
};

}  // namespace etlantic
