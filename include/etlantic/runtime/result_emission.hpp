#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/runtime/aggregate_settings.hpp>
#include <etlantic/runtime/closed_groups.hpp>
#include <etlantic/runtime/result_failure.hpp>
#include <etlantic/runtime/stage.hpp>
#include <etlantic/runtime/window_panes.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace etlantic {

/// Gives out the groups of an aggregate stage as result rows at the end of a batch: those the output mode asks for,
/// put together as `Fields` say.
template <class Table, class... Fields>
class result_emission {
 public:
  explicit result_emission(const schema& result) : results_(result) {}

  result<void> emit(const aggregate_settings& settings, const closed_groups<Table>& closed, window_panes<Table>& panes,
                    stage_outputs& out, stage_counts& counts) {
    result<void> given;
    results_.clear();
    panes.for_each([&](const pane& each) {
      each.groups.for_each([&](const auto& group) {
        if (given && leaves(settings.mode, closed, each, group)) given = add(settings, each, group, out, counts);
      });
    });
    if (given) given = flush(settings, out, counts);
    return given;
  }

 private:
  using pane = typename window_panes<Table>::pane;

  static constexpr std::size_t rows_per_block = 4096;

  template <class Group>
  static bool leaves(output_mode mode, const closed_groups<Table>& closed, const pane& each, const Group& group) {
    switch (mode) {
      case output_mode::append: return closed.contains(each, group);
      case output_mode::update: return group.changed;
      case output_mode::complete: return true;
    }
    return false;
  }

  template <class Group>
  result<void> add(const aggregate_settings& settings, const pane& each, const Group& group, stage_outputs& out,
                   stage_counts& counts) {
    if (rows_ == 0) results_.resize(rows_per_block);
    const std::size_t row = rows_++;
    const std::size_t misfit = write_fields(each, group, row, std::index_sequence_for<Fields...>{});
    if (misfit != sizeof...(Fields)) return result_overflow(settings.where, results_, row, misfit);
    if (rows_ == rows_per_block) return flush(settings, out, counts);
    return {};
  }

  /// Writes one result row; the index of the first field whose value does not fit, or the number of fields.
  template <class Group, std::size_t... F>
  std::size_t write_fields(const pane& each, const Group& group, std::size_t row, std::index_sequence<F...>) {
    std::size_t misfit = sizeof...(Fields);
    const auto write = [&]<class Field>(std::size_t index, std::type_identity<Field>) {
      column& into = results_.columns[index];
      bool fits = true;
      if constexpr (Field::origin == result_origin::key)
        boost::hana::at_c<Field::index>(group.key).write(into, row);
      else if constexpr (Field::origin == result_origin::window_start)
        into.set(row, each.bounds.start);
      else if constexpr (Field::origin == result_origin::window_end)
        into.set(row, each.bounds.end);
      else
        fits = boost::hana::at_c<Field::index>(group.aggregates).template write<typename Field::value>(into, row);
      if (!fits && misfit == sizeof...(Fields)) misfit = index;
    };
    (write(F, std::type_identity<Fields>{}), ...);
    static_cast<void>(write);
    return misfit;
  }

  result<void> flush(const aggregate_settings& settings, stage_outputs& out, stage_counts& counts) {
    if (rows_ == 0) return {};
    results_.resize(std::exchange(rows_, 0));
    if (auto broken = results_break_contract(settings.where, results_)) return std::move(*broken);
    counts.emitted += static_cast<std::int64_t>(results_.rows);
    auto given = out.emit(0, results_);
    results_.clear();
    return given;
  }

  block results_;
  std::size_t rows_ = 0;
};

}  // namespace etlantic
