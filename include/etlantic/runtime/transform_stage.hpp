#pragma once
#include <etlantic/core/tuple_indices.hpp>
#include <etlantic/kernel/aggregate_state.hpp>
#include <etlantic/kernel/filter.hpp>
#include <etlantic/kernel/may_overflow.hpp>
#include <etlantic/runtime/rejected_output.hpp>
#include <etlantic/runtime/result_check.hpp>
#include <etlantic/runtime/result_failure.hpp>
#include <etlantic/runtime/stage.hpp>

#include <boost/hana/tuple.hpp>

#include <bit>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

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
  bool looks_for_union = false;  // the watermarks are those of the parts of a union before it
  bool is_union_part = false;    // rows that pass are looked at behind the union
  bool keeps_origins = false;    // somebody asks which row a result was
  const schema* result = nullptr;
  std::string where;
  const schema* invalid = nullptr;  // nullptr: invalid rows are counted and not given out
  std::size_t invalid_port = 0;
};

/// Filters rows and gives them on, as they are or as rows of another contract. Keeps no state. A row for which
/// something cannot be computed, or that breaks the output contract, is invalid: it does not go on and moves no
/// watermark.
template <class Time, class Filters, class Columns>
class transform_stage final : public stage {
 public:
  transform_stage(transform_settings settings, Time time, Filters filters, Columns columns)
      : settings_(std::move(settings)),
        time_(std::move(time)),
        filters_(std::move(filters)),
        columns_(std::move(columns)),
        results_(*settings_.result),
        check_(*settings_.result),
        rejected_(*settings_.result, settings_.invalid, settings_.invalid_port, settings_.where) {}

  void begin(const batch_context& batch) override {
    on_overflow_ = batch.on_overflow;
    rejected_.begin(batch);
    counts_ = {};
    greatest_time_.reset();
  }

  result<void> process(std::size_t, const block& rows, stage_outputs& out) override {
    results_.clear();
    results_.split = rows.split;
    origins_.clear();
    for (std::size_t begin = 0; begin < rows.rows; begin += kernel::lane_count)
      if (auto taken = take(kernel::chunk(rows, begin)); !taken) return taken;
    counts_.emitted += static_cast<std::int64_t>(results_.rows);
    if (results_.rows != 0)
      if (auto given = out.emit(0, results_); !given) return given;
    return rejected_.give(out);
  }

  result<void> finish(stage_outputs&) override { return {}; }

  stage_counts counts() const override { return counts_; }
  state_metrics state() const override { return {}; }
  void add_greatest_event_times(std::vector<std::optional<timestamp>>& into) const override {
    if (settings_.has_watermark) into.push_back(greatest_time_);
  }
  void forget_event_times() override { greatest_time_.reset(); }
  std::optional<timestamp> take_greatest_event_time() override { return std::exchange(greatest_time_, std::nullopt); }
  std::span<const std::uint32_t> origins() const override { return origins_; }
  void save(state_writer&) const override {}
  result<void> restore(state_reader&) override { return {}; }

 private:
  using column_indices = tuple_indices<Columns>;

  /// What is wrong with some rows of a chunk.
  struct finding {
    std::uint64_t rows;
    std::string_view code;
    wrong_field wrong;
  };

  result<void> take(kernel::chunk at) {
    findings_.clear();
    kernel::filtered_rows kept = kernel::apply_filters(filters_, at);
    if constexpr (kernel::may_overflow<Time>)
      if (settings_.has_watermark) static_cast<void>(time_.evaluate(at));  // also where no column shows the time
    std::uint64_t invalid = at.overflow;
    note_overflow(at, {});
    kept.passed &= ~invalid;
    const std::int64_t filtered = static_cast<std::int64_t>(at.count) - std::popcount(kept.passed | invalid);

    const std::size_t first = results_.rows;
    at.active = kept.passed;
    fill(at, kept.passed, first, column_indices{});
    check(kept.passed, first);
    for (const finding& each : findings_) invalid |= each.rows;
    if (invalid != 0) [[unlikely]] {
      if (on_overflow_ == overflow_policy::fail) return failure_of(at, kept.passed, first);
      reject(at, invalid);
      kept.passed &= ~invalid;
      results_.resize(first);
      at.active = kept.passed;
      fill(at, kept.passed, first, column_indices{});
    }
    kernel::for_each_lane(kept.passed, [&](std::size_t row) {
      if (at.begin + row < at.rows->positions.size()) results_.positions.push_back(at.rows->positions[at.begin + row]);
      if (settings_.keeps_origins) origins_.push_back(static_cast<std::uint32_t>(at.begin + row));
    });
    observe(at, kept.for_watermark & ~invalid & (settings_.is_union_part ? ~kept.passed : ~std::uint64_t{0}));
    counts_.received += static_cast<std::int64_t>(at.count);
    counts_.filtered += filtered;
    counts_.invalid += std::popcount(invalid);
    counts_.kept += std::popcount(kept.passed);
    return {};
  }

  /// Follows the event time of rows; one that cannot be computed is none.
  void observe(kernel::chunk at, std::uint64_t rows) {
    if constexpr (!std::is_same_v<Time, std::nullptr_t>) {
      if ((!settings_.has_watermark && !settings_.looks_for_union) || rows == 0) return;
      at.active = rows;
      at.overflow = 0;
      const kernel::lanes<std::int64_t> times = time_.evaluate(at);
      kernel::for_each_lane(rows & times.valid & ~at.overflow, [&](std::size_t row) {
        if (!greatest_time_ || times.values[row] > greatest_time_->microseconds)
          greatest_time_ = timestamp{times.values[row]};
      });
    } else
      static_cast<void>(at), static_cast<void>(rows);
  }

  /// Computes the output rows of some rows of a chunk and puts them behind the first ones. Rows that overflow have a
  /// place and no value.
  template <std::size_t... I>
  void fill(kernel::chunk& at, std::uint64_t rows, std::size_t first, std::index_sequence<I...>) {
    if (rows == 0) return;
    const auto fill_one = [&](std::size_t index, auto& from) {
      const std::uint64_t before = std::exchange(at.overflow, 0);
      at.cast_failed = 0;
      const std::uint64_t misfits = fill_column(results_.columns[index], from, at, rows, first);
      const wrong_field wrong{settings_.result->fields[index].name, overflow_reason};
      note_overflow(at, wrong.name);
      if ((misfits & ~at.overflow) != 0) findings_.push_back({misfits & ~at.overflow, result_overflow_code, wrong});
      at.overflow |= before;
    };
    (fill_one(I, boost::hana::at_c<I>(columns_)), ...);
    static_cast<void>(fill_one);
    results_.rows = first + static_cast<std::size_t>(std::popcount(rows));
  }

  /// The rows for which a field cannot be computed, and why.
  void note_overflow(const kernel::chunk& at, std::string_view field) {
    const std::uint64_t plain = at.overflow & ~at.cast_failed;
    if (plain != 0) findings_.push_back({plain, arithmetic_overflow_code, {field, overflow_reason}});
    kernel::for_each_lane(at.overflow & at.cast_failed, [&](std::size_t row) {
      findings_.push_back({std::uint64_t{1} << row, arithmetic_overflow_code, {field, reason_of(at, row)}});
    });
  }

  static std::uint64_t fill_column(column& into, const copied_column& from, kernel::chunk& at, std::uint64_t rows,
                                   std::size_t) {
    kernel::for_each_lane(rows, [&](std::size_t row) { into.append(at.rows->columns[from.index], at.begin + row); });
    return 0;
  }

  /// The rows whose value does not fit.
  template <class To, class Node>
  static std::uint64_t fill_column(column& into, computed_column<To, Node>& from, kernel::chunk& at, std::uint64_t rows,
                                   std::size_t first) {
    const auto values = from.node.evaluate(at);
    into.resize(first + static_cast<std::size_t>(std::popcount(rows)));
    std::size_t to = first;
    std::uint64_t misfits = 0;
    kernel::for_each_lane(rows, [&](std::size_t row) {
      if (!kernel::is_present(values, row))
        into.set_null(to);
      else if constexpr (std::is_same_v<typename Node::value, std::string_view>)
        into.set_text(to, values.values[row]);
      else if (!kernel::write_value<To>(into, to, kernel::value_at(values, row)))
        misfits |= std::uint64_t{1} << row;
      ++to;
    });
    return misfits;
  }

  /// Finds the rows that break the output contract. Those that are invalid already have values that say nothing.
  void check(std::uint64_t rows, std::size_t first) {
    broken_.clear();
    if (!check_.needed()) return;
    std::uint64_t known = 0;
    for (const finding& each : findings_) known |= each.rows;
    std::size_t to = first;
    kernel::for_each_lane(rows, [&](std::size_t row) {
      const std::size_t result = to++;
      if ((known >> row) & 1) return;
      auto violations = check_(results_, result);
      if (violations.empty()) return;
      broken_.push_back(std::move(violations));
      for (const wrong_field& each : wrong_fields_of(broken_.back()))
        findings_.push_back({std::uint64_t{1} << row, broken_contract_code, each});
    });
  }

  void reject(const kernel::chunk& at, std::uint64_t invalid) {
    kernel::for_each_lane(invalid, [&](std::size_t row) {
      std::string_view code;
      std::vector<wrong_field> wrong;
      for (const finding& each : findings_) {
        if (((each.rows >> row) & 1) == 0) continue;
        if (wrong.empty()) code = each.code;
        wrong.push_back(each.wrong);
      }
      rejected_.add_row(*at.rows, at.begin + row, code, wrong);
    });
  }

  /// The first finding as the failure that ends the query.
  failure failure_of(const kernel::chunk& at, std::uint64_t passed, std::size_t first) const {
    const finding& found = findings_.front();
    const auto row = static_cast<std::size_t>(std::countr_zero(found.rows));
    if (found.code == arithmetic_overflow_code)
      return cannot_be_computed(settings_.where, *at.rows, at.begin + row, found.wrong.reason);
    const std::uint64_t before = passed & ((std::uint64_t{1} << row) - 1);
    const std::size_t result = first + static_cast<std::size_t>(std::popcount(before));
    if (found.code == broken_contract_code)
      return result_breaks_contract(settings_.where, results_, result, broken_.front().front());
    std::size_t field = 0;
    while (settings_.result->fields[field].name != found.wrong.name) ++field;
    return result_overflow(settings_.where, results_, result, field);
  }

  transform_settings settings_;
  [[no_unique_address]] Time time_;
  Filters filters_;
  Columns columns_;
  stage_counts counts_;
  std::optional<timestamp> greatest_time_;
  block results_;
  std::vector<std::uint32_t> origins_;
  result_check check_;
  rejected_output rejected_;
  overflow_policy on_overflow_ = overflow_policy::quarantine;
  std::vector<finding> findings_;               // of the chunk that is looked at
  std::vector<std::vector<violation>> broken_;  // what those findings of the contract point to
};

}  // namespace etlantic
