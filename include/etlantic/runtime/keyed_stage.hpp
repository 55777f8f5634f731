#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/core/tuple_indices.hpp>
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/group_key.hpp>
#include <etlantic/kernel/join_key.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/kernel/row_values.hpp>
#include <etlantic/kernel/selection.hpp>
#include <etlantic/runtime/keyed_row.hpp>
#include <etlantic/runtime/late_rows.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/row_intake.hpp>
#include <etlantic/runtime/stage.hpp>

#include <boost/hana/tuple.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace etlantic {

struct keyed_settings {
  bool has_watermark = false;    ///< this stage follows the greatest event time
  bool looks_for_union = false;  ///< for the parts of a union before it
  bool needs_time = true;        ///< a row without an event time is left out
  bool drops_late = true;
  const schema* rows = nullptr;
  std::string where;
  const schema* late = nullptr;
  std::size_t late_port = 0;
  const schema* invalid = nullptr;
  std::size_t invalid_port = 0;
  field_description value{};  ///< of what is computed of each row, if anything is
};

/// Filters rows, sets the late ones aside and hands the others with their keys to `Work`, which keeps them and gives
/// rows on when the batch ends. `Time` is the event time's node, or nullptr_t; `Value` holds one node or none.
template <class Time, class Filters, class Keys, class Value, class Work>
class keyed_stage final : public stage {
 public:
  keyed_stage(keyed_settings settings, Time time, Filters filters, Keys keys, Value value, std::unique_ptr<Work> work)
      : settings_(std::move(settings)),
        intake_(std::move(time), std::move(filters), settings_.has_watermark || settings_.looks_for_union),
        keys_(std::move(keys)),
        value_(std::move(value)),
        work_(std::move(work)),
        values_(settings_.value),
        rejected_(*settings_.rows, settings_.invalid, settings_.invalid_port, settings_.where),
        late_(settings_.late != nullptr ? std::optional<late_rows>(*settings_.late) : std::nullopt) {}

  void begin(const batch_context& batch) override {
    batch_ = batch;
    rejected_.begin(batch);
    counts_ = {};
    intake_.begin();
    if constexpr (requires { work_->begin(batch); }) work_->begin(batch);
  }

  result<void> process(std::size_t, const block& rows, stage_outputs& out) override {
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::morsel_rows)
      if (auto taken = take(rows, begin, key_indices{}); !taken) return taken;
    if constexpr (requires { work_->give(batch_, out, counts_); })
      if (auto given = work_->give(batch_, out, counts_); !given) return given;
    if constexpr (can_overflow)
      if (auto given = rejected_.give(out); !given) return given;
    if (!late_ || late_->empty()) return {};
    auto given = out.emit(settings_.late_port, late_->rows());
    late_->clear();
    return given;
  }

  result<void> finish(stage_outputs& out) override { return work_->finish(batch_, out, counts_); }

  stage_counts counts() const override { return counts_; }
  state_metrics state() const override { return work_->state(); }
  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    if (settings_.has_watermark) into.push_back(intake_.greatest());
  }
  void forget_event_times() override { intake_.begin(); }
  std::optional<timestamp> take_greatest_event_time() override { return intake_.take_greatest(); }

  void save(state_writer& into) const override { work_->save(into); }
  result<void> restore(state_reader& from) override {
    if (work_->restore(from)) return {};
    return failure{failure_class::state, "PMSTREAM483", "the saved state of this step ends too early or is damaged",
                   settings_.where, "restore the checkpoint directory from a copy, or start a new checkpoint"};
  }

 private:
  using key_indices = tuple_indices<Keys>;
  static constexpr bool has_time = row_intake<Time, Filters>::has_time;
  static constexpr bool has_value = tuple_indices<Value>::size() != 0;
  static constexpr bool can_overflow = kernel::any_may_overflow<Filters, Keys, Value> || kernel::may_overflow<Time>;

  result<void> leave_out(kernel::chunk& at, std::uint64_t invalid) {
    at.active &= ~invalid;
    counts_.invalid += std::popcount(invalid);
    counts_.filtered -= std::popcount(invalid);  // where they count as rows that are not active
    return rejected_.set_aside(at, invalid);
  }

  template <std::size_t... K>
  result<void> take(const block& rows, std::size_t begin, std::index_sequence<K...>) {
    const std::size_t count = std::min(kernel::morsel_rows, rows.rows - begin);
    intake_.start(rows, begin);
    (boost::hana::at_c<K>(key_values_).start(boost::hana::at_c<K>(keys_), rows, begin), ...);
    if constexpr (has_value) value_of().start(boost::hana::at_c<0>(value_), rows, begin);

    std::uint16_t* end = selected_.data();
    for (std::size_t first = 0; first < count; first += kernel::lane_count) {
      const std::size_t index = first / kernel::lane_count;
      kernel::chunk at(rows, begin + first);
      if constexpr (can_overflow) {
        const std::uint64_t invalid = intake_.overflowing(at, settings_.needs_time, [&](kernel::chunk& of) {
          kernel::evaluate_all(keys_, of);
          kernel::evaluate_all(value_, of);
        });
        if (invalid != 0)
          if (auto done = leave_out(at, invalid); !done) return done;
      }
      const std::uint64_t timed = intake_.filter(at, index);
      if (settings_.needs_time) at.active &= timed;
      if (at.active == 0) continue;
      (boost::hana::at_c<K>(key_values_).collect(boost::hana::at_c<K>(keys_), at, index), ...);
      if constexpr (has_value) value_of().collect(boost::hana::at_c<0>(value_), at, index);
      end = kernel::append_rows(at.active, first, end);
    }
    const auto selected = static_cast<std::size_t>(end - selected_.data());
    counts_.received += static_cast<std::int64_t>(count);
    counts_.filtered += static_cast<std::int64_t>(count - selected);
    values_.clear();
    for (std::size_t i = 0; i < selected; ++i) take_row(rows, begin, selected_[i], std::index_sequence<K...>{});
    return {};
  }

  template <std::size_t... K>
  void take_row(const block& rows, std::size_t begin, std::uint16_t row, std::index_sequence<K...>) {
    std::int64_t time = 0;
    if constexpr (has_time) {
      const kernel::row_values<std::int64_t> times = intake_.times();
      const bool is_timed = times.is_present(row);
      if (is_timed) time = times.at(row);
      if (settings_.drops_late && is_timed) {
        const kernel::window_bounds bounds = work_->late_bounds(time);
        if (bounds.end <= batch_.late_watermark.microseconds) {
          ++counts_.late;
          if (late_) late_->add(rows, begin + row, batch_.late_watermark, bounds);
          return;
        }
      }
    }
    key_.clear();
    (append_key(boost::hana::at_c<K>(key_values_).values(), row), ...);
    if constexpr (has_value) append_value(value_of().values(), row);
    ++counts_.kept;
    work_->take({rows, begin + row, key_, time, &values_, values_.rows - has_value}, batch_);
  }

  template <class V>
  void append_key(const kernel::row_values<V>& from, std::size_t row) {
    const bool present = from.is_present(row);
    key_.push_back(present ? 'v' : 'n');
    if (present) kernel::append_key_bytes(key_, V(from.at(row)));
  }
  template <class V>
  void append_value(const kernel::row_values<V>& from, std::size_t row) {
    values_.resize(values_.rows + 1);
    kernel::stored_key<V> value{{}, !from.is_present(row)};
    if (!value.is_null) value.value = Work::ranks ? kernel::key_form(V(from.at(row))) : from.at(row);
    value.write(values_, values_.rows - 1);
  }
  auto& value_of() { return boost::hana::at_c<0>(collected_value_); }

  keyed_settings settings_;
  row_intake<Time, Filters> intake_;
  Keys keys_;
  Value value_;
  std::unique_ptr<Work> work_;

  batch_context batch_;
  stage_counts counts_;

  // Of the morsel at hand.
  typename kernel::row_collectors<Keys>::type key_values_;
  typename kernel::row_collectors<Value>::type collected_value_;
  std::array<std::uint16_t, kernel::morsel_rows + 8> selected_;  // what append_rows writes behind the end
  std::string key_;                                              // of the row at hand
  column values_;

  rejected_output rejected_;
  std::optional<late_rows> late_;
};

}  // namespace etlantic
