#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/state_io.hpp>
#include <etlantic/column/variable_size.hpp>
#include <etlantic/kernel/window.hpp>
#include <etlantic/runtime/aggregate_settings.hpp>
#include <etlantic/runtime/closed_groups.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/result_check.hpp>
#include <etlantic/runtime/result_failure.hpp>
#include <etlantic/runtime/result_identity.hpp>
#include <etlantic/runtime/stage.hpp>
#include <etlantic/runtime/told_results.hpp>

#include <boost/hana/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace etlantic {

/// Gives out the groups of an aggregate stage as result rows at the end of a batch: those the output mode asks for,
/// put together as `Fields` say. A result that does not fit its type or breaks its contract is rejected instead.
template <class Table, class... Fields>
class result_emission {
 public:
  /// The settings outlive the emission.
  explicit result_emission(const aggregate_settings& settings)
      : settings_(settings),
        results_(*settings.result),
        variable_(*settings.result),
        check_(*settings.result),
        identity_(settings) {}
  result_emission(const result_emission&) = delete;
  result_emission& operator=(const result_emission&) = delete;

  /// Where the rows of a batch go.
  struct receiver {
    stage_outputs& out;
    rejected_output& rejected;
    stage_counts& counts;
    overflow_policy on_overflow;
  };

  /// `visit_windows` calls what it is given with the bounds and the groups of windows.
  template <class VisitWindows>
  result<void> emit(const closed_groups<Table>& closed, VisitWindows&& visit_windows, const receiver& to) {
    result<void> given;
    results_.clear();
    rows_ = 0;
    visit_windows([&](kernel::window_bounds window, const Table& groups) {
      groups.for_each([&](const auto& group) {
        if (!given || !leaves(closed, window, group)) return;
        if (auto added = add(closed, window, group, to); !added) given = std::move(added);
      });
    });
    if (given) given = flush(to);
    if (given) given = to.rejected.give(to.out);
    return given;
  }

  /// Forgets what concerned groups that the watermark closed.
  void forget(std::int64_t watermark) { told_.close(watermark); }

  std::size_t bytes() const { return told_.bytes(); }
  void save(state_writer& into) const { told_.save(into); }
  void restore(state_reader& from) { told_.restore(from); }

 private:
  static constexpr std::size_t rows_per_block = 4096;

  template <class Group>
  bool leaves(const closed_groups<Table>& closed, kernel::window_bounds window, const Group& group) const {
    switch (settings_.mode) {
      case output_mode::append: return closed.contains(window, group);
      case output_mode::update: return group.changed;
      case output_mode::complete: return true;
    }
    return false;
  }

  template <class Group>
  result<void> add(const closed_groups<Table>& closed, kernel::window_bounds window, const Group& group,
                   const receiver& to) {
    if (rows_ == 0) results_.resize(rows_per_block);
    const std::size_t row = rows_++;
    misfits_.clear();
    write_fields(window, group, row, std::index_sequence_for<Fields...>{});
    if (!misfits_.empty()) {
      if (to.on_overflow == overflow_policy::fail)
        return result_overflow(settings_.where, results_, row, misfits_.front());
      return reject(closed, window, group, result_overflow_code, overflows(), to);
    }
    if (check_.needed())
      if (const auto violations = check_(results_, row); !violations.empty()) {
        if (to.on_overflow == overflow_policy::fail)
          return result_breaks_contract(settings_.where, results_, row, violations.front());
        return reject(closed, window, group, broken_contract_code, wrong_fields_of(violations), to);
      }
    if (!told_.empty()) told_.is_right_again(identity_.of(window, group));
    return rows_ == rows_per_block || variable_.is_full(results_, settings_.most_bytes) ? flush(to) : result<void>();
  }

  std::vector<wrong_field> overflows() const {
    std::vector<wrong_field> wrong;
    for (std::size_t field : misfits_) wrong.push_back({settings_.result->fields[field].name, overflow_reason});
    return wrong;
  }

  /// Takes the last row out of the results. In append mode a group comes once; in the others it may come in every
  /// batch, and only the first of a row of wrong results is told.
  template <class Group>
  result<void> reject(const closed_groups<Table>& closed, kernel::window_bounds window, const Group& group,
                      std::string_view code, const std::vector<wrong_field>& wrong, const receiver& to) {
    const std::size_t row = --rows_;
    const std::string name = identity_.of(window, group);
    if (settings_.mode == output_mode::append || told_.is_new(name, closed.closes_at(window, group))) {
      ++to.counts.rejected_results;
      to.rejected.add_result(name, identity_.payload(results_, row, misfits_), code, wrong);
    }
    for (column& into : results_.columns)
      if (!into.validity.empty()) column::set_bit(into.validity, row, true);  // for the next result in this place
    if (to.rejected.rows() >= rows_per_block)
      if (auto given = to.rejected.give(to.out); !given) return given;
    // Its texts are still there.
    return variable_.is_full(results_, settings_.most_bytes) ? flush(to) : result<void>();
  }

  /// Writes one result row and notes the fields whose values do not fit.
  template <class Group, std::size_t... F>
  void write_fields(kernel::window_bounds window, const Group& group, std::size_t row, std::index_sequence<F...>) {
    const auto write = [&]<class Field>(std::size_t index, std::type_identity<Field>) {
      column& into = results_.columns[index];
      bool fits = true;
      if constexpr (Field::origin == result_origin::key)
        boost::hana::at_c<Field::index>(group.key).write(into, row);
      else if constexpr (Field::origin == result_origin::window_start)
        into.set(row, window.start);
      else if constexpr (Field::origin == result_origin::window_end)
        into.set(row, window.end);
      else
        fits = boost::hana::at_c<Field::index>(group.aggregates).template write<typename Field::value>(into, row);
      if (!fits) misfits_.push_back(index);
    };
    (write(F, std::type_identity<Fields>{}), ...);
    static_cast<void>(write);
  }

  result<void> flush(const receiver& to) {
    if (rows_ == 0) {
      results_.clear();
      return {};
    }
    results_.resize(std::exchange(rows_, 0));
    to.counts.emitted += static_cast<std::int64_t>(results_.rows);
    auto given = to.out.emit(0, results_);
    results_.clear();
    return given;
  }

  const aggregate_settings& settings_;
  block results_;
  variable_columns variable_;
  std::size_t rows_ = 0;
  result_check check_;
  result_identity<Table> identity_;
  told_results told_;
  std::vector<std::size_t> misfits_;  // fields of the last row
};

}  // namespace etlantic
