#pragma once
#include <etlantic/core/tuple_indices.hpp>
#include <etlantic/kernel/aggregate_state.hpp>
#include <etlantic/kernel/filter.hpp>
#include <etlantic/runtime/result_failure.hpp>
#include <etlantic/runtime/stage.hpp>

#include <boost/hana/tuple.hpp>

#include <bit>
#include <limits>
#include <string>
#include <utility>

namespace etlantic {

/// A field of the output that is a column of the input as it is, of any type.
struct copied_column {
  std::size_t index;
};

/// A field of the output that is computed; `To` is its type in the output contract.
template <class To, class Node>
struct computed_column {
  using value = To;
  Node node;
};

struct transform_settings {
  bool has_watermark = false;
  const schema* result = nullptr;
  std::string where;
};

/// Filters rows and gives them on, as they are or as rows of another contract. Keeps no state.
template <class Time, class Filters, class Columns>
class transform_stage final : public stage {
 public:
  transform_stage(transform_settings settings, Time time, Filters filters, Columns columns)
      : settings_(std::move(settings)),
        time_(std::move(time)),
        filters_(std::move(filters)),
        columns_(std::move(columns)),
        results_(*settings_.result) {}

  void begin(const batch_context&) override {
    counts_ = {};
    greatest_time_.reset();
  }

  result<void> process(std::size_t, const block& rows, stage_outputs& out) override {
    results_.clear();
    results_.split = rows.split;
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::lane_count) {
      kernel::chunk at(rows, begin);
      const kernel::filtered_rows kept = kernel::apply_filters(filters_, at);
      observe(at, kept.for_watermark);
      counts_.received += static_cast<std::int64_t>(at.count);
      counts_.filtered += static_cast<std::int64_t>(at.count) - std::popcount(kept.passed);
      counts_.kept += std::popcount(kept.passed);
      if (kept.passed != 0 && !copy(at, kept.passed, column_indices{}))
        return result_overflow(settings_.where, results_, results_.rows - 1, misfit_);
      if (at.overflow != 0)
        return arithmetic_overflow(settings_.where, rows, begin + static_cast<std::size_t>(std::countr_zero(at.overflow)));
    }
    if (results_.rows == 0) return {};
    if (auto broken = results_break_contract(settings_.where, results_)) return std::move(*broken);
    counts_.emitted += static_cast<std::int64_t>(results_.rows);
    return out.emit(0, results_);
  }

  result<void> finish(stage_outputs&) override { return {}; }

  stage_counts counts() const override { return counts_; }
  state_metrics state() const override { return {}; }
  std::optional<timestamp> greatest_event_time() const override { return greatest_time_; }
  void save(state_writer&) const override {}
  result<void> restore(state_reader&) override { return {}; }

 private:
  using column_indices = tuple_indices<Columns>;

  void observe(kernel::chunk& at, std::uint64_t rows) {
    if constexpr (!std::is_same_v<Time, std::nullptr_t>) {
      const kernel::lanes<std::int64_t> times = time_.evaluate(at);
      rows &= times.valid;
      if (!settings_.has_watermark || rows == 0) return;
      std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
      kernel::for_each_lane(rows, [&](std::size_t row) { greatest = std::max(greatest, times.values[row]); });
      if (!greatest_time_ || greatest > greatest_time_->microseconds) greatest_time_ = timestamp{greatest};
    } else static_cast<void>(at), static_cast<void>(rows);
  }

  template <std::size_t... I>
  bool copy(kernel::chunk& at, std::uint64_t rows, std::index_sequence<I...>) {
    const std::size_t first = results_.rows;
    bool fits = true;
    const auto fill = [&](std::size_t index, auto& from) {
      if (fits && !fill_column(results_.columns[index], from, at, rows, first)) {
        fits = false;
        misfit_ = index;
      }
    };
    (fill(I, boost::hana::at_c<I>(columns_)), ...);
    static_cast<void>(fill);
    results_.rows = first + static_cast<std::size_t>(std::popcount(rows));
    kernel::for_each_lane(rows, [&](std::size_t row) {
      if (at.begin + row < at.rows->positions.size()) results_.positions.push_back(at.rows->positions[at.begin + row]);
    });
    return fits;
  }

  static bool fill_column(column& into, const copied_column& from, kernel::chunk& at, std::uint64_t rows, std::size_t) {
    kernel::for_each_lane(rows, [&](std::size_t row) { into.append(at.rows->columns[from.index], at.begin + row); });
    return true;
  }

  template <class To, class Node>
  static bool fill_column(column& into, computed_column<To, Node>& from, kernel::chunk& at, std::uint64_t rows,
                          std::size_t first) {
    const auto values = from.node.evaluate(at);
    into.resize(first + static_cast<std::size_t>(std::popcount(rows)));
    std::size_t to = first;
    bool fits = true;
    kernel::for_each_lane(rows, [&](std::size_t row) {
      if (!kernel::is_present(values, row)) into.set_null(to);
      else if constexpr (std::is_same_v<typename Node::value, std::string_view>) into.set_text(to, values.values[row]);
      else fits &= kernel::write_value<To>(into, to, kernel::value_at(values, row));
      ++to;
    });
    return fits;
  }

  transform_settings settings_;
  [[no_unique_address]] Time time_;
  Filters filters_;
  Columns columns_;
  stage_counts counts_;
  std::optional<timestamp> greatest_time_;
  block results_;
  std::size_t misfit_ = 0;
};

}  // namespace etlantic
